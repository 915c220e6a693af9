"""The times in which nothing notifies a person."""

from chatcore.application.push.do_not_disturb import own_times
from chatcore.application.services import Services
from chatcore.http.parameters.declaring import NoParams
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Answer


class DoNotDisturbAnswer(Answer, frozen=True, kw_only=True):
    daily: str
    """From when to when on each day, in the caller's time zone, as `22:00-07:00`; empty: never."""
    until: int
    """The end of a pause, in seconds since 1970; 0, or past: there is none."""
    is_on: bool
    """Whether nothing notifies the caller now."""


def show(svc: Services, caller: Caller, p: NoParams) -> DoNotDisturbAnswer:
    """Return the times in which nothing notifies the caller, and whether they apply now."""
    own = own_times(svc, caller.actor)
    return DoNotDisturbAnswer(daily=own.times.daily, until=own.times.until, is_on=own.is_on)
