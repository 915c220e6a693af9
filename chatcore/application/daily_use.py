"""Counting what accounts make on one day; called in the unit of work that makes it."""

from collections.abc import Mapping

from chatcore.application.services import Services
from chatcore.domain.daily_use import FREE_FOR_ADMINISTRATORS, Daily, require_within_day
from chatcore.domain.groups import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.roles import SECONDS_PER_DAY
from chatcore.storage import Snapshot, Transaction


def use(svc: Services, tx: Transaction, actor: Actor, what: Daily, amount: int = 1) -> None:
    """Count what the actor makes.

    :raises RateLimited: more than an account may make on one day
    """
    if not (actor.role.is_administrator and what in FREE_FOR_ADMINISTRATORS):
        use_of_each(svc, tx, what, {actor.user_id: amount})


def use_of_each(svc: Services, tx: Transaction, what: Daily, amounts: Mapping[UserId, int]) -> None:
    """Count what becomes of each account.

    :raises RateLimited: one of them has more than an account may have on one day
    """
    if not svc.settings.rate_limits:
        return
    sums = tx.daily_use.add(what, svc.now // SECONDS_PER_DAY, amounts)
    if sums:
        require_within_day(what, max(sums.values()), svc.limits, svc.now)


def require_today(svc: Services, tx: Snapshot, user_id: UserId, what: Daily, more: int) -> None:
    """Refuse *more* of what is counted only later.

    :raises RateLimited: it is more than an account may have on one day
    """
    if svc.settings.rate_limits:
        used = tx.daily_use.find(user_id, what, svc.now // SECONDS_PER_DAY)
        require_within_day(what, used + more, svc.limits, svc.now)
