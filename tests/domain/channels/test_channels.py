"""Changes of channels, and personal settings of subscriptions."""

from collections.abc import Mapping

import pytest

from chatcore.domain.channels import editing as rules
from chatcore.domain.channels.channels import Channel, Privacy, Subscription, is_subscribed
from chatcore.domain.channels.subscription_settings import SETTINGS, read_color, read_setting
from chatcore.domain.errors import BadRequest, InvalidParameter
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup, system_groups_of
from chatcore.domain.ids import ChannelId, RecipientId, UserId
from chatcore.domain.organization.organization import Organization
from chatcore.domain.roles import Role

LUNCH = ChannelId(RecipientId(3))
PUBLIC = Privacy(invite_only=False, is_web_public=False, history_public_to_subscribers=True)
WEB = Privacy(invite_only=False, is_web_public=True, history_public_to_subscribers=True)
SHARED = Privacy(invite_only=True, is_web_public=False, history_public_to_subscribers=True)
PROTECTED = Privacy(invite_only=True, is_web_public=False, history_public_to_subscribers=False)


def channel(privacy: Privacy = PUBLIC, permissions: Mapping[str, GroupSetting] | None = None) -> Channel:
    return Channel(id=LUNCH, name="lunch", date_created=0, permissions=permissions or {}, **privacy)


def actor(role: Role = Role.MEMBER) -> Actor:
    return Actor(UserId(RecipientId(7)), role, system_groups_of(role, full_member=True))


@pytest.mark.parametrize(
    ("subscription", "subscribed"),
    [
        (None, False),
        (Subscription(channel_id=LUNCH, active=True), True),
        (Subscription(channel_id=LUNCH, active=False), False),
    ],
)
def test_only_an_active_subscription_counts(subscription: Subscription | None, subscribed: bool) -> None:
    assert is_subscribed(subscription) is subscribed


# -- privacy ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "is_private", "is_web_public", "shared", "after"),
    [
        (PUBLIC, None, None, None, PUBLIC),
        (PUBLIC, True, None, None, PROTECTED),
        (PUBLIC, True, None, True, SHARED),
        (PUBLIC, None, True, None, WEB),
        (PUBLIC, True, True, None, None),
        (PUBLIC, None, None, False, None),
        (WEB, True, None, None, PROTECTED),
        (WEB, None, False, None, PUBLIC),
        (SHARED, None, None, None, SHARED),
        (SHARED, None, None, False, PROTECTED),
        (SHARED, False, None, None, PUBLIC),
        (SHARED, None, True, None, None),
        (PROTECTED, None, None, None, PROTECTED),
        (PROTECTED, None, None, True, SHARED),
        (PROTECTED, False, None, None, PUBLIC),
        (PROTECTED, False, True, None, WEB),
    ],
)
def test_a_change_of_privacy_follows_the_rules_or_is_refused(
    before: Privacy,
    is_private: bool | None,
    is_web_public: bool | None,
    shared: bool | None,
    after: Privacy | None,
) -> None:
    changes = {
        "is_private": is_private,
        "is_web_public": is_web_public,
        "history_public_to_subscribers": shared,
    }
    if after is None:
        with pytest.raises(BadRequest):
            rules.changed_privacy(channel(before), **changes)
    else:
        assert rules.changed_privacy(channel(before), **changes) == after
        assert rules.privacy_of(channel(after)) == after
        is_same = before == after or (before["invite_only"] and after["invite_only"])
        assert rules.is_of_kind(channel(before), after) is is_same


@pytest.mark.parametrize(
    ("privacy", "words"),
    [
        (PUBLIC, "Public"),
        (WEB, "Web-public"),
        (SHARED, "Private, shared history"),
        (PROTECTED, "Private, protected history"),
    ],
)
def test_privacy_is_described_in_words(privacy: Privacy, words: str) -> None:
    assert rules.privacy_in_words(channel(privacy)) == words


# -- permissions ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spectators", "role", "invite_only", "is_web_public", "allowed"),
    [
        (False, Role.MEMBER, False, False, True),
        (False, Role.MEMBER, True, False, True),
        (False, Role.GUEST, False, False, False),
        (False, Role.OWNER, False, True, False),
        (True, Role.OWNER, False, True, True),
        (True, Role.MEMBER, False, True, False),
    ],
)
def test_roles_decide_which_kinds_of_channels_one_may_create(
    spectators: bool, role: Role, invite_only: bool, is_web_public: bool, allowed: bool
) -> None:
    organization = Organization(name="o", date_created=0, enable_spectator_access=spectators)
    kind = {"invite_only": invite_only, "is_web_public": is_web_public}
    if allowed:
        rules.require_may_make_kind(organization, actor(role), **kind)
    else:
        with pytest.raises(BadRequest):
            rules.require_may_make_kind(organization, actor(role), **kind)


