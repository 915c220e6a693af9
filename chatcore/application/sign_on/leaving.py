"""Logging out at a provider, too, and providers that log people out here."""

from chatcore.application import units
from chatcore.application.people.sessions import Browser, find_actor, forget_older_sessions
from chatcore.application.queue_closing import close_queues_of
from chatcore.application.services import Services
from chatcore.application.units import Unit
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.sign_on.providers import Logout
from chatcore.domain.sign_on.ways_in import PROXY


def page_to_log_out(svc: Services, token: str, *, url: str) -> str | None:
    """Return the address by which the browser with the session *token* logs out at its provider, too; None if
    its account is linked to no provider with such an address. The organization is reached at *url*.
    """
    addresses = {
        provider.voucher_name: f"{url}{provider.path}/logout"
        for provider in svc.settings.oidc
        if provider.log_out
    }
    if svc.settings.remote_user_logout_url:
        addresses[PROXY] = svc.settings.remote_user_logout_url
    if not addresses or (actor := find_actor(svc, Browser(token=token))) is None:
        return None
    identities = svc.storage.read(lambda snapshot: snapshot.external_identities.of_user(actor.user_id))
    return next((addresses[name] for name in sorted(identities) if name in addresses), None)


def address_to_log_out(svc: Services, name: str, *, url: str) -> str:
    """Return the address at which a browser logs out at the provider of this name; if it has none, that of
    the organization, which is reached at *url*.

    :raises NoSuchProvider: there is none
    :raises ProviderUnavailable: the provider does not answer
    """
    service = svc.login_services.get(name)
    from chatcore.runtime.openid.logins import address_to_log_out as find_address

    return find_address(service, redirect_uri=f"{url}/") or f"{url}/"


def verify_logout(svc: Services, name: str, token: str) -> Logout:
    """Return whom a token of the provider of this name logs out.

    :raises NoSuchProvider: there is none
    :raises LoginRefused: the token is not one of this provider for this, or too old
    :raises ProviderUnavailable: its keys cannot be read
    """
    service = svc.login_services.get(name)
    from chatcore.runtime.openid.tokens import read_logout

    return read_logout(service, token, now=svc.clock())


def end_sessions_of(svc: Services, name: str, logout: Logout) -> None:
    """End the sessions that the account of a provider's subject had when the person logged out there.
    Sessions that have begun since stay, so that nobody ends them with an old token; the API key stays, too.

    :raises NoSuchProvider: there is no provider of this name
    """
    units.write(svc, _end_sessions, svc.login_services.get(name).provider.voucher_name, logout)


def _end_sessions(unit: Unit, provider: str, logout: Logout) -> None:
    user_id = unit.tx.external_identities.find(provider, logout.subject)
    if user_id is not None and forget_older_sessions(unit, user_id, by=logout.at):
        close_queues_of(unit.tx, user_id)
        unit.record(AuditKind.SESSION_ENDED, user_id)
