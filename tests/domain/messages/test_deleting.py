"""The rules about deleting messages, without a store."""

import pytest

from chatcore.domain.channels.channels import Channel
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup, system_groups_of
from chatcore.domain.ids import ChannelId, MessageId, RecipientId, UserId
from chatcore.domain.messages.deleting import require_may_delete
from chatcore.domain.messages.messages import channel_message
from chatcore.domain.organization.organization import Organization
from chatcore.domain.roles import Role

LUNCH = ChannelId(RecipientId(7))
ADA, BEA, ROBO = UserId(1), UserId(2), UserId(3)
ANY, OWN = "can_delete_any_message_group", "can_delete_own_message_group"


def may_delete(
    *,
    sender: UserId = ADA,
    organization: str = "",
    channel: str | None = "",
    age: int = 0,
    limit: int | None = None,
) -> bool:
    """Whether ada may delete a message, if organization and channel give her these permissions only."""

    def only(name: str) -> dict[str, GroupSetting]:
        nobody = dict.fromkeys((ANY, OWN), GroupSetting.of(SystemGroup.NOBODY))
        return {**nobody, **({name: GroupSetting.of(members=[ADA])} if name else {})}

    try:
        require_may_delete(
            channel_message(
                id=MessageId(1),
                sender_id=sender,
                channel_id=LUNCH,
                topic="x",
                content="a",
                rendered_content="<p>a</p>",
                timestamp=1000,
            ),
            Actor(ADA, Role.MEMBER, system_groups_of(Role.MEMBER, full_member=True)),
            Organization(
                name="x",
                date_created=0,
                permissions=only(organization),
                message_content_delete_limit_seconds=limit,
            ),
            None
            if channel is None
            else Channel(id=LUNCH, name="lunch", date_created=0, permissions=only(channel)),
            owner_of_sender=ADA if sender == ROBO else None,
            now=1000 + age,
        )
    except BadRequest:
        return False
    return True


@pytest.mark.parametrize(
    ("organization", "channel", "own", "of_own_bot", "of_others"),
    [
        ("", "", False, False, False),
        (OWN, "", True, True, False),
        ("", OWN, True, True, False),
        (ANY, "", True, True, True),
        ("", ANY, True, True, True),
        ("", None, False, False, False),
        (OWN, None, True, True, False),
        (ANY, None, True, True, True),
    ],
)
def test_permission_to_delete_depends_on_the_sender(
    organization: str, channel: str | None, own: bool, of_own_bot: bool, of_others: bool
) -> None:
    found = [
        may_delete(sender=sender, organization=organization, channel=channel) for sender in (ADA, ROBO, BEA)
    ]
    assert found == [own, of_own_bot, of_others]


@pytest.mark.parametrize(
    ("limit", "age", "in_time"), [(600, 600, True), (600, 601, False), (0, 1, False), (None, 10**9, True)]
)
def test_ones_own_is_deleted_in_time_and_anything_at_any(limit: int | None, age: int, in_time: bool) -> None:
    """The limit holds to the second: there is no allowance for the way to the server."""
    for place in ("organization", "channel"):
        assert may_delete(limit=limit, age=age, **{place: OWN}) is in_time  # type: ignore[arg-type]
        assert may_delete(limit=limit, age=age, **{place: ANY})  # type: ignore[arg-type]
