"""The flags with which a message arrives at its readers."""

from collections import defaultdict
from collections.abc import Collection

from chatcore.application.delivery.checked_messages import CheckedMessage
from chatcore.application.delivery.mentions import mentioned_by_group
from chatcore.application.delivery.rendering import RenderedText
from chatcore.application.units import View
from chatcore.application.visibility.message_audiences import with_access
from chatcore.domain.ids import UserId
from chatcore.domain.messages.flags import OF_CALLED, Flag
from chatcore.domain.messages.recipients import ChannelRecipient, DirectRecipient, Recipient
from chatcore.domain.people.alert_words import tokens, users_alerted
from chatcore.domain.people.users import BotType
from chatcore.domain.topics import topic_key


def flags_of_receivers(view: View, checked: CheckedMessage) -> dict[UserId, Flag]:
    """Return the receivers whose flags differ from the default, with those flags."""
    effects = checked.text.effects
    flags = flags_of_text(view, checked.text, checked.recipient, checked.sender.id)
    if checked.read_by_sender:
        flags[checked.sender.id] |= Flag.READ
    if checked.caused_by is not None:
        flags[checked.caused_by] |= Flag.READ
    if isinstance(checked.recipient, DirectRecipient):
        return {user_id: theirs for user_id, theirs in flags.items() if user_id in checked.recipient.user_ids}
    if not flags:
        return {}
    subscriber_ids = view.snapshot.subscriptions.subscribed_among(checked.recipient.channel_id, flags.keys())
    receivers = {user_id: theirs for user_id, theirs in flags.items() if user_id in subscriber_ids}
    others = [UserId(user_id) for user_id in effects.user_ids if user_id not in subscriber_ids]
    if others:
        receivers |= _called_bots(view, checked, others)
    return receivers


def _called_bots(view: View, checked: CheckedMessage, user_ids: Collection[UserId]) -> dict[UserId, Flag]:
    """Return the bots that are mentioned without a subscription, with their flags: they receive that one
    message. It counts as read for those who have muted the sender or cannot read the channel.
    """
    bots = [
        user.id
        for user in view.snapshot.users.by_ids(user_ids).values()
        if user.bot_type == BotType.GENERIC and user.is_active
    ]
    if not bots:
        return {}
    assert checked.channel is not None
    readers = with_access(view, checked.channel, bots)
    unread = readers - view.snapshot.muted_users.who_muted(checked.sender.id)
    return {bot_id: OF_CALLED if bot_id in unread else OF_CALLED | Flag.READ for bot_id in bots}


def flags_of_text(
    view: View, text: RenderedText, recipient: Recipient, author_id: UserId
) -> defaultdict[UserId, Flag]:
    """Return the flags that a text sets for users, whether or not they receive it."""
    flags: defaultdict[UserId, Flag] = defaultdict(lambda: Flag.NONE)
    for user_id in text.effects.user_ids:
        flags[UserId(user_id)] |= Flag.MENTIONED
    for user_id in mentioned_by_group(view, text.effects):
        flags[user_id] |= Flag.MENTIONED
    candidates = view.snapshot.alert_words.candidates(tokens(text.content))
    for user_id in users_alerted(text.content, candidates):
        flags[UserId(user_id)] |= Flag.HAS_ALERT_WORD
    if text.effects.topic_wildcard and isinstance(recipient, ChannelRecipient):
        participants = view.snapshot.messages.participants(recipient.channel_id, topic_key(recipient.topic))
        for user_id in participants | {author_id}:
            flags[user_id] |= Flag.TOPIC_WILDCARD
    return flags
