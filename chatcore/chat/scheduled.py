"""Messages that are sent later, and reminders."""

from collections.abc import Sequence

from chatcore.application.scheduled import reminders, scheduled_messages
from chatcore.chat.given import UserIds, number, optional, require_one_place, text, truth, user_ids_of
from chatcore.chat.made import scheduled as made
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ScheduledId
from chatcore.domain.scheduled.scheduled_messages import DestinationKind


class ScheduledMessages(made.ScheduledMessages):
    """Messages of the actor that wait for their time."""

    def create(
        self,
        actor: Actor,
        content: str,
        at: int,
        *,
        channel: int | None = None,
        topic: str = "",
        to: UserIds | None = None,
        client: str = "python",
        read_by_sender: bool | None = None,
    ) -> ScheduledId:
        """Store a message to be sent *at* a time, to a channel and topic or directly *to* one or several
        people, and notify the author's clients.

        If *read_by_sender* is None, the name of the client decides. The message is sent only if a program has
        called `Chat.deliver_on_time` or `Chat.application`, or calls `deliver_due`.

        :raises BadRequest: a time in the past, an invalid text, topic or recipients, no permission, or more
            than an account may store
        :raises InvalidParameter: a channel or a topic together with people
        :raises ChannelDoesNotExist: no such channel for the author
        :raises ChannelWildcardNotAllowed, TopicWildcardNotAllowed: a mention of too many people, without
            permission
        """
        require_one_place(channel, topic, to)
        kind, place = DestinationKind.DIRECT, user_ids_of(to=() if to is None else to)
        if channel is not None:
            kind, place = DestinationKind.CHANNEL, [number(channel=channel)]
        wanted = scheduled_messages.MessageToSchedule(
            kind=kind,
            to=place,
            topic=text(topic=topic),
            content=text(content=content),
            due=number(at=at),
            client=text(client=client),
            read_by_sender=optional(truth, read_by_sender=read_by_sender),
        )
        return scheduled_messages.schedule_message(self._svc, self._acting(actor), wanted)

    def edit(
        self,
        actor: Actor,
        scheduled_id: int,
        *,
        content: str | None = None,
        at: int | None = None,
        channel: int | None = None,
        topic: str | None = None,
        to: UserIds | None = None,
        prev_content_sha256: str | None = None,
    ) -> None:
        """Change a scheduled message, and notify the author's clients. One that has failed needs a new time,
        and waits again.

        :raises NoSuchScheduledMessage: the actor has no scheduled message with this id
        :raises BadRequest: as `create` does, or nothing to change
        :raises ExpectationMismatch: *prev_content_sha256* is not the digest of the current text
        :raises InvalidParameter: a channel or a topic together with people
        :raises ChannelDoesNotExist: as `create` does
        :raises ChannelWildcardNotAllowed, TopicWildcardNotAllowed: as `create` does
        """
        # A topic alone keeps the channel.
        require_one_place(channel, "" if topic is None or to is None else topic, to)
        kind: DestinationKind | None = None
        place: Sequence[int] | None = None
        if channel is not None:
            kind, place = DestinationKind.CHANNEL, [number(channel=channel)]
        elif to is not None:
            kind, place = DestinationKind.DIRECT, user_ids_of(to=to)
        change = scheduled_messages.ScheduledChange(
            kind=kind,
            to=place,
            topic=optional(text, topic=topic),
            content=optional(text, content=content),
            due=optional(number, at=at),
        )
        scheduled_messages.edit_scheduled_message(
            self._svc,
            self._acting(actor),
            number(scheduled_id=scheduled_id),
            change,
            prev_content_sha256=optional(text, prev_content_sha256=prev_content_sha256),
        )


class Reminders(made.Reminders):
    """Reminders of messages, for the actor."""

    def create(self, actor: Actor, message_id: int, at: int, note: str = "") -> ScheduledId:
        """Store a request to be reminded of a message *at* a time, and notify the actor's clients.

        `Chat.deliver_on_time` or `scheduled_messages.deliver_due` delivers it, as a direct message.

        :raises BadRequest: a time in the past, a message that the actor may not read, a note outside the
            rules, or more reminders than an account may store
        """
        return reminders.create_reminder(
            self._svc,
            self._acting(actor),
            number(message_id=message_id),
            number(at=at),
            text(note=note),
        )
