"""The steps of erasures, by whichever process comes first: each part is a unit of work that begins where the
stored erasure says, so that one that was interrupted goes on.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from math import inf
from typing import Final

from chatcore.application import units
from chatcore.application.delivery.removing import remove_everywhere
from chatcore.application.delivery.rerendering import change_texts
from chatcore.application.due import read_due
from chatcore.application.erasure.mentions import Renaming
from chatcore.application.files import uploads
from chatcore.application.people import login_attempts
from chatcore.application.queue_closing import close_queues
from chatcore.application.services import Services
from chatcore.application.units import Unit, View
from chatcore.domain.ids import MAX_INTEGER, AuditId, MessageId, QueueId, UserId
from chatcore.domain.mail_addresses import address_key
from chatcore.domain.organization.audit import AuditEntry, AuditFilter, AuditTarget, addresses_in
from chatcore.domain.people.erasure import Erasure, Step
from chatcore.storage.people.erasures import IdsToSearch, Texts
from chatcore.storage.slices import let_others

IDS_AT_A_TIME: Final = 10_000
"""Ids among which one unit of work looks."""
BATCH: Final = 200
"""Rows with texts that one unit of work changes or deletes."""
ROWS: Final = 1000
"""Rows that one unit of work removes, or reads of the audit log."""
YOUNG: Final = 5
"""Seconds in which requests from before may still end: those that send a message with the old name, which was
rendered already, and those that make an event queue which begins before the new name.
"""
PAUSE: Final = 5.0
"""Seconds until an erasure that has to wait is looked at again."""


def continue_erasures(svc: Services) -> float:
    """Go on with all erasures that are not done; return the seconds until there is more to do."""
    pause = inf
    for erasure in read_due(svc, lambda snapshot: snapshot.erasures.unfinished()):
        if not continue_erasure(svc, erasure.user_id):
            pause = PAUSE
    return pause


def erasures_of(view: View, user_id: UserId) -> Sequence[Erasure]:
    """Return the erasures of a person and the person's bots that are not done."""
    bot_ids = {user.id for user in view.snapshot.users.all() if user.bot_owner_id == user_id}
    unfinished = view.snapshot.erasures.unfinished()
    return [erasure for erasure in unfinished if erasure.user_id in {user_id, *bot_ids}]


def continue_erasure(svc: Services, user_id: UserId) -> bool:
    """Go on with one erasure; return False if it has to wait for others, or the server stops."""
    try:
        while not svc.alarms.erasures.stopped:
            erasure = svc.storage.read(lambda snapshot: snapshot.erasures.find(user_id))
            if erasure is None or erasure.is_done:
                return True
            if erasure.step is Step.FILES:
                remove_archives(svc, user_id)
            if not units.write(svc, _do_part, user_id):
                return False
            let_others()
    finally:
        uploads.sweep(svc)
    return False


def _do_part(unit: Unit, user_id: UserId) -> bool:
    """Do a part of the present step; return False if it cannot be done yet."""
    erasure = unit.tx.erasures.find(user_id)
    if erasure is None or erasure.is_done:
        return True
    if _has_to_wait(unit, erasure):
        return False
    reached = _PARTS[erasure.step](unit, erasure)
    unit.tx.erasures.put(erasure.advanced(reached, now=unit.now, head=unit.tx.log.head()))
    return True


# -- messages and files -----------------------------------------------------------------------------


def _ids_to_search(erasure: Erasure) -> IdsToSearch:
    return IdsToSearch(erasure.reached, erasure.reached + IDS_AT_A_TIME, BATCH)


def _reached(within: IdsToSearch, found: int, last: int, end: int) -> int | None:
    """Return the id up to which rows were looked for: *last*, the last one, if as many were *found* as the
    limit lets; None if nothing is left up to the *end*.
    """
    reached = last if found == within.limit else within.until
    return reached if reached < end else None


