"""Server information for clients without an account: the version and the methods of logging in."""

from urllib.parse import urlsplit

from chatcore.application.organization.pictures import picture_url
from chatcore.application.services import Services
from chatcore.application.units import find_organization
from chatcore.domain.organization.organization import Organization
from chatcore.domain.organization.pictures import PictureKind
from chatcore.domain.sign_on.providers import PREFIX
from chatcore.settings import SERVICE_FEATURE_LEVEL, SERVICE_VERSION, Settings
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

    *organization_url* None is that of the settings.
    """
    organization = None if svc is None else find_organization(svc.storage)
    passwords = organization is not None and organization.password_auth_enabled
    settings = None if svc is None or organization is None else svc.settings
    enabled = {
        "password": passwords,
        "email": passwords,
        "dev": svc is not None and svc.settings.development,
        PROVIDER: settings is not None and bool(settings.remote_user_header),
        "openid connect": settings is not None and bool(settings.oidc),
    }
    url = organization_url or ("" if svc is None else svc.settings.external_url)
    answer = {
        **version_fields(),
        "authentication_methods": {name: enabled.get(name, False) for name in AUTHENTICATION_METHODS},
        "external_authentication_methods": [] if settings is None else _external_methods(settings, url),
        "email_auth_enabled": passwords,
        "require_email_format_usernames": True,
        "push_notifications_enabled": False,
        "is_incompatible": False,
    }
    if svc is not None and organization is not None:
        answer.update(_organization_fields(svc, organization, url))
    return answer


def _external_methods(settings: Settings, url: str) -> list[dict[str, object]]:
    """Return the login services, with paths at the host of the organization."""
    mount = urlsplit(url).path
    by_proxy = [_external_method(PROVIDER, "Single sign-on", "", mount + SSO_PATH)]
    return [
        *(by_proxy if settings.remote_user_header else ()),
        *(
            _external_method(PREFIX + one.name, one.shown_name, one.icon, mount + one.path)
            for one in settings.oidc
        ),
    ]


def _external_method(name: str, shown: str, icon: str, path: str) -> dict[str, object]:
    return {
        "name": name,
        "display_name": shown,
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
