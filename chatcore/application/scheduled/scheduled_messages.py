"""Scheduled messages: listing, creating, changing and deleting them before they are sent."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

from chatcore.application.arguments import Id, SeenContent, about
from chatcore.application.delivery.mentions import require_may_mention
from chatcore.application.delivery.rendering import RenderedText, files_of_text, render_text
from chatcore.application.messages.sending import (
    channel_for_sending,
    check_large_conversation_early,
    conversation_for_sending,
    reads_own_messages,
)
from chatcore.application.scheduled.room import require_room_to_wait
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, read_only, unit_of_work
from chatcore.domain.errors import BadRequest, nothing_to_change
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ChannelId, ScheduledId, UserId
from chatcore.domain.messages.editing import require_expected_content
from chatcore.domain.messages.messages import content_for_sending
from chatcore.domain.messages.recipients import missing_topic, only_channel
from chatcore.domain.scheduled.scheduled_messages import (
    DestinationKind,
    NoSuchScheduledMessage,
    Scheduled,
    due_in_past,
    require_future,
)
from chatcore.events.audience import Users
from chatcore.events.happened import ScheduledMessageAdded, ScheduledMessageChanged, ScheduledMessageRemoved
from chatcore.events.payloads.scheduled import ScheduledMessageObject, scheduled_message_object, shown_object


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageToSchedule:
    """A message to be sent at the time `due`; if `read_by_sender` is None, the name of the client decides."""

    kind: DestinationKind
    to: Sequence[int]
    """The id of one channel, or the ids of people."""
    topic: str | None = None
    content: str
    due: int
    client: str = ""
    read_by_sender: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledChange:
    """The parts of a scheduled message to be changed; None keeps a part."""

    kind: DestinationKind | None = None
    to: Sequence[int] | None = None
    topic: str | None = None
    content: str | None = None
    due: int | None = None


class _Destination(NamedTuple):
    channel_id: ChannelId | None
    people: tuple[UserId, ...]
    topic: str


@read_only
def list_scheduled_messages(view: View, me: Actor) -> Sequence[ScheduledMessageObject]:
    """List the caller's messages that are to be sent later, and those that could not be sent.

    :returns: messages by their times
    """
    waiting = view.snapshot.scheduled_messages.of_user(me.user_id)
    media = view.svc.settings.foreign_media
    return [
        shown_object(scheduled_message_object(scheduled), media)
        for scheduled in waiting
        if not scheduled.is_reminder
    ]


def schedule_message(svc: Services, actor: Actor, wanted: MessageToSchedule) -> ScheduledId:
    """Store a message to be sent later, and notify the author's clients.

    It has to be one that the author could send now; whether that is still so is checked when it is due.

    :raises BadRequest: a time in the past, an invalid text, topic or recipients, no permission, or more than
        an account may store
    :raises ChannelDoesNotExist: no such channel for the author
    :raises ChannelWildcardNotAllowed, TopicWildcardNotAllowed: a mention of too many people, without
        permission
    """
    require_future(wanted.due, svc.now)
    text = _render(svc, actor, wanted.content)
    if wanted.kind is DestinationKind.DIRECT:
        check_large_conversation_early(svc, actor, wanted.to)
    scheduled_id = _store_message(svc, actor, wanted, text)
    svc.alarms.scheduled.ring()
    return scheduled_id


@unit_of_work
def _store_message(unit: Unit, me: Actor, wanted: MessageToSchedule, text: RenderedText) -> ScheduledId:
    waiting = unit.tx.scheduled_messages
    if waiting.count(me.user_id, reminders=False) >= unit.limits.max_scheduled_messages_per_user:
        raise BadRequest("You have too many scheduled messages.")
    destination = _find_destination(unit, me, wanted.kind, wanted.to, wanted.topic, text)
    size_before = waiting.size(me.user_id)
    scheduled = waiting.add(
        Scheduled(
            author_id=me.user_id,
            due=wanted.due,
            channel_id=destination.channel_id,
            people=destination.people,
            topic=destination.topic,
            content=text.content,
            rendered_content=text.html,
            client=wanted.client,
            read_by_sender=reads_own_messages(unit.svc, wanted.client, wanted.read_by_sender),
        )
    )
    require_room_to_wait(unit, me.user_id, size_before)
    payload = scheduled_message_object(scheduled)
    unit.tx.announce(ScheduledMessageAdded(scheduled_message=payload), Users((me.user_id,)))
    return scheduled.id


def edit_scheduled_message(
    svc: Services,
    actor: Actor,
    scheduled_id: int,
    change: ScheduledChange,
    *,
    prev_content_sha256: str | None = None,
) -> None:
    """Change a scheduled message, and notify the author's clients. One that has failed needs a new time, and
    waits again.

    :raises NoSuchScheduledMessage: the actor has no scheduled message with this id
    :raises BadRequest: as `schedule_message` does, or nothing to change
    :raises ExpectationMismatch: *prev_content_sha256* is not the digest of the current text
    :raises ChannelDoesNotExist: as `schedule_message` does
    :raises ChannelWildcardNotAllowed, TopicWildcardNotAllowed: as `schedule_message` does
    """
    if change == ScheduledChange():
        raise nothing_to_change()
    if change.kind is not None and change.to is None:
        raise BadRequest("Recipient required when updating type of scheduled message.")
    if change.due is not None:
        require_future(change.due, svc.now)
    text: RenderedText | None = None
    if change != ScheduledChange(due=change.due):
        before = _find_scheduled(svc, actor, scheduled_id)
        text = _render(svc, actor, before.content if change.content is None else change.content)
        if change.to is not None and (change.kind or before.kind) is not DestinationKind.CHANNEL:
            check_large_conversation_early(svc, actor, change.to)
    # If another client has changed the text that was rendered, begin again with its text.
    if not _store_change(svc, actor, scheduled_id, change, text, prev_content_sha256):
        edit_scheduled_message(svc, actor, scheduled_id, change, prev_content_sha256=prev_content_sha256)
        return
    svc.alarms.scheduled.ring()


@unit_of_work
def _store_change(
    unit: Unit,
    me: Actor,
    scheduled_id: int,
    change: ScheduledChange,
    text: RenderedText | None,
    prev_content_sha256: str | None,
) -> bool:
    """Store a change with its text, or return False: another client has changed the text since it was
    rendered.
    """
    old = _find_scheduled.within(unit, me, scheduled_id)
    require_expected_content(old.content, prev_content_sha256)
    if old.failure is not None and change.due is None:
        raise due_in_past()
    if text is not None and change.content is None and text.content != old.content:
        return False
    scheduled = replace(old, due=old.due if change.due is None else change.due, failure=None)
    if text is not None:
        to = change.to
        if to is None:
            to = old.people if old.channel_id is None else (old.channel_id,)
        topic = change.topic
        if topic is None and old.kind is DestinationKind.CHANNEL:
            topic = old.topic
        destination = _find_destination(unit, me, change.kind or old.kind, to, topic, text)
        scheduled = replace(scheduled, content=text.content, rendered_content=text.html)
        scheduled = replace(scheduled, **destination._asdict())
    if scheduled != old:
        size_before = unit.tx.scheduled_messages.size(me.user_id)
        unit.tx.scheduled_messages.update(scheduled)
        require_room_to_wait(unit, me.user_id, size_before)
        payload = scheduled_message_object(scheduled)
        unit.tx.announce(ScheduledMessageChanged(scheduled_message=payload), Users((me.user_id,)))
    return True


@unit_of_work
def delete_scheduled_message(
    unit: Unit,
    me: Actor,
    scheduled_id: Annotated[Id, about("The scheduled message's id.")],
    *,
    prev_content_sha256: SeenContent = None,
) -> None:
    """Delete a scheduled message: it is not sent.

    :raises NoSuchScheduledMessage: the actor has no scheduled message with this id
    :raises ExpectationMismatch: *prev_content_sha256* is not the digest of the current text
    """
    scheduled = _find_scheduled.within(unit, me, scheduled_id)
    require_expected_content(scheduled.content, prev_content_sha256)
    unit.tx.scheduled_messages.remove(me.user_id, scheduled.id)
    unit.tx.announce(ScheduledMessageRemoved(scheduled_message_id=scheduled.id), Users((me.user_id,)))


@read_only
def _find_scheduled(view: View, me: Actor, scheduled_id: int) -> Scheduled:
    """Return one of the actor's scheduled messages.

    :raises NoSuchScheduledMessage:
    """
    scheduled = view.snapshot.scheduled_messages.find(me.user_id, scheduled_id)
    if scheduled is None or scheduled.is_reminder:
        raise NoSuchScheduledMessage
    return scheduled


def _render(svc: Services, actor: Actor, raw: str) -> RenderedText:
    """Return a text that can be sent, rendered.

    :raises BadRequest: a text outside the rules
    """
    return render_text(svc, actor, content_for_sending(raw, svc.limits))


def _find_destination(
    unit: Unit, author: Actor, kind: DestinationKind, to: Sequence[int], topic: str | None, text: RenderedText
) -> _Destination:
    """Return the place of a message that the author may send there now.

    :raises BadRequest, ChannelDoesNotExist, ChannelWildcardNotAllowed, TopicWildcardNotAllowed: as sending
        does
    """
    files_of_text(unit, text, author.user_id)  # not too many
    if kind is DestinationKind.CHANNEL:
        channel_id = only_channel(to)
        if topic is None:
            raise missing_topic()
        channel, topic = channel_for_sending(unit, author, channel_id, topic)
        require_may_mention(unit, author, text.effects, channel, topic)
        return _Destination(channel.id, (), topic)
    conversation_for_sending.within(unit, author, to)
    require_may_mention(unit, author, text.effects, None, "")
    others = tuple(UserId(user_id) for user_id in dict.fromkeys(to) if user_id != author.user_id)
    return _Destination(None, others or (author.user_id,), "")
