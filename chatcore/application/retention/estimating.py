"""What would be deleted at this moment, without deleting it."""

from collections.abc import Iterator

from chatcore.application import units
from chatcore.application.retention.scopes import (
    Amount,
    RetentionScope,
    find_due,
    present_deadline,
    scopes_in,
)
from chatcore.application.services import Services
from chatcore.application.units import View
from chatcore.domain.ids import AttachmentId, MessageId
from chatcore.storage.retention.retention import DueMessage
from chatcore.storage.slices import let_others


def estimate(svc: Services) -> Iterator[tuple[RetentionScope, Amount]]:
    """Yield each scope from which messages are deleted by themselves, with what is due there.

    A file goes with the last of the messages that link to it.
    """
    rest = _RemainingLinks()
    for scope in svc.storage.read(scopes_in):
        amount, after = Amount(), None
        while True:
            page, more = units.read(svc, _read_page, scope, after, rest)
            amount += more
            if not page:
                break
            after = page[-1]
            let_others()
        yield scope, amount


class _RemainingLinks:
    """The messages that still link to files, without those that would be deleted before."""

    def __init__(self) -> None:
        self._links: dict[AttachmentId, set[MessageId]] = {}

    def take_away(self, view: View, message_ids: set[MessageId]) -> Amount:
        """Take messages away; return the number and the size of the files to which no message links any more,
        but for those that a hold on their owner keeps.
        """
        attachments = view.snapshot.attachments
        files = attachments.of_messages(message_ids)
        if new := [file.id for file in files if file.id not in self._links]:
            for file_id, links in attachments.links(new).items():
                self._links[file_id] = {link.message_id for link in links}
        for file in files:
            self._links[file.id] -= message_ids
        held = view.snapshot.holds.present().people
        sizes = [file.size for file in files if not self._links[file.id] and file.owner_id not in held]
        return Amount(files=len(sizes), size=sum(sizes))


def _read_page(
    view: View, scope: RetentionScope, after: DueMessage | None, rest: _RemainingLinks
) -> tuple[list[DueMessage], Amount]:
    """Return the next page of due messages, and their amount with the files that are deleted with them."""
    page = [*find_due(view, scope, present_deadline(view, scope, view.now), after)]
    if not page:
        return page, Amount()
    return page, Amount(messages=len(page)) + rest.take_away(view, {message.id for message in page})
