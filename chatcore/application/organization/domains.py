"""Domains of the organization. If it restricts addresses, new ones must be of these domains."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from chatcore.application.arguments import about
from chatcore.application.organization.settings import store_organization
from chatcore.application.organization_changes import put_organization
from chatcore.application.services import Services
from chatcore.application.units import Unit, read_organization, unit_of_work
from chatcore.domain.groups.actors import Actor
from chatcore.domain.organization import domains as rules
from chatcore.domain.organization.administration import require_owner
from chatcore.domain.organization.domains import Domain
from chatcore.events.audience import Everyone
from chatcore.events.happened import DomainAdded, DomainChanged, DomainRemoved

DomainName = Annotated[str, about("The domain's name, such as `mail.example`.")]
Subdomains = Annotated[bool, about("Whether its subdomains are allowed, too.")]


def list_domains(svc: Services) -> Sequence[Domain]:
    """Return the domains, in the order in which they were added."""
    return read_organization(svc).domains


def add_domain(svc: Services, actor: Actor, name: DomainName, *, allow_subdomains: Subdomains) -> None:
    """Add a domain.

    :raises InsufficientRole: the actor is not an owner
    :raises BadRequest: an invalid name, a domain that is there already, or too many
    """
    require_owner(actor)  # check this before the name
    _store_domain(svc, actor, Domain(rules.checked_domain_name(name), allow_subdomains))


@unit_of_work
def _store_domain(unit: Unit, me: Actor, domain: Domain) -> None:
    require_owner(me)
    organization = unit.tx.organization.get()
    rules.require_new(organization.domains, domain.domain)
    put_organization(unit, replace(organization, domains=(*organization.domains, domain)))
    added = DomainAdded(domain=domain.domain, allow_subdomains=domain.allow_subdomains)
    unit.tx.announce(added, Everyone())


def update_domain(svc: Services, actor: Actor, name: DomainName, *, allow_subdomains: Subdomains) -> None:
    """Allow or forbid the subdomains of a domain.

    :raises InsufficientRole, BadRequest: the actor is not an owner; no such domain
    """
    require_owner(actor)
    _store_subdomains(svc, actor, rules.spelled_as_stored(name), allow_subdomains=allow_subdomains)


@unit_of_work
def _store_subdomains(unit: Unit, me: Actor, name: str, *, allow_subdomains: bool) -> None:
    require_owner(me)
    organization = unit.tx.organization.get()
    old = rules.find(organization.domains, name)
    new = replace(old, allow_subdomains=allow_subdomains)
    if new == old:
        return
    domains = tuple(new if domain == old else domain for domain in organization.domains)
    put_organization(unit, replace(organization, domains=domains))
    unit.tx.announce(DomainChanged(domain=new.domain, allow_subdomains=allow_subdomains), Everyone())


def remove_domain(svc: Services, actor: Actor, name: DomainName) -> None:
    """Remove a domain. Without the last one, addresses are not restricted any more.

    :raises InsufficientRole, BadRequest: the actor is not an owner; no such domain
    """
    require_owner(actor)
    _remove_domain(svc, actor, rules.spelled_as_stored(name))


@unit_of_work
def _remove_domain(unit: Unit, me: Actor, name: str) -> None:
    require_owner(me)
    organization = unit.tx.organization.get()
    removed = rules.find(organization.domains, name)
    domains = tuple(domain for domain in organization.domains if domain != removed)
    restricted = organization.emails_restricted_to_domains and bool(domains)
    store_organization(unit, replace(organization, domains=domains, emails_restricted_to_domains=restricted))
    unit.tx.announce(DomainRemoved(domain=removed.domain), Everyone())
