"""Deleting what is older than it is kept, in batches between which everybody else works.

A process claims the work before it begins, and with each batch again; one that was killed has its claim for
some minutes. Choosing messages, and writing them to the folder of deleted ones, need no lock: whether each of
them is still due, and still as it was written, is decided in the unit of work that deletes it.

A clock that nothing proves deletes nothing, and notes a mark, which proves it a day later.
"""

import logging
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Annotated, Final, NamedTuple

from chatcore.application import units
from chatcore.application.arguments import about
from chatcore.application.clock_proof import prove_clock
from chatcore.application.delivery.removing import remove_everywhere
from chatcore.application.due import read_due
from chatcore.application.files.uploads import SWEEP_SIZE, remove_unless_linked, sweep
from chatcore.application.retention.archiving import ArchiveBatch, read_batch, write_batch
from chatcore.application.retention.scopes import (
    Amount,
    RetentionScope,
    find_due,
    present_deadline,
    scope_of,
    scopes_in,
)
from chatcore.application.services import Services
from chatcore.application.units import Unit, View
from chatcore.domain.ids import MessageId
from chatcore.domain.retention.due import ClockMark, deadline_of, is_clock_proven, is_due, needs_mark
from chatcore.runtime.measures import RETENTION_FILES, RETENTION_MESSAGES
from chatcore.storage import StorageNotReady
from chatcore.storage.retention.retention import DueMessage
from chatcore.storage.slices import PAUSE, in_slices, let_others

log = logging.getLogger("chatcore.retention")

CLAIM_SECONDS: Final = 300
"""Seconds for which a process that works no more keeps others from it."""
LONGEST_PAUSE: Final = 1.0
"""Seconds of the longest pause between two batches; usually it is as long as the batch before."""


class AnotherDeletes(Exception):
    """Another process deletes old messages at present."""


class _ChangedSinceWritten(Exception):
    """Messages are no longer as they were written to the folder of deleted ones."""


def delete_due(
    svc: Services,
    *,
    at_once: Annotated[
        bool, about("Whether somebody has looked at the clock, so that it needs no proof.")
    ] = False,
) -> int:
    """Delete the messages that are older than they are kept, with files that no other message links to.

    After `Chat.deliver_on_time` this happens by itself. A program that calls it less often than every other
    day never proves the clock.

    :returns: the number of messages; none as long as nothing proves the clock, or while another process
        deletes
    :raises StorageNotReady: a later call continues
    """
    count = 0
    if read_due(svc, lambda snapshot: _has_work(View(svc, snapshot))):
        with suppress(AnotherDeletes):
            for _, amount in delete_batches(svc, lambda: svc.alarms.retention.stopped, at_once=at_once):
                count += amount.messages
    return count


def _has_work(view: View) -> bool:
    scopes = scopes_in(view.snapshot)
    marks = view.snapshot.retention.marks() if scopes else ()
    return bool(scopes) and (needs_mark(marks, view.now) or _are_any_due(view, scopes, marks))


def _are_any_due(view: View, scopes: Sequence[RetentionScope], marks: Sequence[ClockMark]) -> bool:
    return any(
        find_due(view, scope, deadline_of(scope.days, marks, view.now), None) for scope in in_slices(scopes)
    )


def is_proof_missing(view: View) -> bool:
    """Whether messages are due, but by a clock that nothing proves."""
    scopes, marks = scopes_in(view.snapshot), view.snapshot.retention.marks()
    return not is_clock_proven(marks, view.now) and _are_any_due(view, scopes, marks)


class _Run(NamedTuple):
    """One deletion of everything that is due."""

    begun: int
    """A time in seconds."""
    scopes: Sequence[RetentionScope]
    waits: bool
    """Whether it is the first to find that nothing proves the clock, and deletes nothing."""


