"""The parts of a mail that become a message: its subject as a topic, and its text."""

import re
from collections.abc import Sequence
from typing import Final

from chatcore.domain.characters import stripped_name
from chatcore.domain.messages.paragraphs import separators
from chatcore.domain.received_mail.mails import MailText, ReceivedMail
from chatcore.domain.received_mail.pages import lines_of_page
from chatcore.domain.received_mail.quotations import DividedText, Line, divide, lines_of_text
from chatcore.domain.received_mail.secret_parts import without_secret_parts

NO_SUBJECT: Final = "Email with no subject"
WRAPPED_AT: Final = 64
"""Characters from which mail programs wrap lines; most do at 72 or 78."""

_PASSED_ON: Final = "fwd?|wg|vs|tr|rv"
_ANSWER_PREFIX: Final = re.compile(rf"\s*(?:re|aw|antw|sv|{_PASSED_ON})\s*(?:\[\d+\])?\s*:", re.IGNORECASE)
"""The beginning of the subject of an answer, or of a mail that was passed on, in some languages."""
_FORWARD_PREFIX: Final = re.compile(
    rf"(?:\[[^\]]{{0,80}}\]\s*)*(?:{_PASSED_ON}|vb|vl|i|enc|pd|trs|doorst|ilt|转发|轉寄|轉發|転送)"
    r"\s*(?:\[\d+\])?\s*[:：]",
    re.IGNORECASE,
)


def topic_of(subject: str) -> str:
    """Return the subject without the prefixes of answers, and characters that topics cannot have."""
    subject = stripped_name(subject).strip()
    while match := _ANSWER_PREFIX.match(subject):
        subject = subject[match.end() :].strip()
    return subject or NO_SUBJECT


def text_of(mail: ReceivedMail, *, prefer_html: bool, quotations: bool, signature: bool) -> DividedText:
    """Return the text of a mail in Markdown, and apart from it what is left out: the quotation of the mail
    that it answers, and its signature.
    """
    versions = map(_lines_of, mail.texts(prefer_html=prefer_html))
    lines = _separate_blocks(next(filter(_has_text, versions), []))
    divided = divide(lines, quotation=not quotations and _is_answer(mail), signature=not signature)
    return DividedText(without_secret_parts(divided.kept), without_secret_parts(divided.rest))


def _is_answer(mail: ReceivedMail) -> bool:
    """Whether a mail answers another one; one that is passed on was sent for what it passes on."""
    return mail.is_answer and not _FORWARD_PREFIX.match(mail.subject.strip())


def _lines_of(texts: Sequence[MailText]) -> list[Line]:
    """Return the lines of all texts, with an empty line between two of them."""
    lines: list[Line] = []
    for text in texts:
        body = lines_of_page(text.text) if text.is_html else lines_of_text(text.text)
        while lines and not lines[-1].text.strip():
            lines.pop()
        lines += [Line(""), *body] if lines else body
    return lines


def _separate_blocks(lines: Sequence[Line]) -> list[Line]:
    """Return the lines with an empty one below quotations and lists, to which the next would belong else."""
    kept: list[Line] = []
    before = separators([line.text for line in lines], wrapped_at=WRAPPED_AT)
    for empty, line in zip(before, lines, strict=True):
        kept += [line] if empty is None else [Line(empty, line.mark), line]
    return kept


def _has_text(lines: Sequence[Line]) -> bool:
    return any(line.text.strip() for line in lines)
