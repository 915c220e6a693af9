"""A client's handling of events about messages, topics and channels."""

from typing import Any

from tests.worlds.clients.state import (
    INHERIT,
    LISTS,
    PERSONAL,
    Event,
    State,
    channel_of,
    muted_of,
    policy_of,
    topic_of,
)


def message(state: State, event: Event) -> None:
    announced, flags = event["message"], set(event["flags"])
    state["max_message_id"] = max(state["max_message_id"], announced["id"])
    if announced["type"] == "stream":
        where: tuple[Any, ...] = ("topic", announced["stream_id"], announced["subject"].lower())
        for channel in _everywhere(state, announced["stream_id"]):
            if channel["first_message_id"] is None:
                channel["first_message_id"] = announced["id"]
    else:
        others = sorted({one["id"] for one in announced["display_recipient"]} - {state["user_id"]})
        where = ("people", *others)
        state["recent_private_conversations"][tuple(others)] = announced["id"]
    if "read" not in flags:
        state["unread"][announced["id"]] = where
        if flags & {"mentioned", "wildcard_mentioned"}:
            state["mentions"].add(announced["id"])


def fetched(state: State, message: dict[str, Any]) -> None:
    """Apply a message that no event has brought: its flags say whether it is unread."""
    state["max_message_id"] = max(state["max_message_id"], message["id"])
    if "read" in message["flags"] or message["type"] == "private":
        return
    state["unread"].setdefault(message["id"], ("topic", message["stream_id"], message["subject"].lower()))
    if message["flags"] & {"mentioned", "wildcard_mentioned"}:
        state["mentions"].add(message["id"])


def message_updated(state: State, event: Event) -> None:
    """Apply a move. Another event says which messages are not unread any more in the new channel."""
    state["max_message_id"] = max([state["max_message_id"], *event["message_ids"]])
    unread = state["unread"]
    if "orig_subject" in event:
        channel_id = event.get("new_stream_id", event["stream_id"])
        for number in unread.keys() & event["message_ids"]:
            topic = event["subject"].lower() if "subject" in event else unread[number][2]
            unread[number] = ("topic", channel_id, topic)
    if "content" in event and event["message_id"] in unread:
        state["mentions"].discard(event["message_id"])
        if {"mentioned", "wildcard_mentioned"}.intersection(event["flags"]):
            state["mentions"].add(event["message_id"])


def messages_deleted(state: State, event: Event) -> None:
    gone = set(event.get("message_ids", ())) or {event["message_id"]}
    _forget_unread(state, gone)
    state["starred_messages"] -= gone


def flag_added(state: State, event: Event) -> None:
    _come_into_history(state, event)
    messages = set(state["unread"]) if event["all"] else set(event["messages"])
    if event["flag"] == "starred":
        state["starred_messages"] |= messages
    if event["flag"] == "read":
        _forget_unread(state, messages)


def flag_removed(state: State, event: Event) -> None:
    _come_into_history(state, event)
    if event["flag"] == "starred":
        state["starred_messages"] -= set(event["messages"])
    if event["flag"] != "read":
        return
    for number, details in event["message_details"].items():
        if details["type"] == "stream":
            where: tuple[Any, ...] = ("topic", details["stream_id"], details["topic"].lower())
        else:
            where = ("people", *details["user_ids"])
        state["unread"][int(number)] = where
        if details.get("mentioned"):
            state["mentions"].add(int(number))


def reaction(state: State, event: Event) -> None:
    """Raise `max_message_id`: a user's own reaction adds the message to the history. Reactions themselves are
    kept with messages."""
    if event["user_id"] == state["user_id"]:
        state["max_message_id"] = max(state["max_message_id"], event["message_id"])


def submessage(state: State, event: Event) -> None:
    """Ignore the event: submessages are kept with messages."""


def typing_in_edit(state: State, event: Event) -> None:
    """Check that the client can have the message: it knows the place. The state does not change."""
    recipient = event["recipient"]
    if recipient["type"] == "channel":
        assert recipient["channel_id"] in state["streams"]
    else:
        assert state["user_id"] in recipient["user_ids"]


def _come_into_history(state: State, event: Event) -> None:
    """Raise `max_message_id`: a flag adds a message that was never received to the history."""
    state["max_message_id"] = max([state["max_message_id"], *event["messages"]])


