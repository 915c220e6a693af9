"""Arguments that are wrong whatever the store has: they are refused before anybody waits for the store."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any, NoReturn

import pytest

from chatcore.application.channels import default_groups
from chatcore.application.messages import reports, typing
from chatcore.application.services import Services
from chatcore.domain.errors import BadRequest, InvalidParameter
from chatcore.domain.groups.actors import Actor
from chatcore.settings import sqlite_file
from tests.conftest import Stores
from tests.worlds.organization import World, found

LONG = "x" * 1_000_000
"""1 MB of text."""
GROUP = "/user_groups/99999"
DEFAULT_GROUP = "/default_stream_groups/99999"
REPORT = "/messages/99999/report"
VIEWS = "/navigation_views"
OWN = "/users/me"

Request = tuple[str, str, dict[str, Any], str]

REQUESTS: dict[str, Request] = {
    # channels
    "topic of a policy": (
        "POST",
        "/user_topics",
        {"stream_id": 99999, "topic": LONG, "visibility_policy": 1},
        "topic is too long (limit: 60 characters)",
    ),
    "unknown policy": (
        "POST",
        "/user_topics",
        {"stream_id": 99999, "topic": "soup", "visibility_policy": 7},
        "Invalid visibility_policy",
    ),
    "topic to mute": (
        "PATCH",
        f"{OWN}/subscriptions/muted_topics",
        {"stream_id": 99999, "topic": LONG, "op": "add"},
        "topic is too long (limit: 60 characters)",
    ),
    "control character in a topic": (
        "PATCH",
        f"{OWN}/subscriptions/muted_topics",
        {"stream_id": 99999, "topic": "so\x07up", "op": "remove"},
        "Invalid character in topic, at position 3.",
    ),
    "property of a subscription": (
        "PATCH",
        f"{OWN}/subscriptions/99999",
        {"property": "colour", "value": True},
        "Unknown subscription property: colour",
    ),
    "colour of a subscription": (
        "POST",
        f"{OWN}/subscriptions/properties",
        {"subscription_data": [{"stream_id": 99999, "property": "color", "value": "red"}]},
        "color is not a valid hex color code",
    ),
    "fragment of a view": (
        "POST",
        VIEWS,
        {"fragment": LONG, "is_pinned": True, "name": "Soup"},
        "A fragment has 1 to 1000 characters.",
    ),
    "view without a name": (
        "POST",
        VIEWS,
        {"fragment": "narrow/soup", "is_pinned": True},
        "Custom views must have a valid name.",
    ),
    "new name of a built-in view": (
        "PATCH",
        f"{VIEWS}/inbox",
        {"name": "Soup"},
        "Built-in views cannot have a custom name.",
    ),
    "nothing about a view": ("PATCH", f"{VIEWS}/inbox", {}, "Nothing to change"),
    "name of a default group": (
        "POST",
        "/default_stream_groups/create",
        {"group_name": " ", "description": "", "stream_names": []},
        "The name of a default channel group has 1 to 60 characters.",
    ),
    "new name of a default group": (
        "PATCH",
        DEFAULT_GROUP,
        {"new_group_name": LONG},
        "The name of a default channel group has 1 to 60 characters.",
    ),
    "nothing about a default group": (
        "PATCH",
        DEFAULT_GROUP,
        {},
        'You must pass "new_description" or "new_group_name".',
    ),
    "name of a folder": (
        "POST",
        "/channel_folders/create",
        {"name": " "},
        "Channel folder name can't be empty.",
    ),
    # groups
    "name of a group": (
        "POST",
        "/user_groups/create",
        {"name": "", "description": "", "members": []},
        "User group name can't be empty!",
    ),
    "description of a group": (
        "POST",
        "/user_groups/create",
        {"name": "cooks", "description": LONG, "members": []},
        "description is too long (limit: 10000 characters)",
    ),
    "new name of a group": (
        "PATCH",
        GROUP,
        {"name": LONG},
        "User group name cannot exceed 100 characters.",
    ),
    "nothing about a group": ("PATCH", GROUP, {}, "No new data supplied"),
    "nobody for a group": (
        "POST",
        f"{GROUP}/members",
        {},
        'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".',
    ),
    "no subgroup": (
        "POST",
        f"{GROUP}/subgroups",
        {},
        'Nothing to do. Specify at least one of "add" or "delete".',
    ),
    # messages
    "title of a snippet": (
        "POST",
        "/saved_snippets",
        {"title": " ", "content": "soup"},
        "title must not be empty",
    ),
    "nothing about a snippet": ("PATCH", "/saved_snippets/99999", {}, "No new data is supplied."),
    "description of a report": (
        "POST",
        REPORT,
        {"report_type": "spam", "description": LONG},
        "description is too long (limit: 1000 characters)",
    ),
    "report without a description": (
        "POST",
        REPORT,
        {"report_type": "other"},
        "For reason=other, description is required.",
    ),
    # people
    "long alert word": (
        "POST",
        f"{OWN}/alert_words",
        {"alert_words": [LONG]},
        "alert_words is too long (limit: 100 characters)",
    ),
    "control character in an alert word": (
        "POST",
        f"{OWN}/alert_words",
        {"alert_words": ["so\x07up"]},
        "Invalid character in alert word, at position 3.",
    ),
    "too many alert words": (
        "POST",
        f"{OWN}/alert_words",
        {"alert_words": [f"soup {number}" for number in range(1001)]},
        "You cannot have more than 1000 alert words.",
    ),
    "onboarding step": (
        "POST",
        f"{OWN}/onboarding_steps",
        {"onboarding_step": "soup"},
        "Unknown onboarding_step.",
    ),
    "nothing about a status": (
        "POST",
        "/users/99999/status",
        {},
        "Client did not pass any new values.",
    ),
    "text of a status": (
        "POST",
        f"{OWN}/status",
        {"status_text": LONG},
        "status_text is too long (limit: 60 characters)",
    ),
    "emoji of a status without its name": (
        "POST",
        "/users/99999/status",
        {"emoji_code": "1f957"},
        "Client must pass emoji_name if they pass either emoji_code or reaction_type.",
    ),
    # bots
    "service of a bot": (
        "POST",
        "/bots",
        {"full_name": "Oven", "short_name": "oven", "bot_type": 3, "payload_url": "soup"},
        "payload_url is not a URL",
    ),
    "configuration of a bot": (
        "POST",
        "/bots",
        {"full_name": "Oven", "short_name": "oven", "bot_type": 2, "config_data": {"soup": LONG}},
        "config_data is too long",
    ),
    # invitations
    "nobody to invite": (
        "POST",
        "/invites",
        {"invitee_emails": " ", "stream_ids": []},
        "You must specify at least one email address.",
    ),
    "time of an invitation": (
        "POST",
        "/invites",
        {"invitee_emails": "soup@example.com", "stream_ids": [], "invite_expires_in_minutes": 0},
        "invite_expires_in_minutes must be a positive number of minutes, or null for never.",
    ),
    "channels of a link": (
        "POST",
        "/invites/multiuse",
        {"stream_ids": list(range(10_000))},
        "An invitation can name ",
    ),
    "welcome of a link": (
        "POST",
        "/invites/multiuse",
        {"welcome_message_custom_text": LONG},
        "Bad value for 'welcome_message_custom_text': Expected at most 8000 characters",
    ),
    # the organization
    "pattern of a linkifier": (
        "POST",
        "/realm/filters",
        {"pattern": "(", "url_template": "https://example.com/"},
        "The pattern cannot be used",
    ),
}
"""Requests, each with the beginning of the message that refuses it."""


CALLS: dict[str, Callable[[Services, Actor], object]] = {
    "type of a report": lambda svc, actor: reports.report_message(svc, actor, 99999, "soup"),
    "op of typing": lambda svc, actor: typing.announce_typing(
        svc,
        actor,
        "dance",  # type: ignore[arg-type]
        typing.ToPeople([]),
    ),
    "op of typing in an edit": lambda svc, actor: typing.announce_edit_typing(
        svc,
        actor,
        op="dance",  # type: ignore[arg-type]
        message_id=99999,
    ),
    "op for a default group": lambda svc, actor: default_groups.update_channels(
        svc,
        actor,
        99999,
        "dance",  # type: ignore[arg-type]
        [],
    ),
}
"""Calls with arguments that no request can have: the declarations of the endpoints refuse them."""


def fail(*_: object, **__: object) -> NoReturn:
    raise AssertionError("the store was asked for a transaction")


@pytest.fixture
def locked(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """The organization in a file while another connection writes; nobody may try to write as well."""
    url = stores("sqlite", found)
    world, path = World(url), sqlite_file(url)
    assert path is not None
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with monkeypatch.context() as patched:
            patched.setattr(world.storage, "write", fail)
            yield world
        other.execute("ROLLBACK")
    world.close()


@pytest.mark.parametrize("request_", REQUESTS.values(), ids=REQUESTS)
def test_a_bad_argument_is_refused_while_the_store_is_locked(locked: World, request_: Request) -> None:
    method, path, parameters, refusal = request_
    answer = locked["olga"].refused(method, path, **parameters)
    assert answer["msg"].startswith(refusal)


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_program_is_refused_while_the_store_is_locked(
    locked: World, call: Callable[[Services, Actor], object]
) -> None:
    with pytest.raises((BadRequest, InvalidParameter)):
        call(locked.svc, locked.actor("olga"))
