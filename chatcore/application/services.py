"""The services that a use case uses besides its arguments."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from chatcore.application.admission import Admission
from chatcore.application.alarm import Alarm
from chatcore.application.cards import Cards
from chatcore.application.formulas import Formulas
from chatcore.application.polls import Hub
from chatcore.application.rate_limits import RateLimits
from chatcore.application.work import OneAtATime, RunBlocking, run_here
from chatcore.domain.limits import Limits
from chatcore.settings import Settings
from chatcore.storage import Storage
from chatcore.storage.files import FileStore, NoFiles

BETWEEN_LOOKS = 5.0
"""Seconds after which a process looks for exports that another one has begun and left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The services of one organization."""

    storage: Storage
    settings: Settings
    clock: Callable[[], float]
    """Seconds since 1970, for times that users see; an administrator may set the clock, also back."""
    monotonic: Callable[[], float]
    """Seconds since an arbitrary moment, for waiting and deadlines."""
    hub: Hub
    rate_limits: RateLimits
    limits: Limits = field(default_factory=Limits)
    files: FileStore = field(default_factory=NoFiles)
    """Uploaded files."""
    formulas: Formulas | None = None
    """Renders formulas; None shows their source."""
    run_blocking: RunBlocking = run_here
    picture_work: OneAtATime = field(default_factory=OneAtATime)
    admission: Admission = field(default_factory=Admission)
    alarm: Alarm = field(default_factory=Alarm)
    """Runs what is due at a certain time."""
    postman: Alarm = field(default_factory=lambda: Alarm("chatcore-mail"))
    """Sends mails, apart from the others: a mail server may be slow."""
    bot_alarm: Alarm = field(default_factory=lambda: Alarm("chatcore-bots"))
    """Lets bots answer the messages that call them."""
    exporter: Alarm = field(default_factory=lambda: Alarm("chatcore-exports", BETWEEN_LOOKS))
    """Writes the exports that administrators request; they take long."""

    errands: Alarm = field(default_factory=lambda: Alarm("chatcore-errands"))
    """Runs work that follows requests and that nobody waits for, such as making thumbnails."""
    cards: Cards = field(default_factory=lambda: Cards(time.monotonic))
    """Cards of websites that messages link to."""

    @property
    def alarms(self) -> tuple[Alarm, ...]:
        """Return the threads of a serving process for all that is due at a certain time."""
        mail = (self.postman,) if self.settings.sends_mail else ()
        return (self.alarm, self.bot_alarm, self.exporter, self.errands, self.cards.alarm, *mail)

    def start_alarms(self) -> None:
        for alarm in self.alarms:
            alarm.start()

    def stop_alarms(self) -> None:
        """Start nothing that is due any more; what runs now comes to its end."""
        for alarm in self.alarms:
            alarm.stop()

    @property
    def now(self) -> int:
        return int(self.clock())
