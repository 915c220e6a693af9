"""Measurements that are read from the store when somebody asks for them."""

from collections.abc import Iterator
from typing import NamedTuple

from chatcore.application.services import Services
from chatcore.runtime.measures import DUE_LATE, DUE_WAITING, EVENT_QUEUES, FREE_BYTES, Family
from chatcore.storage import Snapshot
from chatcore.storage.backlog import WaitingKind, WaitingWork


class Measurement(NamedTuple):
    """A value of a family, and the values of its labels."""

    family: Family
    value: float
    labels: tuple[str, ...] = ()


def read_measurements(svc: Services) -> Iterator[Measurement]:
    """Yield what the store knows about an organization at present.

    :raises StorageNotReady: the store is not available at present
    """
    if (free := svc.files.free_space()) is not None:
        yield Measurement(FREE_BYTES, free)

    def read(snapshot: Snapshot) -> tuple[int, dict[WaitingKind, WaitingWork]]:
        return snapshot.queues.count(), dict(snapshot.backlog.waiting())

    queues, backlog = svc.storage.read(read)
    yield Measurement(EVENT_QUEUES, queues)
    if not svc.sends_pushes:
        del backlog[WaitingKind.PUSH]  # of a time when there were pushes: nobody sends them
    for kind, work in backlog.items():
        yield Measurement(DUE_WAITING, work.count, (kind.value,))
        late = 0 if work.first_due is None else svc.now - work.first_due
        yield Measurement(DUE_LATE, max(0, late), (kind.value,))
