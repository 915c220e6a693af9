"""Domains of the organization. If it restricts addresses, new ones must be of these domains."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from chatcore.application.organization.settings import store_organization
from chatcore.application.services import Services
from chatcore.application.units import refresh_actor
from chatcore.domain.groups.actors import Actor
from chatcore.domain.organization import domains as rules
from chatcore.domain.organization.administration import require_owner
from chatcore.domain.organization.domains import Domain
from chatcore.domain.organization.organization import Organization
from chatcore.events.audience import Everyone
from chatcore.events.types import DomainAdded, DomainChanged, DomainRemoved
from chatcore.storage import Transaction


def list_domains(svc: Services) -> Sequence[Domain]:
    """Return the domains, in the order in which they were added."""
    return svc.storage.read(lambda snapshot: snapshot.organization.get()).domains


def add_domain(svc: Services, actor: Actor, name: str, *, allow_subdomains: bool) -> None:
    """Add a domain, with or without its subdomains.

    :raises InsufficientRole: the actor is not an owner
    :raises BadRequest: an invalid name, a domain that is there already, or too many
    """

    def add(tx: Transaction, organization: Organization) -> None:
        domain = Domain(rules.domain_name(name), allow_subdomains)
        rules.require_new(organization.domains, domain.domain)
        tx.organization.put(replace(organization, domains=(*organization.domains, domain)))
        tx.announce(DomainAdded(domain=domain.domain, allow_subdomains=allow_subdomains), Everyone())

    _change(svc, actor, add)


def update_domain(svc: Services, actor: Actor, name: str, *, allow_subdomains: bool) -> None:
    """Allow or forbid the subdomains of a domain.

    :raises InsufficientRole, BadRequest: the actor is not an owner; no such domain
    """

    def update(tx: Transaction, organization: Organization) -> None:
        old = rules.find(organization.domains, name)
        new = replace(old, allow_subdomains=allow_subdomains)
        if new == old:
            return
        domains = tuple(new if domain == old else domain for domain in organization.domains)
        tx.organization.put(replace(organization, domains=domains))
        tx.announce(DomainChanged(domain=new.domain, allow_subdomains=allow_subdomains), Everyone())

    _change(svc, actor, update)


def remove_domain(svc: Services, actor: Actor, name: str) -> None:
    """Remove a domain. Without the last one, addresses are not restricted any more.

    :raises InsufficientRole, BadRequest: the actor is not an owner; no such domain
    """

    def remove(tx: Transaction, organization: Organization) -> None:
        gone = rules.find(organization.domains, name)
        domains = tuple(domain for domain in organization.domains if domain != gone)
        restricted = organization.emails_restricted_to_domains and bool(domains)
        after = replace(organization, domains=domains, emails_restricted_to_domains=restricted)
        store_organization(svc, tx, after)
        tx.announce(DomainRemoved(domain=gone.domain), Everyone())

    _change(svc, actor, remove)


def _change(svc: Services, actor: Actor, change: Callable[[Transaction, Organization], None]) -> None:
    def write(tx: Transaction) -> None:
        require_owner(refresh_actor(tx, actor, svc.now))
        change(tx, tx.organization.get())

    svc.storage.write(write)