def _delete_messages(unit: Unit, erasure: Erasure) -> int | None:
    """Delete messages, but for those that a legal hold keeps: they stay, under the new name."""
    if not erasure.deletes_messages:
        return None
    within = _ids_to_search(erasure)
    ids = unit.tx.erasures.messages_of(erasure.user_id, within)
    holds = unit.tx.holds.present()
    outlines = unit.tx.messages.outlines(ids)
    remove_everywhere(unit, [message for message in outlines if not holds.have_message(message)])
    return _reached(within, len(ids), ids[-1] if ids else 0, unit.tx.messages.newest_id() or 0)


def _remove_files(unit: Unit, erasure: Erasure) -> int | None:
    """Remove files; with the messages all that no legal hold keeps, otherwise those that no message shows."""
    unit.tx.erasures.expire_uploads(erasure.user_id)
    left = [file for file in unit.tx.attachments.of_user(erasure.user_id) if file.id > erasure.reached]
    files = left[:BATCH]
    links = unit.tx.attachments.links([file.id for file in files], newest=1)
    held = uploads.held_files(unit, files)
    for file in files:
        if file.id not in held and (erasure.deletes_messages or file.id not in links):
            uploads.remove_file(unit, file)
    return files[-1].id if len(left) > BATCH else None


def remove_archives(svc: Services, user_id: UserId) -> None:
    """Remove the archives of the person's data, whoever has requested them. The files are removed again when
    no process can complete one any more.
    """
    exports = svc.storage.read(lambda snapshot: snapshot.exports.all())
    archives = [export for export in exports if export.user_id == user_id]
    for export in archives:
        svc.files.remove(export.file_key)
    if archives:
        svc.storage.write(lambda tx: tx.exports.remove([export.id for export in archives]))
    for export in archives:
        svc.files.remove(export.file_key)


def _remove_rows(unit: Unit, erasure: Erasure) -> int | None:
    return 0 if unit.tx.erasures.remove_rows(erasure.user_id, ROWS) == ROWS else None


# -- the name ---------------------------------------------------------------------------------------


def _renaming_of(unit: Unit, erasure: Erasure) -> Renaming:
    """Return how texts name the person from now on; a name that others bear too is not looked for."""
    new = unit.tx.users.get(erasure.user_id).full_name
    is_shared = bool(unit.tx.users.by_names([erasure.full_name]))
    return Renaming(erasure.user_id, old="" if is_shared else erasure.full_name, new=new)


def _rename_in_messages(unit: Unit, erasure: Erasure) -> int | None:
    renaming = _renaming_of(unit, erasure)
    within = _ids_to_search(erasure)
    ids = unit.tx.erasures.messages_with(renaming.html_mark, within)
    held = _held_among(unit, ids)
    free = [message_id for message_id in ids if message_id not in held]
    change_texts(unit, unit.tx.messages.by_ids(free), renaming.of_message)
    return _reached(within, len(ids), ids[-1] if ids else 0, unit.tx.messages.newest_id() or 0)


def _rename_in(texts: Texts) -> Callable[[Unit, Erasure], int | None]:
    """Return the step that renames the person in *texts*, but for those of held messages; it returns where
    its next part begins, or None at its end.
    """

    def rename(unit: Unit, erasure: Erasure) -> int | None:
        renaming = _renaming_of(unit, erasure)
        within = _ids_to_search(erasure)
        found = unit.tx.erasures.texts_with(texts, renaming.html_mark, within)
        held = _held_among(unit, [stored.message_id for stored in found if stored.message_id is not None])
        for stored in found:
            if stored.message_id not in held:
                unit.tx.erasures.change_text(texts, renaming.of_stored(stored))
        last = found[-1].id if found else 0
        return _reached(within, len(found), last, unit.tx.erasures.last_text(texts))

    return rename


def _held_among(unit: Unit, message_ids: Collection[MessageId]) -> Collection[MessageId]:
    """Return the messages that a legal hold keeps as they were written."""
    holds = unit.tx.holds.present()
    if not holds:
        return ()
    return {message.id for message in unit.tx.messages.outlines(message_ids) if holds.have_message(message)}


