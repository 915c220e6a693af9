"""Topics that are followed or unmuted by people's own settings."""

import pytest

from chatcore.domain.ids import RecipientId, UserId
from chatcore.domain.people.automatic_policies import (
    policy_by_mention,
    policy_by_taking_part,
    policy_changing_actions,
)
from chatcore.domain.people.settings import AutomaticPolicy
from chatcore.domain.people.users import User
from chatcore.domain.topics import VisibilityPolicy

INHERIT, MUTED, UNMUTED, FOLLOWED = VisibilityPolicy
TAKES_PART, SENDS, STARTS, NEVER = AutomaticPolicy
SENT = {TAKES_PART, SENDS}


def user(follow: int = NEVER, unmute: int = NEVER, *, mentioned: bool = True, is_bot: bool = False) -> User:
    settings = {
        "automatically_follow_topics_policy": int(follow),
        "automatically_unmute_topics_in_muted_streams_policy": int(unmute),
        "automatically_follow_topics_where_mentioned": mentioned,
    }
    number = UserId(RecipientId(7))
    return User(id=number, email="a@b", full_name="A", date_joined=0, is_bot=is_bot, settings=settings)


@pytest.mark.parametrize(
    ("follow", "unmute", "actions"),
    [
        (NEVER, NEVER, set()),
        (STARTS, NEVER, {STARTS}),
        (NEVER, SENDS, {SENDS}),
        (STARTS, SENDS, {STARTS, SENDS}),
    ],
)
def test_settings_name_the_actions_that_count(
    follow: int, unmute: int, actions: set[AutomaticPolicy]
) -> None:
    assert policy_changing_actions(user(follow, unmute)) == actions


@pytest.mark.parametrize(
    ("follow", "unmute", "old", "actions", "new_in_open", "new_in_muted"),
    [
        (NEVER, NEVER, INHERIT, {*SENT, STARTS}, None, None),
        (SENDS, NEVER, INHERIT, SENT, FOLLOWED, FOLLOWED),
        (SENDS, NEVER, MUTED, SENT, FOLLOWED, FOLLOWED),
        (SENDS, NEVER, UNMUTED, SENT, FOLLOWED, FOLLOWED),
        (SENDS, NEVER, FOLLOWED, SENT, None, None),
        (SENDS, NEVER, INHERIT, {TAKES_PART}, None, None),
        (STARTS, NEVER, INHERIT, SENT, None, None),
        (STARTS, NEVER, INHERIT, {*SENT, STARTS}, FOLLOWED, FOLLOWED),
        (NEVER, SENDS, INHERIT, SENT, None, UNMUTED),
        (NEVER, SENDS, MUTED, SENT, None, UNMUTED),
        (NEVER, SENDS, UNMUTED, SENT, None, None),
        (NEVER, SENDS, FOLLOWED, SENT, None, None),
        (NEVER, SENDS, INHERIT, {TAKES_PART}, None, None),
        (SENDS, SENDS, INHERIT, SENT, FOLLOWED, FOLLOWED),
    ],
)
def test_taking_part_changes_the_policy(
    follow: int,
    unmute: int,
    old: VisibilityPolicy,
    actions: set[AutomaticPolicy],
    new_in_open: VisibilityPolicy | None,
    new_in_muted: VisibilityPolicy | None,
) -> None:
    who = user(follow, unmute)
    assert policy_by_taking_part(who, old, actions, is_muted=False) == new_in_open
    assert policy_by_taking_part(who, old, actions, is_muted=True) == new_in_muted


@pytest.mark.parametrize(
    ("who", "old", "new"),
    [
        (user(), INHERIT, FOLLOWED),
        (user(), UNMUTED, FOLLOWED),
        (user(), MUTED, None),
        (user(), FOLLOWED, None),
        (user(mentioned=False), INHERIT, None),
        (user(is_bot=True), INHERIT, None),
    ],
)
def test_a_mention_changes_the_policy(who: User, old: VisibilityPolicy, new: VisibilityPolicy | None) -> None:
    assert policy_by_mention(who, old) == new


def test_a_number_of_no_action_is_taken_for_the_default() -> None:
    """Such as one of another version, in an archive."""
    assert policy_changing_actions(user(follow=99, unmute=99)) == {STARTS, SENDS}
    assert policy_by_taking_part(user(follow=99), INHERIT, {STARTS}, is_muted=False) == FOLLOWED
