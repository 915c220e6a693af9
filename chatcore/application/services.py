"""All that a use case may reach besides its arguments."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from chatcore.application.hub import EventHub
from chatcore.domain.limits import Limits
from chatcore.settings import Settings
from chatcore.storage import Storage
from chatcore.storage.files import FileStore, NoFiles

T = TypeVar("T")


class RunBlocking(Protocol):
    """Runs what takes long without the store, such as hashing a password, where it holds up nobody."""

    def __call__(self, work: Callable[[], T]) -> T: ...


def run_here(work: Callable[[], T]) -> T:
    """For servers with a thread for each request."""
    return work()


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """One organization, served."""

    storage: Storage
    settings: Settings
    clock: Callable[[], float]
    """Seconds since 1970."""
    hub: EventHub
    limits: Limits = field(default_factory=Limits)
    files: FileStore = field(default_factory=NoFiles)
    """Uploaded files."""
    run_blocking: RunBlocking = run_here

    @property
    def now(self) -> int:
        return int(self.clock())
