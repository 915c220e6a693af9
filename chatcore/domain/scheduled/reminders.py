"""Reminders of messages: direct messages from the notification bot to those who asked for them."""

import re
from typing import Final

from chatcore.domain.characters import is_storable
from chatcore.domain.errors import BadRequest, NotFound, too_long
from chatcore.domain.limits import Limits
from chatcore.domain.messages.messages import TRUNCATED

_BACKTICKS: Final = re.compile("`+")


class NoSuchReminder(NotFound):
    """The single error for a reminder that does not exist or belongs to another user."""

    def __init__(self) -> None:
        super().__init__("Reminder does not exist")


def checked_note(raw: str, limits: Limits) -> str:
    """Return a note as it is stored; it may be empty.

    :raises BadRequest: too long, or a character that no store can hold
    """
    note = raw.strip()
    if not is_storable(note):
        raise BadRequest("note must be valid Unicode without null bytes")
    if len(note) > limits.max_reminder_note_length:
        raise too_long("note", limits.max_reminder_note_length)
    return note


def reminder_text(link: str, note: str) -> str:
    """Return the text of a reminder before its message is quoted; *link* is that to the message."""
    text = f"You requested a reminder for {link}."
    if note:
        text += " Note:\n" + "".join(f"\n> {line}" for line in note.splitlines())
    return text


def with_quotation(text: str, sender: str, content: str, limits: Limits) -> str:
    """Return the text of a reminder with its message quoted, as much of it as fits."""
    longest = max(map(len, _BACKTICKS.findall(content)), default=0)
    fence = "`" * max(3, longest + 1)
    before, after = f"{text}\n\n{sender} said:\n\n{fence}quote\n", f"\n{fence}"
    max_length = limits.max_message_length - len(before) - len(after)
    if len(content) > max_length:
        content = content[: max(0, max_length - len(TRUNCATED))] + TRUNCATED
    return before + content + after
