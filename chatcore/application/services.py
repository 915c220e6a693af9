"""The services that a use case uses besides its arguments."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from chatcore.domain.limits import Limits
from chatcore.domain.organization.audit import Origin
from chatcore.domain.push.modes import PushMode
from chatcore.runtime import web_push
from chatcore.runtime.admission import Admission
from chatcore.runtime.alarm import Alarms
from chatcore.runtime.cards import Cards
from chatcore.runtime.foreign_pictures import ForeignPictures
from chatcore.runtime.formulas import Formulas
from chatcore.runtime.measures import Measures
from chatcore.runtime.openid.services import LoginServices
from chatcore.runtime.polls import Hub
from chatcore.runtime.rate_limits import RateLimits
from chatcore.runtime.work import OneAtATime, RunBlocking, run_here
from chatcore.settings import Settings
from chatcore.storage import Storage
from chatcore.storage.files import FileStore, NoFiles


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
    alarms: Alarms = field(default_factory=Alarms)
    """Run what is due at a certain time."""
    cards: Cards = field(default_factory=lambda: Cards(time.monotonic))
    """Cards of websites that messages link to."""
    foreign_pictures: ForeignPictures = field(default_factory=lambda: ForeignPictures(time.monotonic))
    """Pictures of other sites that were fetched for readers."""
    login_services: LoginServices = field(default_factory=lambda: LoginServices((), time.monotonic))
    """The providers of OpenID Connect by which people log in."""
    measures: Measures = field(default_factory=Measures)
    """Tell those who count of what happens."""
    origin: Origin = field(default_factory=Origin)
    """The origin of what is done with these services; the audit log has it."""

    def asked_by(self, origin: Origin) -> "Services":
        """Return the same services for what another origin asks for.

        Each request has its own: `dataclasses.replace` would be a twentieth of the work of a short one.
        """
        same = object.__new__(Services)
        for name in Services.__slots__:
            object.__setattr__(same, name, getattr(self, name))
        object.__setattr__(same, "origin", origin)
        return same

    @property
    def sends_pushes(self) -> bool:
        """Whether the server sends pushes to browsers: it is wanted, and the library for it is installed."""
        return self.settings.web_push != PushMode.OFF and web_push.is_available()

    @property
    def now(self) -> int:
        return int(self.clock())
