"""Error texts that name the accepted values; the codes are in the tests of each endpoint."""

from typing import Any

import pytest

from tests.worlds.registering_over_http import Api

WHAT_HELPS: list[tuple[str, str, dict[str, Any], str]] = [
    (
        "POST",
        "drafts",
        {"drafts": [{"type": "foo", "to": [], "topic": "", "content": "x"}]},
        "expected one of '', 'private', 'stream', got 'foo'",
    ),
    ("POST", "users/me/presence", {"status": "foo"}, "expected one of 'active', 'idle', got 'foo'"),
    (
        "POST",
        "messages",
        {"type": "foo", "to": "lunch", "content": "x"},
        "expected one of 'channel', 'direct', 'private', 'stream', got 'foo'",
    ),
    ("POST", "messages/flags", {"messages": [1], "op": "foo", "flag": "read"}, "use 'add' or 'remove'"),
    ("POST", "typing", {"op": "foo", "to": [1]}, "expected one of 'start', 'stop', got 'foo'"),
    (
        "PATCH",
        "messages/1",
        {"propagate_mode": "foo"},
        "expected one of 'change_all', 'change_later', 'change_one', got 'foo'",
    ),
    *(
        (
            "POST",
            "users/me/subscriptions",
            {"subscriptions": [{"name": "new"}], "message_retention_days": days},
            "Expected 1 to 36500 days, 'realm_default' or 'unlimited'",
        )
        for days in (36_501, 0, -1, "forever")
    ),
    (
        "GET",
        "messages",
        {"anchor": "middle", "num_before": 1, "num_after": 1},
        "a message id, 'newest', 'oldest' or 'first_unread'",
    ),
    (
        "GET",
        "messages",
        {"anchor": "newest", "num_before": 1, "num_after": 1, "narrow": [["channel", "4"]]},
        """unknown channel '4'; ids need the form of an object: {"operator": "channel", "operand": 10}""",
    ),
    (
        "GET",
        "messages",
        {"anchor": "newest", "num_before": 1, "num_after": 1, "narrow": [["sender", "4"]]},
        "unknown user '4'; ids need the form of an object",
    ),
    (
        "PATCH",
        "settings",
        {"full_name": "K"},
        "too short! A person or bot has a name of 2 to 100 characters.",
    ),
    ("PATCH", "settings", {"full_name": "Kim|8"}, "A name cannot end in '|' and a number"),
    ("PATCH", "settings", {"full_name": "Kim*"}, 'cannot have any of these characters: " * > @ \\ `'),
    ("POST", "user_groups/9/subgroups", {}, 'Specify at least one of "add" or "delete".'),
    ("POST", "realm/profile_fields", {"field_type": 3, "name": "Tool"}, 'such as {"key": {"text"'),
    ("POST", "realm/profile_fields", {"field_type": 7, "name": "Code"}, 'such as {"subtype": "custom"'),
]


@pytest.mark.parametrize(("method", "path", "parameters", "hint"), WHAT_HELPS)
def test_a_refusal_says_what_would_do(
    api: Api, method: str, path: str, parameters: dict[str, Any], hint: str
) -> None:
    assert hint in api.refused("ada", method, path, **parameters)[1]
