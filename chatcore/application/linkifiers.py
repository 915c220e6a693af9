"""The organization's linkifiers: reading, making, changing and ordering them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from chatcore import markup
from chatcore.application.gather import current
from chatcore.application.services import Services
from chatcore.domain import linkifiers as rules
from chatcore.domain.administration import require_administrator
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups import Actor
from chatcore.domain.ids import LinkifierId
from chatcore.domain.linkifiers import Linkifier
from chatcore.events.audience import Everyone
from chatcore.events.types import LinkifiersChanged
from chatcore.storage import Snapshot, Transaction

T = TypeVar("T")


def wire(linkifier: Linkifier) -> dict[str, Any]:
    """A linkifier as clients read it."""
    return {"id": linkifier.id, "pattern": linkifier.pattern, "url_template": linkifier.url_template}


def list_linkifiers(svc: Services) -> Sequence[Mapping[str, Any]]:
    """Every linkifier in their order."""
    return svc.storage.read(_all)


def _all(snapshot: Snapshot) -> tuple[dict[str, Any], ...]:
    return tuple(wire(linkifier) for linkifier in snapshot.linkifiers.all())


def add_linkifier(svc: Services, actor: Actor, pattern: str, url_template: str) -> LinkifierId:
    """Make a linkifier, which comes behind all others.

    :raises InsufficientRole: no administrator
    :raises BadRequest: a pattern or template that cannot be used, or one that is there already
    """
    require_administrator(actor)
    _check(pattern, url_template)

    def add(tx: Transaction) -> LinkifierId:
        known = tx.linkifiers.all()
        rules.require_new_pattern(known, pattern)
        if len(known) >= rules.MAX_LINKIFIERS:
            raise BadRequest(f"You cannot have more than {rules.MAX_LINKIFIERS} linkifiers.")
        return tx.linkifiers.add(pattern, url_template)

    return _change(svc, actor, add)


def update_linkifier(svc: Services, actor: Actor, linkifier_id: int, pattern: str, url_template: str) -> None:
    """Change a linkifier. What was sent before stays as it was rendered.

    :raises InsufficientRole: no administrator
    :raises BadRequest: no such linkifier, or a pattern or template that cannot be used
    """
    require_administrator(actor)
    _check(pattern, url_template)

    def update(tx: Transaction) -> None:
        known = tx.linkifiers.all()
        old = rules.find(known, linkifier_id)
        rules.require_new_pattern([one for one in known if one.id != linkifier_id], pattern)
        tx.linkifiers.update(Linkifier(old.id, pattern, url_template))

    _change(svc, actor, update)


def remove_linkifier(svc: Services, actor: Actor, linkifier_id: int) -> None:
    """:raises InsufficientRole, BadRequest: no administrator; no such linkifier"""
    _change(svc, actor, lambda tx: tx.linkifiers.remove(rules.find(tx.linkifiers.all(), linkifier_id).id))


def reorder_linkifiers(svc: Services, actor: Actor, ordered_ids: Sequence[int]) -> None:
    """:raises InsufficientRole, BadRequest: no administrator; not each linkifier exactly once"""
    _change(
        svc,
        actor,
        lambda tx: tx.linkifiers.reorder(rules.reordered(tx.linkifiers.all(), ordered_ids)),
    )


def _change(svc: Services, actor: Actor, change: Callable[[Transaction], T]) -> T:
    """An administrator's change to the list, announced where it is one."""

    def write(tx: Transaction) -> T:
        require_administrator(current(tx, actor, svc.now))
        before = _all(tx)
        result = change(tx)
        after = _all(tx)
        if after != before:
            tx.announce(LinkifiersChanged(linkifiers=after), Everyone())
        return result

    return svc.storage.write(write)


def _check(pattern: str, url_template: str) -> None:
    try:
        markup.check_linkifier(markup.Linkifier(pattern, url_template))
    except markup.BadLinkifier as error:
        raise BadRequest(str(error)) from error
