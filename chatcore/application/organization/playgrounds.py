"""The organization's code playgrounds."""

from collections.abc import Callable
from typing import TypeVar

from chatcore.application.organization.lists import change_list
from chatcore.application.services import Services
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import PlaygroundId
from chatcore.domain.organization import playgrounds as rules
from chatcore.events.shapes.configuration import PlaygroundObject, playground_shape
from chatcore.events.types import PlaygroundsChanged
from chatcore.markup import BadUrlTemplate, check_url_template
from chatcore.storage import Snapshot, Transaction

T = TypeVar("T")


def playground_shapes(snapshot: Snapshot) -> list[PlaygroundObject]:
    """Return all playgrounds in the form for clients."""
    return [playground_shape(playground) for playground in snapshot.playgrounds.all()]


def add_playground(svc: Services, actor: Actor, name: str, language: str, url_template: str) -> PlaygroundId:
    """Add a playground for a language.

    :raises InsufficientRole: the actor is not an administrator
    :raises BadRequest: an invalid name, language or template, or a duplicate
    """

    def add(tx: Transaction) -> PlaygroundId:
        checked = (rules.playground_name(name), rules.highlighter_language(language))
        try:
            check_url_template(url_template, {rules.CODE})
        except BadUrlTemplate as error:
            raise BadRequest(str(error)) from error
        rules.require_new(tx.playgrounds.all(), *checked)
        return tx.playgrounds.add(*checked, url_template)

    return _change(svc, actor, add)


def remove_playground(svc: Services, actor: Actor, playground_id: int) -> None:
    """Remove a playground.

    :raises InsufficientRole, BadRequest: the actor is not an administrator; no such playground
    """
    _change(
        svc,
        actor,
        lambda tx: tx.playgrounds.remove(rules.find(tx.playgrounds.all(), playground_id).id),
    )


def _change(svc: Services, actor: Actor, change: Callable[[Transaction], T]) -> T:
    return change_list(
        svc, actor, change, of=lambda tx: tx.playgrounds.all(), announcing=PlaygroundsChanged()
    )
