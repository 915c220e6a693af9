"""The ways to log in: those that there are, their names in the API, and changing them."""

from collections.abc import Mapping

from chatcore.application.services import Services
from chatcore.application.units import Unit, read_organization
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.organization.organization import Organization
from chatcore.domain.sign_on.ways_in import WaysIn

PASSWORDS = "password_auth_enabled"
_BY_PASSWORD = "Email"


def ways_in(svc: Services, organization: Organization) -> WaysIn:
    """Return the ways by which people log in to the organization."""
    return WaysIn(
        passwords=organization.password_auth_enabled,
        proxy=bool(svc.settings.remote_user_header),
        providers=svc.settings.oidc,
        without_proof=svc.settings.development,
    )


def authentication_methods(svc: Services, organization: Organization) -> Mapping[str, bool]:
    """Return the ways to log in as the organization's settings name them, and whether each is enabled."""
    ways = ways_in(svc, organization)
    of_server = {
        "Dev": ways.without_proof,
        "RemoteUser": ways.proxy,
        "OpenID Connect": bool(ways.providers),
    }
    return {_BY_PASSWORD: ways.passwords, **{name: True for name, is_set in of_server.items() if is_set}}


def passwords_among(svc: Services, methods: Mapping[str, bool]) -> bool:
    """Return the value of the setting for passwords that follows from the wanted ways to log in.

    :raises BadRequest: an unknown way, or without one that cannot be disabled
    """
    known = authentication_methods(svc, read_organization(svc))
    for name, enabled in methods.items():
        if name not in known:
            raise BadRequest(f"Invalid authentication method: {name[:50]}")
        if name != _BY_PASSWORD and not enabled:
            raise BadRequest(f"The authentication method '{name}' cannot be disabled.")
    return methods.get(_BY_PASSWORD, False)


def require_way_in(unit: Unit, me: Actor, organization: Organization) -> None:
    """Check that people can log in. Whoever stops the use of passwords has to come in another way already:
    the settings of that way may be wrong, and nobody else would see it before all are locked out.

    :raises BadRequest: there is no way, or the actor has never come that way
    """
    ways = ways_in(unit.svc, organization)
    if not ways:
        raise BadRequest("At least one authentication method must be enabled.")
    if ways.passwords:
        return
    if not ways.may_replace_passwords(frozenset(unit.tx.external_identities.of_user(me.user_id))):
        raise BadRequest("Log in in another way first, to see that it works, and then disable passwords.")
