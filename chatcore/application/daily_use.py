"""Daily limits on what accounts create; counted in the unit of work that creates it."""

from collections.abc import Mapping

from chatcore.application.units import Unit, View
from chatcore.domain.files.uploads import MIB
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.people.daily_use import FREE_FOR_ADMINISTRATORS, Daily, daily_limit, require_within_day
from chatcore.domain.people.users import User
from chatcore.domain.times import SECONDS_PER_DAY


def count_daily_use(unit: Unit, actor: Actor, what: Daily, amount: int = 1) -> None:
    """Count an amount that the actor creates; some kinds are not counted for administrators.

    :raises RateLimited: more than an account may create on one day
    """
    if not (actor.role.is_administrator and what in FREE_FOR_ADMINISTRATORS):
        count_daily_use_of_each(unit, what, {actor.user_id: amount})


def count_daily_use_of_each(unit: Unit, what: Daily, amounts: Mapping[UserId, int]) -> None:
    """Count an amount for each account.

    :raises RateLimited: one of them exceeds the limit for one day
    """
    if not unit.svc.settings.rate_limits:
        return
    sums = unit.tx.daily_use.add(what, unit.now // SECONDS_PER_DAY, amounts)
    if sums:
        require_within_day(what, max(sums.values()), unit.limits, unit.now)


def require_today(view: View, user_id: UserId, what: Daily, more: int) -> None:
    """Check that *more* of something is within the limit for one day; it is counted only later.

    :raises RateLimited: it exceeds the limit for one day
    """
    if view.svc.settings.rate_limits:
        used = view.snapshot.daily_use.find(user_id, what, view.now // SECONDS_PER_DAY)
        require_within_day(what, used + more, view.limits, view.now)


def usage_of(view: View, user: User) -> Mapping[str, tuple[int, int | None]]:
    """Return what an account has used, and its limit, or None if it has none: the bytes of all its files
    (`file_bytes`), and what is counted by day, today (see `Daily`). For the organization's own tools.
    """
    free = FREE_FOR_ADMINISTRATORS if user.role.is_administrator else ()
    snapshot, today = view.snapshot, view.now // SECONDS_PER_DAY
    spaces = [uploads.space_of_user(user.id) for uploads in (snapshot.attachments, snapshot.uploads)]
    files = sum(space.size for space in spaces)
    daily = {
        str(what): (
            snapshot.daily_use.find(user.id, what, today),
            None if what in free else daily_limit(what, view.limits),
        )
        for what in Daily
    }
    return {"file_bytes": (files, view.limits.max_upload_space_per_user_mib * MIB), **daily}