def delete_batches(
    svc: Services, is_stopped: Callable[[], bool] = lambda: False, *, at_once: bool = False
) -> Iterator[tuple[RetentionScope, Amount]]:
    """Delete everything that is due, and yield what each batch had: nothing as long as nothing proves the
    clock.

    :param at_once: somebody has looked at the clock, and it needs no proof
    :raises AnotherDeletes: another process does it
    :raises StorageNotReady: the store, or the folder of deleted messages, cannot be used at present
    """
    holder = secrets.token_hex(8)
    try:
        run = units.write(svc, _begin_run, holder, at_once=at_once)
        if run.waits and units.read(svc, is_proof_missing):
            now = datetime.fromtimestamp(run.begun, UTC)
            log.warning(
                "old messages are kept for one more day: nothing proves that the clock is right, %s", now
            )
        for scope in run.scopes:
            after: DueMessage | None = None
            let_others()
            while not is_stopped() and (batch := units.read(svc, _find_next_batch, scope, run.begun, after)):
                begun = svc.monotonic()
                amount = _delete_batch(svc, holder, scope, run.begun, [message.id for message in batch])
                after = batch[-1]
                yield scope, amount
                time.sleep(min(max(PAUSE, svc.monotonic() - begun), LONGEST_PAUSE))
    finally:
        with suppress(StorageNotReady):  # then the claim ends by itself
            units.write(svc, _release_claim, holder)


def _begin_run(unit: Unit, holder: str, *, at_once: bool) -> _Run:
    """Claim the work, and return what is to be done."""
    _claim_work(unit, holder)
    proof = prove_clock(unit)
    if at_once or proof.is_there:
        return _Run(unit.now, scopes_in(unit.tx), waits=False)
    return _Run(unit.now, (), waits=proof.is_new)


def _claim_work(unit: Unit, holder: str) -> None:
    if not unit.tx.retention.claim(holder, unit.now, unit.now + CLAIM_SECONDS):
        raise AnotherDeletes


def _release_claim(unit: Unit, holder: str) -> None:
    """End a claim, if it is this holder's."""
    unit.tx.retention.release(holder)


def _find_next_batch(
    view: View, scope: RetentionScope, begun: int, after: DueMessage | None
) -> Sequence[DueMessage]:
    return find_due(view, scope, present_deadline(view, scope, begun), after)


def _delete_batch(
    svc: Services, holder: str, scope: RetentionScope, begun: int, message_ids: Sequence[MessageId]
) -> Amount:
    """Delete those of the messages that are due; none if they change while they are written to the folder of
    deleted messages, which a later look finds again.
    """
    folder, written = svc.settings.retention_archive, None
    if folder is not None:
        written, people = units.read(svc, _read_with_people, message_ids)
        write_batch(svc, folder, scope, written, people)
    try:
        amount = units.write(svc, _remove_batch, holder, scope, begun, message_ids, written)
    except _ChangedSinceWritten:
        return Amount()
    svc.measures.add(RETENTION_MESSAGES, amount.messages)
    svc.measures.add(RETENTION_FILES, amount.files)
    if amount.files:
        sweep(svc, amount.files + SWEEP_SIZE)
    return amount


def _read_with_people(view: View, message_ids: Sequence[MessageId]) -> tuple[ArchiveBatch, dict[str, str]]:
    """Return messages to write to the folder, and the names of all people in them, by id."""
    batch = read_batch(view, message_ids)
    people = set()
    for message in view.snapshot.messages.by_ids(message_ids):
        people |= {message.sender_id, *(reaction.user_id for reaction in message.reactions)}
        people |= {edit.user_id for edit in message.edits}
        if message.conversation is not None:
            people |= message.conversation.user_ids
    users = view.snapshot.users.by_ids(people)
    return batch, {str(user.id): user.full_name for user in users.values()}


def _remove_batch(
    unit: Unit,
    holder: str,
    scope: RetentionScope,
    begun: int,
    message_ids: Sequence[MessageId],
    written: ArchiveBatch | None,
) -> Amount:
    """Remove those of the messages that are due now, and were when the run has *begun*.

    :param written: the messages in the folder of deleted ones, if there is one
    :raises _ChangedSinceWritten: some are not as they were written
    """
    tx = unit.tx
    _claim_work(unit, holder)
    channel = None if scope.channel_id is None else tx.channels.find(scope.channel_id)
    is_channel_gone = scope.channel_id is not None and channel is None
    present_scope = None if is_channel_gone else scope_of(tx, channel)
    if present_scope is None:
        return Amount()
    deadline, holds = present_deadline(unit, present_scope, begun), tx.holds.present()
    messages = [
        message
        for message in tx.messages.outlines(message_ids)
        if message.channel_id == scope.channel_id and is_due(message, deadline, holds)
    ]
    ids = [message.id for message in messages]
    if written is not None and written != read_batch(unit, ids):
        raise _ChangedSinceWritten
    files = tx.attachments.of_messages(ids)
    remove_everywhere(unit, messages)
    removed = remove_unless_linked(unit, files) if files else ()
    return Amount(len(messages), len(removed), sum(file.size for file in removed))
