"""Mail to the address of a channel becomes a message there.

The address is what gives the right to send: it can only be made by an account that may post in the channel
(`chatcore.application.channels.email_addresses`). Whether that account and the one that posts still may is
checked for each mail.
"""

from dataclasses import dataclass

from chatcore.application import units
from chatcore.application.channels.email_addresses import letterbox_of, sender_of
from chatcore.application.delivery.checked_messages import CheckedMessage
from chatcore.application.delivery.delivering import deliver
from chatcore.application.delivery.mentions import require_may_mention
from chatcore.application.delivery.notices import as_code
from chatcore.application.delivery.rendering import RenderedText
from chatcore.application.messages.sending import channel_for_sending
from chatcore.application.received_mail.posting import post_with_files, read_written_mail
from chatcore.application.received_mail.receipts import add_receipt, was_received
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, require_open
from chatcore.application.visibility.known_channels import readable_channel, subscribed_among_actor_and_owner
from chatcore.domain.channels.channels import Channel, require_can_post
from chatcore.domain.channels.email_addresses import Letterbox, MailOption
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import MessageId
from chatcore.domain.limits import Limits
from chatcore.domain.messages.recipients import ChannelRecipient
from chatcore.domain.received_mail.mails import ReceivedMail
from chatcore.domain.received_mail.quotations import DividedText
from chatcore.domain.received_mail.texts import text_of, topic_of
from chatcore.domain.topics import TopicsPolicy

CLIENT = "Email"


class NoSuchLetterbox(BadRequest):
    """No channel of this organization has the address, and nobody's answers go to it."""

    def __init__(self) -> None:
        super().__init__("There is no such address here")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Addressee:
    """The channel and the accounts of an address, as they are now."""

    channel: Channel
    creator: Actor
    sender: Actor


def require_letterbox(svc: Services, address: str) -> None:
    """Check that mail to the address is taken, before the mail itself comes.

    :raises NoSuchLetterbox: nobody has made the address
    :raises ChatError: its creator or sender may not post in the channel any more
    """
    letterbox, _ = _find_letterbox(svc, address)
    units.read(svc, _read_addressee, letterbox)


def receive_mail(svc: Services, address: str, data: bytes) -> MessageId | None:
    """Post a mail in the channel of its address; return None for a mail that is dropped: one that was
    received before, or that a program has sent by itself (see `read_written_mail`).

    :raises NoSuchLetterbox, MailTooLarge, UnreadableMail: the mail is not taken
    :raises TooManyMails: later it is
    :raises ChatError: the creator or sender of the address may not post in the channel any more, or not this
    """
    letterbox, options = _find_letterbox(svc, address)
    mail = read_written_mail(svc, data)
    if mail is None:
        return None
    addressee = units.read(svc, _find_addressee, letterbox, mail)
    if addressee is None:
        return None
    head, text = _head(mail, options, svc.limits), _divide_text(mail, options)

    def post(rendered: RenderedText) -> MessageId | None:
        return units.write(svc, _post_mail, letterbox, mail, rendered)

    return post_with_files(svc, addressee.sender, mail, head, text, post)


def _find_letterbox(svc: Services, address: str) -> tuple[Letterbox, frozenset[MailOption]]:
    """Return the letterbox of an address, and the options that were added to the address.

    :raises NoSuchLetterbox:
    """
    found = letterbox_of(svc, address)
    if found is None:
        raise NoSuchLetterbox
    return found


def _read_addressee(view: View, letterbox: Letterbox) -> _Addressee:
    """Return the accounts of an address, with their present rights.

    :raises ChatError: one of them may not post in the channel any more
    """
    snapshot = view.snapshot
    creator = snapshot.users.find(letterbox.creator_id)
    if creator is None:
        raise NoSuchLetterbox
    actors = snapshot.users.actors([letterbox.creator_id, letterbox.sender_id], view.now)
    if letterbox.creator_id not in actors:
        raise NoSuchLetterbox
    require_open(view)
    me = actors[letterbox.creator_id]
    channel = readable_channel(snapshot, me, letterbox.channel_id)
    require_can_post(channel, me, subscribed_among_actor_and_owner(snapshot, me, channel))
    sender_id = sender_of(snapshot, me, letterbox.sender_id)
    if sender_id not in actors:
        raise NoSuchLetterbox
    return _Addressee(channel=channel, creator=me, sender=actors[sender_id])


def _find_addressee(view: View, letterbox: Letterbox, mail: ReceivedMail) -> _Addressee | None:
    """Return the accounts of an address, or None if the mail was received before.

    :raises TooManyMails, ChatError:
    """
    addressee = _read_addressee(view, letterbox)
    if was_received(view, view.snapshot.mail_receipts, letterbox.channel_id, mail):
        return None
    return addressee


def _post_mail(unit: Unit, letterbox: Letterbox, mail: ReceivedMail, text: RenderedText) -> MessageId | None:
    """Post a mail as a message; return its id, or None if the mail was received before."""
    addressee = _find_addressee(unit, letterbox, mail)
    if addressee is None:
        return None
    channel, topic = _find_place_to_post(unit, addressee, mail)
    require_may_mention(unit, addressee.creator, text.effects, channel, topic)
    sent = deliver(
        unit,
        CheckedMessage(
            sender=unit.tx.users.get(letterbox.sender_id),
            recipient=ChannelRecipient(channel.id, topic),
            channel=channel,
            text=text,
            client=CLIENT,
            read_by_sender=False,
        ),
    )
    add_receipt(unit, unit.tx.mail_receipts, letterbox.channel_id, mail)
    return sent.message_id


def _find_place_to_post(unit: Unit, addressee: _Addressee, mail: ReceivedMail) -> tuple[Channel, str]:
    """Return the channel and topic to post in, if both the creator and the sender may post there. The
    notification bot as sender is not checked: it may post where the creator may.

    :raises ChatError: one of the accounts may not post there
    """
    channel_id, organization = addressee.channel.id, unit.tx.organization.get()
    policy = organization.effective_topics_policy(addressee.channel.topics_policy)
    topic = "" if policy == TopicsPolicy.EMPTY_ONLY else topic_of(mail.subject)
    channel_and_topic = channel_for_sending(unit, addressee.creator, channel_id, topic)
    if addressee.sender.user_id not in (addressee.creator.user_id, organization.notification_bot_id):
        channel_for_sending(unit, addressee.sender, channel_id, topic)
    return channel_and_topic


# -- the text ---------------------------------------------------------------------------------------


def _head(mail: ReceivedMail, options: frozenset[MailOption], limits: Limits) -> list[str]:
    """Return what is shown of the headers; of the subject, what is longer than a topic."""
    is_cut = len(topic_of(mail.subject)) > limits.max_topic_length
    subject = [f"**Subject:** {as_code(mail.subject)}\n"] if is_cut else []
    sender = [f"**From:** {as_code(mail.sender)}\n"] if MailOption.SHOW_SENDER in options else []
    return subject + sender


def _divide_text(mail: ReceivedMail, options: frozenset[MailOption]) -> DividedText:
    """Return the text to post and what is left out of it, as the options of the address say."""
    text = text_of(
        mail,
        prefer_html=MailOption.PREFER_HTML in options,
        quotations=MailOption.INCLUDE_QUOTES in options,
        signature=MailOption.INCLUDE_FOOTER in options,
    )
    return DividedText(text.kept.strip(), text.rest)
