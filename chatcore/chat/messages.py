"""Messages: sending, reading, changing, flagging and reacting to them."""

from collections.abc import Mapping, Sequence

from chatcore.application.delivery.storing import Sent
from chatcore.application.messages import (
    deleting,
    edit_history,
    editing,
    fetching,
    flags,
    marking,
    reactions,
    read_receipts,
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
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.messages.widgets import Widget
from chatcore.domain.narrow.window import read_message_ids
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
        """Send a message to a channel, by id or name, and topic, or directly *to* one or several people;
        never to both.

        With None for *read_by_sender* the name of the client decides. *queue_id* and *local_id* belong
        together: the event for that queue carries the local id, and a repeated call with both makes no second
        message. Without a *widget* the text decides whether the message is a poll or a list of tasks.

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
        """Return the HTML that the text would have as a message of the actor.

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
        """Fetch messages of a narrow around an anchor, ascending, or those of the ids that the actor may
        read.

        *narrow* is in the form of the HTTP API, decoded: ``[{"operator": "channel", "operand": "lunch"}]``.
        An anchor is an id, "newest", "oldest" or "first_unread". Without an actor only web-public messages
        are found.

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
        """Fetch those of the messages that are in the actor's history and match the narrow.

        :raises BadRequest, BadNarrow: a narrow that cannot be read
        """
        wanted = read_message_ids(numbers(message_ids=message_ids), {}, self._svc.limits)
        return fetching.fetch_received(self._svc, self._acting(actor), narrow, wanted)

    def get(self, actor: Actor | None, message_id: int) -> Reading:
        """Return one message.

        :raises BadRequest: there is none, or it may not be read; one answer for both
        :raises LoginRequired: no actor, and the message is not open to the web
        """
        return fetching.get(self._svc, self._acting_if_any(actor), number(message_id=message_id))[0]

    def history(self, actor: Actor, message_id: int) -> History:
        """Return the versions of a message, as far as the organization shows them and the actor could read
        them then.

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
        notify_old_topic: bool = False,
        notify_new_topic: bool = True,
        prev_content_sha256: str | None = None,
    ) -> Sequence[AttachmentShape]:
        """Change a message, and return the author's files that no message links to any more.

        None leaves a property unchanged. An identical text is no change.

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
                notify_old_topic=truth(notify_old_topic=notify_old_topic),
                notify_new_topic=truth(notify_new_topic=notify_new_topic),
                prev_content_sha256=optional(text, prev_content_sha256=prev_content_sha256),
            ),
        )

    def delete(self, actor: Actor, message_id: int) -> None:
        """Delete a message.

        :raises BadRequest: there is none for the actor, no permission, or too late
        """
        deleting.delete_message(self._svc, self._acting(actor), number(message_id=message_id))

    def read_receipts(self, actor: Actor, message_id: int) -> Sequence[UserId]:
        """Return the users who have read a message and share that, ascending. The list excludes the sender,
        deactivated users, users whom the actor has muted, and users who have muted the actor.

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
        """Set or clear a flag on a range of a narrow, shortened if it is too large for one step.

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
        """Mark all messages as read. The cost does not depend on their number: watermarks move."""
        marking.mark_all_as_read(self._svc, self._acting(actor))


class Reactions(Noun):
    """Reactions by the name of an emoji; its code and kind select one of several emoji with the same name."""

    def add(
        self,
        actor: Actor,
        message_id: int,
        name: str,
        code: str | None = None,
        reaction_type: str | None = None,
    ) -> None:
        """Add a reaction to a message, which thereby enters the actor's history. The emoji's name is enough.

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
        """Remove a reaction of the actor, named by its emoji's code or name.

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
    """Additions to a message for programs, such as votes in a poll."""

    def add(self, actor: Actor, message_id: int, msg_type: str, content: str) -> None:
        """Add to a message, and notify the users who have it and the actor. *content* is JSON.

        The first addition to a message comes from its sender; with "widget" for *msg_type* it is a widget.

        :raises BadRequest: no such message for the actor, nothing that can be added to it, or one too many
        """
        submessages.add_submessage(
            self._svc,
            self._acting(actor),
            number(message_id=message_id),
            text(msg_type=msg_type),
            text(content=content),
        )
