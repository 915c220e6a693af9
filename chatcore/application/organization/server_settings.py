"""Server information for clients without an account: the version and the methods of logging in."""

from chatcore.application.organization.pictures import picture_url
from chatcore.application.services import Services
from chatcore.application.units import find_organization
from chatcore.domain.organization.organization import Organization
from chatcore.domain.organization.pictures import PictureKind
from chatcore.settings import SERVICE_FEATURE_LEVEL, SERVICE_VERSION
from chatcore.settings.remote_user import PROVIDER

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
"""The keys of `authentication_methods`; only the first three and `remoteuser` are ever enabled."""

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

    *organization_url* None is that of the settings.
    """
    organization = None if svc is None else find_organization(svc.storage)
    passwords = organization is not None and organization.password_auth_enabled
    enabled = {
        "password": passwords,
        "email": passwords,
        "dev": svc is not None and svc.settings.development,
        PROVIDER: organization is not None and svc is not None and bool(svc.settings.remote_user_header),
    }
    url = organization_url or ("" if svc is None else svc.settings.external_url)
    answer = {
        **version_fields(),
        "authentication_methods": {name: enabled.get(name, False) for name in AUTHENTICATION_METHODS},
        "external_authentication_methods": _login_services(url) if enabled[PROVIDER] else [],
        "email_auth_enabled": passwords,
        "require_email_format_usernames": True,
        "push_notifications_enabled": False,
        "is_incompatible": False,
    }
    if svc is not None and organization is not None:
        answer.update(_organization_fields(svc, organization, url))
    return answer


def _login_services(url: str) -> list[dict[str, object]]:
    """Return the login services to which clients send people."""
    login_url = f"{url}{SSO_PATH}"
    return [
        {
            "name": PROVIDER,
            "display_name": "Single sign-on",
            "display_icon": None,
            "login_url": login_url,
            "signup_url": login_url,
        }
    ]


def _organization_fields(svc: Services, organization: Organization, url: str) -> dict[str, object]:
    return {
        "realm_url": url,
        "realm_uri": url,
        "realm_name": organization.name,
        "realm_icon": picture_url(organization, PictureKind.ICON),
        "realm_description": organization.rendered_description,
        "realm_web_public_access_enabled": organization.enable_spectator_access,
    }
