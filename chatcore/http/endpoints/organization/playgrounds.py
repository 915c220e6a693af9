"""The organization's code playgrounds."""

from typing import Annotated

import msgspec

from chatcore.application.arguments import about
from chatcore.application.organization import playgrounds
from chatcore.application.services import Services
from chatcore.http.auth import Caller
from chatcore.http.endpoints.organization.answers import NewIdAnswer
from chatcore.http.parameters.declaring import Params, Text
from chatcore.http.routing import Done


class AddPlaygroundParams(Params, kw_only=True, frozen=True):
    name: Annotated[Text, about("The name.")]
    highlighter_language: Annotated[Text, about("The name of the language in the syntax highlighter.")]
    url_template: Annotated[
        Text, msgspec.Meta(description="RFC 6570, with exactly one variable, named `code`.")
    ]


def add_playground(svc: Services, caller: Caller, p: AddPlaygroundParams) -> NewIdAnswer:
    """Add a code playground for a language."""
    return NewIdAnswer(
        id=playgrounds.add_playground(svc, caller.actor, p.name, p.highlighter_language, p.url_template)
    )


class RemovePlaygroundParams(Params, kw_only=True, frozen=True):
    playground_id: Annotated[int, about("The playground's id.")]


def remove_playground(svc: Services, caller: Caller, p: RemovePlaygroundParams) -> Done:
    """Remove a code playground."""
    playgrounds.remove_playground(svc, caller.actor, p.playground_id)
    return Done()