def _forget_unread(state: State, messages: set[int]) -> None:
    state["mentions"] -= messages
    for number in messages:
        state["unread"].pop(number, None)


def user_topic(state: State, event: Event) -> None:
    """Apply a topic policy; it can be removed even after the channel has become invisible."""
    assert event["stream_id"] in state["streams"] or event["visibility_policy"] == INHERIT
    state["user_topics"].pop(topic_of(event), None)
    if event["visibility_policy"] != INHERIT:
        state["user_topics"][topic_of(event)] = policy_of(event)


def muted_topics(state: State, event: Event) -> None:
    state["muted_topics"] = muted_of(event["muted_topics"])


# -- channels ---------------------------------------------------------------------------------------


def channel_created(state: State, event: Event) -> None:
    for shape in event["streams"]:
        number = shape["stream_id"]
        state["streams"][number] = channel_of(shape, {})
        if number not in state["subscriptions"]:
            state["never_subscribed"][number] = channel_of(shape, state["asked"])


def channel_updated(state: State, event: Event) -> None:
    also = ("rendered_description", "history_public_to_subscribers", "is_web_public")
    for channel in _everywhere(state, event["stream_id"]):
        channel[event["property"]] = event["value"]
        channel.update({name: event[name] for name in also if name in event})


def channel_deleted(state: State, event: Event) -> None:
    for number in event["stream_ids"]:
        if number in state["streams"]:
            gone = state["streams"][number]["name"]
            state["muted_topics"] = {row for row in state["muted_topics"] if row[0] != gone}
        for name in LISTS:
            state[name].pop(number, None)
        for key in [key for key in state["user_topics"] if key[0] == number]:
            del state["user_topics"][key]
        there = {one for one, where in state["unread"].items() if where[:2] == ("topic", number)}
        _forget_unread(state, there)


def default_groups(state: State, event: Event) -> None:
    state["realm_default_stream_groups"] = event["default_stream_groups"]


def default_channels(state: State, event: Event) -> None:
    state["realm_default_streams"] = event["default_streams"]


def folder_added(state: State, event: Event) -> None:
    state["channel_folders"][event["channel_folder"]["id"]] = event["channel_folder"]


def folder_changed(state: State, event: Event) -> None:
    state["channel_folders"][event["channel_folder_id"]].update(event["data"])


def folders_reordered(state: State, event: Event) -> None:
    for place, folder_id in enumerate(event["order"]):
        state["channel_folders"][folder_id]["order"] = place


def subscribed(state: State, event: Event) -> None:
    for shape in event["subscriptions"]:
        number = shape["stream_id"]
        for name in ("unsubscribed", "never_subscribed"):
            state[name].pop(number, None)
        state["subscriptions"][number] = channel_of(shape, state["asked"])
        plain = channel_of(shape, {})
        state["streams"][number] = {name: plain[name] for name in plain if name not in PERSONAL}


def unsubscribed(state: State, event: Event) -> None:
    for gone in event["subscriptions"]:
        number = gone["stream_id"]
        state["unsubscribed"][number] = state["subscriptions"].pop(number)
        _count_peers(state, number, {state["user_id"]}, is_added=False)


def subscription_updated(state: State, event: Event) -> None:
    state["subscriptions"][event["stream_id"]][event["property"]] = event["value"]


def peers_added(state: State, event: Event) -> None:
    for number in event["stream_ids"]:
        _count_peers(state, number, set(event["user_ids"]), is_added=True)


def peers_removed(state: State, event: Event) -> None:
    for number in event["stream_ids"]:
        _count_peers(state, number, set(event["user_ids"]), is_added=False)


def _count_peers(state: State, number: int, user_ids: set[int], *, is_added: bool) -> None:
    assert number in state["streams"]
    for channel in _everywhere(state, number):
        channel["subscriber_count"] += len(user_ids) if is_added else -len(user_ids)
        if "subscribers" in channel:
            before = channel["subscribers"]
            channel["subscribers"] = before | user_ids if is_added else before - user_ids


def _everywhere(state: State, number: int) -> list[dict[str, Any]]:
    return [state[name][number] for name in LISTS if number in state[name]]
