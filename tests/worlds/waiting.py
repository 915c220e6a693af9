"""Scheduled messages and reminders of people."""

from typing import Any

from chatcore.application.scheduled.delivery import deliver_due
from tests.worlds.organization import Someone, World


def in_seconds(world: World, seconds: int) -> int:
    return int(world.clock()) + seconds


def schedules(someone: Someone, content: str = "soup", *, seconds: int = 60, **more: Any) -> int:
    """Schedule a message to lunch, or elsewhere; return its id."""
    return int(answer_of_scheduling(someone, content, seconds=seconds, **more)["scheduled_message_id"])


def answer_of_scheduling(someone: Someone, content: str, *, seconds: int, **more: Any) -> dict[str, Any]:
    world = someone.world
    place = {"type": "channel", "to": world.id("lunch"), "topic": "today"}
    given = {"scheduled_delivery_timestamp": in_seconds(world, seconds), "content": content, **place, **more}
    if given["type"] in ("direct", "private"):
        given = {name: value for name, value in given.items() if name != "topic" or name in more}
    return someone.post("/scheduled_messages", **given)


def reminded(someone: Someone, message_id: int, *, seconds: int = 60, **more: Any) -> int:
    """Request a reminder; return its id."""
    due = in_seconds(someone.world, seconds)
    given = {"message_id": message_id, "scheduled_delivery_timestamp": due, **more}
    return int(someone.post("/reminders", **given)["reminder_id"])


def reminders_of(someone: Someone) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = someone.get("/reminders")["reminders"]
    assert someone.post("/register", fetch_event_types=["reminders"])["reminders"] == found
    return found


def scheduled_of(someone: Someone) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = someone.get("/scheduled_messages")["scheduled_messages"]
    state = someone.post("/register", fetch_event_types=["scheduled_messages"])
    assert state["scheduled_messages"] == found
    return found


def passes(world: World, seconds: float) -> None:
    """Let time pass, and a server deliver what is due."""
    world.clock.advance(seconds)
    deliver_due(world.svc)
