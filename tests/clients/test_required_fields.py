"""Fields without which some client fails, each with its type, in answers to those clients.

Programs that are made for the API refuse to start, or hide messages, where one of these is missing or has
another type. The tables are what they read; answers have more than that.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

import pytest

from tests.clients.served import Served
from tests.clients.test_library import ok
from tests.clients.test_startups import (
    Program,
    logs_in,
    mobile,
    registers_the_mobile,
    registers_the_terminal,
    terminal,
)

__all__ = ["mobile", "terminal"]

Type: TypeAlias = type | tuple["Type", ...] | None
TEXT: Final = str
NUMBER: Final = int
TRUTH: Final = bool
LIST: Final = list
OBJECT: Final = dict
NULL: Final = None

SERVER_SETTINGS: Final[Mapping[str, Type]] = {
    "{brand}_version": TEXT,
    "{brand}_feature_level": NUMBER,
    "{brand}_merge_base": TEXT,
    "authentication_methods": OBJECT,
    "external_authentication_methods": LIST,
    "push_notifications_enabled": TRUTH,
    "is_incompatible": TRUTH,
    "email_auth_enabled": TRUTH,
    "require_email_format_usernames": TRUTH,
    "realm_web_public_access_enabled": TRUTH,
    "realm_uri": TEXT,
    "realm_url": TEXT,
    "realm_name": TEXT,
    "realm_icon": TEXT,
    "realm_description": TEXT,
}

EACH_STATE: Final[Mapping[str, Type]] = {
    "queue_id": TEXT,
    "last_event_id": NUMBER,
    "{brand}_version": TEXT,
    "{brand}_feature_level": NUMBER,
    "{brand}_merge_base": TEXT,
    "realm_name": TEXT,
    "realm_users": LIST,
    "cross_realm_bots": LIST,
    "subscriptions": LIST,
    "unsubscribed": LIST,
    "never_subscribed": LIST,
    "presences": OBJECT,
    "realm_user_groups": LIST,
    "unread_msgs": OBJECT,
    "starred_messages": LIST,
    "realm_emoji": OBJECT,
    "custom_profile_fields": LIST,
    "user_settings": OBJECT,
    "realm_allow_message_editing": TRUTH,
    "realm_message_content_edit_limit_seconds": (NUMBER, NULL),
    "max_message_id": NUMBER,
    "user_id": NUMBER,
    "email": TEXT,
    "full_name": TEXT,
}
TERMINAL_STATE: Final[Mapping[str, Type]] = {
    **EACH_STATE,
    "muted_topics": LIST,
    "realm_message_retention_days": NUMBER,
    "realm_allow_edit_history": TRUTH,
}
MOBILE_STATE: Final[Mapping[str, Type]] = {
    **EACH_STATE,
    "realm_non_active_users": LIST,
    "streams": LIST,
    "user_topics": LIST,
    "muted_users": LIST,
    "recent_private_conversations": LIST,
    "alert_words": LIST,
    "user_status": OBJECT,
    "realm_message_content_delete_limit_seconds": (NUMBER, NULL),
    "realm_wildcard_mention_policy": NUMBER,
    "realm_waiting_period_threshold": NUMBER,
    "realm_enable_read_receipts": TRUTH,
    "realm_presence_disabled": TRUTH,
    "realm_icon_url": TEXT,
    "server_emoji_data_url": TEXT,
    "realm_default_external_accounts": OBJECT,
    "max_stream_name_length": NUMBER,
    "max_topic_length": NUMBER,
    "max_message_length": NUMBER,
    "max_file_upload_size_mib": NUMBER,
    "server_presence_ping_interval_seconds": NUMBER,
    "server_presence_offline_threshold_seconds": NUMBER,
    "server_typing_started_wait_period_milliseconds": NUMBER,
    "server_typing_stopped_wait_period_milliseconds": NUMBER,
    "server_typing_started_expiry_period_milliseconds": NUMBER,
    "event_queue_longpoll_timeout_seconds": NUMBER,
    "realm_can_delete_any_message_group": (NUMBER, OBJECT),
    "realm_can_delete_own_message_group": (NUMBER, OBJECT),
    "realm_empty_topic_display_name": TEXT,
    "realm_mandatory_topics": TRUTH,
    "realm_moderation_request_channel_id": NUMBER,
    "server_thumbnail_formats": LIST,
    "saved_snippets": LIST,
    "channel_folders": LIST,
}
TERMINAL_SETTINGS: Final[Mapping[str, Type]] = {
    "send_private_typing_notifications": TRUTH,
    "twenty_four_hour_time": (TRUTH, NULL),
    "pm_content_in_desktop_notifications": TRUTH,
}
MOBILE_SETTINGS: Final[Mapping[str, Type]] = {
    "twenty_four_hour_time": (TRUTH, NULL),
    "starred_message_counts": TRUTH,
    "display_emoji_reaction_users": TRUTH,
    "emojiset": TEXT,
    "presence_enabled": TRUTH,
}

USER: Final[Mapping[str, Type]] = {
    "user_id": NUMBER,
    "email": TEXT,
    "full_name": TEXT,
    "date_joined": TEXT,
    "is_bot": TRUTH,
    "role": NUMBER,
    "timezone": TEXT,
    "avatar_version": NUMBER,
}
CHANNEL: Final[Mapping[str, Type]] = {
    "stream_id": NUMBER,
    "name": TEXT,
    "description": TEXT,
    "rendered_description": TEXT,
    "date_created": NUMBER,
    "invite_only": TRUTH,
    "is_web_public": TRUTH,
    "history_public_to_subscribers": TRUTH,
    "message_retention_days": (NUMBER, NULL),
    "first_message_id": (NUMBER, NULL),
    "folder_id": (NUMBER, NULL),
    "stream_weekly_traffic": (NUMBER, NULL),
    "stream_post_policy": NUMBER,
    "can_send_message_group": (NUMBER, OBJECT),
}
SUBSCRIPTION: Final[Mapping[str, Type]] = {
    **CHANNEL,
    "pin_to_top": TRUTH,
    "is_muted": TRUTH,
    "color": TEXT,
}
SWITCH: Final[Type] = (TRUTH, NULL)
MOBILE_SUBSCRIPTION: Final[Mapping[str, Type]] = {
    **SUBSCRIPTION,
    "desktop_notifications": SWITCH,
    "email_notifications": SWITCH,
    "wildcard_mentions_notify": SWITCH,
    "push_notifications": SWITCH,
    "audible_notifications": SWITCH,
}
GROUP: Final[Mapping[str, Type]] = {
    "id": NUMBER,
    "name": TEXT,
    "members": LIST,
    "direct_subgroup_ids": LIST,
    "description": TEXT,
    "is_system_group": TRUTH,
    "deactivated": TRUTH,
}
EMOJI: Final[Mapping[str, Type]] = {
    "id": TEXT,
    "name": TEXT,
    "source_url": TEXT,
    "still_url": (TEXT, NULL),
    "deactivated": TRUTH,
    "author_id": (NUMBER, NULL),
}
PROFILE_FIELD: Final[Mapping[str, Type]] = {
    "id": NUMBER,
    "type": NUMBER,
    "order": NUMBER,
    "name": TEXT,
    "hint": TEXT,
    "field_data": TEXT,
}
UNREAD: Final[Mapping[str, Type]] = {
    "count": NUMBER,
    "pms": LIST,
    "streams": LIST,
    "huddles": LIST,
    "mentions": LIST,
    "old_unreads_missing": TRUTH,
}
UNREAD_IN: Final[Mapping[str, Mapping[str, Type]]] = {
    "pms": {"other_user_id": NUMBER, "sender_id": NUMBER, "unread_message_ids": LIST},
    "streams": {"stream_id": NUMBER, "topic": TEXT, "unread_message_ids": LIST},
    "huddles": {"user_ids_string": TEXT, "unread_message_ids": LIST},
}
MESSAGE: Final[Mapping[str, Type]] = {
    "id": NUMBER,
    "type": TEXT,
    "sender_id": NUMBER,
    "sender_email": TEXT,
    "sender_full_name": TEXT,
    "sender_realm_str": TEXT,
    "timestamp": NUMBER,
    "client": TEXT,
    "content": TEXT,
    "content_type": TEXT,
    "is_me_message": TRUTH,
    "reactions": LIST,
    "subject": TEXT,
    "display_recipient": (TEXT, LIST),
    "topic_links": LIST,
    "submessages": LIST,
}
REACTION: Final[Mapping[str, Type]] = {
    "emoji_name": TEXT,
    "emoji_code": TEXT,
    "reaction_type": TEXT,
    "user_id": NUMBER,
}
TOPIC: Final[Mapping[str, Type]] = {"name": TEXT, "max_id": NUMBER}
FETCHED: Final[Mapping[str, Type]] = {
    "messages": LIST,
    "anchor": NUMBER,
    "found_newest": TRUTH,
    "found_oldest": TRUTH,
    "found_anchor": TRUTH,
    "history_limited": TRUTH,
}


def fits(value: Any, wanted: Type) -> bool:
    if isinstance(wanted, tuple):
        return any(fits(value, one) for one in wanted)
    if wanted is None:
        return value is None
    return isinstance(value, wanted) and (wanted is bool or not isinstance(value, bool))


def wrong(fields: Mapping[str, Type], found: Mapping[str, Any], brand: str = "") -> Iterator[str]:
    """Yield the fields that are missing or have another type."""
    for pattern, wanted in fields.items():
        name = pattern.format(brand=brand)
        if name not in found:
            yield f"{name} is missing"
        elif not fits(found[name], wanted):
            yield f"{name} is {found[name]!r}"


def require(fields: Mapping[str, Type], found: Mapping[str, Any], brand: str = "") -> None:
    assert list(wrong(fields, found, brand)) == []


def require_each(fields: Mapping[str, Type], found: list[dict[str, Any]]) -> None:
    assert found, "there is none to look at"
    for one in found:
        require(fields, one)


@pytest.fixture
def settled(ada: Any, bea: Any) -> dict[str, int]:
    """One of everything that the tables describe, for Bea to read; the ids of messages."""
    for one in (ada, bea):
        ok(one.add_subscriptions([{"name": "lunch"}]))
    ok(ada.add_subscriptions([{"name": "private", "invite_only": "true"}]))
    if not ok(ada.get_realm_profile_fields())["custom_fields"]:
        ok(ada.create_realm_profile_field(name="Motto", field_type=1))
    me, robo = (ok(ada.get_profile())["user_id"], ok(ada.get_users())["members"])
    robo_id = next(one["user_id"] for one in robo if one["full_name"] == "Robo")
    bea_id = ok(bea.get_profile())["user_id"]
    ok(ada.update_presence({"status": "active"}))
    channel = {"type": "stream", "to": "lunch", "topic": "fields", "content": "@**Bea** so"}
    sent = {
        "channel": ok(ada.send_message(channel))["id"],
        "direct": ok(ada.send_message({"type": "private", "to": [bea_id], "content": "so"}))["id"],
        "group": ok(ada.send_message({"type": "private", "to": [bea_id, robo_id, me], "content": "so"}))[
            "id"
        ],
    }
    ok(ada.add_reaction({"message_id": sent["channel"], "emoji_name": "tada"}))
    return sent


def require_state(state: Mapping[str, Any]) -> None:
    """Check what stands in the lists of a state."""
    require_each(USER, state["realm_users"])
    require_each(SUBSCRIPTION, state["subscriptions"])
    assert all(re.fullmatch("#[0-9a-f]{6}", one["color"]) for one in state["subscriptions"])
    require_each(GROUP, state["realm_user_groups"])
    require_each(PROFILE_FIELD, state["custom_profile_fields"])
    require(UNREAD, state["unread_msgs"])
    for name, fields in UNREAD_IN.items():
        require_each(fields, state["unread_msgs"][name])
        for one in state["unread_msgs"][name]:
            ids = one["unread_message_ids"]
            assert ids == sorted(set(ids))
    for one in state["unread_msgs"]["huddles"]:
        ids = [int(part) for part in one["user_ids_string"].split(",")]
        assert ids == sorted(ids)
        assert state["user_id"] in ids
    for one in state["realm_emoji"].values():
        require(EMOJI, one)


def test_server_settings_have_the_required_fields(served: Served, mobile: Program) -> None:
    require(SERVER_SETTINGS, mobile.call("GET", "/server_settings"), served.brand)


@pytest.mark.usefixtures("settled")
def test_the_state_has_the_fields_of_the_terminal_client(served: Served, terminal: Program) -> None:
    logs_in(terminal, served)
    state = registers_the_terminal(terminal)
    require(TERMINAL_STATE, state, served.brand)
    require(TERMINAL_SETTINGS, state["user_settings"])
    require_state(state)
    assert all(fits(one.get("subscribers"), LIST) for one in state["subscriptions"])
    for address, presence in state["presences"].items():
        assert "@" in address
        for name in ("aggregated", "website"):
            require({"client": TEXT, "status": TEXT, "timestamp": NUMBER}, presence[name])
    assert state["presences"]


@pytest.mark.usefixtures("settled")
def test_the_state_has_the_fields_of_the_mobile_client(served: Served, mobile: Program) -> None:
    logs_in(mobile, served)
    state = registers_the_mobile(mobile)
    require(MOBILE_STATE, state, served.brand)
    require(MOBILE_SETTINGS, state["user_settings"])
    assert state["user_settings"]["emojiset"] in ("google", "google-blob", "twitter", "text")
    assert state["realm_wildcard_mention_policy"] in (1, 2, 3, 5, 6, 7)
    require_state(state)
    require_each(CHANNEL, state["streams"])
    require_each(MOBILE_SUBSCRIPTION, state["subscriptions"])
    assert {one["stream_id"] for one in state["subscriptions"]} <= {
        one["stream_id"] for one in state["streams"]
    }
    for user_id, presence in state["presences"].items():
        assert user_id.isdecimal()
        require({"active_timestamp": NUMBER, "idle_timestamp": NUMBER}, presence)
    for conversation in state["recent_private_conversations"]:
        require({"max_message_id": NUMBER, "user_ids": LIST}, conversation)
        assert state["user_id"] not in conversation["user_ids"]
    assert state["server_emoji_data_url"].startswith("http")


def test_messages_have_the_required_fields(served: Served, bea: Any, settled: Mapping[str, int]) -> None:
    wanted = {"anchor": "newest", "num_before": 10, "num_after": 0, "narrow": []}
    answer = ok(bea.get_messages(wanted))
    require(FETCHED, answer)
    messages = {one["id"]: one for one in answer["messages"]}
    for kind, message_id in settled.items():
        message = messages[message_id]
        require(MESSAGE, message)
        assert fits(message["flags"], LIST)
        assert "edit_history" not in message
        if kind == "channel":
            assert (message["type"], message["display_recipient"]) == ("stream", "lunch")
            require({"stream_id": NUMBER}, message)
            require_each(REACTION, message["reactions"])
        else:
            assert (message["type"], message["subject"]) == ("private", "")
            assert "stream_id" not in message
            require_each({"id": NUMBER, "email": TEXT, "full_name": TEXT}, message["display_recipient"])
            assert bea.email in {one["email"] for one in message["display_recipient"]}


def test_topics_and_hits(bea: Any, settled: Mapping[str, int]) -> None:
    channel_id = ok(bea.get_stream_id("lunch"))["stream_id"]
    require_each(TOPIC, ok(bea.get_stream_topics(channel_id))["topics"])
    found = ok(bea.check_messages_match_narrow(msg_ids=[settled["channel"]], narrow=[["search", "fields"]]))
    require({"match_content": TEXT, "match_subject": TEXT}, found["messages"][str(settled["channel"])])
    assert '<span class="highlight">' in str(found)


def test_the_event_of_a_new_message_has_the_required_fields(
    ada: Any, bea: Any, settled: Mapping[str, int]
) -> None:
    queue = ok(bea.register(event_types=["message"]))
    ok(ada.send_message({"type": "stream", "to": "lunch", "topic": "fields", "content": "so"}))
    (event,) = ok(bea.get_events(queue_id=queue["queue_id"], last_event_id=-1))["events"]
    require({"id": NUMBER, "message": OBJECT, "flags": LIST}, event)
    require(MESSAGE, event["message"])
    assert "flags" not in event["message"]
