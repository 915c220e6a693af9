"""The road of a mail to a message, whatever the address is: its size, its files, its text."""

from collections.abc import Callable, Sequence
from contextlib import suppress

from chatcore.application.channels.email_addresses import letterbox_of
from chatcore.application.delivery.rendering import RenderedText, render_text
from chatcore.application.files.uploads import withdraw
from chatcore.application.received_mail.texts import Uploads, compose
from chatcore.application.services import Services
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import MessageId
from chatcore.domain.messages.messages import content_for_sending
from chatcore.domain.received_mail.mails import ReceivedMail, read_mail
from chatcore.domain.received_mail.quotations import DividedText
from chatcore.storage import StorageNotReady


class MailTooLarge(BadRequest):
    """The mail has more bytes than a mail may have."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"The mail is too large (limit: {limit} bytes)")


def read_written_mail(svc: Services, data: bytes) -> ReceivedMail | None:
    """Return a mail that somebody has written; None for one that a program has sent by itself, or that comes
    from the address of a channel: two programs could answer each other for ever.

    :raises MailTooLarge, UnreadableMail:
    """
    if len(data) > svc.limits.max_mail_size:
        raise MailTooLarge(svc.limits.max_mail_size)
    mail = read_mail(data)
    return None if mail.is_automatic or letterbox_of(svc, mail.sender_address) is not None else mail


def post_with_files(
    svc: Services,
    sender: Actor,
    mail: ReceivedMail,
    head: Sequence[str],
    text: DividedText,
    post: Callable[[RenderedText], MessageId | None],
) -> MessageId | None:
    """Store the files of a mail, and post what it says after a *head*; the files go if there is no message.

    :param post: posts the rendered text, or returns None if that was done before
    """
    uploads = Uploads(svc, sender)
    posted = None
    try:
        uploads.add_all(mail.attachments)
        content = content_for_sending(compose(svc, uploads, head, text), svc.limits)
        posted = post(render_text(svc, sender, content, files=uploads.files))
    finally:
        if posted is None:
            with suppress(StorageNotReady):  # files without a message are removed later
                withdraw(svc, uploads.stored)
    return posted
