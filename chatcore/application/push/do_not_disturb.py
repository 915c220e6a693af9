"""The times in which nothing notifies a person."""

from dataclasses import dataclass, replace
from typing import Annotated

from chatcore.application.arguments import about
from chatcore.application.units import Unit, View, read_only, unit_of_work
from chatcore.domain.errors import InvalidParameter
from chatcore.domain.groups.actors import Actor
from chatcore.domain.people.push_devices import require_person
from chatcore.domain.people.setting_values import zone_of
from chatcore.domain.push.do_not_disturb import DoNotDisturb


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnTimes:
    """The times of a person, and whether they apply now."""

    times: DoNotDisturb
    is_on: bool


@read_only
def own_times(view: View, me: Actor) -> OwnTimes:
    """Return the times in which nothing notifies the caller."""
    user = view.snapshot.users.get(me.user_id)
    times = DoNotDisturb.of(user.settings)
    return OwnTimes(times=times, is_on=times.is_on(view.now, zone_of(user)))


@unit_of_work
def set_do_not_disturb(
    unit: Unit,
    me: Actor,
    daily: Annotated[
        str | None,
        about("From when to when on each day, in the caller's time zone, as 22:00-07:00; empty: never."),
    ] = None,
    until: Annotated[
        int | None, about("The end of a pause that begins now, in seconds since 1970; 0 ends a pause.")
    ] = None,
) -> None:
    """Set the times in which nothing notifies the caller: no push, no notification or sound of a client.

    What comes meanwhile is unread as usual, and is not pushed afterwards. An argument that is left out
    changes nothing.

    :raises BadRequest: the caller is a bot
    :raises InvalidParameter: not two different times of day, or a pause that does not end in the future
    """
    require_person(me)
    user = unit.tx.users.get(me.user_id)
    chosen = DoNotDisturb.of(user.settings)
    if daily is not None:
        chosen = replace(chosen, daily=daily)
    if until is not None:
        chosen = replace(chosen, until=until)
        if 0 < until <= unit.now:
            raise InvalidParameter("until", "Must be in the future.")
    unit.tx.users.update(user.id, settings={**user.settings, **chosen.as_settings})
