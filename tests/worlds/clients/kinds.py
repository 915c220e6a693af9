"""Clients of six kinds of viewers, and the comparison of a client's state with a new registration."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from chatcore.domain.people.presence import OFFLINE_AFTER
from tests.http.events.test_queues import ALL_CAPABILITIES
from tests.worlds.clients.channels import fetched
from tests.worlds.clients.events import apply
from tests.worlds.clients.messages import Kept, comparable
from tests.worlds.clients.state import LISTS, PEOPLE, PERSONAL, Event, State, known, seen
from tests.worlds.organization import Line, Someone, World

MODERN = {
    "apply_markdown": True,
    "client_gravatar": True,
    "slim_presence": True,
    "include_subscribers": True,
    "client_capabilities": ALL_CAPABILITIES,
}
PARTIAL = {
    "client_gravatar": False,
    "include_subscribers": "partial",
    "client_capabilities": {
        "notification_settings_null": False,
        "archived_channels": True,
        "user_list_incomplete": True,
        "linkifier_url_template": True,
    },
}
OLD = {"client_gravatar": True, "include_subscribers": False, "client_capabilities": {}}

VIEWERS: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "olga": (MODERN, OLD),
    "ada": (MODERN, OLD),
    "gus": (MODERN, PARTIAL, OLD),
    "cem": (MODERN, OLD),
    "bea": (MODERN, PARTIAL),
    "robo": (PARTIAL,),
}
"""The viewers: the owner, a member, a guest, a member who came late to a channel with protected history, one
who has left channels, and a bot; each with its kinds of clients.
"""

NOT_REPORTED: Mapping[str, str] = {
    "queue_id": "of the registration itself",
    "last_event_id": "of the registration itself",
    "server_timestamp": "of the registration itself",
    "presence_last_update_id": "where a client goes on that asks for what is new, without events",
    "max_message_id": "checked apart: who loses sight of the newest message still has its id",
    "can_create_public_streams": "follows from one's role and the permission, both of which are told",
    "can_create_private_streams": "likewise",
    "can_create_streams": "likewise",
    "can_create_web_public_streams": "likewise",
    "can_subscribe_other_users": "likewise",
    "can_invite_others_to_realm": "likewise",
    "upload_space_used": "checked apart: only who owns a file hears how much all take",
    "unsure": "what the client itself cannot know",
    "asked": "what the client itself has asked for",
}
"""Fields that are not compared, because no event reports their changes."""

CHANNEL_NOT_REPORTED: Mapping[str, str] = {
    "stream_weekly_traffic": "counted anew now and then; new channels have none",
    "partial_subscribers": "the lists of large channels, that are not complete",
}


class Client:
    """A client of a person: it registers once, and then only reads events."""

    def __init__(self, who: Someone, asked: Mapping[str, Any]) -> None:
        self.who = who
        self.asked = asked
        self.line, self.state = self._register()
        self.kept = Kept(self._fetch)

    def __repr__(self) -> str:
        kind = "modern" if self.asked is MODERN else "old" if self.asked is OLD else "partial"
        return f"{self.who.name} ({kind})"

    def _register(self) -> tuple[Line, State]:
        line = self.who.registers(**self.asked)
        return line, known({**line.state, **self.files()}, self.asked)

    def files(self) -> dict[str, Any]:
        """Return the user's files: they are the state of `attachment` events, and are fetched separately."""
        answer = self.who.get("/attachments")
        return {name: answer[name] for name in ("attachments", "upload_space_used")}

    def _fetch(self, *narrow: Any, **which: Any) -> list[dict[str, Any]]:
        """Fetch messages in the form that events use."""
        capabilities = self.asked["client_capabilities"]
        window = {} if which else {"num_before": 1000}
        form = {
            "apply_markdown": self.asked.get("apply_markdown", False),
            "allow_empty_topic_name": capabilities.get("empty_topic_name", False),
        }
        with self.who.world.answers.unread():
            return self.who.reads(*narrow, **window, **which, **form)

    def listen(self) -> set[tuple[str, str | None]]:
        """Apply all new events; return their kinds."""
        if self.line.is_closed and self.who.name == "robo":  # its owner got a lesser role
            self.line, self.state = self._register()
            self.kept = Kept(self._fetch)
            return set()
        events = self.line.events()
        self.apply(events)
        return {(event["type"], event.get("op")) for event in events}

    def apply(self, events: Iterable[Event]) -> None:
        for event in events:
            apply(self.state, event)
            self.kept.in_audience(self.state, event)
        for message in self.kept.catch_up():
            fetched(self.state, message)

    def differences(self, *, starting_over: bool = False) -> list[str]:
        """Yield the differences between the state and a new registration, line by line.

        *starting_over* continues with the new registration.
        """
        line, fresh = self._register()
        found = self.differences_from(fresh)
        if starting_over:
            line, self.line, self.state = self.line, line, fresh
        self.who.delete("/events", queue_id=line.id)
        return found

    def differences_from(self, fresh: State) -> list[str]:
        """Return the differences between the state and a fresh one."""
        mine, theirs = seen(self.state), seen(fresh)
        found = [f"{self}: {one}" for one in _compared(mine, theirs)]
        if fresh["unread_count"] != theirs["unread_count"]:
            found.append(f"{self}: unread_count does not fit the unread messages: {fresh['unread_count']}")
        messages = (comparable(one, fresh) for one in self.kept.compared(fresh))
        return found + [f"{self}: {one}" for one in differences("messages", *messages)]


