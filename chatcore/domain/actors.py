"""Conversion of accounts into actors: role, groups and owner as of a point in time."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from chatcore.domain.groups import Actor, system_groups_of
from chatcore.domain.ids import GroupId, UserId
from chatcore.domain.roles import Role, is_full_member


class Account(NamedTuple):
    """Stored facts of an active account. A named tuple, because there can be thousands."""

    user_id: UserId
    role: Role
    is_bot: bool
    bot_type: int | None
    owner_id: UserId | None
    joined_at: int


def actors_of(
    accounts: Iterable[Account],
    groups_of: Callable[[UserId, frozenset[GroupId]], frozenset[GroupId]],
    *,
    owners: Mapping[UserId, Actor],
    waiting_period_days: int,
    now: int,
) -> dict[UserId, Actor]:
    """Return the accounts as actors. A bot's owner is one of them or of *owners*; otherwise it has none.

    *groups_of* adds user-created groups to the system groups that follow from the role.
    """
    actors: dict[UserId, Actor] = {}
    for one in sorted(accounts, key=lambda one: one.owner_id is not None):  # people before bots
        full_member = is_full_member(one.role, one.joined_at, waiting_period_days, now)
        owner = None
        if one.owner_id is not None:
            owner = actors.get(one.owner_id) or owners.get(one.owner_id)
        actors[one.user_id] = Actor(
            user_id=one.user_id,
            role=one.role,
            group_ids=groups_of(one.user_id, system_groups_of(one.role, full_member=full_member)),
            is_bot=one.is_bot,
            bot_type=one.bot_type,
            owner=owner,
        )
    return actors
