"""Messages: sending, reading, changing, flagging and reacting to them.

Made by scripts/build_chat.py, not by hand.
"""

from collections.abc import Sequence

from chatcore.application.messages import (
    deleting,
    edit_history,
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
from chatcore.application.messages.flags import Changed, ChangedRange
from chatcore.chat.given import Numbers, number, number_or_text, numbers, optional, text, truth
from chatcore.chat.part import Part
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.messages.unread import Unread


class Messages(Part):
    def render(self, actor: Actor, content: str) -> str:
        """Render a text as a message, without sending it.

        :raises BadRequest: an invalid text, or a mention of a group that the actor may not mention
        """
        return sending.preview(self._svc, self._acting(actor), text(content=content))

    def history(self, actor: Actor, message_id: int) -> History:
        """Return the versions of a message, as far as the organization shows them and the actor could read
        the message where it was.

        :raises BadRequest: no such message for the actor, or the organization shows no history
        """
        return edit_history.edit_history(self._svc, self._acting(actor), number(message_id=message_id))

    def delete(self, actor: Actor, message_id: int) -> None:
        """Delete a message, for everybody.

        :raises BadRequest: no such message for the actor, no permission, or too late
        :raises MustBeKept: a hold is on the message
        """
        deleting.delete_message(self._svc, self._acting(actor), number(message_id=message_id))

    def read_receipts(self, actor: Actor, message_id: int) -> Sequence[UserId]:
        """List the users who have read a message and who send read receipts.

        :returns: ids, ascending; without the sender, deactivated users, users whom the actor has muted, and
            users who have muted the actor
        :raises BadRequest: no such message for the actor, or the organization shows no receipts
        """
        return read_receipts.read_receipts(self._svc, self._acting(actor), number(message_id=message_id))

    def report(self, actor: Actor, message_id: int, report_type: str, description: str = "") -> None:
        """Report a message to the moderators: the notification bot sends a report with the present text of
        the message to their channel.

        :param report_type: one of `domain.messages.reports.REASONS`
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
        """Return the actor's unread messages.

        :returns: their number (`count`), and their ids by topic and by conversation; muted topics are listed,
            but not counted, and of many messages the newest are listed, as many as the first state of a
            client has
        """
        return unread.unread(self._svc, self._acting(actor))

    def update_flags(self, actor: Actor, message_ids: Numbers, *, op: str, flag: str) -> Changed:
        """Set or clear a flag on messages: on all of them, or on none if one may not be read.

        :param op: "add" or "remove"
        :param flag: "read", "starred" or "collapsed"
        :returns: ids of the messages that changed
        :raises BadRequest: an unknown or unchangeable flag, or a message that the actor may not read
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
        """Set or clear a flag on a range of a narrow, shortened if it is too large for one request.

        :param op: as for `update_flags`, and *flag* too
        :returns: the messages of the range, and those that changed
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
    """Reactions by the name of an emoji; code and kind select one of several of the same name."""

    def add(
        self,
        actor: Actor,
        message_id: int,
        name: str,
        code: str | None = None,
        reaction_type: str | None = None,
    ) -> None:
        """React to a message with an emoji.

        :effect: the message enters the actor's history, and by their settings subscribers may thereby follow
            or unmute its topic
        :param code: None if the name decides, as *reaction_type*
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
        """Remove one of the caller's reactions.

        :param name: the reaction is named by this name or by *code*
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
        """Add a submessage, which clients interpret, such as a vote in a poll.

        :param msg_type: only the sender may add the first submessage of a message; "widget" makes the message
            a widget
        :param content: JSON
        :raises BadRequest: no such message for the actor, an invalid submessage, or one too many
        """
        submessages.add_submessage(
            self._svc,
            self._acting(actor),
            number(message_id=message_id),
            text(msg_type=msg_type),
            text(content=content),
        )
