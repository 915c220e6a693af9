"""The messages of a client: those that it has fetched, as changed by events since.

Names and pictures of people are not compared, because `realm_user` events bring them; nor are fields that
follow from the place alone.
"""

from collections.abc import Callable, Mapping
from typing import Any

from tests.worlds.clients.state import Event, State
from tests.worlds.organization import is_

Message = dict[str, Any]
Fetch = Callable[..., list[Message]]
"""A function that fetches a part of a narrow, or messages by their ids."""

FOLLOWS: frozenset[str] = frozenset(
    {"sender_full_name", "sender_email", "avatar_url", "display_recipient", "recipient_id"}
)
"""Fields of people, which have events of their own, and of the
conversation, which `conversation` replaces.
"""

FLAGS_NOT_REPORTED: frozenset[str] = frozenset({"historical"})
"""Flags without events: only the server knows that a flag or a reaction made a message historical."""


class Kept:
    """The messages of one client, by id, and what it still has to fetch."""

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch
        self.messages: dict[int, Message] = {}
        self.unknown: set[int] = set()
        self.channels: set[int] = set()
        self.starts_over = True
        self.catch_up()

    def catch_up(self) -> list[Message]:
        """Fetch messages that events have mentioned without their contents; return those that are new. This
        runs after all events, because a fetched message already includes their effects.
        """
        known = set(self.messages)
        if self.starts_over:
            self.messages = _by_id(self._fetch())
        for channel_id in self.channels:
            self.forget(channel_id)
            self.messages |= _by_id(self._fetch(is_("channel", channel_id)))
        if self.unknown:
            self.messages |= _by_id(self._fetch(message_ids=sorted(self.unknown)))
        self.channels.clear()
        self.unknown.clear()
        self.starts_over = False
        return [message for number, message in self.messages.items() if number not in known]

    def forget(self, channel_id: int) -> None:
        for number in [one for one, kept in self.messages.items() if kept.get("stream_id") == channel_id]:
            del self.messages[number]

    def compared(self, state: State) -> tuple[dict[int, Message], dict[int, Message]]:
        """Return the kept messages, and the same messages as they are now, with the user's whole history.

        Messages are left out that the user has read in a channel, never received, and that the user has since
        left: no event reports their changes.
        """
        fresh = _by_id(self._fetch())
        kept = {
            number: message
            for number, message in self.messages.items()
            if number in fresh
            or message["type"] == "private"
            or message["stream_id"] in state["subscriptions"]
        }
        if others := sorted(kept.keys() - fresh.keys()):
            fresh |= _by_id(self._fetch(message_ids=others))
        return kept, fresh

    def in_audience(self, state: State, event: Event) -> None:
        """Change the messages by an event, like a client that is notified of it."""
        if (change := CHANGES.get((event["type"], event.get("op")))) is not None:
            change(self, state, event)


def _by_id(messages: list[Message]) -> dict[int, Message]:
    return {message["id"]: _kept(message, message["flags"]) for message in messages}


def _kept(message: Message, flags: list[str]) -> Message:
    kept = {name: value for name, value in message.items() if name not in FOLLOWS}
    if message["type"] == "private":
        kept["conversation"] = {person["id"] for person in message["display_recipient"]}
    kept["reactions"] = {_reaction(reaction) for reaction in message["reactions"]}
    kept["flags"] = set(flags) - FLAGS_NOT_REPORTED
    return kept


