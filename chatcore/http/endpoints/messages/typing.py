"""The endpoint for typing notifications."""

from typing import Annotated, Literal

from chatcore.application.arguments import Id, about
from chatcore.application.messages import typing
from chatcore.application.messages.typing import ToPeople, ToTopic
from chatcore.application.services import Services
from chatcore.domain.errors import BadRequest
from chatcore.domain.ids import ChannelId, RecipientId
from chatcore.domain.messages.recipients import missing_topic
from chatcore.http.parameters.declaring import Params, Text
from chatcore.http.parameters.recipients import DIRECT, RecipientType
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Done


class TypingParams(Params, kw_only=True, frozen=True):
    op: Annotated[Literal["start", "stop"], about("Whether the caller starts or stops typing.")]
    type: Annotated[
        RecipientType,
        about("The kind of recipient; 'stream' and 'private' are older names of 'channel' and 'direct'."),
    ] = "direct"
    to: Annotated[list[int] | None, about("The ids of the people of a direct message.")] = None
    stream_id: Annotated[Id | None, about("The channel.")] = None
    topic: Annotated[Text | None, about("The topic in the channel.")] = None


def set_typing(svc: Services, caller: Caller, p: TypingParams) -> Done:
    """Notify others that the caller starts or stops typing."""
    typing.announce_typing(svc, caller.actor, p.op, _read_recipient(p))
    return Done()


def _read_recipient(p: TypingParams) -> ToTopic | ToPeople:
    if p.type in DIRECT:
        return ToPeople(p.to or [])
    if p.stream_id is None:
        raise BadRequest("Missing stream_id")
    if p.topic is None:
        raise missing_topic()
    return ToTopic(ChannelId(RecipientId(p.stream_id)), p.topic)
