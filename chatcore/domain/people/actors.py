"""Conversion of accounts into actors: role, groups and owner as of a point in time."""

from collections.abc import Callable, Iterable, Mapping

from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.system import system_groups_of
from chatcore.domain.ids import GroupId, UserId
from chatcore.domain.people.users import User
from chatcore.domain.roles import is_full_member


def actors_of(
    accounts: Iterable[User],
    groups_of: Callable[[UserId, frozenset[GroupId]], frozenset[GroupId]],
    *,
    owners: Mapping[UserId, Actor],
    waiting_period_days: int,
    now: int,
) -> dict[UserId, Actor]:
    """Return active accounts as actors. A bot's owner is one of them or of *owners*; otherwise it has none.

    *groups_of* adds user-created groups to the system groups that follow from the role.
    """
    actors: dict[UserId, Actor] = {}
    for one in sorted(accounts, key=lambda one: one.bot_owner_id is not None):  # people before bots
        full_member = is_full_member(one.role, one.date_joined, waiting_period_days, now)
        owner = None
        if one.bot_owner_id is not None:
            owner = actors.get(one.bot_owner_id) or owners.get(one.bot_owner_id)
        actors[one.id] = Actor(
            user_id=one.id,
            role=one.role,
            group_ids=groups_of(one.id, system_groups_of(one.role, full_member=full_member)),
            is_bot=one.is_bot,
            bot_type=one.bot_type,
            owner=owner,
        )
    return actors