def _clear_audit_entries(unit: Unit, erasure: Erasure) -> int | None:
    """Take the person's names out of the audit log's entries about them, and network addresses out of entries
    by them, and out of entries about them by nobody: such a request, by a link for instance, may be theirs.

    Entries are read from the newest on: the next part reads those before the id that is returned.
    """
    before = AuditId(erasure.reached or MAX_INTEGER)
    entries = unit.tx.audit.page(AuditFilter(), before=before, limit=ROWS)
    about = [entry for entry in entries if _is_about(entry, erasure)]
    acted = [entry for entry in entries if entry.actor_id == erasure.user_id]
    by_nobody = [entry for entry in about if entry.actor_id is None]
    unit.tx.erasures.empty_audit(
        addresses_of=[entry.id for entry in (*acted, *by_nobody)],
        names_of=[entry.id for entry in about],
    )
    return entries[-1].id if len(entries) == ROWS else None


def _is_about(entry: AuditEntry, erasure: Erasure) -> bool:
    return entry.target_type is AuditTarget.USER and entry.target_id == erasure.user_id


def _forget_addresses(unit: Unit, erasure: Erasure) -> int | None:
    """Forget the addresses that the person has, or had before and nobody has now. Then empty the audit log's
    entries about invitations to these addresses, from the newest on. The entries about the person, which the
    next step empties, say which addresses these are.
    """
    had = {address_key(erasure.email), *_former_addresses(unit, erasure)}
    addresses = had - {address_key(user.email) for user in unit.tx.users.by_emails(had).values()}
    if not erasure.reached:  # the first part of this step
        unit.tx.erasures.forget_addresses(addresses)
        login_attempts.forgive(unit.tx, *addresses)
    before = AuditId(erasure.reached or MAX_INTEGER)
    invitations = AuditFilter(target_type=AuditTarget.INVITATION)
    entries = unit.tx.audit.page(invitations, before=before, limit=ROWS)
    ids = [entry.id for entry in entries if not addresses.isdisjoint(addresses_in(entry))]
    unit.tx.erasures.empty_audit(addresses_of=[], names_of=ids)
    return entries[-1].id if len(entries) == ROWS else None


def _former_addresses(unit: Unit, erasure: Erasure) -> Iterator[str]:
    """Yield the addresses in the entries of the audit log about the person, which are read in pages."""
    about = AuditFilter(target_type=AuditTarget.USER, target_id=erasure.user_id)
    before = None
    while page := unit.tx.audit.page(about, before=before, limit=ROWS):
        for entry in page:
            yield from addresses_in(entry)
        before = page[-1].id


def _has_to_wait(unit: Unit, erasure: Erasure) -> bool:
    """Whether the present step has to wait. The steps of mentions and of the log wait for `YOUNG` seconds, in
    which requests from before may still end. The step of the log waits longer if queues have still to receive
    events from before: until a queue that nobody polls has ended. After a clock was set back, no step waits.
    """
    match erasure.step:
        case Step.MENTIONS:
            return 0 <= unit.now - erasure.begun_at < YOUNG
        case Step.LOG:
            waited = unit.now - erasure.log_step_began_at
            needed = unit.limits.event_queue_idle if _queues_behind(unit, erasure) else 0
            return 0 <= waited < max(needed, YOUNG)
        case _:
            return False


def _queues_behind(unit: Unit, erasure: Erasure) -> Sequence[QueueId]:
    """Return the event queues that have not received all events with the old name."""
    return [queue.id for queue in unit.tx.queues.all() if queue.acknowledged < erasure.position]


def _forget_events(unit: Unit, erasure: Erasure) -> int | None:
    close_queues(unit.tx, _queues_behind(unit, erasure))
    unit.tx.log.forget(erasure.position)
    return None


_PARTS: Final[Mapping[Step, Callable[[Unit, Erasure], int | None]]] = {
    Step.MESSAGES: _delete_messages,
    Step.FILES: _remove_files,
    Step.ROWS: _remove_rows,
    Step.MENTIONS: _rename_in_messages,
    Step.EDITS: _rename_in(Texts.EDITS),
    Step.SCHEDULED: _rename_in(Texts.SCHEDULED),
    Step.ADDRESSES: _forget_addresses,
    Step.AUDIT: _clear_audit_entries,
    Step.LOG: _forget_events,
}
"""The function of each step: it does a part, and returns the id up to which it came, or None at the end."""
