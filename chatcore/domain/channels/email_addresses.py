"""E-mail addresses of channels: the local part has the channel, the creator, the sender and a mark that
nobody can guess.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from chatcore.domain.ids import MAX_INTEGER, ChannelId, RecipientId, UserId

MAX_LENGTH: Final = 320
"""Characters of an address that is read; mail servers permit no longer ones."""
MAX_NAME_LENGTH: Final = 15
"""Characters of the channel's name in an address, whose local part has at most 64."""
_FORM = re.compile(r"(?:[a-z0-9-]+\.)?([0-9a-f]+)_([0-9a-f]+)_([0-9a-f]+)_([0-9a-f]+)", re.ASCII)
_NOT_IN_NAMES = re.compile(r"[^a-z0-9]+", re.ASCII)


class MailOption(StrEnum):
    """Options in the local part of an address, each after a plus sign or a dot."""

    SHOW_SENDER = "show-sender"
    INCLUDE_FOOTER = "include-footer"
    INCLUDE_QUOTES = "include-quotes"
    PREFER_HTML = "prefer-html"


_OPTION = re.compile(f"[+.]({'|'.join(MailOption)})$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Letterbox:
    """The facts in an e-mail address: the channel, the creator of the address, and the account that posts the
    mail.
    """

    channel_id: ChannelId
    creator_id: UserId
    sender_id: UserId

    @property
    def text(self) -> str:
        return f"{self.channel_id:x}_{self.creator_id:x}_{self.sender_id:x}"


def local_part(channel_name: str, letterbox: Letterbox, mark: str) -> str:
    """Return the part of an address before the @. The channel's name in it is only for people to read."""
    name = _NOT_IN_NAMES.sub("-", channel_name.lower())[:MAX_NAME_LENGTH].strip("-")
    return ".".join(filter(None, [name, f"{letterbox.text}_{mark}"]))


def split_options(text: str) -> tuple[str, frozenset[MailOption]]:
    """Return a local part without the options at its end, and these options."""
    options = set()
    while match := _OPTION.search(text):
        options.add(MailOption(match[1].lower()))
        text = text[: match.start()]
    return text, frozenset(options)


def read_local_part(text: str) -> tuple[Letterbox, str] | None:
    """Return the letterbox of an address and its mark, or None if it has another form."""
    match = _FORM.fullmatch(text.lower())
    if match is None:
        return None
    *numbers, mark = match.groups()
    channel_id, creator_id, sender_id = (int(number, 16) for number in numbers)
    if max(channel_id, creator_id, sender_id) > MAX_INTEGER:
        return None
    return Letterbox(ChannelId(RecipientId(channel_id)), UserId(creator_id), UserId(sender_id)), mark
