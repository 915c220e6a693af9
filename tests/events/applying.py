"""What a client keeps: the state of a registration, and each event applied to it."""

from copy import deepcopy
from typing import Any

Known = dict[str, Any]

LISTS = ("subscriptions", "unsubscribed", "never_subscribed", "streams")
PERSONAL = (
    "color",
    "is_muted",
    "in_home_view",
    "pin_to_top",
    "desktop_notifications",
    "email_notifications",
    "push_notifications",
    "audible_notifications",
    "wildcard_mentions_notify",
)
MUTED = 1


def known(state: dict[str, Any]) -> Known:
    """A registration's answer in a form that is easy to change and to compare."""
    unread: dict[int, Any] = {}
    for topic in state["unread_msgs"]["streams"]:
        where = (topic["stream_id"], topic["topic"].lower())
        unread.update(dict.fromkeys(topic["unread_message_ids"], where))
    for pm in state["unread_msgs"]["pms"]:
        others = {pm["other_user_id"]} - {state["user_id"]}
        unread.update(dict.fromkeys(pm["unread_message_ids"], tuple(sorted(others))))
    for huddle in state["unread_msgs"]["huddles"]:
        people = set(map(int, huddle["user_ids_string"].split(","))) - {state["user_id"]}
        unread.update(dict.fromkeys(huddle["unread_message_ids"], tuple(sorted(people))))
    return {
        "me": state["user_id"],
        **{name: {one["stream_id"]: _channel(one) for one in state[name]} for name in LISTS},
        "unread": {
            message_id: ("topic" if _is_topic(w) else "people", w) for message_id, w in unread.items()
        },
        "mentions": set(state["unread_msgs"]["mentions"]),
        "starred": set(state["starred_messages"]),
        "newest": state["max_message_id"],
        "recent": {
            tuple(one["user_ids"]): one["max_message_id"] for one in state["recent_private_conversations"]
        },
        "policies": {
            (one["stream_id"], one["topic_name"].lower()): one["visibility_policy"]
            for one in state["user_topics"]
        },
        "alert_words": list(state["alert_words"]),
        "users": {user["user_id"]: user for user in state["realm_users"]},
        "groups": {group["id"]: set(group["members"]) for group in state["realm_user_groups"]},
    }


def _is_topic(where: tuple[Any, ...]) -> bool:
    return len(where) == 2 and isinstance(where[1], str)


def _channel(shape: dict[str, Any]) -> dict[str, Any]:
    """Without the traffic, which is counted anew now and then and of which no event tells."""
    fields = {name: value for name, value in shape.items() if name != "stream_weekly_traffic"}
    if "subscribers" in fields:
        fields["subscribers"] = set(fields["subscribers"])
    return fields


def counted(state: dict[str, Any]) -> int:
    """The number of unread messages that a registration's answer gives."""
    count: int = state["unread_msgs"]["count"]
    return count


def count(now: Known) -> int:
    """The same, counted by the client."""
    return sum(not _is_muted(now, *where) for kind, where in now["unread"].values() if kind == "topic") + sum(
        kind == "people" for kind, _ in now["unread"].values()
    )


def _is_muted(now: Known, channel_id: int, topic: str) -> bool:
    policy = now["policies"].get((channel_id, topic), 0)
    return policy == MUTED or (policy == 0 and now["subscriptions"][channel_id]["is_muted"])


def seen(now: Known) -> Known:
    """What can be compared. Two things only a client keeps: policies of topics in channels that it does not
    see any more, and of a channel that it is not in, that there were no messages when it was told of it.
    """
    view = deepcopy(now)
    view["policies"] = {topic: p for topic, p in view["policies"].items() if topic[0] in view["streams"]}
    for name in LISTS:
        for channel_id, channel in view[name].items():
            if channel_id not in view["subscriptions"]:
                del channel["first_message_id"]
    return view


