"""Payloads of events about the settings and lists of the organization."""

from collections.abc import Mapping

from chatcore.domain.files.uploads import ORGANIZATION
from chatcore.domain.ids import Position
from chatcore.events import happened
from chatcore.events.payloads.configuration import DomainEvent, DomainRemoveEvent
from chatcore.events.payloads.exports import ExportConsentEvent, ExportsEvent
from chatcore.events.payloads.organization import (
    OrganizationDeactivatedEvent,
    OrganizationSettingsEvent,
    OrganizationUpdateEvent,
    RestartEvent,
    UserDefaultEvent,
    WebReloadEvent,
)
from chatcore.events.sending.formatter import one_payload, same_client_and_people, whole_list
from chatcore.events.sending.listener import Listener
from chatcore.events.sending.visible import visible_values


def _format_organization_changed(
    event: happened.OrganizationChanged, listener: Listener, position: Position
) -> OrganizationUpdateEvent | OrganizationSettingsEvent:
    if isinstance(event.value, Mapping):
        methods = {name: {**method} for name, method in event.value.items()}
        return {
            "type": "realm",
            "op": "update_dict",
            "property": "default",
            "data": {event.name: {**methods}},
            "id": position,
        }
    return {
        "type": "realm",
        "op": "update",
        "property": event.name,
        "value": event.value,
        "id": position,
    }


def _format_organization_permissions_changed(
    event: happened.OrganizationPermissionsChanged, listener: Listener, position: Position
) -> OrganizationSettingsEvent:
    return {
        "type": "realm",
        "op": "update_dict",
        "property": "default",
        "data": {
            name: value if isinstance(value, int) else {**value}
            for name, value in visible_values(event.data, listener.knows).items()
        },
        "id": position,
    }


def _format_organization_picture_changed(
    event: happened.OrganizationPictureChanged, listener: Listener, position: Position
) -> OrganizationSettingsEvent:
    return {
        "type": "realm",
        "op": "update_dict",
        "property": event.name,
        "data": {f"{event.name}_url": event.url, f"{event.name}_source": event.source},
        "id": position,
    }


def _format_user_defaults_changed(
    event: happened.UserDefaultsChanged, listener: Listener, position: Position
) -> UserDefaultEvent:
    return {
        "type": "realm_user_settings_defaults",
        "op": "update",
        "property": event.name,
        "value": event.value,
        "id": position,
    }


def _format_domain_added(event: happened.DomainAdded, listener: Listener, position: Position) -> DomainEvent:
    return {
        "type": "realm_domains",
        "op": "add",
        "realm_domain": {"domain": event.domain, "allow_subdomains": event.allow_subdomains},
        "id": position,
    }


def _format_domain_changed(
    event: happened.DomainChanged, listener: Listener, position: Position
) -> DomainEvent:
    return {
        "type": "realm_domains",
        "op": "change",
        "realm_domain": {"domain": event.domain, "allow_subdomains": event.allow_subdomains},
        "id": position,
    }


def _format_domain_removed(
    event: happened.DomainRemoved, listener: Listener, position: Position
) -> DomainRemoveEvent:
    return {"type": "realm_domains", "op": "remove", "domain": event.domain, "id": position}


def _format_organization_deactivation(
    event: happened.OrganizationDeactivation, listener: Listener, position: Position
) -> OrganizationDeactivatedEvent:
    return {"type": "realm", "op": "deactivated", "realm_id": ORGANIZATION, "id": position}


def _format_server_restarted(
    event: happened.ServerRestarted, listener: Listener, position: Position
) -> RestartEvent:
    return {
        "type": "restart",
        "service_version": event.version,
        "service_merge_base": event.version,
        "service_feature_level": event.feature_level,
        "server_generation": event.at,
        "id": position,
    }


def _format_web_client_outdated(
    event: happened.WebClientOutdated, listener: Listener, position: Position
) -> WebReloadEvent:
    return {"type": "web_reload_client", "immediate": False, "id": position}


def _format_exports_changed(
    event: happened.ExportsChanged, listener: Listener, position: Position
) -> ExportsEvent:
    return {"type": "realm_export", "exports": event.exports, "id": position}


def _format_export_consent_changed(
    event: happened.ExportConsentChanged, listener: Listener, position: Position
) -> ExportConsentEvent:
    return {
        "type": "realm_export_consent",
        "user_id": event.user_id,
        "consented": event.consented,
        "id": position,
    }


def _reads_url_templates(listener: Listener) -> bool:
    return listener.capabilities.linkifier_url_template


FORMATTERS = (
    one_payload(happened.OrganizationChanged, _format_organization_changed),
    one_payload(
        happened.OrganizationPermissionsChanged,
        _format_organization_permissions_changed,
        same_client_and_people,
    ),
    one_payload(happened.OrganizationPictureChanged, _format_organization_picture_changed),
    one_payload(happened.UserDefaultsChanged, _format_user_defaults_changed),
    one_payload(happened.DomainAdded, _format_domain_added),
    one_payload(happened.DomainChanged, _format_domain_changed),
    one_payload(happened.DomainRemoved, _format_domain_removed),
    one_payload(happened.OrganizationDeactivation, _format_organization_deactivation),
    one_payload(happened.ServerRestarted, _format_server_restarted),
    one_payload(happened.WebClientOutdated, _format_web_client_outdated),
    one_payload(happened.ExportsChanged, _format_exports_changed),
    one_payload(happened.ExportConsentChanged, _format_export_consent_changed),
    whole_list(happened.ProfileFieldsChanged),
    whole_list(happened.LinkifiersChanged, _reads_url_templates),
    whole_list(happened.PlaygroundsChanged),
    whole_list(happened.CustomEmojiChanged),
)
