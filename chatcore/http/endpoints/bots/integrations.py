"""The endpoint to which other programs post."""

from typing import Annotated

from chatcore.application.arguments import about
from chatcore.application.bots.receiving import read_json, receive
from chatcore.application.services import Services
from chatcore.http.bodies.incoming import Incoming
from chatcore.http.bodies.payload import payload
from chatcore.http.parameters.declaring import Params, Text
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import MAX_BODY, Answer


class PostParams(Params, kw_only=True, frozen=True):
    integration: Annotated[Text, about("The name of the integration, which says of what form the data are.")]
    api_key: Annotated[Text, about("The key of the bot that sends.")]
    stream: Annotated[
        Text | None, about("The channel, by name or id; without it the message goes to the bot's owner.")
    ] = None
    topic: Annotated[Text | None, about("The topic; without it the integration chooses one.")] = None


class PostAnswer(Answer, frozen=True, kw_only=True):
    id: int


def post(svc: Services, caller: Caller, request: Incoming, p: PostParams) -> PostAnswer:
    """Send a message made of the data that another program posts, as JSON or as the field `payload` of a
    form.

    The key of an incoming webhook permits this and sending messages, and nothing else.
    """
    body = payload(b"".join(request.pieces(MAX_BODY)), request.content_type)
    message_id = receive(
        svc,
        caller.actor,
        p.integration,
        read_json(body),
        channel=_read_channel(p.stream),
        topic=p.topic or None,
    )
    return PostAnswer(id=message_id)


def _read_channel(stream: str | None) -> int | str | None:
    """Return an id, a name, or None for the default channel of the bot."""
    if stream is not None and stream.isascii() and stream.isdecimal() and len(stream) < 19:
        return int(stream)
    return stream or None
