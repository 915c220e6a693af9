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
    for user in sorted(accounts, key=lambda user: user.bot_owner_id is not None):  # people before bots
        full_member = is_full_member(user.role, user.date_joined, waiting_period_days, now)
        owner = None
        if user.bot_owner_id is not None:
            owner = actors.get(user.bot_owner_id) or owners.get(user.bot_owner_id)
        actors[user.id] = Actor(
            user_id=user.id,
            role=user.role,
            group_ids=groups_of(user.id, system_groups_of(user.role, full_member=full_member)),
            is_bot=user.is_bot,
            bot_type=user.bot_type,
            owner=owner,
        )
    return actors
