"""The organization's domains of addresses."""

from chatcore.application.organization import domains as use_cases
from chatcore.application.services import Services
from chatcore.events.payloads.configuration import DomainObject, domain_object
from chatcore.http.parameters.declaring import NoParams
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Answer


class DomainsAnswer(Answer, frozen=True, kw_only=True):
    domains: list[DomainObject]


def list_domains(svc: Services, caller: Caller, p: NoParams) -> DomainsAnswer:
    """List the organization's domains."""
    return DomainsAnswer(domains=[domain_object(domain) for domain in use_cases.list_domains(svc)])
