"""Sending messages."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from chatcore.application import units
from chatcore.application.arguments import about
from chatcore.application.daily_use import count_daily_use
from chatcore.application.delivery import notices
from chatcore.application.delivery.bot_calls import call_bots
from chatcore.application.delivery.card_fetching import want_cards
from chatcore.application.delivery.rendering import Text, render_text
from chatcore.application.delivery.storing import (
    CheckedMessage,
    Sent,
    deliver,
    digest,
    require_may_mention_groups,
)
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, read_only, refresh_actor, unit_of_work
from chatcore.application.visibility.addresses import find_users
from chatcore.application.visibility.known_channels import (
    actor_or_owner_knows,
    subscribed_among_actor_and_owner,
)
from chatcore.application.visibility.people_changes import GuestVisibility
from chatcore.domain.channels.channels import Channel, require_can_post
from chatcore.domain.errors import (
    BadRequest,
    ChannelDoesNotExist,
    ChannelWildcardNotAllowed,
    TopicWildcardNotAllowed,
)
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import QueueId, UserId
from chatcore.domain.messages.clients import marks_own_messages_read
from chatcore.domain.messages.messages import content_for_sending
from chatcore.domain.messages.recipients import ChannelRecipient, DirectRecipient, conversation_of
from chatcore.domain.messages.widgets import Widget, widget_to_send
from chatcore.domain.people.daily_use import Daily
from chatcore.domain.people.users import User
from chatcore.domain.topics import topic_for_sending, topic_key
from chatcore.storage import Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Send:
    """The parts common to all messages to send.

    If `read_by_sender` is None, the name of the client decides. `queue_id` and `local_id` come together: the
    event for that queue carries the local id, and a repeated request with both creates no second message.
    Without a `widget` the text decides whether it is a poll or a list of tasks.
    """

    content: str
    client: str = ""
    read_by_sender: bool | None = None
    queue_id: str | None = None
    local_id: str | None = None
    widget: Widget | None = None
    files: frozenset[str] | None = None
    """The path ids of the files that the text may name, for a text that others than the sender wrote; see
    `Text`.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class SendToChannel(Send):
    channel: int | str | None
    """Id or name; None for the default channel of a bot."""
    topic: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SendDirect(Send):
    to: Sequence[int] | Sequence[str]
    """Ids or addresses; the sender is always one of the people."""


def send(svc: Services, actor: Actor, cmd: SendToChannel | SendDirect) -> Sent:
    """Send a message and announce it to its recipients.

    :raises BadRequest: invalid text, widget, topic or recipients, or no permission
    :raises ChannelDoesNotExist: no such channel for the sender
    :raises ChannelWildcardNotAllowed, TopicWildcardNotAllowed: a mention of too many people, without
        permission
    :raises RateLimited: more group conversations than the sender may begin on one day
    """
    if (cmd.queue_id is None) != (cmd.local_id is None):
        raise BadRequest("queue_id and local_id must be given together")
    if cmd.local_id is not None and len(cmd.local_id) > svc.limits.max_local_id_length:
        raise BadRequest(f"local_id is too long (limit: {svc.limits.max_local_id_length} characters)")
    content = content_for_sending(cmd.content, svc.limits)
    widget = widget_to_send(content, cmd.widget, svc.limits)
    text = render_text(svc, actor, content, files=cmd.files)
    sent = _send(svc, actor, cmd, text, widget)
    want_cards(svc, sent.message_id, actor, text)
    if sent.calls_bots:
        svc.alarms.bots.ring()
    return sent


def _send(
    svc: Services, actor: Actor, cmd: SendToChannel | SendDirect, text: Text, widget: str | None
) -> Sent:
    if isinstance(cmd, SendToChannel):
        try:
            return _send_rendered(svc, actor, cmd, text, widget)
        except ChannelDoesNotExist:
            if actor.is_bot:
                reason, named = "but there is no such channel.", cmd.channel or "its default channel"
                units.write(svc, notices.report_undelivered, actor.user_id, named, reason)
            raise
    refuse_too_many(svc, actor, cmd.to)
    return _send_rendered(svc, actor, cmd, text, widget)


