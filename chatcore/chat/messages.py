"""Messages: sending, reading, changing, flagging and reacting to them."""

from collections.abc import Mapping, Sequence

from chatcore.application.delivery.storing import Sent
from chatcore.application.messages import (
    deleting,
    edit_history,
    editing,
    fetching,
    flags,
    reactions,
    read_receipts,
    reading,
    sending,
    submessages,
)
from chatcore.application.messages.edit_history import History
from chatcore.application.messages.fetching import Fetched, Reading
from chatcore.application.messages.flags import Changed, ChangedRange
from chatcore.chat.given import (
    Numbers,
    People,
    a_widget,
    all_people,
    number,
    number_or_text,
    numbers,
    optional,
    require_one_place,
    text,
    truth,
)
from chatcore.chat.noun import Noun
from chatcore.domain.groups import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.narrow.window import read_message_ids
from chatcore.domain.widgets import Widget
from chatcore.events.shapes.uploads import AttachmentShape


class Messages(Noun):
    def send(
        self,
        actor: Actor,
        content: str,
        *,
        channel: int | str | None = None,
        topic: str = "",
        to: People | None = None,
        client: str = "python",
        read_by_sender: bool | None = None,
        queue_id: str | None = None,
        local_id: str | None = None,
        widget: Widget | Mapping[str, object] | None = None,
    ) -> Sent:
        """Send to a channel, by id or name, and topic, or directly *to* one or several people; never to both.

        *read_by_sender* None leaves it to the name of the client. *queue_id* and *local_id* come together:
        the event for that queue carries the local id, and a repeated call with both makes no second message.
        Without a *widget* the text decides whether it is a poll or a list of tasks.

        :raises BadRequest: text, widget, topic or recipients outside the rules, or no permission
        :raises InvalidParameter: a channel or a topic together with people
        :raises ChannelDoesNotExist: the channel is not there for the sender
        :raises ChannelWildcardNotAllowed, TopicWildcardNotAllowed: too many people, and not allowed to
        :raises RateLimited: more conversations of three or more than may be begun on one day
        """
        cmd: sending.SendToChannel | sending.SendDirect
        require_one_place(channel, topic, to)
        if channel is not None:
            cmd = sending.SendToChannel(
                channel=number_or_text(channel=channel),
                topic=text(topic=topic),
                content=text(content=content),
                client=text(client=client),
                read_by_sender=optional(truth, read_by_sender=read_by_sender),
                queue_id=optional(text, queue_id=queue_id),
                local_id=optional(text, local_id=local_id),
                widget=optional(a_widget, widget=widget),
            )
        else:
            cmd = sending.SendDirect(
                to=all_people(to=() if to is None else to),
                content=text(content=content),
                client=text(client=client),
                read_by_sender=optional(truth, read_by_sender=read_by_sender),
                queue_id=optional(text, queue_id=queue_id),
                local_id=optional(text, local_id=local_id),
                widget=optional(a_widget, widget=widget),
            )
        return sending.send(self._svc, self._acting(actor), cmd)

    def render(self, actor: Actor, content: str) -> str:
        """The HTML that the text would have as a message of the actor.

        :raises BadRequest: text outside the rules, or a mention of a group that the actor may not mention
        """
        return sending.preview(self._svc, self._acting(actor), text(content=content))

    def fetch(
        self,
        actor: Actor | None,
        *,
        narrow: object = None,
        anchor: str | int = "newest",
        num_before: int = 100,
        num_after: int = 0,
        include_anchor: bool = True,
        message_ids: Numbers | None = None,
    ) -> Fetched:
        """Messages of a narrow around an anchor, ascending, or those with the given ids that may be read.

        *narrow* is what clients send, decoded: ``[{"operator": "channel", "operand": "lunch"}]``. An anchor
        is an id, "newest", "oldest" or "first_unread". Without an actor, only what is open to the web.

        :raises BadRequest, BadNarrow: a range outside the rules, or a narrow that cannot be read
        :raises LoginRequired: no actor, and more was asked for than is open
        """
        if message_ids is not None:
            wanted = read_message_ids(numbers(message_ids=message_ids), {}, self._svc.limits)
            return fetching.fetch(self._svc, self._acting_if_any(actor), narrow, wanted)
        part = fetching.Range(
            anchor=number_or_text(anchor=anchor),
            num_before=number(num_before=num_before),
            num_after=number(num_after=num_after),
            include_anchor=truth(include_anchor=include_anchor),
        )
        return fetching.fetch(self._svc, self._acting_if_any(actor), narrow, part)

    def fetch_received(self, actor: Actor, narrow: object, message_ids: Numbers) -> Fetched:
        """Those of the messages that are in the actor's history and that the narrow lets through.

        :raises BadRequest, BadNarrow: a narrow that cannot be read
        """
        wanted = read_message_ids(numbers(message_ids=message_ids), {}, self._svc.limits)
        return fetching.fetch_received(self._svc, self._acting(actor), narrow, wanted)

    def get(self, actor: Actor | None, message_id: int) -> Reading:
        """One message.

        :raises BadRequest: there is none, or it may not be read; one answer for both
        :raises LoginRequired: no actor, and the message is not open to the web
        """
        return fetching.get(self._svc, self._acting_if_any(actor), number(message_id=message_id))[0]

    def history(self, actor: Actor, message_id: int) -> History:
        """How a message was, as far as the organization lets it be seen and the actor could read it there.

        :raises BadRequest: no such message for the actor, or the organization shows no history
        """
        return edit_history.edit_history(self._svc, self._acting(actor), number(message_id=message_id))

    def edit(
        self,
        actor: Actor,
        message_id: int,
        *,
        content: str | None = None,
        topic: str | None = None,
        channel_id: int | None = None,
        propagate_mode: str = "change_one",
        tell_old_topic: bool = False,
        tell_new_topic: bool = True,
        prev_content_sha256: str | None = None,
    ) -> Sequence[AttachmentShape]:
        """Change a message; the author's files that no message links to any more. A text that it has already
        is no change.

        What is to be changed about a message; None stays as it is.

        :raises BadRequest: nothing to change, no such message, or no permission (any more)
        :raises InvalidParameter: another propagate_mode
        :raises ExpectationMismatch: the text is not the one that the client has seen
        :raises ChannelWildcardNotAllowed, TopicWildcardNotAllowed: too many people, and not allowed to
        :raises MoveTimeLimitExceeded: a part of the topic is too old to be moved
        """
        return editing.update_message(
            self._svc,
            self._acting(actor),
            number(message_id=message_id),
            editing.Change(
                content=optional(text, content=content),
                topic=optional(text, topic=topic),
                channel_id=optional(number, channel_id=channel_id),
                propagate_mode=text(propagate_mode=propagate_mode),
                tell_old_topic=truth(tell_old_topic=tell_old_topic),
                tell_new_topic=truth(tell_new_topic=tell_new_topic),
                prev_content_sha256=optional(text, prev_content_sha256=prev_content_sha256),
            ),
        )

    def delete(self, actor: Actor, message_id: int) -> None:
        """Delete a message.

        :raises BadRequest: there is none for the actor, no permission, or too late
        """
        deleting.delete_message(self._svc, self._acting(actor), number(message_id=message_id))

    def read_receipts(self, actor: Actor, message_id: int) -> Sequence[UserId]:
        """Who has read a message and lets others know, ascending: neither its sender, nor who was muted by
        the actor or has muted the actor, nor who is deactivated.

        :raises BadRequest: no such message for the actor, or the organization shows no receipts
        """
        return read_receipts.read_receipts(self._svc, self._acting(actor), number(message_id=message_id))

    def update_flags(self, actor: Actor, message_ids: Numbers, *, op: str, flag: str) -> Changed:
        """Set or clear a flag on messages.

        :raises BadRequest: an unknown or not changeable flag, or a message that may not be read
        """
        return flags.update_flags(
            self._svc,
            self._acting(actor),
            numbers(message_ids=message_ids),
            op=text(op=op),
            flag=text(flag=flag),
        )

    def update_flags_in_narrow(
        self,
        actor: Actor,
        narrow: object,
        *,
        anchor: int | str,
        num_before: int,
        num_after: int,
        include_anchor: bool,
        op: str,
        flag: str,
    ) -> ChangedRange:
        """Set or clear a flag on a range of a narrow, made smaller where it is too large for one step.

        :raises BadRequest, BadNarrow: a flag, an anchor or a narrow outside the rules
        """
        return flags.update_flags_in_narrow(
            self._svc,
            self._acting(actor),
            narrow,
            anchor=number_or_text(anchor=anchor),
            num_before=number(num_before=num_before),
            num_after=number(num_after=num_after),
            include_anchor=truth(include_anchor=include_anchor),
            op=text(op=op),
            flag=text(flag=flag),
        )

    def mark_all_as_read(self, actor: Actor) -> None:
        """Mark everything as read. It costs the same for any number of messages: watermarks move."""
        reading.mark_all_as_read(self._svc, self._acting(actor))


