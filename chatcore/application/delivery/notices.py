"""Notices: messages of the organization's own bot about events."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from chatcore.application.delivery.checked_messages import CheckedMessage
from chatcore.application.delivery.delivering import deliver
from chatcore.application.delivery.removing import remove_messages
from chatcore.application.delivery.rendering import NO_FILES, RenderedText, markup_options
from chatcore.application.units import Unit, View
from chatcore.domain.channels.channels import Channel, may_name
from chatcore.domain.groups.groups import Group
from chatcore.domain.ids import ChannelId, MessageId, UserId
from chatcore.domain.messages.moving import Move
from chatcore.domain.messages.recipients import ChannelRecipient
from chatcore.domain.people.setting_values import resolved_notice_is_unread, value
from chatcore.domain.people.settings import DEFAULTS, RESOLVED_NOTICES
from chatcore.domain.people.users import User
from chatcore.domain.topics import TopicsPolicy, VisibilityPolicy, is_resolved, topic_key
from chatcore.markup import (
    ChannelFact,
    Facts,
    GroupFact,
    UserFact,
    parse,
    render,
    written_channel,
    written_group,
    written_topic,
)
from chatcore.storage import Snapshot

REPORT_INTERVAL = 300
"""Seconds before the owner of a bot is notified again of the same problem."""
MAX_COMPARED = 20
"""The newest notices in a conversation among which an earlier one about the same problem is searched."""
CHANNEL_EVENTS = "channel events"
NEW_CHANNELS = "new channels"
NEW_PEOPLE = "signups"


def tell_who_created(unit: Unit, channel: Channel, creator: User) -> None:
    """Send the first message of a new channel, which names its creator and describes its purpose."""
    kind = "Web-public" if channel.is_web_public else "Public"
    if channel.invite_only:
        kind = "Private"
    content = f"**{kind}** channel created by {silent_mention(creator)}. **Description:**\n"
    _to_channel_events(unit, channel, content + quote(channel.description), creator)


def tell_of_change(unit: Unit, channel: Channel, actor: User, what: str) -> None:
    """Send a notice to a channel about a change of the channel; *what* is the text after the user's name.

    An archived channel gets no notice.
    """
    if not channel.is_archived:
        _to_channel_events(unit, channel, f"{silent_mention(actor)} {what}", actor)


def tell_of_archiving(unit: Unit, channel: Channel, actor: User, *, archived: bool) -> None:
    """Send a notice to a channel that it was archived or restored."""
    did = "archived" if archived else "unarchived"
    _to_channel_events(unit, channel, f"{silent_mention(actor)} {did} this channel.", actor)


def quote(description: str) -> str:
    """Format a description of one line as a quotation; in a fenced block it could end the block or begin
    another.
    """
    return f"\n> {description or '*No description.*'}"


def _to_channel_events(unit: Unit, channel: Channel, content: str, actor: User) -> None:
    policy = unit.tx.organization.get().effective_topics_policy(channel.topics_policy)
    topic = "" if policy == TopicsPolicy.EMPTY_ONLY else CHANNEL_EVENTS
    to_channel(unit, channel, topic, content, facts_about(actor))


def tell_of_new_channel(unit: Unit, channel: Channel, creator: User) -> None:
    """Tell of a new channel in the channel that the organization has chosen for that.

    The notice names the new channel only if all its readers may know of that channel.
    """
    where = _open_channel(unit.tx, unit.tx.organization.get().new_stream_announcements_stream_id)
    if where is None:
        return
    name = f" {written_channel(channel.name)}" if _may_name(unit.tx, channel, where) else ""
    content = f"{silent_mention(creator)} created a new channel{name}."
    to_channel(unit, where, NEW_CHANNELS, content, facts_about(creator, channel))


def tell_of_new_person(unit: Unit, user: User) -> None:
    """Tell of a new person in the channel that the organization has chosen for that."""
    where = _open_channel(unit.tx, unit.tx.organization.get().signup_announcements_stream_id)
    if where is not None:
        content = f"{silent_mention(user)} joined this organization."
        to_channel(unit, where, NEW_PEOPLE, content, facts_about(user))


def _open_channel(snapshot: Snapshot, channel_id: ChannelId | None) -> Channel | None:
    channel = None if channel_id is None else snapshot.channels.find(channel_id)
    return None if channel is None or channel.is_archived else channel


def tell_of_subscriptions(unit: Unit, user_id: UserId, actor: User, channels: Sequence[Channel]) -> None:
    """Send a direct message to a user subscribed to channels by another."""
    who = f"@**{actor.full_name}|{actor.id}** subscribed you to"
    if len(channels) == 1:
        content = f"{who} the channel {written_channel(channels[0].name)}."
    else:
        listed = "\n".join(f"* {written_channel(channel.name)}" for channel in channels)
        content = f"{who} the following channels:\n\n{listed}"
    to_person(unit, user_id, content, facts_about(actor, *channels))


def tell_of_membership(
    unit: Unit,
    group: Group,
    actor_id: UserId,
    user_ids: Collection[UserId],
    *,
    added: bool,
) -> None:
    """Send a direct message to each person added to a group, or removed from it, by another user.

    If they are too many, none is sent.
    """
    receivers = [
        user.id for user in unit.tx.users.by_ids(user_ids).values() if user.id != actor_id and not user.is_bot
    ]
    if len(receivers) > unit.limits.max_notified_members:
        return
    actor = unit.tx.users.get(actor_id)
    did = "added you to" if added else "removed you from"
    content = f"@_**{actor.full_name}|{actor.id}** {did} the group {written_group(group.name)}."
    facts = replace(facts_about(actor), groups=[GroupFact(group.id, group.name)])
    for user_id in receivers:
        to_person(unit, user_id, content, facts)


def report_undelivered(unit: Unit, bot_id: UserId, channel: int | str, what: str) -> None:
    """Notify the owner of a bot whose message reached nobody, but not again within `REPORT_INTERVAL`.

    *channel* is the id or name that the bot used; *what* is the end of the sentence about it.
    """
    name = as_code(str(channel)[: unit.limits.max_channel_name_length])
    about = f"Your bot `{unit.tx.users.get(bot_id).email}` tried to send a message to the channel"
    report_to_owner(unit, bot_id, about, f" {name}, {what}")


def report_to_owner(unit: Unit, bot_id: UserId, about: str, rest: str) -> None:
    """Notify the owner of a bot of a problem, unless a notice about the same was sent within
    `REPORT_INTERVAL`.

    *about* is the beginning of the text, equal for all notices about the same; *rest* is the rest of it.
    """
    bot = unit.tx.users.get(bot_id)
    speaker = notification_bot(unit.tx)
    owner = None if bot.bot_owner_id is None else unit.tx.users.find(bot.bot_owner_id)
    if speaker is None or owner is None or not owner.is_active:
        return
    conversation = unit.tx.conversations.find(frozenset({owner.id, speaker.id}))
    if conversation is not None:
        ids = unit.tx.messages.newest_from(conversation.conversation_id, speaker.id, MAX_COMPARED)
        newest = unit.tx.messages.by_ids(ids)
        since = unit.now - REPORT_INTERVAL
        if any(message.timestamp > since and message.content.startswith(about) for message in newest):
            return
    to_person(unit, owner.id, about + rest, Facts())


def as_code(name: str) -> str:
    """Format a name as code, so that no markup in it has an effect."""
    shown = "".join(character for character in name if character.isprintable() and character != "`")
    return f"`{shown}`"


def to_person(unit: Unit, user_id: UserId, content: str, facts: Facts) -> MessageId | None:
    """Send a direct message; return its id, or None in an organization without a notification bot."""
    return deliver_to_person(unit, user_id, _render_notice(unit, content, facts))


def deliver_to_person(unit: Unit, user_id: UserId, text: RenderedText) -> MessageId | None:
    """Send a direct message whose text is rendered; otherwise like `to_person`."""
    bot = notification_bot(unit.tx)
    if bot is None:
        return None
    people = unit.tx.users.by_ids([user_id, bot.id])
    sent = deliver(
        unit,
        CheckedMessage(
            sender=bot,
            recipient=unit.tx.conversations.get_or_add(frozenset(people)),
            people=tuple(people.values()),
            text=replace(text, files=NO_FILES),
            client="Internal",
            read_by_sender=True,
        ),
    )
    return sent.message_id


def notification_bot(snapshot: Snapshot) -> User | None:
    """Return the organization's notification bot, if it has one."""
    bot_id = snapshot.organization.get().notification_bot_id
    return None if bot_id is None else snapshot.users.find(bot_id)


