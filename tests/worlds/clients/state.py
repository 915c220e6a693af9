"""The state of a client: a registration's answer in a form that is easy to change and to compare.

Lists of objects with an id are kept by id. `tests.worlds.clients.events` applies events to it.
"""

from collections.abc import Mapping
from typing import Any

State = dict[str, Any]
Event = dict[str, Any]

LISTS = ("subscriptions", "unsubscribed", "never_subscribed", "streams")
PEOPLE = ("realm_users", "realm_non_active_users")
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
INHERIT, MUTED = 0, 1

IDS: Mapping[str, str] = {
    **dict.fromkeys(LISTS, "stream_id"),
    **dict.fromkeys((*PEOPLE, "cross_realm_bots", "realm_bots"), "user_id"),
    "navigation_views": "fragment",
    **dict.fromkeys(
        ("realm_user_groups", "drafts", "saved_snippets", "attachments", "channel_folders"), "id"
    ),
    "scheduled_messages": "scheduled_message_id",
    "reminders": "reminder_id",
}
"""The lists that are kept by id, and the field of the id."""


def known(answer: Mapping[str, Any], asked: Mapping[str, Any]) -> State:
    """Return a registration's answer in a form that is easy to change and to compare; *asked* is the request.

    This consumes the answer.
    """
    state: State = {
        name: {one[IDS[name]]: one for one in value} if name in IDS else value
        for name, value in answer.items()
    }
    for name in LISTS:
        lists = {} if name == "streams" else asked  # the field `streams` never has subscribers
        state[name] = {number: channel_of(shape, lists) for number, shape in state[name].items()}
    for group in state["realm_user_groups"].values():
        for name in ("members", "direct_subgroup_ids"):
            group[name] = set(group[name])
    state["asked"] = asked
    state["starred_messages"] = set(state["starred_messages"])
    state["user_topics"] = {topic_of(row): policy_of(row) for row in state["user_topics"]}
    state["muted_topics"] = muted_of(state["muted_topics"])
    state["recent_private_conversations"] = {
        tuple(one["user_ids"]): one["max_message_id"] for one in state["recent_private_conversations"]
    }
    state.update(_unread(state.pop("unread_msgs"), state["user_id"]))
    # The list leaves out wildcard mentions in muted channels and topics, and no event reports them later.
    state["unsure"] = {number for number in state["unread"] if is_muted(state, number)}
    return state


def channel_of(shape: Mapping[str, Any], asked: Mapping[str, Any]) -> dict[str, Any]:
    fields = dict(shape)
    subscribers = fields.pop("subscribers", ())
    if asked.get("include_subscribers"):
        fields["subscribers"] = set(subscribers)
    return fields


def topic_of(row: Mapping[str, Any]) -> tuple[int, str]:
    return row["stream_id"], row["topic_name"].lower()


def policy_of(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in ("topic_name", "last_updated", "visibility_policy")}


def muted_of(rows: list[list[Any]]) -> set[tuple[Any, ...]]:
    return {tuple(row) for row in rows}


def _unread(announced: Mapping[str, Any], me: int) -> State:
    places: dict[int, tuple[Any, ...]] = {}
    for topic in announced["streams"]:
        where = ("topic", topic["stream_id"], topic["topic"].lower())
        places.update(dict.fromkeys(topic["unread_message_ids"], where))
    for pm in announced["pms"]:
        others = {pm["other_user_id"]} - {me}
        places.update(dict.fromkeys(pm["unread_message_ids"], ("people", *sorted(others))))
    for huddle in announced["huddles"]:
        others = set(map(int, huddle["user_ids_string"].split(","))) - {me}
        places.update(dict.fromkeys(huddle["unread_message_ids"], ("people", *sorted(others))))
    return {"unread": places, "mentions": set(announced["mentions"]), "unread_count": announced["count"]}


def seen(state: State) -> State:
    """Return what the client can show: without hidden data about channels that are not visible any more."""
    view = {**state, **{name: dict(state[name]) for name in LISTS}}
    view["user_topics"] = {key: row for key, row in view["user_topics"].items() if key[0] in view["streams"]}
    view["unread_count"] = sum(not is_muted(view, number) for number in view["unread"])
    view["mentions"] = {number for number in view["mentions"] if not is_muted(view, number)}
    return view


def is_muted(state: State, message_id: int) -> bool:
    kind, *where = state["unread"][message_id]
    if kind == "people":
        return False
    row = state["user_topics"].get(tuple(where))
    if row is not None:
        return bool(row["visibility_policy"] == MUTED)
    subscription = state["subscriptions"].get(where[0])  # absent for a bot that was mentioned there
    return subscription is not None and bool(subscription["is_muted"])
