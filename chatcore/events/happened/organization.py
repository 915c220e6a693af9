"""Events about the settings and lists of the organization."""

from collections.abc import Mapping

from chatcore.domain.choices import Value
from chatcore.domain.ids import UserId
from chatcore.events.happened.base import Event, ListChanged
from chatcore.events.payloads.exports import ExportObject
from chatcore.events.payloads.parts import SettingShape

AuthenticationMethods = Mapping[str, Mapping[str, bool]]


class OrganizationChanged(Event, frozen=True, kw_only=True, tag="organization_changed"):
    """A setting of the organization has changed; clients know it as `realm_` and the name."""

    type = "realm"
    name: str
    value: Value | AuthenticationMethods


class OrganizationPermissionsChanged(
    Event, frozen=True, kw_only=True, tag="organization_permissions_changed"
):
    """Permissions of the organization have changed, by name."""

    type = "realm"
    data: Mapping[str, SettingShape]


class OrganizationPictureChanged(Event, frozen=True, kw_only=True, tag="organization_picture_changed"):
    """The icon or a logo of the organization has changed; *name* says which."""

    type = "realm"
    name: str
    source: str
    url: str


class UserDefaultsChanged(Event, frozen=True, kw_only=True, tag="user_defaults_changed"):
    """A setting with which new people start has changed."""

    type = "realm_user_settings_defaults"
    name: str
    value: Value


class DomainAdded(Event, frozen=True, kw_only=True, tag="domain_added"):
    """A domain was added to the organization."""

    type = "realm_domains"
    domain: str
    allow_subdomains: bool


class DomainChanged(Event, frozen=True, kw_only=True, tag="domain_changed"):
    """Subdomains of a domain of the organization are allowed from now on, or no longer."""

    type = "realm_domains"
    domain: str
    allow_subdomains: bool


class DomainRemoved(Event, frozen=True, kw_only=True, tag="domain_removed"):
    """A domain of the organization was removed."""

    type = "realm_domains"
    domain: str


class OrganizationDeactivation(Event, frozen=True, kw_only=True, tag="organization_deactivated"):
    """The whole organization is deactivated; only polls that wait receive this."""

    type = "realm"


class ServerRestarted(Event, frozen=True, kw_only=True, tag="server_restarted"):
    """Another version of the server serves the organization from now on."""

    type = "restart"
    version: str
    feature_level: int
    at: int


class WebClientOutdated(Event, frozen=True, kw_only=True, tag="web_client_outdated"):
    """Another version of the web client is served from now on; only queues that name its type receive it."""

    type = "web_reload_client"


class ProfileFieldsChanged(ListChanged, frozen=True, kw_only=True, tag="profile_fields_changed"):
    """The custom profile fields have changed."""

    type = "custom_profile_fields"


class LinkifiersChanged(ListChanged, frozen=True, kw_only=True, tag="linkifiers_changed"):
    """The linkifiers or their order have changed."""

    type = "realm_linkifiers"


class PlaygroundsChanged(ListChanged, frozen=True, kw_only=True, tag="playgrounds_changed"):
    """The code playgrounds have changed."""

    type = "realm_playgrounds"


class CustomEmojiChanged(ListChanged, frozen=True, kw_only=True, tag="custom_emoji_changed"):
    """The custom emoji of the organization have changed."""

    type = "realm_emoji"


class ExportsChanged(Event, frozen=True, kw_only=True, tag="exports_changed"):
    """An export of the organization was requested, has ended, or was deleted."""

    type = "realm_export"
    exports: list[ExportObject]


class ExportConsentChanged(Event, frozen=True, kw_only=True, tag="export_consent_changed"):
    """A person consents to the export of private data from now on, or no longer."""

    type = "realm_export_consent"
    user_id: UserId
    consented: bool


AnyOrganizationEvent = (
    OrganizationChanged
    | OrganizationPermissionsChanged
    | OrganizationPictureChanged
    | UserDefaultsChanged
    | DomainAdded
    | DomainChanged
    | DomainRemoved
    | OrganizationDeactivation
    | ServerRestarted
    | WebClientOutdated
    | ProfileFieldsChanged
    | LinkifiersChanged
    | PlaygroundsChanged
    | CustomEmojiChanged
    | ExportsChanged
    | ExportConsentChanged
)