def _reaction(announced: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(announced[name] for name in ("user_id", "emoji_name", "emoji_code", "reaction_type"))


# -- effects of events ------------------------------------------------------------------------------


def arrives(kept: Kept, _: State, event: Event) -> None:
    message = event["message"]
    kept.messages[message["id"]] = _kept(message, event["flags"])


def changes(kept: Kept, state: State, event: Event) -> None:
    assert event["message_id"] in event["message_ids"], "told of a message that is not the reader's"
    for number in kept.messages.keys() & event["message_ids"]:
        if event["rendering_only"]:
            _shows(kept.messages[number], event)
            continue
        message, with_text = kept.messages[number], "content" in event and number == event["message_id"]
        message.setdefault("edit_history", []).insert(0, _edit(message, event, with_text=with_text))
        if with_text:
            _shows(message, event)
            message["is_me_message"] = event["is_me_message"]
            message["last_edit_timestamp"] = event["edit_timestamp"]
        if number == event["message_id"]:
            message["flags"] = set(event["flags"]) - FLAGS_NOT_REPORTED
    if "orig_subject" in event:
        _moves(kept, state, event)


def _shows(message: Message, event: Event) -> None:
    is_html = message["content_type"] == "text/html"
    message["content"] = event["rendered_content" if is_html else "content"]


def _edit(message: Message, event: Event, *, with_text: bool) -> dict[str, Any]:
    """Return the entry for the message's edit history; a topic may have been written in several ways."""
    edit = {"user_id": event["user_id"], "timestamp": event["edit_timestamp"]}
    if "subject" in event:
        edit |= {"prev_topic": message["subject"], "topic": event["subject"]}
    if "new_stream_id" in event:
        edit |= {"prev_stream": event["stream_id"], "stream": event["new_stream_id"]}
    if with_text:
        edit |= {
            "prev_content": event["orig_content"],
            "prev_rendered_content": event["orig_rendered_content"],
        }
    return edit


def _moves(kept: Kept, state: State, event: Event) -> None:
    """Apply a move: a message that moves to a subscribed channel enters the history; elsewhere only a star
    keeps it there. If it moves out of a channel that is out of sight, only its new place is told.
    """
    is_mine = event.get("new_stream_id", event["stream_id"]) in state["subscriptions"]
    if is_mine:
        kept.unknown |= set(event["message_ids"]) - kept.messages.keys()
    if "new_stream_id" not in event:
        places = {number: kept.messages.get(number, {}).get("stream_id") for number in event["message_ids"]}
        kept.unknown |= {number for number, place in places.items() if place != event["stream_id"]}
    for number in kept.messages.keys() & event["message_ids"]:
        message = kept.messages[number]
        if not _resolves(message, event):
            message["last_moved_timestamp"] = event["edit_timestamp"]
        if "subject" in event:
            message |= {"subject": event["subject"], "topic_links": event["topic_links"]}
        if "new_stream_id" not in event:
            continue
        message["stream_id"] = event["new_stream_id"]
        if not is_mine and "starred" in message["flags"]:
            message["flags"] = {"read", "starred"}
        elif not is_mine:
            del kept.messages[number]


def _resolves(message: Message, event: Event) -> bool:
    """Whether an edit marks the topic as resolved or unresolved."""
    old, new = message["subject"], event.get("subject", message["subject"])
    return "new_stream_id" not in event and old != new and old.removeprefix("✔ ") == new.removeprefix("✔ ")


def reaction_added(kept: Kept, state: State, event: Event) -> None:
    """Add a reaction. One's own is to a message that one can read: that has moved, if its channel is out of
    sight.
    """
    message = kept.messages.get(event["message_id"])
    is_elsewhere = message is None or message.get("stream_id", 0) not in {0, *_seen_channels(state)}
    if is_elsewhere and event["user_id"] == state["user_id"]:
        kept.unknown.add(event["message_id"])
    elif message is not None:
        message["reactions"].add(_reaction(event))


def reaction_removed(kept: Kept, _: State, event: Event) -> None:
    if event["message_id"] in kept.messages:
        kept.messages[event["message_id"]]["reactions"].remove(_reaction(event))


def submessage_added(kept: Kept, _: State, event: Event) -> None:
    if event["message_id"] in kept.messages:
        announced = {name: event[name] for name in ("message_id", "sender_id", "msg_type", "content")}
        kept.messages[event["message_id"]]["submessages"].append({"id": event["submessage_id"], **announced})


def flag_added(kept: Kept, _: State, event: Event) -> None:
    kept.unknown |= set(event["messages"]) - kept.messages.keys()
    for number in kept.messages if event["all"] else kept.messages.keys() & event["messages"]:
        kept.messages[number]["flags"].add(event["flag"])


def flag_removed(kept: Kept, _: State, event: Event) -> None:
    kept.unknown |= set(event["messages"]) - kept.messages.keys()
    for number in kept.messages.keys() & event["messages"]:
        kept.messages[number]["flags"].discard(event["flag"])


def deleted(kept: Kept, _: State, event: Event) -> None:
    for number in set(event.get("message_ids", ())) or {event["message_id"]}:
        kept.messages.pop(number, None)


def channel_gone(kept: Kept, _: State, event: Event) -> None:
    for channel_id in event["stream_ids"]:
        kept.forget(channel_id)
    _look_at_moved(kept)


def channel_comes(kept: Kept, _: State, event: Event) -> None:
    """Fetch the channel again: messages received there are readable again."""
    kept.channels |= {channel["stream_id"] for channel in event.get("streams") or event["subscriptions"]}
    _look_at_moved(kept)


def _look_at_moved(kept: Kept) -> None:
    """Fetch moved messages again: readable channels decide how much of their previous places is visible."""
    for number, message in kept.messages.items():
        if any("stream" in edit for edit in message.get("edit_history", ())):
            kept.unknown.add(number)


def channel_changes(kept: Kept, _: State, event: Event) -> None:
    """Apply a change of a channel: private ones may be hidden from later subscribers."""
    there = {n: one for n, one in kept.messages.items() if one.get("stream_id") == event["stream_id"]}
    if event["property"] == "invite_only":
        kept.unknown |= there.keys()
        for number in there:
            del kept.messages[number]
        _look_at_moved(kept)


def unsubscribed(kept: Kept, _: State, event: Event) -> None:
    _look_at_moved(kept)


def person_changes(kept: Kept, state: State, event: Event) -> None:
    """Fetch again after a change of role, which changes the readable channels."""
    if event["person"]["user_id"] == state["user_id"] and "role" in event["person"]:
        kept.starts_over = True


CHANGES: Mapping[tuple[str, str | None], Callable[[Kept, State, Event], None]] = {
    ("delete_message", None): deleted,
    ("message", None): arrives,
    ("reaction", "add"): reaction_added,
    ("reaction", "remove"): reaction_removed,
    ("realm_user", "update"): person_changes,
    ("stream", "create"): channel_comes,
    ("stream", "delete"): channel_gone,
    ("stream", "update"): channel_changes,
    ("subscription", "add"): channel_comes,
    ("subscription", "remove"): unsubscribed,
    ("submessage", None): submessage_added,
    ("update_message", None): changes,
    ("update_message_flags", "add"): flag_added,
    ("update_message_flags", "remove"): flag_removed,
}
"""The functions by type and `op`; other events do not change messages."""


def comparable(messages: Mapping[int, Message], state: State) -> dict[int, Message]:
    """Return messages without those whose loss is not announced to a client: messages of channels that it
    still sees without a subscription, for which it cannot know whether the user may read them. Their former
    places are left out likewise, in channels that it does not see, such as archived ones for older clients.
    """
    return {
        number: _with_places(message, state)
        for number, message in messages.items()
        if message["type"] == "private" or _is_open(state, message["stream_id"])
    }


def _with_places(message: Message, state: State) -> Message:
    seen = _seen_channels(state)
    history = [
        edit if edit.get("prev_stream") in seen else {n: v for n, v in edit.items() if n != "prev_stream"}
        for edit in message.get("edit_history", ())
    ]
    return {**message, "edit_history": history} if history else message


def _seen_channels(state: State) -> set[int]:
    return {*state["subscriptions"], *state["streams"]}


def _is_open(state: State, channel_id: int) -> bool:
    if channel_id in state["subscriptions"]:
        return True
    channel = state["streams"].get(channel_id)
    return channel is not None and not channel["invite_only"] and not state["is_guest"]
