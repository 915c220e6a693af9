"""Deleting what is older than it is kept, in batches between which everybody else works.

A process claims the work before it begins, and with each batch again; one that was killed has its claim for
some minutes. Choosing messages, and writing them to the folder of deleted ones, need no lock: whether each of
them is still due, and still as it was written, is decided in the unit of work that deletes it.
"""

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from math import inf
from typing import Final

from chatcore.application import units
from chatcore.application.delivery.removing import remove_everywhere
from chatcore.application.due import read_due
from chatcore.application.files.uploads import SWEEP_SIZE, remove_unless_linked, sweep
from chatcore.application.retention.archiving import Batch, read_batch, write_batch
from chatcore.application.retention.places import (
    Amount,
    Place,
    find_due,
    place_of,
    places_in,
    present_deadline,
)
from chatcore.application.services import Services
from chatcore.application.units import Unit, View
from chatcore.domain.ids import MessageId
from chatcore.domain.retention.due import Mark, deadline_of, is_due, needs_mark
from chatcore.runtime.measures import RETENTION_FILES, RETENTION_MESSAGES
from chatcore.storage import StorageNotReady
from chatcore.storage.retention.retention import DueMessage
from chatcore.storage.slices import PAUSE, in_slices, let_others

CLAIM_SECONDS: Final = 300
"""Seconds for which a process that works no more keeps others from it."""
LONGEST_PAUSE: Final = 1.0
"""Seconds of the longest pause between two batches; usually it is as long as the batch before."""


class AnotherDeletes(Exception):
    """Another process deletes old messages at present."""


class _Changed(Exception):
    """Messages are no longer as they were written to the folder of deleted ones."""


def delete_due(svc: Services) -> float:
    """Delete what is due; return the seconds until the next look: infinity, as the alarm has its interval.

    :raises StorageNotReady: a later call continues
    """
    if read_due(svc, lambda snapshot: _has_work(View(svc, snapshot))):
        with suppress(AnotherDeletes):
            for _ in delete_batches(svc, lambda: svc.alarms.retention.stopped):
                pass
    return inf


def _has_work(view: View) -> bool:
    places = places_in(view.snapshot)
    marks = view.snapshot.retention.marks() if places else ()
    return bool(places) and (
        needs_mark(marks, view.now)
        or any(
            find_due(view, place, deadline_of(place.days, marks, view.now), None)
            for place in in_slices(places)
        )
    )


def delete_batches(
    svc: Services, is_stopped: Callable[[], bool] = lambda: False
) -> Iterator[tuple[Place, Amount]]:
    """Delete everything that is due, and yield what each batch had.

    :raises AnotherDeletes: another process does it
    :raises StorageNotReady: the store, or the folder of deleted messages, cannot be used at present
    """
    holder = secrets.token_hex(8)
    try:
        for place in units.write(svc, _begin, holder):
            after: DueMessage | None = None
            let_others()
            while not is_stopped() and (batch := units.read(svc, _next_batch, place, after)):
                begun = svc.monotonic()
                amount = _delete(svc, holder, place, [message.id for message in batch])
                after = batch[-1]
                yield place, amount
                time.sleep(min(max(PAUSE, svc.monotonic() - begun), LONGEST_PAUSE))
    finally:
        with suppress(StorageNotReady):  # then the claim ends by itself
            units.write(svc, _end, holder)


def _begin(unit: Unit, holder: str) -> Sequence[Place]:
    """Claim the work, note a mark if it is time for one, and return the places."""
    _claim(unit, holder)
    retention = unit.tx.retention
    if needs_mark(retention.marks(), unit.now):
        retention.note(Mark(at=unit.now, position=unit.tx.log.head()))
    return places_in(unit.tx)


def _claim(unit: Unit, holder: str) -> None:
    if not unit.tx.retention.claim(holder, unit.now, unit.now + CLAIM_SECONDS):
        raise AnotherDeletes


def _end(unit: Unit, holder: str) -> None:
    """End a claim, if it is this holder's."""
    unit.tx.retention.release(holder)


def _next_batch(view: View, place: Place, after: DueMessage | None) -> Sequence[DueMessage]:
    return find_due(view, place, present_deadline(view, place), after)


def _delete(svc: Services, holder: str, place: Place, message_ids: Sequence[MessageId]) -> Amount:
    """Delete those of the messages that are due; none if they change while they are written to the folder of
    deleted messages, which a later look finds again.
    """
    folder, written = svc.settings.retention_archive, None
    if folder is not None:
        written, people = units.read(svc, _read_with_people, message_ids)
        write_batch(svc, folder, place, written, people)
    try:
        amount = units.write(svc, _remove, holder, place, message_ids, written)
    except _Changed:
        return Amount()
    svc.measures.add(RETENTION_MESSAGES, amount.messages)
    svc.measures.add(RETENTION_FILES, amount.files)
    if amount.files:
        sweep(svc, amount.files + SWEEP_SIZE)
    return amount


def _read_with_people(view: View, message_ids: Sequence[MessageId]) -> tuple[Batch, dict[str, str]]:
    batch = read_batch(view, message_ids)
    people = set()
    for message in view.snapshot.messages.by_ids(message_ids):
        people |= {message.sender_id, *(reaction.user_id for reaction in message.reactions)}
        people |= {edit.user_id for edit in message.edits}
        people.update(() if message.conversation is None else message.conversation.user_ids)
    users = view.snapshot.users.by_ids(people)
    return batch, {str(user.id): user.full_name for user in users.values()}


def _remove(
    unit: Unit, holder: str, place: Place, message_ids: Sequence[MessageId], written: Batch | None
) -> Amount:
    """Remove those of the messages that are due now.

    :param written: the messages in the folder of deleted ones, if there is one
    :raises _Changed: some are not as they were written
    """
    tx = unit.tx
    _claim(unit, holder)
    channel = None if place.channel_id is None else tx.channels.find(place.channel_id)
    present = None if place.channel_id is not None and channel is None else place_of(tx, channel)
    if present is None:
        return Amount()
    deadline, holds = present_deadline(unit, present), tx.holds.present()
    messages = [
        message
        for message in tx.messages.outlines(message_ids)
        if message.channel_id == place.channel_id and is_due(message, deadline, holds)
    ]
    ids = [message.id for message in messages]
    if written is not None and written != read_batch(unit, ids):
        raise _Changed
    files = tx.attachments.of_messages(ids)
    remove_everywhere(unit, messages)
    removed = remove_unless_linked(unit, files) if files else ()
    return Amount(len(messages), len(removed), sum(file.size for file in removed))
