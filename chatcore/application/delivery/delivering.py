"""Delivering a message that may be sent: storing and announcing it, with the consequences for its readers."""

from collections.abc import Mapping, Sequence

from chatcore.application.delivery.arrival_flags import flags_of_receivers
from chatcore.application.delivery.checked_messages import CheckedMessage, Sent
from chatcore.application.delivery.file_links import link
from chatcore.application.delivery.rendering import (
    RenderedText,
    files_of_text,
    links_of_topic,
    with_current_images,
)
from chatcore.application.delivery.topic_policies import set_policies_by_settings
from chatcore.application.units import Unit, View
from chatcore.domain.channels.channels import Channel, is_recently_active
from chatcore.domain.files.uploads import Attachment
from chatcore.domain.ids import MessageId, Position, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.messages import Message
from chatcore.domain.messages.recipients import ChannelRecipient
from chatcore.domain.messages.widgets import WIDGET
from chatcore.domain.narrow.words import content_words
from chatcore.domain.topics import topic_key
from chatcore.events.audience import Audience, SubscribersOf, Users, channel_viewers
from chatcore.events.happened import ChannelUpdated, MessageSent
from chatcore.events.payloads.users import person


def deliver(unit: Unit, checked: CheckedMessage) -> Sent:
    """Store and announce a message, with the consequences for its readers."""
    text = with_current_images(unit, checked.text, checked.sender.id)
    flags = flags_of_receivers(unit, checked)
    policy_of_sender = set_policies_by_settings(unit, checked, flags)
    files = files_of_text(unit, text, checked.sender.id)
    awoken = _channel_to_wake(unit, checked.channel)
    message = _store_message(unit, checked, _make_message(unit, checked, text, files), flags)
    _announce_message(unit, checked, message, flags)
    link(unit.tx, message.id, files)
    if awoken is not None:
        _announce_awoken(unit, awoken)
    return Sent(message.id, policy_of_sender)


def _make_message(
    unit: Unit, checked: CheckedMessage, text: RenderedText, files: Sequence[Attachment]
) -> Message:
    message = Message(
        id=MessageId(unit.tx.draw()),
        sender_id=checked.sender.id,
        content=text.content,
        rendered_content=text.html,
        timestamp=unit.now,
        client=checked.client,
        has_link=text.effects.has_link,
        has_image=text.effects.has_image,
        has_attachment=bool(files),
        channel_wildcard=text.effects.channel_wildcard,
        arrives_read=checked.unread_for is not None,
    )
    recipient = checked.recipient
    if not isinstance(recipient, ChannelRecipient):
        return message._replace(conversation=recipient)
    return message._replace(
        channel_id=recipient.channel_id,
        topic=recipient.topic,
        topic_key=topic_key(recipient.topic),
        topic_links=links_of_topic(unit, recipient.topic, text.linkifiers),
    )


def _store_message(
    unit: Unit, checked: CheckedMessage, message: Message, flags: Mapping[UserId, Flag]
) -> Message:
    """Store a message with its words and flags; return it with its widget."""
    tx, echo = unit.tx, checked.echo
    tx.messages.add(message, content_words(message.rendered_content))
    if checked.widget is not None:
        widget = tx.submessages.add(message.id, message.sender_id, WIDGET, checked.widget)
        message = message._replace(submessages=(widget,))
    tx.flags.on_arrival(message, flags)
    tx.flags.keep_unread(message, _unread_for(checked))
    if checked.channel is not None:
        tx.channels.note_message(checked.channel.id, message.timestamp)
    if echo is not None:
        tx.queues.add_echo(echo.queue_id, echo.local_id, message.id, echo.digest)
    return message


def _announce_message(
    unit: Unit, checked: CheckedMessage, message: Message, flags: Mapping[UserId, Flag]
) -> None:
    host, echo = unit.svc.settings.host, checked.echo
    others = [user for user in checked.people if user.id != checked.sender.id]
    event = MessageSent(
        message=message,
        people=tuple(person(user, host) for user in (checked.sender, *others)),
        channel_name="" if checked.channel is None else checked.channel.name,
        flags={user_id: int(theirs) for user_id, theirs in flags.items()},
        unread_for=_unread_for(checked),
        queue_id="" if echo is None else echo.queue_id,
        local_id="" if echo is None else echo.local_id,
    )
    unit.tx.announce(event, _audience_of(checked, flags), at=Position(message.id))


def _audience_of(checked: CheckedMessage, flags: Mapping[UserId, Flag]) -> Audience:
    if checked.channel is None:
        return Users(tuple(user.id for user in checked.people))
    bots = tuple(user_id for user_id, theirs in flags.items() if theirs & Flag.CALLED)
    return SubscribersOf(checked.channel.id, private=checked.channel.invite_only, also=bots)


def _unread_for(checked: CheckedMessage) -> tuple[UserId, ...]:
    return tuple(sorted(checked.unread_for or ()))


def _channel_to_wake(view: View, channel: Channel | None) -> Channel | None:
    """Return the channel of a message if it had no recent message before; None if it counts as active."""
    if channel is None or is_recently_active(channel, None, view.now):  # a new one needs no statement
        return None
    activity = view.snapshot.channels.activities([channel], view.now)[channel.id]
    return None if is_recently_active(channel, activity.last_message_at, view.now) else channel


def _announce_awoken(unit: Unit, channel: Channel) -> None:
    event = ChannelUpdated(
        channel_id=channel.id, name=channel.name, property="is_recently_active", value=True
    )
    unit.tx.announce(event, channel_viewers(channel))
