"""The organization's own emoji: their names, who may add and remove them, where the pictures are."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from chatcore.domain.errors import BadRequest, ChatError
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup, system_groups_of
from chatcore.domain.ids import EmojiId, UserId
from chatcore.domain.organization.custom_emoji import (
    MAX_NAME_LENGTH,
    CustomEmoji,
    checked_emoji_name,
    require_may_add,
    require_may_remove,
    require_may_replace_built_in,
)
from chatcore.domain.organization.organization import Organization
from chatcore.domain.roles import Role

MEW = CustomEmoji(
    id=EmojiId(1), name="mew", author_id=UserId(5), token="t", content_type="image/gif", is_animated=True
)


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("mew", "mew"), (" Our Cat ", "our_cat"), ("7", "7"), ("_-a", "_-a"), ("a" * MAX_NAME_LENGTH,) * 2,
        ("a" * (MAX_NAME_LENGTH + 1), None), ("", None), ("mew_", None), ("mew!", None), ("mäuschen", None),
    ],
)  # fmt: skip
def test_names_of_custom_emoji_are_checked(raw: str, name: str | None) -> None:
    if name is not None:
        assert checked_emoji_name(raw) == name
    else:
        with pytest.raises(BadRequest):
            checked_emoji_name(raw)


def test_a_picture_that_moves_has_one_that_does_not() -> None:
    assert (MEW.source_url.rpartition("/")[2], str(MEW.still_url).rpartition("/")[2]) == ("t.gif", "t.png")
    assert replace(MEW, is_animated=False).still_url is None


def actor(role: Role = Role.MEMBER, user_id: int = 6, *, is_bot: bool = False) -> Actor:
    groups = system_groups_of(role, full_member=True)
    return Actor(UserId(user_id), role, groups, is_bot=is_bot)


MODERATORS_ADD = Organization(
    name="Society",
    date_created=0,
    permissions={"can_add_custom_emoji_group": GroupSetting.of(SystemGroup.MODERATORS)},
)
ALL_ADD = replace(
    MODERATORS_ADD, permissions={"can_add_custom_emoji_group": GroupSetting.of(SystemGroup.EVERYONE)}
)


@pytest.mark.parametrize(
    ("rule", "refusal"),
    [
        (lambda: require_may_add(MODERATORS_ADD, actor(Role.MODERATOR)), None),
        (lambda: require_may_add(MODERATORS_ADD, actor(Role.MEMBER)), BadRequest),
        (lambda: require_may_add(ALL_ADD, actor(Role.GUEST)), BadRequest),
        (lambda: require_may_add(ALL_ADD, actor(Role.ADMINISTRATOR, is_bot=True)), BadRequest),
        (lambda: require_may_replace_built_in(actor(Role.ADMINISTRATOR)), None),
        (lambda: require_may_replace_built_in(actor(Role.MODERATOR)), BadRequest),
        (lambda: require_may_remove(MEW, actor(user_id=5)), None),
        (lambda: require_may_remove(MEW, actor(Role.ADMINISTRATOR)), None),
        (lambda: require_may_remove(MEW, actor(Role.MODERATOR)), BadRequest),
    ],
)
def test_custom_emoji_need_permission(rule: Callable[[], None], refusal: type[ChatError] | None) -> None:
    if refusal is None:
        rule()
    else:
        with pytest.raises(refusal):
            rule()
