"""Presence of users, and typing notifications."""

from chatcore.application.messages import typing
from chatcore.application.messages.typing import Op, ToPeople, ToTopic
from chatcore.application.people import presence
from chatcore.application.visibility import presences
from chatcore.chat.given import People, all_people, number, require_one_place, text, truth
from chatcore.chat.made import presence as made
from chatcore.chat.part import Part
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ChannelId, RecipientId


class Presence(made.Presence):
    """Times of presence, in seconds since 1970."""

    def list(
        self, actor: Actor, *, slim: bool = False, history_days: int = 14, after: int = -1
    ) -> presences.Presences:
        """Return the presences of the users who are visible to the actor.

        With *slim* they are listed by user id, otherwise by API address.
        """
        return presence.presences(
            self._svc,
            self._acting(actor),
            presences.WantedPresences(
                slim=truth(slim=slim),
                history_days=number(history_days=history_days),
                after=number(after=after),
            ),
        )


class Typing(Part):
    def announce(
        self,
        actor: Actor,
        op: Op,
        *,
        channel_id: int | None = None,
        topic: str = "",
        to: People | None = None,
    ) -> None:
        """Announce that the actor starts or stops writing in a channel, or to one or several people.

        In a channel with many subscribers nobody is notified.

        :raises BadRequest: the actor may not send a message there, or has turned these notifications off
        :raises InvalidParameter: another *op*, a channel or a topic together with people
        """
        require_one_place(channel_id, topic, to)
        where: ToPeople | ToTopic = ToPeople(all_people(to=() if to is None else to))
        if channel_id is not None:
            number(channel_id=channel_id)
            where = ToTopic(ChannelId(RecipientId(channel_id)), text(topic=topic))
        typing.announce_typing(self._svc, self._acting(actor), op, where)

    def announce_edit(self, actor: Actor, op: Op, message_id: int) -> None:
        """Notify users that the actor starts or stops editing a message: those who would be notified of the
        edit.

        In a channel with many subscribers nobody is notified.

        :raises BadRequest: no such message for the actor, a message that the actor may not edit (any more),
            or the actor has turned these notifications off
        :raises InvalidParameter: another *op*
        """
        typing.announce_edit_typing(self._svc, self._acting(actor), op, number(message_id=message_id))
