"""Messages: sending, reading, changing, flagging and reacting to them."""

from collections.abc import Sequence

from chatcore.application import (
    deleting,
    edit_history,
    editing,
    fetching,
    flags,
    messages,
    reactions,
    read_receipts,
    reading,
    submessages,
)
from chatcore.application.delivery import Sent
from chatcore.application.fetching import Fetched, Reading
from chatcore.chat.given import People, all_people, require_one_place
from chatcore.chat.noun import Noun, use_case, use_case_with
from chatcore.domain.groups import Actor
from chatcore.domain.narrow.window import read_message_ids
from chatcore.domain.widgets import Widget


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
        widget: Widget | None = None,
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
        cmd: messages.SendToChannel | messages.SendDirect
        require_one_place(channel, topic, to)
        if channel is not None:
            cmd = messages.SendToChannel(
                channel=channel,
                topic=topic,
                content=content,
                client=client,
                read_by_sender=read_by_sender,
                queue_id=queue_id,
                local_id=local_id,
                widget=widget,
            )
        else:
            cmd = messages.SendDirect(
                to=all_people("to", () if to is None else to),
                content=content,
                client=client,
                read_by_sender=read_by_sender,
                queue_id=queue_id,
                local_id=local_id,
                widget=widget,
            )
        return messages.send(self._svc, actor, cmd)

    render = use_case(messages.preview)

    def fetch(
        self,
        actor: Actor | None,
        *,
        narrow: object = None,
        anchor: str | int = "newest",
        num_before: int = 100,
        num_after: int = 0,
        include_anchor: bool = True,
        message_ids: Sequence[int] | None = None,
    ) -> Fetched:
        """Messages of a narrow around an anchor, ascending, or those with the given ids that may be read.

        *narrow* is what clients send, decoded: ``[{"operator": "channel", "operand": "lunch"}]``. An anchor
        is an id, "newest", "oldest" or "first_unread". Without an actor, only what is open to the web.

        :raises BadRequest, BadNarrow: a range outside the rules, or a narrow that cannot be read
        :raises LoginRequired: no actor, and more was asked for than is open
        """
        if message_ids is not None:
            wanted = read_message_ids(message_ids, {}, self._svc.limits)
            return fetching.fetch(self._svc, actor, narrow, wanted)
        part = fetching.Range(
            anchor=anchor, num_before=num_before, num_after=num_after, include_anchor=include_anchor
        )
        return fetching.fetch(self._svc, actor, narrow, part)

    def fetch_received(self, actor: Actor, narrow: object, message_ids: Sequence[int]) -> Fetched:
        """Those of the messages that are in the actor's history and that the narrow lets through.

        :raises BadRequest, BadNarrow: a narrow that cannot be read
        """
        wanted = read_message_ids(message_ids, {}, self._svc.limits)
        return fetching.fetch_received(self._svc, actor, narrow, wanted)

    def get(self, actor: Actor | None, message_id: int) -> Reading:
        """One message.

        :raises BadRequest: there is none, or it may not be read; one answer for both
        :raises LoginRequired: no actor, and the message is not open to the web
        """
        return fetching.get(self._svc, actor, message_id)[0]

    history = use_case(edit_history.edit_history)
    edit = use_case_with(editing.update_message, editing.Change)
    delete = use_case(deleting.delete_message)
    read_receipts = use_case(read_receipts.read_receipts)
    update_flags = use_case(flags.update_flags)
    update_flags_in_narrow = use_case(flags.update_flags_in_narrow)
    mark_all_as_read = use_case(reading.mark_all_as_read)


class Reactions(Noun):
    """An emoji is named; where several have had the name, a code and the kind of emoji say which one."""

    add = use_case(reactions.add_reaction)
    remove = use_case(reactions.remove_reaction)


class Submessages(Noun):
    """What people add to a message for programs to read, such as votes in a poll."""

    add = use_case(submessages.add_submessage)
