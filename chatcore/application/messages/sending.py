"""Sending messages."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Annotated, NamedTuple

from chatcore.application import units
from chatcore.application.arguments import about
from chatcore.application.daily_use import count_daily_use
from chatcore.application.delivery import notices
from chatcore.application.delivery.bot_calls import call_bots
from chatcore.application.delivery.card_fetching import want_cards
from chatcore.application.delivery.checked_messages import CheckedMessage, Echo, Sent
from chatcore.application.delivery.delivering import deliver
from chatcore.application.delivery.mentions import require_may_mention, require_may_mention_groups
from chatcore.application.delivery.rendering import RenderedText, render_text
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, read_only, refresh_actor, unit_of_work
from chatcore.application.visibility.addresses import find_users
from chatcore.application.visibility.known_channels import (
    actor_or_owner_knows,
    find_channel,
    subscribed_among_actor_and_owner,
)
from chatcore.application.visibility.people_changes import GuestVisibility
from chatcore.domain.channels.channels import Channel, require_can_post
from chatcore.domain.errors import BadRequest, ChannelDoesNotExist, too_long
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.messages.messages import content_for_sending, marks_own_messages_read
from chatcore.domain.messages.recipients import (
    ChannelRecipient,
    DirectRecipient,
    Recipient,
    conversation_of,
    require_few_recipients,
)
from chatcore.domain.messages.widgets import Widget, widget_to_send
from chatcore.domain.people.daily_use import Daily
from chatcore.domain.people.users import User
from chatcore.domain.topics import topic_for_sending


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
    `RenderedText`.
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


class _Place(NamedTuple):
    """Where a message goes: to a channel and topic, or to people."""

    recipient: Recipient
    channel: Channel | None = None
    people: tuple[User, ...] = ()

    @property
    def topic(self) -> str:
        return self.recipient.topic if isinstance(self.recipient, ChannelRecipient) else ""


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
        raise too_long("local_id", svc.limits.max_local_id_length)
    content = content_for_sending(cmd.content, svc.limits)
    widget = widget_to_send(content, cmd.widget, svc.limits)
    text = render_text(svc, actor, content, files=cmd.files)
    if isinstance(cmd, SendDirect):
        check_large_conversation_early(svc, actor, cmd.to)
    try:
        sent = _send_rendered(svc, actor, cmd, text, widget)
    except ChannelDoesNotExist:
        if actor.is_bot and isinstance(cmd, SendToChannel):
            reason, named = "but there is no such channel.", cmd.channel or "its default channel"
            units.write(svc, notices.report_undelivered, actor.user_id, named, reason)
        raise
    want_cards(svc, sent.message_id, actor, text)
    if sent.calls_bots:
        svc.alarms.bots.ring()
    return sent


@unit_of_work
def _send_rendered(
    unit: Unit, me: Actor, cmd: SendToChannel | SendDirect, text: RenderedText, widget: str | None
) -> Sent:
    """Send a message whose text is rendered, unless an earlier request has sent it, and call the bots that it
    addresses.
    """
    place = _channel_place(unit, me, cmd) if isinstance(cmd, SendToChannel) else _people_place(unit, me, cmd)
    echo = _echo_for(unit, me, cmd, place, text, widget)
    if echo is not None and (sent_before := _find_sent_before(unit, echo)) is not None:
        return sent_before
    require_may_mention(unit, me, text.effects, place.channel, place.topic)
    if me.is_bot and place.channel is not None and not place.channel.subscriber_count:
        reason = "but nobody is subscribed to it."
        notices.report_undelivered(unit, me.user_id, place.channel.name, reason)
    checked = CheckedMessage(
        sender=unit.tx.users.get(me.user_id),
        recipient=place.recipient,
        channel=place.channel,
        people=place.people,
        text=text,
        client=cmd.client,
        read_by_sender=reads_own_messages(unit.svc, cmd.client, cmd.read_by_sender),
        echo=echo,
        widget=widget,
    )
    sent = deliver(unit, checked)
    return replace(sent, calls_bots=call_bots(unit, checked, sent.message_id))


def send_in(
    unit: Unit, actor: Actor, cmd: SendToChannel | SendDirect, text: RenderedText, widget: str | None
) -> Sent:
    """Send a message whose text is rendered, in a unit of work that the caller has begun.

    :raises BadRequest, ChannelDoesNotExist, ChannelWildcardNotAllowed, TopicWildcardNotAllowed, RateLimited:
        as `send` does
    :raises OrganizationDeactivated, UserDeactivated, Unauthorized: as `refresh_actor` does
    """
    return _send_rendered.within(unit, refresh_actor(unit, actor), cmd, text, widget)


def preview(svc: Services, actor: Actor, content: Annotated[str, about("The text, in Markdown.")]) -> str:
    """Render a text as a message, without sending it.

    :raises BadRequest: an invalid text, or a mention of a group that the actor may not mention
    """
    text = render_text(svc, actor, content_for_sending(content, svc.limits))
    if text.effects.group_ids:
        require_may_mention_groups(svc, actor, text.effects)
    return svc.settings.foreign_media.shown(text.html)


# -- channels ---------------------------------------------------------------------------------------


def _channel_place(view: View, me: Actor, cmd: SendToChannel) -> _Place:
    named = _default_channel_id(view, me) if cmd.channel is None else cmd.channel
    channel, topic = channel_for_sending(view, me, named, cmd.topic)
    return _Place(ChannelRecipient(channel.id, topic), channel)


def _default_channel_id(view: View, actor: Actor) -> int:
    """Return the id of the channel of a bot's messages that name no place.

    :raises BadRequest: the actor has none
    """
    default = view.snapshot.bots.settings(actor.user_id).sending_channel if actor.is_bot else None
    if default is None:
        raise BadRequest("Message must have a channel to be sent to")
    return default.id


def channel_for_sending(view: View, actor: Actor, named: int | str, raw_topic: str) -> tuple[Channel, str]:
    """Return the channel with an id or name, and the topic, if the actor may send to it.

    :raises BadRequest: an invalid topic, or no permission
    :raises ChannelDoesNotExist: no such channel for the sender
    """
    snapshot = view.snapshot
    channel = find_channel(snapshot, named)
    if channel is None:
        raise ChannelDoesNotExist(named)
    subscriber_ids = subscribed_among_actor_and_owner(snapshot, actor, channel)
    if not actor_or_owner_knows(channel, actor, subscriber_ids):
        raise ChannelDoesNotExist(named)
    organization = snapshot.organization.get()
    topic = topic_for_sending(
        raw_topic,
        empty_display_name=organization.empty_topic_display_name,
        policy=organization.effective_topics_policy(channel.topics_policy),
        limits=view.limits,
    )
    require_can_post(channel, actor, subscriber_ids)
    return channel, topic


# -- direct messages --------------------------------------------------------------------------------


def _people_place(unit: Unit, me: Actor, cmd: SendDirect) -> _Place:
    """Return the people as a place; a conversation that does not exist begins."""
    people, existing = conversation_for_sending.within(unit, me, cmd.to)
    recipient = existing or _begin_conversation(unit, me, frozenset(user.id for user in people))
    return _Place(recipient, people=tuple(people))


def check_large_conversation_early(svc: Services, actor: Actor, to: Sequence[int] | Sequence[str]) -> None:
    """Check the people of a direct message before its unit of work if there are very many: a refusal then
    keeps no writers waiting. The unit of work checks them again.

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
    people = _find_people(view, me, to)
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


