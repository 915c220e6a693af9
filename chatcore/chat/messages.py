"""Messages: sending, reading, changing, flagging and reacting to them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path

from chatcore.application.delivery.checked_messages import Sent
from chatcore.application.imports.corpus import ImportLine, file_of, read_corpus
from chatcore.application.imports.importing import Imported, import_corpus
from chatcore.application.messages import (
    editing,
    fetching,
    sending,
)
from chatcore.application.messages.fetching import Fetched, Reading
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
from chatcore.chat.made import messages as made
from chatcore.domain.groups.actors import Actor
from chatcore.domain.messages.widgets import Widget
from chatcore.domain.narrow.window import read_message_ids
from chatcore.events.payloads.uploads import AttachmentObject

FETCH_SIZE = 500
"""Messages that `iterate` fetches at a time."""


class Messages(made.Messages):
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
            fetched = self.fetch(
                actor,
                narrow=narrow,
                anchor=anchor,
                num_before=FETCH_SIZE if newest_first else 0,
                num_after=0 if newest_first else FETCH_SIZE,
                include_anchor=isinstance(anchor, str),
            )
            yield from reversed(fetched.readings) if newest_first else fetched.readings
            found_end = fetched.page.found_oldest if newest_first else fetched.page.found_newest
            if found_end or not fetched.readings:
                return
            anchor = fetched.readings[0 if newest_first else -1].message.id

    def import_(
        self,
        messages: Path | str | Iterable[ImportLine | Mapping[str, object]],
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

    def show_html(self, html: str) -> str:
        """Return the stored HTML of a message as its readers get it, with pictures, films and sounds of other
        sites as the setting `external_images` says. Other HTML comes back as it is: nothing is made safe.
        """
        return self._svc.settings.foreign_media.shown(text(html=html))

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
        :raises MustBeKept: a hold is on the message, and an earlier version of it would be lost; or on the
            channel that it would leave
        """
        return editing.update_message(
            self._svc,
            self._acting(actor),
            number(message_id=message_id),
            editing.MessageChange(
                content=optional(text, content=content),
                topic=optional(text, topic=topic),
                channel_id=optional(number, channel_id=channel_id),
                propagate_mode=text(propagate_mode=propagate_mode),
                notify_old_topic=truth(notify_old_topic=notify_old_topic),
                notify_new_topic=truth(notify_new_topic=notify_new_topic),
                prev_content_sha256=optional(text, prev_content_sha256=prev_content_sha256),
            ),
        )
