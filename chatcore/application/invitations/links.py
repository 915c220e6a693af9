"""Links that people without an account follow; wrong ones are counted, so that nobody can guess one."""

from collections.abc import Callable
from typing import TypeVar

from chatcore.application import units
from chatcore.application.services import Services
from chatcore.application.units import View, require_open
from chatcore.domain.invitations.invitations import NoSuchLink
from chatcore.domain.mail_addresses import address_key
from chatcore.domain.network_addresses import neighbourhood
from chatcore.domain.rate_limits import LINKS_BY_IP, SENDS_EMAIL_BY_IP, Rule

T = TypeVar("T")


def follow(svc: Services, find: Callable[[View, str], T | None], token: str, network_address: str) -> T:
    """Return what is found behind a link that is followed from a network address.

    :raises NoSuchLink: there is none
    :raises RateLimited: too many wrong links from that address
    :raises OrganizationDeactivated:
    """
    svc.rate_limits.require_left(LINKS_BY_IP, counted_address(network_address))
    state = units.read(svc, _find_if_open, find, token)
    if state is None:
        svc.rate_limits.count(LINKS_BY_IP, counted_address(network_address))
        raise NoSuchLink
    return state


def _find_if_open(view: View, find: Callable[[View, str], T], token: str) -> T:
    require_open(view)
    return find(view, token)


def count_mail(svc: Services, rule: Rule, email: str, network_address: str) -> None:
    """Count a mail that a request from a network address causes, whether or not it is sent.

    :raises RateLimited:
    """
    svc.rate_limits.spend(SENDS_EMAIL_BY_IP, counted_address(network_address))
    svc.rate_limits.spend(rule, f"mail to {address_key(email)}")


def counted_address(network_address: str) -> str:
    return f"address {neighbourhood(network_address)}"