@pytest.mark.parametrize(
    ("days", "allowed", "words"),
    [
        (None, True, "as long as in the whole organization"),
        (-1, True, "forever"),
        (1, True, "1 days"),
        (36_500, True, "36500 days"),
        (0, False, ""),
        (-2, False, ""),
        (36_501, False, ""),
    ],
)
def test_retention_has_limits_and_a_description(days: int | None, allowed: bool, words: str) -> None:
    if allowed:
        rules.require_retention(days)
        assert rules.retention_in_words(days) == words
    else:
        with pytest.raises(InvalidParameter):
            rules.require_retention(days)


@pytest.mark.parametrize("role", Role)
def test_owners_set_the_retention(role: Role) -> None:
    if role == Role.OWNER:
        rules.require_may_set_retention(actor(role))
    else:
        with pytest.raises(BadRequest):
            rules.require_may_set_retention(actor(role))


@pytest.mark.parametrize(
    ("permission", "value", "role", "allowed"),
    [
        ("can_delete_any_message_group", SystemGroup.NOBODY, Role.GUEST, True),
        ("can_delete_any_message_group", SystemGroup.MEMBERS, Role.OWNER, True),
        ("can_delete_own_message_group", SystemGroup.MEMBERS, Role.GUEST, False),
        ("can_send_message_group", SystemGroup.MEMBERS, Role.GUEST, True),
    ],
)
def test_deleting_is_opened_by_a_permission_of_the_organization(
    permission: str, value: SystemGroup, role: Role, allowed: bool
) -> None:
    organization = Organization(name="o", date_created=0)
    permissions = {permission: GroupSetting.of(value)}
    if allowed:
        rules.require_may_share_deleting(organization, actor(role), permissions)
    else:
        with pytest.raises(BadRequest):
            rules.require_may_share_deleting(organization, actor(role), permissions)


@pytest.mark.parametrize(
    ("privacy", "role", "subscribed", "refusal"),
    [
        (PUBLIC, Role.ADMINISTRATOR, False, None),
        (PROTECTED, Role.ADMINISTRATOR, False, None),
        (PUBLIC, Role.MEMBER, True, "You do not have permission to administer this channel."),
        (PROTECTED, Role.MEMBER, False, "Invalid channel ID"),
        (PUBLIC, Role.GUEST, False, "Invalid channel ID"),
    ],
)
def test_administering_a_channel_needs_access_and_a_role(
    privacy: Privacy, role: Role, subscribed: bool, refusal: str | None
) -> None:
    lunch = channel(privacy)
    if refusal is None:
        assert rules.require_may_administer(lunch, actor(role), subscribed=subscribed) == lunch
    else:
        with pytest.raises(BadRequest, match=refusal):
            rules.require_may_administer(lunch, actor(role), subscribed=subscribed)
    with pytest.raises(BadRequest, match="Invalid channel ID"):
        rules.require_may_administer(None, actor(role), subscribed=subscribed)


@pytest.mark.parametrize(
    ("privacy", "subscribed", "allowed"),
    [(PUBLIC, False, True), (SHARED, True, True), (SHARED, False, False)],
)
def test_opening_a_channel_needs_its_content(privacy: Privacy, subscribed: bool, allowed: bool) -> None:
    administrator = actor(Role.ADMINISTRATOR)
    if allowed:
        rules.require_may_share_access(channel(privacy), administrator, subscribed=subscribed)
    else:
        with pytest.raises(BadRequest):
            rules.require_may_share_access(channel(privacy), administrator, subscribed=subscribed)


# -- personal settings ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "color"),
    [
        ("#abc", "#aabbcc"),
        ("#ABCDEF", "#abcdef"),
        ("#abcd", "#abcd00"),
        ("#abcde", "#abcde0"),
        ("#ab", None),
        ("#abcdefa", None),
        ("abc", None),
        ("#xyz", None),
        ("#abc\n", None),
    ],
)
def test_a_color_is_read_or_refused(text: str, color: str | None) -> None:
    if color is None:
        with pytest.raises(BadRequest):
            read_color(text)
    else:
        assert read_color(text) == color


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("is_muted", True, ("is_muted", True)),
        ("in_home_view", True, ("is_muted", False)),
        ("in_home_view", False, ("is_muted", True)),
        ("pin_to_top", False, ("pin_to_top", False)),
        ("color", "#abc", ("color", "#aabbcc")),
        ("color", True, None),
        ("pin_to_top", "yes", None),
        ("pin_to_top", 1, None),
        ("shape", True, None),
    ],
)
def test_settings_of_a_subscription_are_checked(
    name: str, value: object, kept: tuple[str, object] | None
) -> None:
    if kept is None:
        with pytest.raises(BadRequest):
            read_setting(name, value)
    else:
        assert read_setting(name, value) == kept


def test_settings_are_stored_as_fields_of_subscriptions() -> None:
    assert {setting.stored_as for setting in SETTINGS.values()} <= {*Subscription.__slots__}