def send_in(
    unit: Unit,
    actor: Actor,
    cmd: SendToChannel | SendDirect,
    text: Text,
    widget: str | None,
) -> Sent:
    """Send a message whose text is rendered, in a unit of work that the caller has begun.

    :raises BadRequest, ChannelDoesNotExist, ChannelWildcardNotAllowed, TopicWildcardNotAllowed, RateLimited:
        as `send` does
    :raises OrganizationDeactivated, UserDeactivated, Unauthorized: as `refresh_actor` does
    """
    return _send_rendered.within(unit, refresh_actor(unit.tx, actor, unit.now), cmd, text, widget)


@unit_of_work
def _send_rendered(
    unit: Unit, me: Actor, cmd: SendToChannel | SendDirect, text: Text, widget: str | None
) -> Sent:
    if isinstance(cmd, SendToChannel):
        return _send_to_channel(unit, me, cmd, text, widget)
    return _send_direct(unit, me, cmd, text, widget)


def _deliver_and_call_bots(unit: Unit, checked: CheckedMessage) -> Sent:
    """Deliver a message, and call the bots that it mentions in a channel or goes to directly."""
    sent = deliver(unit, checked)
    is_mention = checked.channel is not None
    mentioned, people = checked.text.effects.user_ids, [user.id for user in checked.people]
    addressed = [UserId(user_id) for user_id in mentioned] if is_mention else people
    called = call_bots(unit, checked.sender, sent.message_id, addressed=addressed, mention=is_mention)
    return replace(sent, calls_bots=called)


def preview(svc: Services, actor: Actor, content: Annotated[str, about("The text, in Markdown.")]) -> str:
    """Render a text as a message, without sending it.

    :raises BadRequest: an invalid text, or a mention of a group that the actor may not mention
    """
    text = render_text(svc, actor, content_for_sending(content, svc.limits))
    if text.effects.group_ids:
        svc.storage.read(lambda snapshot: require_may_mention_groups(snapshot, actor, text.effects))
    return text.html


def _send_to_channel(unit: Unit, me: Actor, cmd: SendToChannel, text: Text, widget: str | None) -> Sent:
    tx = unit.tx
    named = _default_channel(tx, me) if cmd.channel is None else cmd.channel
    channel, topic = channel_for_sending(unit, me, named, cmd.topic)
    recipient = ChannelRecipient(channel.id, topic)
    if (repeated := _already_sent(tx, me, cmd, digest(recipient, text.content, widget))) is not None:
        return repeated
    require_may_mention(unit, me, channel, topic, text)
    if me.is_bot and not channel.subscriber_count:
        reason = "but nobody is subscribed to it."
        notices.report_undelivered(unit, me.user_id, channel.name, reason)
    sender = tx.users.get(me.user_id)
    return _deliver_and_call_bots(
        unit,
        CheckedMessage(
            sender=sender,
            recipient=recipient,
            channel=channel,
            people=(sender,),
            text=text,
            client=cmd.client,
            read_by_sender=reads_own_messages(unit.svc, cmd.client, cmd.read_by_sender),
            queue_id=_echo_queue(tx, me, cmd),
            local_id=cmd.local_id,
            widget=widget,
        ),
    )


def _default_channel(tx: Transaction, actor: Actor) -> int:
    """Return the channel of a bot's messages that name no place.

    :raises BadRequest: the actor has none
    """
    default = tx.bots.settings(actor.user_id).sending_channel if actor.is_bot else None
    if default is None:
        raise BadRequest("Message must have a channel to be sent to")
    return default.id


