"""The organization's linkifiers: listing, adding, changing and ordering them."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from chatcore import markup
from chatcore.application.delivery.rendering import linkifiers_of
from chatcore.application.organization.lists import change_list
from chatcore.application.services import Services
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import LinkifierId
from chatcore.domain.organization import linkifiers as rules
from chatcore.domain.organization.administration import require_administrator
from chatcore.domain.organization.linkifiers import Linkifier
from chatcore.events.shapes.configuration import LinkifierObject, linkifier_shape
from chatcore.events.types import LinkifiersChanged
from chatcore.storage import Snapshot, Transaction

T = TypeVar("T")


def list_linkifiers(svc: Services) -> Sequence[LinkifierObject]:
    """List all linkifiers in their order."""
    return svc.storage.read(linkifier_shapes)


def linkifier_shapes(snapshot: Snapshot) -> list[LinkifierObject]:
    """Return all linkifiers in the form for clients."""
    return [linkifier_shape(linkifier) for linkifier in snapshot.linkifiers.all()]


def add_linkifier(svc: Services, actor: Actor, pattern: str, url_template: str) -> LinkifierId:
    """Add a linkifier, after all others.

    :raises InsufficientRole: the actor is not an administrator
    :raises BadRequest: an unusable pattern or template, a duplicate, or linkifiers that are too large
        together
    """
    require_administrator(actor)
    _check(pattern, url_template)

    def add(tx: Transaction) -> LinkifierId:
        known = tx.linkifiers.all()
        rules.require_new_pattern(known, pattern)
        if len(known) >= rules.MAX_LINKIFIERS:
            raise BadRequest(f"You cannot have more than {rules.MAX_LINKIFIERS} linkifiers.")
        added = tx.linkifiers.add(pattern, url_template)
        _check_all(tx)
        return added

    return _change(svc, actor, add)


def update_linkifier(svc: Services, actor: Actor, linkifier_id: int, pattern: str, url_template: str) -> None:
    """Change a linkifier. Messages sent before keep their HTML.

    :raises InsufficientRole: the actor is not an administrator
    :raises BadRequest: no such linkifier, an unusable pattern or template, or linkifiers that are too large
        together
    """
    require_administrator(actor)
    _check(pattern, url_template)

    def update(tx: Transaction) -> None:
        known = tx.linkifiers.all()
        old = rules.find(known, linkifier_id)
        rules.require_new_pattern([one for one in known if one.id != linkifier_id], pattern)
        tx.linkifiers.update(Linkifier(old.id, pattern, url_template))
        _check_all(tx)

    _change(svc, actor, update)


def remove_linkifier(svc: Services, actor: Actor, linkifier_id: int) -> None:
    """Remove a linkifier.

    :raises InsufficientRole, BadRequest: the actor is not an administrator; no such linkifier
    """
    _change(svc, actor, lambda tx: tx.linkifiers.remove(rules.find(tx.linkifiers.all(), linkifier_id).id))


def reorder_linkifiers(svc: Services, actor: Actor, ordered_ids: Sequence[int]) -> None:
    """Set the order of all linkifiers.

    :raises InsufficientRole, BadRequest: the actor is not an administrator; the order does not name each
        linkifier exactly once
    """
    _change(
        svc,
        actor,
        lambda tx: tx.linkifiers.reorder(rules.reordered(tx.linkifiers.all(), ordered_ids)),
    )


def _change(svc: Services, actor: Actor, change: Callable[[Transaction], T]) -> T:
    return change_list(svc, actor, change, of=lambda tx: tx.linkifiers.all(), announcing=LinkifiersChanged())


def _check(pattern: str, url_template: str) -> None:
    try:
        markup.check_linkifier(markup.Linkifier(pattern, url_template))
    except markup.BadLinkifier as error:
        raise BadRequest(str(error)) from error


def _check_all(snapshot: Snapshot) -> None:
    try:
        markup.check_linkifiers(linkifiers_of(snapshot))
    except markup.BadLinkifier as error:
        raise BadRequest(str(error)) from error
