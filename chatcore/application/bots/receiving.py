"""Messages that other programs post to the addresses of integrations, as a bot."""

import json
from typing import Any

from chatcore.application.delivery.rendering import NO_FILES
from chatcore.application.messages.sending import SendDirect, SendToChannel, send
from chatcore.application.services import Services
from chatcore.domain.bots.integrations import INTEGRATIONS, post_of
from chatcore.domain.characters import stripped_name
from chatcore.domain.charsets import decode_text
from chatcore.domain.errors import BadRequest, InvalidJson, NotFound
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import MessageId

CLIENT = "Webhook"
"""The client of these messages, with the name of the integration."""


def receive(
    svc: Services, actor: Actor, integration: str, data: Any, *, channel: int | str | None, topic: str | None
) -> MessageId:
    """Send what an integration makes of data, as the actor: to a channel, or without one to the bot's owner.

    :raises NotFound: no such integration
    :raises AnomalousPayload: data that it does not understand
    :raises BadRequest: no channel is named and the actor has no owner, or no permission to send there
    :raises ChannelDoesNotExist: no such channel for the bot
    """
    if integration not in INTEGRATIONS:
        raise NotFound(f"There is no integration '{integration}'")
    post = post_of(integration, data)
    client = f"{CLIENT} {integration}"
    if channel is not None:
        topic = stripped_name(post.topic) if topic is None else topic
        cmd: SendToChannel | SendDirect = SendToChannel(
            channel=channel, topic=topic, content=post.content, client=client, files=NO_FILES
        )
    elif actor.owner is not None:
        cmd = SendDirect(to=[actor.owner.user_id], content=post.content, client=client, files=NO_FILES)
    else:
        raise BadRequest("Name a channel: the bot has no owner to write to.")
    return send(svc, actor, cmd).message_id


def read_json(text: bytes) -> Any:
    """Return the data in a text. Bytes that are no text in JSON's charsets are read all the same: programs
    that post do not post again.

    :raises InvalidJson:
    """
    try:
        try:
            return json.loads(text)
        except UnicodeDecodeError:
            return json.loads(decode_text(text))
    except (ValueError, RecursionError) as error:
        raise InvalidJson from error