class Reactions(Noun):
    """An emoji is named; where several have had the name, a code and the kind of emoji say which one."""

    def add(
        self,
        actor: Actor,
        message_id: int,
        name: str,
        code: str | None = None,
        reaction_type: str | None = None,
    ) -> None:
        """React to a message, which enters the actor's history by it. The emoji's name alone is enough.

        :raises BadRequest: no such message for the actor, no such emoji, or too many different ones
        :raises ReactionExists:
        """
        reactions.add_reaction(
            self._svc,
            self._acting(actor),
            number(message_id=message_id),
            text(name=name),
            optional(text, code=code),
            optional(text, reaction_type=reaction_type),
        )

    def remove(
        self,
        actor: Actor,
        message_id: int,
        name: str | None = None,
        code: str | None = None,
        reaction_type: str | None = None,
    ) -> None:
        """Take a reaction of the actor's back, named by its emoji's code or name.

        :raises BadRequest: no such message for the actor, or no such emoji
        :raises NoSuchReaction:
        """
        reactions.remove_reaction(
            self._svc,
            self._acting(actor),
            number(message_id=message_id),
            optional(text, name=name),
            optional(text, code=code),
            optional(text, reaction_type=reaction_type),
        )


class Submessages(Noun):
    """What people add to a message for programs to read, such as votes in a poll."""

    def add(self, actor: Actor, message_id: int, msg_type: str, content: str) -> None:
        """Add to a message, and tell those who have it and whoever adds. *content* is JSON.

        Of a message without any the sender adds the first, which is a widget where *msg_type* is "widget".

        :raises BadRequest: no such message for the actor, nothing that can be added to it, or one too many
        """
        submessages.add_submessage(
            self._svc,
            self._acting(actor),
            number(message_id=message_id),
            text(msg_type=msg_type),
            text(content=content),
        )