def clients_of(world: World, *, kind: int = 0) -> list[Client]:
    """Yield a client of each viewer, of its first or last kind; of the guest, all kinds."""
    return [
        Client(world[name], asked)
        for name, kinds in VIEWERS.items()
        for asked in (kinds if name == "gus" else [kinds[kind]])
    ]


PUBLIC = frozenset(
    {
        "custom_profile_fields",
        "never_subscribed",
        "realm_can_create_groups",
        "realm_default_language",
        "realm_domains",
        "realm_emoji",
        "realm_icon_source",
        "realm_icon_url",
        "realm_linkifiers",
        "realm_night_logo_source",
        "realm_night_logo_url",
        "realm_non_active_users",
        "realm_playgrounds",
        "server_generation",
        "realm_user_settings_defaults",
        "realm_users",
        "realm_waiting_period_threshold",
        "server_timestamp",
    }
)
"""Fields that may change for a spectator, in an organization that is open to the web."""


class Nobody:
    """A spectator: a client without an account, without events, which may only see what
    is open to the web.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._state = self._register() or {}

    def _register(self) -> dict[str, Any] | None:
        """Return a registration, or None if spectators are not admitted."""
        asked = {"client_gravatar": False, "client_capabilities": MODERN["client_capabilities"]}
        response = self._world.nobody.request("POST", "/register", **asked)
        if response.status_code == 401:
            return None
        answer: dict[str, Any] = response.get_json()
        return answer

    def leaks(self, secrets: Iterable[str]) -> list[str]:
        """Return forbidden changes since the last call, and secrets in the present answer."""
        if (announced := self._register()) is None:
            return []
        before, self._state = self._state, announced
        changed = {name for name in self._state if self._state[name] != before.get(name)} - {"last_event_id"}
        text = json.dumps(_without_bots(self._state))
        return [
            *(f"nobody: {name} has changed" for name in sorted(changed - PUBLIC)),
            *(f"nobody: is told of {secret!r}" for secret in secrets if secret in text),
            *(["nobody: has a queue"] if self._state["queue_id"] is not None else []),
        ]


def _without_bots(announced: Mapping[str, Any]) -> dict[str, Any]:
    """Remove bots: everybody may see their addresses."""
    people = (*PEOPLE, "cross_realm_bots")
    return {
        name: [one for one in value if not one["is_bot"]] if name in people else value
        for name, value in announced.items()
    }


def _compared(mine: State, theirs: State) -> Iterator[str]:
    _put_regained_channels_alike(mine, theirs)
    _put_presences_alike(mine, theirs)
    for state in (mine, theirs):
        for name in LISTS:
            state[name] = {
                number: _comparable(channel, is_mine=number in theirs["subscriptions"])
                for number, channel in state[name].items()
            }
        state["mentions"] -= mine["unsure"] & set(mine["unread"])
    for name in sorted({*mine, *theirs} - set(NOT_REPORTED)):
        yield from differences(name, mine.get(name), theirs.get(name))
    if mine["max_message_id"] < theirs["max_message_id"]:
        yield f"max_message_id: {mine['max_message_id']} came before {theirs['max_message_id']}"


def _put_presences_alike(mine: State, theirs: State) -> None:
    """Treat presences alike of people who have stayed: clients are told only of who was offline before."""
    for key in mine["presences"].keys() & theirs["presences"].keys():
        reported, newest = (_last_report(state["presences"][key]) for state in (mine, theirs))
        if reported <= newest <= reported + OFFLINE_AFTER:
            mine["presences"][key] = theirs["presences"][key]


def _last_report(presence: Mapping[str, Any]) -> int:
    """Return the newest time in a presence of either form."""
    times = (_last_report(one) if isinstance(one, dict) else one for one in presence.values())
    return max((time for time in times if isinstance(time, int)), default=0)


def _put_regained_channels_alike(mine: State, theirs: State) -> None:
    """Treat regained channels alike. No event says that the user was once subscribed to a channel that is
    visible again; a client has it among the never subscribed, without personal properties.
    """
    for number in set(mine["never_subscribed"]) & set(theirs["unsubscribed"]):
        channel = theirs["unsubscribed"].pop(number)
        theirs["never_subscribed"][number] = {
            name: value for name, value in channel.items() if name not in PERSONAL
        }


def _comparable(channel: Mapping[str, Any], *, is_mine: bool) -> dict[str, Any]:
    without = set(CHANNEL_NOT_REPORTED)
    if not is_mine:
        without.add("first_message_id")  # only subscribers are notified of it
    return {name: value for name, value in channel.items() if name not in without}


def differences(where: str, mine: Any, theirs: Any) -> Iterator[str]:
    """Yield the places where two values differ."""
    if mine == theirs:
        return
    if isinstance(mine, dict) and isinstance(theirs, dict):
        for key in sorted({*mine, *theirs}, key=str):
            if key not in mine or key not in theirs:
                what = ("has not", theirs) if key not in mine else ("should not have", mine)
                yield f"{where}.{key}: the client {what[0]} {what[1][key]!r}"
            else:
                yield from differences(f"{where}.{key}", mine[key], theirs[key])
    else:
        yield f"{where}: the client has {mine!r}, the server gives {theirs!r}"
