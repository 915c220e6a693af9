"""The organization's code playgrounds."""

from contextlib import AbstractContextManager
from typing import Annotated

from chatcore.application.arguments import about
from chatcore.application.organization.lists import changing_list
from chatcore.application.units import Unit, unit_of_work
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import PlaygroundId
from chatcore.domain.organization import playgrounds as rules
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.organization.playgrounds import Playground
from chatcore.events.happened import PlaygroundsChanged
from chatcore.events.payloads.configuration import PlaygroundObject, playground_object
from chatcore.markup import BadUrlTemplate, check_url_template
from chatcore.storage import Snapshot


def playground_objects(snapshot: Snapshot) -> list[PlaygroundObject]:
    """Return all playgrounds as they are sent."""
    return [playground_object(playground) for playground in snapshot.playgrounds.all()]


@unit_of_work
def add_playground(
    unit: Unit,
    me: Actor,
    name: Annotated[str, about("The name.")],
    language: Annotated[str, about("The name of the language in the syntax highlighter.")],
    url_template: Annotated[str, about("RFC 6570, with exactly one variable, named `code`.")],
) -> PlaygroundId:
    """Add a code playground for a language.

    :raises InsufficientRole: the actor is not an administrator
    :raises BadRequest: an invalid name, language or template, or a duplicate
    """
    with _changing_playgrounds(unit, me):
        name, language = rules.checked_name(name), rules.checked_language(language)
        try:
            check_url_template(url_template, {rules.CODE})
        except BadUrlTemplate as error:
            raise BadRequest(str(error)) from error
        rules.require_new(unit.tx.playgrounds.all(), name, language)
        return unit.tx.playgrounds.add(Playground(rules.NOT_STORED, name, language, url_template)).id


@unit_of_work
def remove_playground(
    unit: Unit, me: Actor, playground_id: Annotated[int, about("The playground's id.")]
) -> None:
    """Remove a code playground.

    :raises InsufficientRole, BadRequest: the actor is not an administrator; no such playground
    """
    with _changing_playgrounds(unit, me):
        unit.tx.playgrounds.remove(rules.find(unit.tx.playgrounds.all(), playground_id).id)


def _changing_playgrounds(unit: Unit, me: Actor) -> AbstractContextManager[None]:
    return changing_list(
        unit, me, unit.tx.playgrounds.all, PlaygroundsChanged(), AuditKind.PLAYGROUNDS_CHANGED
    )
