"""Server information for clients without an account: the version and the methods of logging in."""

from urllib.parse import urlsplit

from chatcore.application.organization.pictures import picture_url
from chatcore.application.organization.ways_in import ways_in
from chatcore.application.services import Services
from chatcore.application.units import find_organization
from chatcore.domain.organization.organization import Organization
from chatcore.domain.organization.pictures import PictureKind
from chatcore.domain.sign_on.ways_in import PROXY, WaysIn
from chatcore.settings import SERVICE_FEATURE_LEVEL, SERVICE_VERSION

AUTHENTICATION_METHODS = (
    "password",
    "dev",
    "email",
    "ldap",
    "remoteuser",
    "github",
    "azuread",
    "gitlab",
    "apple",
    "google",
    "saml",
    "openid connect",
)
"""The keys of `authentication_methods`; only the first three, `remoteuser` and the last are ever enabled."""

SSO_PATH = "/accounts/login/sso"
"""The path at which a proxy says who logs in."""


def version_fields() -> dict[str, object]:
    """Return the version fields of `server_settings` and of every `register` answer."""
    return {
        "service_version": SERVICE_VERSION,
        "service_feature_level": SERVICE_FEATURE_LEVEL,
        "service_merge_base": SERVICE_VERSION,
    }


def server_settings(svc: Services | None, *, organization_url: str | None = None) -> dict[str, object]:
    """Return the answer of `GET server_settings`; it has the organization's fields only if an organization
    exists.

    *organization_url* is the organization's address for this client; with None, the one in the settings.
    """
    organization = None if svc is None else find_organization(svc.storage)
    ways = None if svc is None or organization is None else ways_in(svc, organization)
    enabled = {"dev": svc is not None and svc.settings.development}
    if ways is not None:
        enabled |= {"password": ways.passwords, "email": ways.passwords}
        enabled |= {PROXY: ways.proxy, "openid connect": bool(ways.providers)}
    url = organization_url or ("" if svc is None else svc.settings.external_url)
    answer = {
        **version_fields(),
        "authentication_methods": {name: enabled.get(name, False) for name in AUTHENTICATION_METHODS},
        "external_authentication_methods": [] if ways is None else _external_methods(ways, url),
        "email_auth_enabled": ways is not None and ways.passwords,
        "require_email_format_usernames": True,
        "push_notifications_enabled": False,
        "is_incompatible": False,
    }
    if svc is not None and organization is not None:
        answer.update(_organization_fields(svc, organization, url))
    return answer


def _external_methods(ways: WaysIn, url: str) -> list[dict[str, object]]:
    """Return the ways of logging in by a proxy and by login services; each address is a path at the host of
    the organization's *url*.
    """
    mount = urlsplit(url).path
    methods = [_external_method(PROXY, "Single sign-on", "", mount + SSO_PATH)] if ways.proxy else []
    for provider in ways.providers:
        name = provider.voucher_name
        path = mount + provider.path
        methods.append(_external_method(name, provider.shown_name, provider.icon, path))
    return methods


def _external_method(name: str, shown_name: str, icon: str, path: str) -> dict[str, object]:
    return {
        "name": name,
        "display_name": shown_name,
        "display_icon": icon or None,
        "login_url": path,
        "signup_url": path,
    }


def _organization_fields(svc: Services, organization: Organization, url: str) -> dict[str, object]:
    return {
        "realm_url": url,
        "realm_uri": url,
        "realm_name": organization.name,
        "realm_icon": picture_url(organization, PictureKind.ICON),
        "realm_description": organization.rendered_description,
        "realm_web_public_access_enabled": organization.enable_spectator_access,
    }
