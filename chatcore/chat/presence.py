"""Who is there, and who is writing."""

from collections.abc import Sequence

from chatcore.application import presence, typing
from chatcore.application.typing import Directly, InChannel, Op
from chatcore.chat.noun import Noun, use_case, use_case_with
from chatcore.domain.groups import Actor
from chatcore.domain.ids import ChannelId


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
        channel_id: ChannelId | None = None,
        topic: str = "",
        to: Sequence[int] = (),
    ) -> None:
        """Tell others that the actor starts or stops to write in a channel, or to people by their ids.

        In a channel with many subscribers nobody is told.

        :raises BadRequest: a message could not be sent there, or one's own settings say that nobody is told
        :raises InvalidParameter: another *op*
        """
        where = Directly(to) if channel_id is None else InChannel(channel_id, topic)
        typing.announce_typing(self._svc, actor, op, where)
