"""The requests that are posted to the services of outgoing webhooks."""

import json
from dataclasses import dataclass
from urllib.parse import urlencode

import msgspec

from chatcore.application.bots.called import Called
from chatcore.application.people.logins import api_key
from chatcore.application.services import Services
from chatcore.domain.bots.answers import BadAnswer
from chatcore.domain.bots.settings import Interface
from chatcore.domain.people.api_keys import service_token
from chatcore.domain.people.users import api_email
from chatcore.events.payloads.messages import MessageOptions, message_shape

DIRECT, MENTION = "direct_message", "mention"


@dataclass(frozen=True, slots=True)
class CallContent:
    """The body of a request to the service of a bot, about a message that calls the bot."""

    body: bytes
    content_type: str


def content_of_call(svc: Services, called: Called) -> CallContent:
    """Return what a service gets about a message.

    :raises BadAnswer: the interface has no form for direct messages
    """
    token = service_token(api_key(svc, called.bot.id, called.bot.key_version))
    if called.settings.interface == Interface.TEXT:
        return _form(svc, called, token)
    media = svc.settings.foreign_media
    shape = message_shape(
        called.message,
        sender=called.sender,
        people=called.people,
        channel_name=called.channel_name,
        reader=called.bot.id,
        options=MessageOptions(
            media=media, apply_markdown=False, client_gravatar=False, empty_topic_name=called.empty_topic
        ),
    )
    content = {
        "bot_email": api_email(called.bot, svc.settings.host),
        "bot_full_name": called.bot.full_name,
        "data": called.message.content,
        "trigger": MENTION if called.call.is_mention else DIRECT,
        "token": token,
        "message": {
            **json.loads(msgspec.json.encode(shape)),
            "rendered_content": media.shown(called.message.rendered_content),
        },
    }
    return CallContent(json.dumps(content).encode(), "application/json")


def _form(svc: Services, called: Called, token: str) -> CallContent:
    """Return the form of the text interface, with the fields that its services expect."""
    message = called.message
    if message.channel_id is None:
        raise BadAnswer("The interface of this bot is for messages in channels only.")
    fields = {
        "token": token,
        "team_id": "T1",
        "team_domain": svc.settings.host,
        "channel_id": f"C{message.channel_id}",
        "channel_name": called.channel_name,
        "thread_ts": message.id,
        "timestamp": message.timestamp,
        "user_id": f"U{called.sender.id}",
        "user_name": called.sender.full_name,
        "text": message.content,
        "trigger_word": MENTION,
        "service_id": called.bot.id,
    }
    return CallContent(urlencode(fields).encode(), "application/x-www-form-urlencoded")
