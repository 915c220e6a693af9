"""The organization's linkifiers: listing, adding, changing and ordering them."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Annotated

from chatcore import markup
from chatcore.application.arguments import about
from chatcore.application.delivery.rendering import linkifiers_of
from chatcore.application.organization.lists import changing_list
from chatcore.application.services import Services
from chatcore.application.units import Unit, unit_of_work
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import LinkifierId
from chatcore.domain.organization import linkifiers as rules
from chatcore.domain.organization.administration import require_administrator
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.organization.linkifiers import Linkifier
from chatcore.events.happened import LinkifiersChanged
from chatcore.events.payloads.configuration import LinkifierObject, linkifier_object
from chatcore.storage import Snapshot

LinkifierNumber = Annotated[int, about("The linkifier's id.")]
Pattern = Annotated[str, about("A regular expression of linear time (RE2), with named groups.")]
UrlTemplate = Annotated[str, about("A URL template (RFC 6570).")]


def list_linkifiers(svc: Services) -> Sequence[LinkifierObject]:
    """List all linkifiers in their order."""
    return svc.storage.read(linkifier_objects)


def linkifier_objects(snapshot: Snapshot) -> list[LinkifierObject]:
    """Return all linkifiers as they are sent."""
    return [linkifier_object(linkifier) for linkifier in snapshot.linkifiers.all()]


def add_linkifier(svc: Services, actor: Actor, pattern: Pattern, url_template: UrlTemplate) -> LinkifierId:
    """Add a linkifier after all others.

    :raises InsufficientRole: the actor is not an administrator
    :raises BadRequest: an unusable pattern or template, a duplicate, or linkifiers that are too large
        together
    """
    require_administrator(actor)  # check this before the pattern
    _check_linkifier(pattern, url_template)
    return _store_linkifier(svc, actor, pattern, url_template)


@unit_of_work
def _store_linkifier(unit: Unit, me: Actor, pattern: str, url_template: str) -> LinkifierId:
    with _changing_linkifiers(unit, me):
        known = unit.tx.linkifiers.all()
        rules.require_new_pattern(known, pattern)
        if len(known) >= rules.MAX_LINKIFIERS:
            raise BadRequest(f"You cannot have more than {rules.MAX_LINKIFIERS} linkifiers.")
        linkifier_id = unit.tx.linkifiers.add(pattern, url_template)
        _check_all_together(unit.tx)
        return linkifier_id


def update_linkifier(
    svc: Services, actor: Actor, linkifier_id: LinkifierNumber, pattern: Pattern, url_template: UrlTemplate
) -> None:
    """Change a linkifier.

    :effect: messages sent before keep their HTML
    :raises InsufficientRole: the actor is not an administrator
    :raises BadRequest: no such linkifier, an unusable pattern or template, or linkifiers that are too large
        together
    """
    require_administrator(actor)  # check this before the pattern
    _check_linkifier(pattern, url_template)
    _replace_linkifier(svc, actor, linkifier_id, pattern, url_template)


@unit_of_work
def _replace_linkifier(unit: Unit, me: Actor, linkifier_id: int, pattern: str, url_template: str) -> None:
    with _changing_linkifiers(unit, me):
        known = unit.tx.linkifiers.all()
        old = rules.find(known, linkifier_id)
        rules.require_new_pattern([other for other in known if other.id != linkifier_id], pattern)
        unit.tx.linkifiers.update(Linkifier(old.id, pattern, url_template))
        _check_all_together(unit.tx)


@unit_of_work
def remove_linkifier(unit: Unit, me: Actor, linkifier_id: LinkifierNumber) -> None:
    """Remove a linkifier.

    :raises InsufficientRole, BadRequest: the actor is not an administrator; no such linkifier
    """
    with _changing_linkifiers(unit, me):
        unit.tx.linkifiers.remove(rules.find(unit.tx.linkifiers.all(), linkifier_id).id)


@unit_of_work
def reorder_linkifiers(
    unit: Unit, me: Actor, ordered_ids: Annotated[Sequence[int], about("All ids, in the new order.")]
) -> None:
    """Set the order in which linkifiers are applied.

    :raises InsufficientRole, BadRequest: the actor is not an administrator; the order does not name each
        linkifier exactly once
    """
    with _changing_linkifiers(unit, me):
        unit.tx.linkifiers.reorder(rules.order_linkifiers(unit.tx.linkifiers.all(), ordered_ids))


def _changing_linkifiers(unit: Unit, me: Actor) -> AbstractContextManager[None]:
    return changing_list(unit, me, unit.tx.linkifiers.all, LinkifiersChanged(), AuditKind.LINKIFIERS_CHANGED)


def _check_linkifier(pattern: str, url_template: str) -> None:
    try:
        markup.check_linkifier(markup.Linkifier(pattern, url_template))
    except markup.BadLinkifier as error:
        raise BadRequest(str(error)) from error


def _check_all_together(snapshot: Snapshot) -> None:
    """Refuse linkifiers, as they are stored now, that are too large together.

    :raises BadRequest:
    """
    try:
        markup.check_linkifiers(linkifiers_of(snapshot))
    except markup.BadLinkifier as error:
        raise BadRequest(str(error)) from error
