"""The text of a received mail as a message, with its files."""

from collections.abc import Sequence

from chatcore.application.delivery.notices import as_code
from chatcore.application.files.uploads import upload
from chatcore.application.services import Services
from chatcore.domain.errors import ChatError
from chatcore.domain.files.media_types import BEGINNING, stored_type
from chatcore.domain.files.uploads import Attachment, original_name, shown_name
from chatcore.domain.groups.actors import Actor
from chatcore.domain.messages.messages import TRUNCATED
from chatcore.domain.messages.paragraphs import separate_blocks
from chatcore.domain.received_mail.mails import MailAttachment
from chatcore.domain.received_mail.quotations import DividedText
from chatcore.domain.received_mail.texts import WRAPPED_AT

NO_TEXT = "(no text)"
UNNAMED = "attachment"
REST = "Rest of the mail"
WHOLE_TEXT = "mail.txt"


def compose(svc: Services, uploads: "Uploads", head: Sequence[str], text: DividedText) -> str:
    """Return the content of a message; what was left out of the text is in a block below it. If it is too
    long for a message, the whole text is a file.
    """
    most, files = svc.limits.max_message_length, list(uploads.lines)
    whole = _join_content(head, text.kept, _spoiler(text.rest), files)
    if len(whole) <= most:
        return whole
    return _cut_to_length(head, text.kept, [*files, uploads.add(_as_file(text))], most)


def _join_content(head: Sequence[str], kept: str, rest: Sequence[str], files: Sequence[str]) -> str:
    content = "\n".join([*head, kept or ("" if files else NO_TEXT), *rest, *files])
    # What was left out ends with an empty line; lines of the text may be wrapped.
    return content if rest else separate_blocks(content, wrapped_at=WRAPPED_AT)


def _cut_to_length(head: Sequence[str], kept: str, files: Sequence[str], most: int) -> str:
    """Return a content of at most so many characters: the *kept* part of the text, cut if it is too long.
    One of the files is the whole text.
    """
    uncut = _join_content(head, kept, (), files)
    if len(uncut) <= most:
        return uncut
    without_text = _join_content(head, "", (), files)
    max_kept = most - len(without_text) - len(TRUNCATED) - len("\n")
    return _join_content(head, kept[: max(0, max_kept)] + TRUNCATED, (), files)


def _spoiler(rest: str) -> list[str]:
    """Return what was left out of a text as a block to be opened, in which nobody is mentioned."""
    if not rest:
        return []
    return ["", f"```spoiler {REST}", *(f"> {line}".rstrip() for line in rest.split("\n")), "```", ""]


def _as_file(text: DividedText) -> MailAttachment:
    whole = "\n\n".join(filter(None, [text.kept, text.rest]))
    return MailAttachment(name=WHOLE_TEXT, content_type="text/plain; charset=utf-8", content=whole.encode())


class Uploads:
    """The files of one mail, which belong to the account that posts it."""

    def __init__(self, svc: Services, owner: Actor) -> None:
        self._svc = svc
        self._owner = owner
        self.stored: list[Attachment] = []
        self.lines: list[str] = []
        """The lines of the message about its attachments."""

    def add_all(self, attachments: Sequence[MailAttachment]) -> None:
        """Upload attachments, with a line of the message for each, as `add` makes it."""
        most = self._svc.limits.max_mail_attachments
        self.lines += [self.add(attachment) for attachment in attachments[:most]]
        if len(attachments) > most:
            self.lines.append(f"({len(attachments) - most} more attachments were left out.)")

    @property
    def files(self) -> frozenset[str]:
        """Return the path ids of what was stored: the files that the text may name."""
        return frozenset(file.path_id for file in self.stored)

    def add(self, attachment: MailAttachment) -> str:
        """Upload an attachment; return a line that links to the file, or says why there is none."""
        name = original_name(attachment.name) or UNNAMED
        kind = stored_type(attachment.content_type, name, attachment.content[:BEGINNING])
        try:
            file = upload(self._svc, self._owner, name, kind, [attachment.content])
        except ChatError as error:
            return f"({as_code(name)} was left out: {as_code(error.message)})"
        self.stored.append(file)
        return f"[{shown_name(file.name)}]({file.url})"
