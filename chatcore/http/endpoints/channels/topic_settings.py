"""The older endpoint that mutes topics; that for all policies is made from its use case."""

from typing import Annotated, Literal

from chatcore.application.arguments import about
from chatcore.application.channels import topic_settings
from chatcore.application.services import Services
from chatcore.domain.errors import BadRequest
from chatcore.http.parameters.declaring import Params, Text
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Done


class MuteParams(Params, kw_only=True, frozen=True):
    stream_id: Annotated[int | None, about("The channel's id.")] = None
    stream: Annotated[Text | None, about("The channel's name, instead of the id.")] = None
    topic: Annotated[Text, about("The topic.")]
    op: Annotated[Literal["add", "remove"], about("Whether to mute or to unmute the topic.")]


def mute(svc: Services, caller: Caller, p: MuteParams) -> Done:
    """Mute or unmute a topic: the older form of the policies."""
    named = p.stream if p.stream_id is None else p.stream_id
    if named is None or (p.stream is not None and p.stream_id is not None):
        raise BadRequest("Please choose one: 'stream' or 'stream_id'.")
    topic_settings.mute_topic(svc, caller.actor, named, p.topic, muted=p.op == "add")
    return Done()
