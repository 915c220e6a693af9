"""E-mail addresses by which one person answers in one conversation for a while: the local part has the
person, a message of the conversation, the time at which the address ends, and a mark that nobody can guess.
"""

import re
from dataclasses import dataclass
from typing import Final

from chatcore.domain.ids import MAX_INTEGER, MessageId, UserId
from chatcore.domain.times import SECONDS_PER_DAY

LIFETIME: Final = 30 * SECONDS_PER_DAY
"""Seconds for which a mail can be answered."""
MAX_LENGTH: Final = 320
_FORM = re.compile(r"reply\.([0-9a-f]+)-([0-9a-f]+)-([0-9a-f]+)-([0-9a-f]+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class ReplyPlace:
    """The facts in such an address: the person, a message of the conversation, and the end (UNIX seconds)."""

    user_id: UserId
    message_id: MessageId
    expires_at: int

    @property
    def text(self) -> str:
        return f"{self.user_id:x}-{self.message_id:x}-{self.expires_at:x}"


def local_part(place: ReplyPlace, mark: str) -> str:
    """Return the part of an address before the @."""
    return f"reply.{place.text}-{mark}"


def is_reply_address(address: str) -> bool:
    """Whether an address has the form of such addresses, which those of channels do not have."""
    return read_local_part(address[:MAX_LENGTH].rpartition("@")[0]) is not None


def read_local_part(text: str) -> tuple[ReplyPlace, str] | None:
    """Return the facts in an address and its mark, or None if it has another form."""
    match = _FORM.fullmatch(text.lower())
    if match is None:
        return None
    *numbers, mark = match.groups()
    user_id, message_id, expires_at = (int(number, 16) for number in numbers)
    if max(user_id, message_id, expires_at) > MAX_INTEGER:
        return None
    return ReplyPlace(UserId(user_id), MessageId(message_id), expires_at), mark
