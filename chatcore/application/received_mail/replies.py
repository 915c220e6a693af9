"""Answers by mail to mails about missed messages: each becomes a message of the person in the conversation.

The address and its person's own address in From give the right
(`chatcore.application.received_mail.reply_addresses`). The person needs access to the message of the address,
and may send there as in a client; it is checked for each mail.
"""

from dataclasses import replace

from chatcore.application import units
from chatcore.application.delivery.rendering import RenderedText
from chatcore.application.messages.access import readable_message, require_can_post_in
from chatcore.application.messages.sending import SendDirect, SendToChannel, send_in
from chatcore.application.received_mail.posting import post_with_files, read_written_mail
from chatcore.application.received_mail.receipts import add_receipt, was_received
from chatcore.application.received_mail.receiving import CLIENT, NoSuchLetterbox
from chatcore.application.received_mail.reply_addresses import find_reply_place
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, require_open
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import MessageId
from chatcore.domain.mail_addresses import address_key
from chatcore.domain.messages.messages import Message
from chatcore.domain.people.users import User
from chatcore.domain.received_mail.mails import ReceivedMail
from chatcore.domain.received_mail.quotations import DividedText
from chatcore.domain.received_mail.texts import text_of


class WrongSender(BadRequest):
    """An answer comes from another e-mail address than the one of the account that it would be sent by."""

    def __init__(self) -> None:
        super().__init__("Answers are only taken from the e-mail address of the account")


def require_reply_place(svc: Services, address: str) -> None:
    """Check that mail to the address is taken, before the mail itself comes.

    :raises NoSuchLetterbox: the address was not made, or has ended
    :raises ChatError: its person may not read or send in the conversation any more
    """
    units.read(svc, _find_person_and_message, address)


def receive_reply(svc: Services, address: str, data: bytes) -> MessageId | None:
    """Post a mail in the conversation of its address, without what it quotes; return None for a mail that is
    dropped, as `receiving.receive_mail` does.

    :raises NoSuchLetterbox, MailTooLarge, UnreadableMail: the mail is not taken
    :raises TooManyMails: later it is
    :raises WrongSender: it comes from another address than the person's
    :raises ChatError: the person may not read or send in the conversation any more, or the mail has no text
    """
    user, actor, _ = units.read(svc, _find_person_and_message, address)
    written = read_written_mail(svc, data)
    if written is None:
        return None
    mail = replace(written, is_answer=True)
    if address_key(mail.sender_address) != address_key(user.email):
        raise WrongSender
    if units.read(svc, _has_sent, actor, mail):
        return None
    text = text_of(mail, prefer_html=False, quotations=False, signature=False).kept.strip()
    if not text and not mail.attachments:
        raise BadRequest("The mail has no text")

    def post(rendered: RenderedText) -> MessageId | None:
        return units.write(svc, _post_reply, address, mail, rendered)

    return post_with_files(svc, actor, mail, (), DividedText(text, ""), post)


def _find_person_and_message(view: View, address: str) -> tuple[User, Actor, Message]:
    """Return the person of an address, with the present rights, and the message whose conversation it is for.

    :raises NoSuchLetterbox, ChatError: as `require_reply_place` does
    """
    require_open(view)
    found = find_reply_place(view, address)
    if found is None:
        raise NoSuchLetterbox
    place, user = found
    actor = view.snapshot.users.actors([user.id], view.now)[user.id]
    readable = readable_message(view.snapshot, actor, place.message_id)
    if readable.channel is not None:
        require_can_post_in(view.snapshot, actor, readable.channel)
    return user, actor, readable.message


def _has_sent(view: View, actor: Actor, mail: ReceivedMail) -> bool:
    return was_received(view, view.snapshot.reply_receipts, actor.user_id, mail)


def _post_reply(unit: Unit, address: str, mail: ReceivedMail, text: RenderedText) -> MessageId | None:
    """Send a mail as a message; return its id, or None if the mail was received before."""
    _, actor, message = _find_person_and_message(unit, address)
    if _has_sent(unit, actor, mail):
        return None
    cmd: SendToChannel | SendDirect
    if message.conversation is None:
        cmd = SendToChannel(
            content=text.content,
            client=CLIENT,
            read_by_sender=True,
            channel=message.channel_id,
            topic=message.topic,
        )
    else:
        others = sorted(message.conversation.user_ids - {actor.user_id}) or [actor.user_id]
        cmd = SendDirect(content=text.content, client=CLIENT, read_by_sender=True, to=others)
    sent = send_in(unit, actor, cmd, text, None)
    add_receipt(unit, unit.tx.reply_receipts, actor.user_id, mail)
    return sent.message_id
