"""Endpoints that renew an API key."""

from typing import Annotated

from chatcore.application.arguments import about
from chatcore.application.people import credentials
from chatcore.application.services import Services
from chatcore.http.endpoints.people.proof import OwnPassword, require_proof
from chatcore.http.parameters.declaring import SECRET, Params, Text
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Answer


class KeyAnswer(Answer, frozen=True, kw_only=True):
    api_key: str


class RenewOwnParams(Params, kw_only=True, frozen=True):
    current_api_key: Annotated[
        Text, about("The key to be replaced; required in a browser's session."), SECRET
    ] = ""


def renew_own(svc: Services, caller: Caller, p: RenewOwnParams) -> KeyAnswer:
    """Replace the caller's API key. With the old one end event queues, and sessions of browsers except the
    one that asks.
    """
    if caller.session:
        key = credentials.renew_own_key_in_session(svc, caller.actor, caller.session, p.current_api_key)
    else:
        key = credentials.renew_own_key(svc, caller.actor)
    return KeyAnswer(api_key=key)


class BotParams(Params, kw_only=True, frozen=True):
    bot_id: Annotated[int, about("The bot's id.")]
    own_password: OwnPassword = ""


def renew_of_bot(svc: Services, caller: Caller, p: BotParams) -> KeyAnswer:
    """Replace a bot's API key, as its owner or an administrator."""
    require_proof(svc, caller, p.own_password)
    return KeyAnswer(api_key=credentials.renew_bot_key(svc, caller.actor, p.bot_id))