def channel_for_sending(unit: Unit, actor: Actor, named: int | str, raw_topic: str) -> tuple[Channel, str]:
    """Return the channel with an id or name, and the topic, if the actor may send to it.

    :raises BadRequest: an invalid topic, or no permission
    :raises ChannelDoesNotExist: no such channel for the sender
    """
    tx = unit.tx
    channel = tx.channels.find_by_name(named) if isinstance(named, str) else None
    if not isinstance(named, str):
        channel = tx.channels.find(named)
    subscriber_ids = frozenset() if channel is None else subscribed_among_actor_and_owner(tx, actor, channel)
    if channel is None or not actor_or_owner_knows(channel, actor, subscriber_ids):
        raise ChannelDoesNotExist(named)
    organization = tx.organization.get()
    topic = topic_for_sending(
        raw_topic,
        empty_display_name=organization.empty_topic_display_name,
        policy=organization.effective_topics_policy(channel.topics_policy),
        limits=unit.limits,
    )
    require_can_post(channel, actor, subscriber_ids)
    return channel, topic


def require_may_mention(unit: Unit, actor: Actor, channel: Channel, topic: str, text: Text) -> None:
    """Refuse a text in a channel with a mention that its author may not use.

    :raises ChannelWildcardNotAllowed, TopicWildcardNotAllowed: a mention of too many people, without
        permission
    :raises BadRequest: a group that the author may not mention
    """
    if text.effects.channel_wildcard or text.effects.topic_wildcard:
        _require_may_mention_all(unit, actor, channel, topic, text)
    require_may_mention_groups(unit.tx, actor, text.effects)


def _require_may_mention_all(unit: Unit, actor: Actor, channel: Channel, topic: str, text: Text) -> None:
    """Refuse a mention of all readers that the author may not use.

    :raises ChannelWildcardNotAllowed, TopicWildcardNotAllowed: a mention of too many people, without
        permission
    """
    if unit.tx.organization.get().permits("can_mention_many_users_group", actor):
        return
    limit = unit.limits.wildcard_mention_free_up_to
    if text.effects.channel_wildcard and channel.subscriber_count > limit:
        raise ChannelWildcardNotAllowed
    if text.effects.topic_wildcard:
        participants = unit.tx.messages.participants(channel.id, topic_key(topic)) | {actor.user_id}
        if len(participants) > limit:
            raise TopicWildcardNotAllowed


def _send_direct(unit: Unit, me: Actor, cmd: SendDirect, text: Text, widget: str | None) -> Sent:
    tx = unit.tx
    people, existing = conversation_for_sending.within(unit, me, cmd.to)
    recipient = existing or _begin_conversation(unit, me, frozenset(user.id for user in people))
    if (repeated := _already_sent(tx, me, cmd, digest(recipient, text.content, widget))) is not None:
        return repeated
    require_may_mention_groups(tx, me, text.effects)
    sender = next(user for user in people if user.id == me.user_id)
    return _deliver_and_call_bots(
        unit,
        CheckedMessage(
            sender=sender,
            recipient=recipient,
            channel=None,
            people=tuple(people),
            text=text,
            client=cmd.client,
            read_by_sender=reads_own_messages(unit.svc, cmd.client, cmd.read_by_sender),
            queue_id=_echo_queue(tx, me, cmd),
            local_id=cmd.local_id,
            widget=widget,
        ),
    )


def refuse_too_many(svc: Services, actor: Actor, to: Sequence[int] | Sequence[str]) -> None:
    """Refuse a direct message to too many people in a snapshot: writers do not wait for this check, which the
    unit of work repeats.

    :raises BadRequest: as `conversation_for_sending` does
    """
    if len(to) > svc.limits.max_direct_message_people:
        conversation_for_sending(svc, actor, to)


