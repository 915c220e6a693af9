"""Who is there, and who is writing."""

from chatcore.application import presence, typing
from chatcore.application.typing import Directly, InChannel, Op
from chatcore.chat.given import People, all_people, require_one_place
from chatcore.chat.noun import Noun, use_case, use_case_with
from chatcore.domain.groups import Actor
from chatcore.domain.ids import ChannelId, RecipientId


class Presence(Noun):
    """When people were last there, in seconds since 1970."""

    report = use_case(presence.client_called)
    get = use_case(presence.presence_of)
    list = use_case_with(presence.presences, presence.Wanted)


class Typing(Noun):
    def announce(
        self,
        actor: Actor,
        op: Op,
        *,
        channel_id: int | None = None,
        topic: str = "",
        to: People | None = None,
    ) -> None:
        """Tell others that the actor starts or stops to write in a channel, or to one or several people.

        In a channel with many subscribers nobody is told.

        :raises BadRequest: a message could not be sent there, or one's own settings say that nobody is told
        :raises InvalidParameter: another *op*, a channel or a topic together with people
        """
        require_one_place(channel_id, topic, to)
        where: Directly | InChannel = Directly(all_people("to", () if to is None else to))
        if channel_id is not None:
            where = InChannel(ChannelId(RecipientId(channel_id)), topic)
        typing.announce_typing(self._svc, actor, op, where)