def to_channel(
    unit: Unit,
    channel: Channel,
    topic: str,
    content: str,
    facts: Facts,
    *,
    caused_by: UserId | None = None,
    unread_for: Collection[UserId] | None = None,
) -> None:
    """Send a message to a channel; do nothing in an organization without a notification bot."""
    bot = notification_bot(unit.tx)
    if bot is None:
        return
    deliver(
        unit,
        CheckedMessage(
            sender=bot,
            recipient=ChannelRecipient(channel.id, topic),
            channel=channel,
            text=_render_notice(unit, content, facts),
            client="Internal",
            read_by_sender=False,
            caused_by=caused_by,
            unread_for=unread_for,
        ),
    )


def facts_about(user: User, *channels: Channel) -> Facts:
    return Facts(
        users=[UserFact(user.id, user.full_name)],
        channels=[ChannelFact(channel.id, channel.name) for channel in channels],
    )


def _render_notice(view: View, content: str, facts: Facts) -> RenderedText:
    options = markup_options(view.svc, view.snapshot.organization.get(), None, previews=False)
    rendered = render(parse(content, options), facts)
    # Others wrote parts of it, and the bot may read files that they may not.
    return RenderedText(content, rendered.html, rendered.effects, files=NO_FILES)


# -- moved and resolved topics ----------------------------------------------------------------------

