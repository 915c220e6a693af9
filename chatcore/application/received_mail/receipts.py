"""Mails become messages once: what a channel or a person has sent before posts nothing. Each posts so many
in an hour.
"""

from typing import Final, TypeVar

from chatcore.application.units import Unit, View
from chatcore.domain.errors import RateLimited
from chatcore.domain.received_mail.mails import ReceivedMail
from chatcore.storage.mail.receipts import Receipts

HolderId = TypeVar("HolderId")
HOUR: Final = 3600


class TooManyMails(RateLimited):
    """A channel, or a person who answers by mail, has reached the limit of mails in this hour; the mail
    server tries again later.
    """

    def __init__(self) -> None:
        super().__init__(HOUR, limit="max_mails_per_channel_and_hour")


def was_received(view: View, receipts: Receipts[HolderId], holder_id: HolderId, mail: ReceivedMail) -> bool:
    """Whether a channel, or a person, has the mail's receipt.

    :raises TooManyMails: it does not, and may not have another one in this hour
    """
    if receipts.has(holder_id, mail.key):
        return True
    if receipts.count(holder_id, view.now - HOUR) >= view.limits.max_mails_per_channel_and_hour:
        raise TooManyMails
    return False


def add_receipt(unit: Unit, receipts: Receipts[HolderId], holder_id: HolderId, mail: ReceivedMail) -> None:
    receipts.add(holder_id, mail.key, unit.now, unit.now - unit.limits.mail_receipt_lifetime)
