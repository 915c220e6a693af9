"""Storing a rendered message: its row and words, then flags, policies and the event."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from chatcore.application.delivery import file_links
from chatcore.application.delivery.image_facts import image_facts
from chatcore.application.delivery.rendering import Text, markup_options
from chatcore.application.delivery.topic_policies import set_topic_policies
from chatcore.application.units import Unit, View
from chatcore.application.visibility.message_audiences import with_access
from chatcore.domain.channels.channels import Channel, is_recently_active, is_subscribed
from chatcore.domain.errors import BadRequest
from chatcore.domain.files.uploads import Attachment
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.groups import Group, may_mention
from chatcore.domain.groups.nesting import closure
from chatcore.domain.ids import GroupId, MessageId, Position, QueueId, UserId
from chatcore.domain.messages.flags import OF_CALLED, Flag
from chatcore.domain.messages.messages import Message
from chatcore.domain.messages.recipients import ChannelRecipient, DirectRecipient, Recipient
from chatcore.domain.messages.widgets import WIDGET
from chatcore.domain.narrow.words import content_words
from chatcore.domain.people.alert_words import tokens, users_alerted
from chatcore.domain.people.automatic_policies import acts_on, policy_by_mention, policy_by_taking_part
from chatcore.domain.people.settings import AutomaticPolicy
from chatcore.domain.people.users import BotType, User
from chatcore.domain.topics import VisibilityPolicy, topic_key
from chatcore.events.audience import Audience, SubscribersOf, Users, channel_viewers
from chatcore.events.happened import ChannelUpdated, MessageSent
from chatcore.events.payloads.users import person
from chatcore.markup import LOADING, Effects, topic_links, with_image
from chatcore.storage import Snapshot, Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedMessage:
    """A message that may be sent: all rules about sending are checked."""

    sender: User
    recipient: Recipient
    channel: Channel | None
    people: tuple[User, ...]
    """For a direct message, everybody in it; for a channel message, the sender."""
    text: Text
    client: str
    read_by_sender: bool
    queue_id: QueueId | None = None
    local_id: str | None = None
    widget: str | None = None
    """The content of the first submessage, for a message with a widget."""
    caused_by: UserId | None = None
    """For a notice, the user whose action it reports; for this user it is marked as read."""
    unread_for: Collection[UserId] | None = None
    """For a message that arrives read, the receivers for whom it is unread; None for any other message."""


@dataclass(frozen=True, slots=True)
class Sent:
    """The result of sending."""

    message_id: MessageId
    automatic_new_visibility_policy: VisibilityPolicy | None = None
    calls_bots: bool = False
    """Whether services of bots have to be asked about it."""


def with_current_images(view: View, text: Text, author_id: UserId) -> Text:
    """Return a text that was rendered a moment ago, with the thumbnails that were made since."""
    if LOADING not in text.html:
        return text
    html = text.html
    for path_id, image in image_facts(view.snapshot, _files_of(view, text, author_id)).items():
        html = with_image(html, path_id, image)
    return replace(text, html=html)


def _files_of(view: View, text: Text, author_id: UserId) -> Sequence[Attachment]:
    return file_links.linkable(view, author_id, text.content, text.effects.attachments, text.files)


def deliver(unit: Unit, checked: CheckedMessage) -> Sent:
    """Store and announce a message, with the consequences for its readers."""
    tx = unit.tx
    sender_id = checked.sender.id
    text = with_current_images(unit, checked.text, sender_id)
    effects = text.effects
    flagged = _flags_of_receivers(unit, checked)
    policy = _apply_topic_policies(unit, checked, flagged)
    files = _files_of(unit, text, sender_id)
    unread_for = tuple(sorted(checked.unread_for or ()))
    place = checked.recipient if isinstance(checked.recipient, ChannelRecipient) else None
    message = Message(
        id=MessageId(tx.draw()),
        sender_id=sender_id,
        content=checked.text.content,
        rendered_content=text.html,
        timestamp=unit.now,
        client=checked.client,
        has_link=effects.has_link,
        has_image=effects.has_image,
        has_attachment=bool(files),
        channel_wildcard=effects.channel_wildcard,
        arrives_read=checked.unread_for is not None,
        channel_id=None if place is None else place.channel_id,
        topic="" if place is None else place.topic,
        topic_key=None if place is None else topic_key(place.topic),
        topic_links=() if place is None else _topic_links(unit, checked.text, place.topic),
        conversation=checked.recipient if isinstance(checked.recipient, DirectRecipient) else None,
    )
    wakes = checked.channel is not None and not _is_recently_active(unit, checked.channel)
    tx.messages.add(message, content_words(message.rendered_content))
    if checked.widget is not None:
        widget = tx.submessages.add(message.id, sender_id, WIDGET, checked.widget)
        message = message._replace(submessages=(widget,))
    flags = {user_id: theirs for user_id, theirs in flagged.items() if theirs}
    tx.flags.on_arrival(message, flags)
    tx.flags.keep_unread(message, unread_for)
    if checked.channel is not None:
        tx.channels.note_message(checked.channel.id, message.timestamp)
    if checked.queue_id is not None and checked.local_id is not None:
        tx.queues.add_echo(
            checked.queue_id,
            checked.local_id,
            message.id,
            digest(checked.recipient, message.content, checked.widget),
        )
    host = unit.svc.settings.host
    people = [checked.sender, *(user for user in checked.people if user.id != sender_id)]
    event = MessageSent(
        message=message,
        people=tuple(person(user, host) for user in people),
        channel_name="" if checked.channel is None else checked.channel.name,
        flags={user_id: int(theirs) for user_id, theirs in flags.items()},
        unread_for=unread_for,
        queue_id=checked.queue_id or "",
        local_id=checked.local_id or "",
    )
    tx.announce(event, _audience(checked, flagged), at=Position(message.id))
    file_links.link(tx, message.id, files)
    if wakes and checked.channel is not None:
        awake = ChannelUpdated(
            channel_id=checked.channel.id,
            name=checked.channel.name,
            property="is_recently_active",
            value=True,
        )
        tx.announce(awake, channel_viewers(checked.channel))
    return Sent(message.id, policy)


def _is_recently_active(unit: Unit, channel: Channel) -> bool:
    if is_recently_active(channel, None, unit.now):  # a new channel, which needs no statement
        return True
    activity = unit.tx.channels.activities([channel], unit.now)[channel.id]
    return is_recently_active(channel, activity.last_message_at, unit.now)


def require_may_mention_groups(snapshot: Snapshot, actor: Actor, effects: Effects) -> None:
    """Refuse a text with a non-silent mention of a group that the actor may not mention.

    :raises BadRequest: the message names the group
    """
    for group in _mentioned_groups(snapshot, effects):
        if not may_mention(group, actor):
            raise BadRequest(f"You are not allowed to mention user group '{group.name}'.")


def mentioned_by_group(unit: Unit, effects: Effects) -> Collection[UserId]:
    """Return the members of the groups that a text mentions."""
    groups = unit.tx.groups
    group_ids = [group.id for group in _mentioned_groups(unit.tx, effects) if not group.deactivated]
    return groups.members(closure(group_ids, groups.below(group_ids)), unit.now) if group_ids else ()


def _mentioned_groups(snapshot: Snapshot, effects: Effects) -> Collection[Group]:
    if not effects.group_ids:
        return ()
    return snapshot.groups.by_ids([GroupId(group_id) for group_id in effects.group_ids]).values()


def digest(recipient: Recipient, content: str, widget: str | None) -> str:
    """Return a digest that distinguishes a repeated request from another one with the same local id."""
    parts = [str(recipient.recipient_id), _topic(recipient), content, *([] if widget is None else [widget])]
    return sha256("\n".join(parts).encode()).hexdigest()


def _topic(recipient: Recipient) -> str:
    return recipient.topic if isinstance(recipient, ChannelRecipient) else ""


def _topic_links(unit: Unit, text: Text, topic: str) -> tuple[Mapping[str, str], ...]:
    options = markup_options(unit.svc, unit.tx.organization.get(), None, text.linkifiers)
    return tuple(topic_links(topic, options))


def _flags_of_receivers(unit: Unit, checked: CheckedMessage) -> dict[UserId, Flag]:
    """Return the receivers whose flags differ from the default, with those flags."""
    effects = checked.text.effects
    flags = flags_of_text(unit, checked.text, checked.recipient, checked.sender.id)
    if checked.read_by_sender:
        flags[checked.sender.id] |= Flag.READ
    if checked.caused_by is not None:
        flags[checked.caused_by] |= Flag.READ
    if isinstance(checked.recipient, DirectRecipient):
        return {user_id: theirs for user_id, theirs in flags.items() if user_id in checked.recipient.user_ids}
    if not flags:
        return {}
    subscriber_ids = unit.tx.subscriptions.subscribed_among(checked.recipient.channel_id, flags.keys())
    receivers = {user_id: theirs for user_id, theirs in flags.items() if user_id in subscriber_ids}
    others = [UserId(user_id) for user_id in effects.user_ids if user_id not in subscriber_ids]
    return receivers | (_called_bots(unit, checked, others) if others else {})


def _called_bots(unit: Unit, checked: CheckedMessage, user_ids: Collection[UserId]) -> dict[UserId, Flag]:
    """Return the bots that are mentioned without a subscription, with their flags: they receive that one
    message. It counts as read for those who have muted the sender or cannot read the channel.
    """
    bots = [
        user.id
        for user in unit.tx.users.by_ids(user_ids).values()
        if user.bot_type == BotType.GENERIC and user.is_active
    ]
    if not bots:
        return {}
    assert checked.channel is not None
    readers = with_access(unit, checked.channel, bots)
    unread = readers - unit.tx.muted_users.who_muted(checked.sender.id)
    return {bot_id: OF_CALLED if bot_id in unread else OF_CALLED | Flag.READ for bot_id in bots}


def flags_of_text(
    unit: Unit, text: Text, recipient: Recipient, author_id: UserId
) -> defaultdict[UserId, Flag]:
    """Return the flags that a text sets for users, whether or not they receive it."""
    flags: defaultdict[UserId, Flag] = defaultdict(lambda: Flag.NONE)
    for user_id in text.effects.user_ids:
        flags[UserId(user_id)] |= Flag.MENTIONED
    for user_id in mentioned_by_group(unit, text.effects):
        flags[user_id] |= Flag.MENTIONED
    for user_id in users_alerted(text.content, unit.tx.alert_words.candidates(tokens(text.content))):
        flags[UserId(user_id)] |= Flag.HAS_ALERT_WORD
    if text.effects.topic_wildcard and isinstance(recipient, ChannelRecipient):
        participants = unit.tx.messages.participants(recipient.channel_id, topic_key(recipient.topic))
        for user_id in participants | {author_id}:
            flags[user_id] |= Flag.TOPIC_WILDCARD
    return flags


def _audience(checked: CheckedMessage, flagged: Mapping[UserId, Flag]) -> Audience:
    if checked.channel is None:
        return Users(tuple(user.id for user in checked.people))
    bots = tuple(user_id for user_id, theirs in flagged.items() if theirs & Flag.CALLED)
    return SubscribersOf(checked.channel.id, private=checked.channel.invite_only, also=bots)


def _apply_topic_policies(
    unit: Unit, checked: CheckedMessage, flagged: Mapping[UserId, Flag]
) -> VisibilityPolicy | None:
    """Follow or unmute the topic for users whose settings say so; return the sender's new policy, if it
    changed.
    """
    if checked.channel is None or not isinstance(checked.recipient, ChannelRecipient):
        return None
    tx = unit.tx
    recipient, key = checked.recipient, topic_key(checked.recipient.topic)
    mentioned = {user_id for user_id, theirs in flagged.items() if theirs & Flag.MENTIONED}
    before = tx.topic_policies.among(recipient.channel_id, key, {checked.sender.id, *mentioned})
    changed: dict[UserId, VisibilityPolicy] = {}
    sender_policy = None
    if not checked.sender.is_bot:
        old = before.get(checked.sender.id, VisibilityPolicy.INHERIT)
        sender_policy = _policy_by_sending(tx, checked, recipient, old)
        if sender_policy is not None:
            changed[checked.sender.id] = sender_policy
    if others := mentioned - changed.keys():
        for user in tx.users.by_ids(others).values():
            policy = policy_by_mention(user, before.get(user.id, VisibilityPolicy.INHERIT))
            if policy is not None:
                changed[user.id] = policy
    if not changed:
        return None
    done = set_topic_policies(unit, checked.channel, recipient.topic, changed, before)
    return sender_policy if checked.sender.id in done else None


def _policy_by_sending(
    tx: Transaction, checked: CheckedMessage, recipient: ChannelRecipient, old: VisibilityPolicy
) -> VisibilityPolicy | None:
    """Return the policy that the sender's settings prescribe for a topic after sending; never a less visible
    one.
    """
    sender, key = checked.sender, topic_key(recipient.topic)
    wanted = acts_on(sender)
    if old == VisibilityPolicy.FOLLOWED or not wanted:
        return None
    subscription = tx.subscriptions.find(sender.id, recipient.channel_id)
    done = {AutomaticPolicy.PARTICIPATED, AutomaticPolicy.SENT}
    if old == VisibilityPolicy.INHERIT and AutomaticPolicy.STARTED in wanted:
        shared = checked.channel is not None and checked.channel.history_public_to_subscribers
        received_by = None if shared else sender.id
        if tx.messages.newest_in_topic(recipient.channel_id, key, received_by) is None:
            done.add(AutomaticPolicy.STARTED)
    is_muted = subscription is not None and is_subscribed(subscription) and subscription.is_muted
    return policy_by_taking_part(sender, old, done, is_muted=is_muted)
