"""Helpers for the tests of channels."""

from typing import Any

from tests.worlds.organization import Line, Someone, World

MODERN = {"notification_settings_null": True, "archived_channels": True}


def path(world: World, channel: str) -> str:
    return f"/streams/{world.id(channel)}"


def edits(who: Someone, channel: str, **changes: Any) -> dict[str, Any]:
    return who.patch(path(who.world, channel), **changes)


def stream(who: Someone, channel: str) -> dict[str, Any]:
    found: dict[str, Any] = who.get(path(who.world, channel))["stream"]
    return found


def announced(line: Line) -> list[tuple[str, object]]:
    """Return a queue's events about channels: updates by property and value, everything else by its kind."""
    return [
        (event["property"], event["value"])
        if event.get("op") == "update"
        else (event["type"], event.get("op"))
        for event in line.events("stream", "subscription", "default_streams")
    ]


def notices(who: Someone, channel: str) -> list[str]:
    found = who.reads(f"channel:{channel}", "topic:channel events", apply_markdown=False)
    return [one["content"] for one in found]
