"""The form of mails: the library's, but headers of one word stay as they are: it would encode long ones."""

from email.policy import SMTP, EmailPolicy
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from email.message import EmailMessage

    Policy = EmailPolicy[EmailMessage]
else:
    Policy = EmailPolicy

IN_ONE_WORD: Final = frozenset({"in-reply-to", "list-unsubscribe", "message-id", "references", "reply-to"})
"""Headers with an address or id in ASCII, which programs read as it stands."""


class _Policy(Policy):
    def fold(self, name: str, value: str) -> str:
        if name.lower() in IN_ONE_WORD:
            return f"{name}: {value}{self.linesep}"
        folded: str = super().fold(name, value)
        return folded

    def fold_binary(self, name: str, value: str) -> bytes:
        if name.lower() in IN_ONE_WORD:
            return self.fold(name, value).encode("ascii")
        folded: bytes = super().fold_binary(name, value)
        return folded


MAIL: Final = _Policy(linesep=SMTP.linesep)