def apply(before: Known, event: dict[str, Any]) -> Known:
    """The state after an event; the one before stays as it is."""
    now = deepcopy(before)
    match event["type"], event.get("op"):
        case "message", _:
            _message(now, event["message"], set(event["flags"]))
        case "update_message_flags", op:
            _flags(now, event, is_added=op == "add")
        case "subscription", "add":
            for shape in event["subscriptions"]:
                _subscribed(now, _channel(shape))
        case "subscription", "remove":
            for gone in event["subscriptions"]:
                _unsubscribed(now, gone["stream_id"])
        case "subscription", ("peer_add" | "peer_remove") as op:
            for channel_id in event["stream_ids"]:
                _peers(now, channel_id, set(event["user_ids"]), is_added=op == "peer_add")
        case "stream", "create":
            for shape in event["streams"]:
                now["streams"][shape["stream_id"]] = _channel(shape)
                if shape["stream_id"] not in now["subscriptions"]:
                    now["never_subscribed"][shape["stream_id"]] = {**_channel(shape), "subscribers": set()}
        case "stream", "delete":
            for channel_id in event["stream_ids"]:
                for name in LISTS:
                    now[name].pop(channel_id, None)
        case "stream", "update":
            for channel in _everywhere(now, event["stream_id"]):
                channel[event["property"]] = event["value"]
        case "user_topic", _:
            topic = (event["stream_id"], event["topic_name"].lower())
            now["policies"][topic] = event["visibility_policy"]
            if event["visibility_policy"] == 0:
                del now["policies"][topic]
        case "alert_words", _:
            now["alert_words"] = list(event["alert_words"])
        case "realm_user", "add":
            person = {name: value for name, value in event["person"].items() if name != "is_active"}
            now["users"][person["user_id"]] = person
        case "user_group", "add_members":
            now["groups"][event["group_id"]].update(event["user_ids"])
        case (("heartbeat" | "muted_topics"), _):
            pass
        case kind:
            raise AssertionError(f"an event that clients are not told how to apply: {kind}")
    return now


def _everywhere(now: Known, channel_id: int) -> list[dict[str, Any]]:
    return [now[name][channel_id] for name in LISTS if channel_id in now[name]]


def _message(now: Known, message: dict[str, Any], flags: set[str]) -> None:
    message_id = message["id"]
    now["newest"] = max(now["newest"], message_id)
    if message["type"] == "stream":
        where = ("topic", (message["stream_id"], message["subject"].lower()))
        for channel in _everywhere(now, message["stream_id"]):
            if channel["first_message_id"] is None:
                channel["first_message_id"] = message_id
    else:
        others = tuple(sorted({one["id"] for one in message["display_recipient"]} - {now["me"]}))
        where = ("people", others)
        now["recent"][others] = message_id
    is_received = message["type"] == "private" or message["stream_id"] in now["subscriptions"]
    if "read" not in flags and is_received:
        now["unread"][message_id] = where
        if flags & {"mentioned", "wildcard_mentioned"}:
            now["mentions"].add(message_id)


def _flags(now: Known, event: dict[str, Any], *, is_added: bool) -> None:
    messages = set(event["messages"])
    if event["flag"] == "starred":
        now["starred"] = now["starred"] | messages if is_added else now["starred"] - messages
    if event["flag"] != "read":
        return
    if is_added:
        _forget(now, messages)
        return
    for message_id in messages:
        details = event["message_details"][str(message_id)]
        if details["type"] == "stream":
            now["unread"][message_id] = ("topic", (details["stream_id"], details["topic"].lower()))
        else:
            now["unread"][message_id] = ("people", tuple(details["user_ids"]))
        if details.get("mentioned"):
            now["mentions"].add(message_id)


def _forget(now: Known, messages: set[int]) -> None:
    now["mentions"] -= messages
    for message_id in messages:
        now["unread"].pop(message_id, None)


def _subscribed(now: Known, subscription: dict[str, Any]) -> None:
    channel_id = subscription["stream_id"]
    for name in ("unsubscribed", "never_subscribed"):
        now[name].pop(channel_id, None)
    now["subscriptions"][channel_id] = subscription
    plain = (*PERSONAL, "subscribers")
    now["streams"][channel_id] = {k: v for k, v in subscription.items() if k not in plain}


def _unsubscribed(now: Known, channel_id: int) -> None:
    now["unsubscribed"][channel_id] = now["subscriptions"].pop(channel_id)
    _peers(now, channel_id, {now["me"]}, is_added=False)
    _forget(
        now,
        {one for one, (kind, where) in now["unread"].items() if kind == "topic" and where[0] == channel_id},
    )


def _peers(now: Known, channel_id: int, user_ids: set[int], *, is_added: bool) -> None:
    for channel in _everywhere(now, channel_id):
        channel["subscriber_count"] += len(user_ids) if is_added else -len(user_ids)
        if "subscribers" in channel:
            before = channel["subscribers"]
            channel["subscribers"] = before | user_ids if is_added else before - user_ids
