"""The organization's domains of addresses."""

from typing import Annotated

from chatcore.application.arguments import about
from chatcore.application.organization import domains as use_cases
from chatcore.application.services import Services
from chatcore.events.shapes.configuration import DomainObject, domain_shape
from chatcore.http.auth import Caller
from chatcore.http.parameters.declaring import NoParams, Params, Text
from chatcore.http.routing import Answer, Done

_NAME = about("The domain's name, such as `mail.example`.")
_SUBDOMAINS = about("Whether its subdomains are allowed, too.")


class DomainsAnswer(Answer, frozen=True, kw_only=True):
    domains: list[DomainObject]


def list_domains(svc: Services, caller: Caller, p: NoParams) -> DomainsAnswer:
    """List the organization's domains."""
    return DomainsAnswer(domains=[domain_shape(domain) for domain in use_cases.list_domains(svc)])


class DomainParams(Params, frozen=True, kw_only=True):
    domain: Annotated[Text, _NAME]


class DomainWithSubdomainsParams(DomainParams, frozen=True, kw_only=True):
    allow_subdomains: Annotated[bool, _SUBDOMAINS]


def add(svc: Services, caller: Caller, p: DomainWithSubdomainsParams) -> Done:
    """Add a domain."""
    use_cases.add_domain(svc, caller.actor, p.domain, allow_subdomains=p.allow_subdomains)
    return Done()


def update(svc: Services, caller: Caller, p: DomainWithSubdomainsParams) -> Done:
    """Allow or forbid the subdomains of a domain."""
    use_cases.update_domain(svc, caller.actor, p.domain, allow_subdomains=p.allow_subdomains)
    return Done()


def remove(svc: Services, caller: Caller, p: DomainParams) -> Done:
    """Remove a domain. Without the last one, addresses are not restricted any more."""
    use_cases.remove_domain(svc, caller.actor, p.domain)
    return Done()