RESOLVED = "has marked this topic as resolved."
UNRESOLVED = "has marked this topic as unresolved."
UNDO_SECONDS = 60
"""Seconds within which undoing the resolution of a topic deletes the notice instead of adding one."""


def count_of_messages(count: int) -> str:
    return "A message was" if count == 1 else f"{count} messages were"


def tell_new_topic_of_move(unit: Unit, move: Move, mover: User, what: str) -> None:
    """Send a notice to the new topic about the move, with the old place if all readers may know of it."""
    origin = _place_if_shown(unit.tx, "from", move.source, move.old_topic, notice_in=move.target)
    content = f"{what} moved here{origin} by {silent_mention(mover)}."
    facts = facts_about(mover, move.source)
    to_channel(unit, move.target, move.topic, content, facts, caused_by=mover.id)


def tell_old_topic_of_move(unit: Unit, move: Move, mover: User, what: str) -> None:
    """Send a notice to the old topic about the move, with the new place if all readers may know of it."""
    destination = _place_if_shown(unit.tx, "to", move.target, move.topic, notice_in=move.source)
    content = f"{what} moved{destination} by {silent_mention(mover)}."
    facts = facts_about(mover, move.target)
    to_channel(unit, move.source, move.old_topic, content, facts, caused_by=mover.id)


def tell_of_resolving(unit: Unit, channel: Channel, topic: str, actor: User) -> None:
    """Send a notice to a topic that it was marked as resolved or unresolved.

    If the last message is such a notice, less than a minute old and not held, it is deleted instead.
    """
    tx = unit.tx
    bot = notification_bot(tx)
    if bot is None:
        return
    newest_id = tx.messages.newest_in_topic(channel.id, topic_key(topic), None)
    last = None if newest_id is None else tx.messages.find(newest_id)
    if (
        last is not None
        and last.sender_id == bot.id
        and last.content.endswith((RESOLVED, UNRESOLVED))
        and unit.now - last.timestamp < UNDO_SECONDS
        and not tx.holds.present().have_message(last)
    ):
        remove_messages(unit, [last], channel)
        return
    content = f"{silent_mention(actor)} {RESOLVED if is_resolved(topic) else UNRESOLVED}"
    unread_for = _who_has_notice_unread(tx, channel, topic, bot.id) - {actor.id}
    to_channel(unit, channel, topic, content, facts_about(actor), unread_for=unread_for)


def _who_has_notice_unread(
    snapshot: Snapshot, channel: Channel, topic: str, sender_id: UserId
) -> frozenset[UserId]:
    """Return the subscribers for whom a notice that *topic*, by its present name, was resolved is unread.

    They are few, since by default only followers of the topic are among them. Users who have muted the sender
    never are.
    """
    policies = snapshot.topic_policies.of_topic(channel.id, topic_key(topic))
    followers = {user_id for user_id, policy in policies.items() if policy == VisibilityPolicy.FOLLOWED}
    choices = dict.fromkeys(followers, DEFAULTS[RESOLVED_NOTICES])
    users = snapshot.users.by_ids(snapshot.subscriptions.having_set(channel.id, RESOLVED_NOTICES))
    choices |= {user.id: value(user, RESOLVED_NOTICES) for user in users.values()}
    unread = {
        user_id
        for user_id, choice in choices.items()
        if resolved_notice_is_unread(choice, follows=user_id in followers)
    }
    unread -= snapshot.muted_users.who_muted(sender_id)
    return snapshot.subscriptions.subscribed_among(channel.id, unread)


def _place_if_shown(
    snapshot: Snapshot, word: str, channel: Channel, topic: str, *, notice_in: Channel
) -> str:
    """Return the *word* and the topic, after a space; nothing if the notice may not name the channel."""
    if not _may_name(snapshot, channel, notice_in):
        return ""
    return f" {word} {written_topic(channel.name, topic)}"


def _may_name(snapshot: Snapshot, channel: Channel, notice_in: Channel) -> bool:
    """Whether a notice in *notice_in* may name the channel and its topics."""
    return may_name(channel, notice_in, guests_read=lambda: snapshot.subscriptions.has_guest(notice_in.id))


def silent_mention(user: User) -> str:
    return f"@_**{user.full_name}|{user.id}**"
