"""Endpoints that rotate an API key."""

from typing import Annotated

from chatcore.application.people import credentials
from chatcore.application.services import Services
from chatcore.http.auth import Caller
from chatcore.http.parameters.declaring import NoParams, Params, about
from chatcore.http.routing import Answer


class KeyAnswer(Answer, frozen=True, kw_only=True):
    api_key: str


def renew_own(svc: Services, caller: Caller, p: NoParams) -> KeyAnswer:
    """Replace the caller's API key. With the old one end event queues, and sessions of browsers except the
    one that asks.
    """
    return KeyAnswer(api_key=credentials.renew_own_key(svc, caller.actor, session=caller.session))


class BotParams(Params, kw_only=True, frozen=True):
    bot_id: Annotated[int, about("The bot's id.")]


def renew_of_bot(svc: Services, caller: Caller, p: BotParams) -> KeyAnswer:
    """Replace a bot's API key, as its owner or an administrator."""
    return KeyAnswer(api_key=credentials.renew_bot_key(svc, caller.actor, p.bot_id))
