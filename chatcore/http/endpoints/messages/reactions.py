"""Endpoints for reactions to messages."""

from typing import Annotated

from chatcore.application.arguments import Id, about
from chatcore.application.messages import reactions
from chatcore.application.services import Services
from chatcore.http.auth import Caller
from chatcore.http.parameters.declaring import Params, Text
from chatcore.http.routing import Done


class AddParams(Params, kw_only=True, frozen=True):
    message_id: Annotated[Id, about("The message's id.")]
    emoji_name: Annotated[Text, about("A name of the emoji.")]
    emoji_code: Annotated[Text | None, about("The emoji's code; by default the name decides.")] = None
    reaction_type: Annotated[Text | None, about("The kind of emoji; by default the name decides.")] = None


def add(svc: Services, caller: Caller, p: AddParams) -> Done:
    """React to a message with an emoji."""
    reactions.add_reaction(svc, caller.actor, p.message_id, p.emoji_name, p.emoji_code, p.reaction_type)
    return Done()


class RemoveParams(Params, kw_only=True, frozen=True):
    message_id: Annotated[Id, about("The message's id.")]
    emoji_name: Annotated[Text | None, about("A name of the emoji.")] = None
    emoji_code: Annotated[Text | None, about("The emoji's code, instead of a name.")] = None
    reaction_type: Annotated[
        Text | None, about("The kind of emoji; by default the code is that of a Unicode emoji.")
    ] = None


def remove(svc: Services, caller: Caller, p: RemoveParams) -> Done:
    """Remove one of the caller's reactions."""
    reactions.remove_reaction(svc, caller.actor, p.message_id, p.emoji_name, p.emoji_code, p.reaction_type)
    return Done()