@read_only
def conversation_for_sending(
    view: View, me: Actor, to: Sequence[int] | Sequence[str]
) -> tuple[list[User], DirectRecipient | None]:
    """Return the people of a direct message that the actor may send, and their conversation if it exists.

    :raises BadRequest: no people, too many, an unknown user, or no permission
    """
    people = _people(view, me, to)
    existing = view.snapshot.conversations.find(frozenset(user.id for user in people))
    if existing is None and len(people) > view.limits.max_direct_message_people:
        raise BadRequest(f"Too many recipients (limit: {view.limits.max_direct_message_people} people)")
    require_may_write_to(view, me, people, existing)
    return people, existing


def _begin_conversation(unit: Unit, actor: Actor, user_ids: frozenset[UserId]) -> DirectRecipient:
    """Create a conversation, whose people may know of each other from then on.

    :raises RateLimited: more conversations of three or more than the actor may begin on one day
    """
    if len(user_ids) > 2:
        count_daily_use(unit, actor, Daily.GROUP_CONVERSATIONS)
    guest_visibility = GuestVisibility(unit, user_ids)
    recipient = unit.tx.conversations.get_or_add(user_ids)
    guest_visibility.announce()
    return recipient


def _people(view: View, actor: Actor, to: Sequence[int] | Sequence[str]) -> list[User]:
    """Return the people of a direct message, including the sender.

    :raises BadRequest: no people, or a user who is deactivated or whom the actor may not know of
    """
    if not to:
        raise BadRequest("Message must have recipients")
    if len(to) > view.limits.max_ids_per_request:
        raise BadRequest("Too many recipients")
    users = find_users(view, actor, to)
    for key in to:
        if key not in users or not users[key].is_active:
            raise BadRequest(f"Invalid user ID {key}" if isinstance(key, int) else f"Invalid email '{key}'")
    user_ids = conversation_of(actor.user_id, [user.id for user in users.values()])
    return list(view.snapshot.users.by_ids(user_ids).values())


def require_may_write_to(
    view: View, actor: Actor, people: Sequence[User], existing: DirectRecipient | None
) -> None:
    """Check the organization's rules about direct messages; they apply neither to bots as senders, nor if all
    other people are bots.

    :raises BadRequest: direct messages between these people are forbidden, or the sender may not begin the
        conversation
    """
    others = [user for user in people if user.id != actor.user_id]
    if actor.is_bot or all(user.is_bot for user in others):
        return
    snapshot, organization = view.snapshot, view.snapshot.organization.get()
    actors = snapshot.users.actors([user.id for user in people], view.now)
    if not any(organization.permits("direct_message_permission_group", one) for one in actors.values()):
        raise BadRequest("Direct messages are disabled in this organization.")
    if organization.permits("direct_message_initiator_group", actor):
        return
    if existing is None or not snapshot.conversations.has_messages(existing.conversation_id):
        raise BadRequest("You do not have permission to initiate direct message conversations.")


def reads_own_messages(svc: Services, client: str, wish: bool | None) -> bool:
    """Whether a message counts as read by its sender; without a *wish*, the name of the client decides."""
    return marks_own_messages_read(client, svc.settings.compat_brand) if wish is None else wish


def _echo_queue(tx: Transaction, actor: Actor, cmd: Send) -> QueueId | None:
    """Return the queue for the local echo, or None if it no longer exists or is another user's."""
    if cmd.queue_id is None:
        return None
    queue = tx.queues.find(cmd.queue_id)
    return queue.id if queue is not None and queue.user_id == actor.user_id else None


def _already_sent(tx: Transaction, actor: Actor, cmd: Send, request_digest: str) -> Sent | None:
    """Return the message that an earlier request with the same queue and local id has sent.

    :raises BadRequest: the earlier request had another message
    """
    queue_id = _echo_queue(tx, actor, cmd)
    if queue_id is None or cmd.local_id is None:
        return None
    echo = tx.queues.find_echo(queue_id, cmd.local_id)
    if echo is None:
        return None
    message_id, sent_digest = echo
    if sent_digest != request_digest:
        raise BadRequest("local_id was used for another message already")
    return Sent(message_id)