def _find_people(view: View, actor: Actor, to: Sequence[int] | Sequence[str]) -> list[User]:
    """Return the people of a direct message, including the sender.

    :raises BadRequest: no people, or a user who is deactivated or whom the actor may not know of
    """
    if not to:
        raise BadRequest("Message must have recipients")
    require_few_recipients(to, view.limits)
    users = find_users(view, actor, to)
    for key in to:
        if key not in users or not users[key].is_active:
            raise BadRequest(f"Invalid user ID {key}" if isinstance(key, int) else f"Invalid email '{key}'")
    user_ids = conversation_of(actor.user_id, [user.id for user in users.values()])
    return list(view.snapshot.users.by_ids(user_ids).values())


def require_may_write_to(
    view: View, actor: Actor, people: Sequence[User], existing: DirectRecipient | None
) -> None:
    """Check the organization's rules about direct messages. Messages from bots, and messages to bots alone,
    are free from them.

    :raises BadRequest: direct messages between these people are forbidden, or the sender may not begin the
        conversation
    """
    others = [user for user in people if user.id != actor.user_id]
    if actor.is_bot or all(user.is_bot for user in others):
        return
    snapshot, organization = view.snapshot, view.snapshot.organization.get()
    actors = snapshot.users.actors([user.id for user in people], view.now)
    if not any(organization.permits("direct_message_permission_group", member) for member in actors.values()):
        raise BadRequest("Direct messages are disabled in this organization.")
    if organization.permits("direct_message_initiator_group", actor):
        return
    if existing is None or not snapshot.conversations.has_messages(existing.conversation_id):
        raise BadRequest("You do not have permission to initiate direct message conversations.")


def reads_own_messages(svc: Services, client: str, wish: bool | None) -> bool:
    """Whether a message counts as read by its sender; without a *wish*, the name of the client decides."""
    return marks_own_messages_read(client, svc.settings.compat_brand) if wish is None else wish


# -- repeated requests ------------------------------------------------------------------------------


def _echo_for(
    view: View, actor: Actor, cmd: Send, place: _Place, text: RenderedText, widget: str | None
) -> Echo | None:
    """Return how the client recognizes its message, or None if its queue no longer exists or is another
    user's.
    """
    if cmd.queue_id is None or cmd.local_id is None:
        return None
    queue = view.snapshot.queues.find(cmd.queue_id)
    if queue is None or queue.user_id != actor.user_id:
        return None
    parts = [str(place.recipient.recipient_id), place.topic, text.content]
    if widget is not None:
        parts.append(widget)
    digest = sha256("\n".join(parts).encode()).hexdigest()
    return Echo(queue_id=queue.id, local_id=cmd.local_id, digest=digest)


def _find_sent_before(view: View, echo: Echo) -> Sent | None:
    """Return the message that an earlier request with the same queue and local id has sent.

    :raises BadRequest: the earlier request had another message
    """
    sent = view.snapshot.queues.find_echo(echo.queue_id, echo.local_id)
    if sent is None:
        return None
    message_id, digest = sent
    if digest != echo.digest:
        raise BadRequest("local_id was used for another message already")
    return Sent(message_id)
