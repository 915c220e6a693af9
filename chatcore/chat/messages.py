"""Messages: sending, reading, changing, flagging and reacting to them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path

from chatcore.application.delivery.storing import Sent
from chatcore.application.imports.corpus import Line, file_of, read_corpus
from chatcore.application.imports.importing import Imported, import_corpus
from chatcore.application.messages import (
    deleting,
    edit_history,
    editing,
    fetching,
    flags,
    marking,
    reactions,
    read_receipts,
    reports,
    sending,
    submessages,
    unread,
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
from chatcore.chat.part import Part
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.messages.unread import Unread
from chatcore.domain.messages.widgets import Widget
from chatcore.domain.narrow.window import read_message_ids
from chatcore.events.shapes.uploads import AttachmentObject

FETCH_SIZE = 500
"""Messages that `iterate` fetches at a time."""


class Messages(Part):
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
        """Send a message to a *channel* (id or name) and *topic*, or directly *to* one or several people;
        never to both. Return its id (`message_id`), and the sender's new policy for the topic if sending has
        changed it.

        A *topic* is the title of the conversation in the channel; "" is the empty topic, if the organization
        allows that. *client* is the name of the sending program, which readers receive with the message. If
        *read_by_sender* is None, this name decides: messages from apps for people are read by their sender.
        *queue_id* and *local_id* come together: the event for that queue carries the local id, and a repeated
        call with both sends no second message. Without a *widget*, the text decides whether the message is a
        poll or a list of tasks.

        :raises BadRequest: an invalid text, widget, topic or recipient, or no permission
        :raises InvalidParameter: people together with a channel or topic
        :raises ChannelDoesNotExist: no such channel for the sender
        :raises ChannelWildcardNotAllowed, TopicWildcardNotAllowed: a mention of too many people, without
            permission
        :raises RateLimited: more group conversations than the sender may begin on one day
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

        :raises BadRequest: an invalid text, or a mention of a group that the actor may not mention
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
        """Fetch messages of a narrow around an anchor, or those of *message_ids* that the actor may read,
        ascending.

        The answer has `readings`: each message with its flags, sender, people and channel; and `page`, which
        says whether the anchor, the oldest and the newest message of the narrow are among them.

        *narrow* is in the form of the HTTP API, decoded: ``[{"operator": "channel", "operand": "lunch"}]``.
        An anchor is an id, "newest", "oldest" or "first_unread". Without an actor only web-public messages
        are found.

        :raises BadRequest, BadNarrow: an invalid range or narrow
        :raises LoginRequired: no actor, and the narrow asks for more than is open to the web
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

    def iterate(
        self, actor: Actor | None, *, narrow: object = None, newest_first: bool = False
    ) -> Iterator[Reading]:
        """Iterate over all messages of a narrow, however many they are; each part is fetched when the
        iterator reaches it. Oldest first, new messages are found, too, until the iterator ends.

        :raises BadRequest, BadNarrow: an invalid narrow
        :raises LoginRequired: as `fetch` does
        """
        newest_first = truth(newest_first=newest_first)
        anchor: str | int = "newest" if newest_first else "oldest"
        while True:
            found = self.fetch(
                actor,
                narrow=narrow,
                anchor=anchor,
                num_before=FETCH_SIZE if newest_first else 0,
                num_after=0 if newest_first else FETCH_SIZE,
                include_anchor=isinstance(anchor, str),
            )
            yield from reversed(found.readings) if newest_first else found.readings
            if (found.page.found_oldest if newest_first else found.page.found_newest) or not found.readings:
                return
            anchor = found.readings[0 if newest_first else -1].message.id

    def import_(
        self,
        messages: Path | str | Iterable[Line | Mapping[str, object]],
        *,
        subscribe_everybody: bool = False,
        progress: Callable[[int], object] = lambda done: None,
        processes: int | None = 1,
    ) -> Imported:
        """Import messages of another system with their times, as `chatcore import corpus` does: a file of
        JSON lines, by its path, or `ImportLine`s. For the organization's own tools.

        Missing accounts and channels are created; senders are subscribed to the channels in which they write.
        No message is imported twice: an interrupted import continues when it is repeated, and of a log that
        has grown only the new messages are imported. Two messages are the same if time, channel, topic,
        sender and text are equal; equal messages of one log are different messages. Afterwards all messages
        count as read, and clients register anew. *progress* is called with the number of
        messages in the store. Several *processes* render large files faster; None is one for each processor.

        :raises BadCorpus: an invalid message, whose line the error names, or a channel that is private or
            archived here; or the file has changed meanwhile
        """
        svc = self._svc
        is_file = isinstance(messages, Path | str)
        with nullcontext(Path(messages)) if isinstance(messages, Path | str) else file_of(messages) as file:
            corpus = read_corpus(
                file, svc.limits, now=svc.now, host=svc.settings.host, is_given_by_program=not is_file
            )
            return import_corpus(
                svc,
                corpus,
                subscribe_everybody=truth(subscribe_everybody=subscribe_everybody),
                progress=progress,
                processes=optional(number, processes=processes),
            )

    def fetch_received(self, actor: Actor, narrow: object, message_ids: Numbers) -> Fetched:
        """Fetch those of the messages that are in the actor's history and match the narrow.

        :raises BadRequest, BadNarrow: an invalid narrow
        """
        wanted = read_message_ids(numbers(message_ids=message_ids), {}, self._svc.limits)
        return fetching.fetch_received(self._svc, self._acting(actor), narrow, wanted)

    def get(self, actor: Actor | None, message_id: int) -> Reading:
        """Return one message.

        :raises BadRequest: no such message, or the actor may not read it; one answer for both
        :raises LoginRequired: no actor, and the message is not open to the web
        """
        return fetching.get(self._svc, self._acting_if_any(actor), number(message_id=message_id))[0]

    def history(self, actor: Actor, message_id: int) -> History:
        """Return the versions of a message, as far as the organization shows them and the actor could read
        the message where it was.

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
    ) -> Sequence[AttachmentObject]:
        """Change a message, and return the author's files that no message links to any more.

        None leaves a property unchanged. An identical text is no change. A new topic or channel moves the
        message; *propagate_mode* selects the messages that move with it: none ("change_one"), the later ones
        of its topic ("change_later"), or the whole topic ("change_all").

        :raises BadRequest: nothing to change, no such message for the actor, or no permission (any more)
        :raises InvalidParameter: an unknown *propagate_mode*
        :raises ExpectationMismatch: *prev_content_sha256* is not the digest of the current text
        :raises ChannelWildcardNotAllowed, TopicWildcardNotAllowed: a mention of too many people, without
            permission
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

        :raises BadRequest: no such message for the actor, no permission, or too late
        """
        deleting.delete_message(self._svc, self._acting(actor), number(message_id=message_id))

    def read_receipts(self, actor: Actor, message_id: int) -> Sequence[UserId]:
        """Return the users who have read a message and share that, ascending. The list excludes the sender,
        deactivated users, users whom the actor has muted, and users who have muted the actor.

        :raises BadRequest: no such message for the actor, or the organization shows no receipts
        """
        return read_receipts.read_receipts(self._svc, self._acting(actor), number(message_id=message_id))

    def report(self, actor: Actor, message_id: int, report_type: str, description: str = "") -> None:
        """Report a message to the moderators: the notification bot sends a report with the present text of
        the message to their channel. Types of reports are in `domain.messages.reports.REASONS`.

        :raises BadRequest: no such message for the actor, a description outside the rules, or an organization
            without a channel for moderation requests
        :raises InvalidParameter: no such type of reports
        :raises RateLimited: more reports than an account may send on one day
        """
        reports.report_message(
            self._svc,
            self._acting(actor),
            number(message_id=message_id),
            text(report_type=report_type),
            text(description=description),
        )

    def unread(self, actor: Actor) -> Unread:
        """Return the actor's unread messages: their number (`count`), and their ids by topic and by
        conversation. Muted topics are listed, but not counted; of more than 50,000, the newest are listed.
        """
        return unread.unread(self._svc, self._acting(actor))

    def update_flags(self, actor: Actor, message_ids: Numbers, *, op: str, flag: str) -> Changed:
        """Set or clear a flag on messages, and return the messages that changed.

        *op* is "add" or "remove"; *flag* is "read", "starred" or "collapsed".

        :raises BadRequest: an unknown *op*, another flag, or a message that the actor may not read
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
        """Set or clear a flag on a range of a narrow, shortened if it is too large for one step. Return the
        messages of the range, and those that changed.

        *op* and *flag* are as in `update_flags`, the range and the *narrow* as in `fetch`.

        :raises BadRequest, BadNarrow: an invalid flag, anchor or narrow
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


class Reactions(Part):
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


class Submessages(Part):
    """Submessages: machine-readable additions to a message, such as votes in a poll."""

    def add(self, actor: Actor, message_id: int, msg_type: str, content: str) -> None:
        """Add a submessage to a message; notify the actor and the users who have the message. *content* is
        JSON.

        Only the sender may add the first submessage of a message; its *msg_type* "widget" makes the message a
        widget.

        :raises BadRequest: no such message for the actor, an invalid submessage, or one too many
        """
        submessages.add_submessage(
            self._svc,
            self._acting(actor),
            number(message_id=message_id),
            text(msg_type=msg_type),
            text(content=content),
        )
