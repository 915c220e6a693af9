"""Forms of events about the settings and lists of the organization."""

from collections.abc import Mapping

from chatcore.domain.files.uploads import ORGANIZATION
from chatcore.events import happened
from chatcore.events.sending.event import Fields
from chatcore.events.sending.formatter import form, same_client_and_people, whole_list
from chatcore.events.sending.listener import Listener
from chatcore.events.sending.visible import visible_values


def _changed(event: happened.OrganizationChanged, listener: Listener) -> Fields:
    if isinstance(event.value, Mapping):
        return _several({event.name: event.value})
    return {"type": event.type, "op": "update", "property": event.name, "value": event.value}


def _permissions(event: happened.OrganizationPermissionsChanged, listener: Listener) -> Fields:
    return _several(visible_values(event.data, listener.knows))


def _picture(event: happened.OrganizationPictureChanged, listener: Listener) -> Fields:
    data = {f"{event.name}_url": event.url, f"{event.name}_source": event.source}
    return {"type": event.type, "op": "update_dict", "property": event.name, "data": data}


def _user_default(event: happened.UserDefaultsChanged, listener: Listener) -> Fields:
    return {"type": event.type, "op": "update", "property": event.name, "value": event.value}


def _domain_added(event: happened.DomainAdded, listener: Listener) -> Fields:
    domain = {"domain": event.domain, "allow_subdomains": event.allow_subdomains}
    return {"type": event.type, "op": "add", "realm_domain": domain}


def _domain_changed(event: happened.DomainChanged, listener: Listener) -> Fields:
    domain = {"domain": event.domain, "allow_subdomains": event.allow_subdomains}
    return {"type": event.type, "op": "change", "realm_domain": domain}


def _domain_removed(event: happened.DomainRemoved, listener: Listener) -> Fields:
    return {"type": event.type, "op": "remove", "domain": event.domain}


def _deactivated(event: happened.OrganizationDeactivation, listener: Listener) -> Fields:
    return {"type": event.type, "op": "deactivated", "realm_id": ORGANIZATION}


def _restarted(event: happened.ServerRestarted, listener: Listener) -> Fields:
    return {
        "type": event.type,
        "service_version": event.version,
        "service_merge_base": event.version,
        "service_feature_level": event.feature_level,
        "server_generation": event.at,
    }


def _web_client_outdated(event: happened.WebClientOutdated, listener: Listener) -> Fields:
    return {"type": event.type, "immediate": False}


def _exports(event: happened.ExportsChanged, listener: Listener) -> Fields:
    return {"type": event.type, "exports": event.exports}


def _export_consent(event: happened.ExportConsentChanged, listener: Listener) -> Fields:
    return {"type": event.type, "user_id": event.user_id, "consented": event.consented}


def _several(data: Fields) -> Fields:
    return {"type": "realm", "op": "update_dict", "property": "default", "data": data}


def _reads_url_templates(listener: Listener) -> bool:
    return listener.capabilities.linkifier_url_template


FORMATTERS = (
    form(happened.OrganizationChanged, _changed),
    form(happened.OrganizationPermissionsChanged, _permissions, same_client_and_people),
    form(happened.OrganizationPictureChanged, _picture),
    form(happened.UserDefaultsChanged, _user_default),
    form(happened.DomainAdded, _domain_added),
    form(happened.DomainChanged, _domain_changed),
    form(happened.DomainRemoved, _domain_removed),
    form(happened.OrganizationDeactivation, _deactivated),
    form(happened.ServerRestarted, _restarted),
    form(happened.WebClientOutdated, _web_client_outdated),
    form(happened.ExportsChanged, _exports),
    form(happened.ExportConsentChanged, _export_consent),
    whole_list(happened.ProfileFieldsChanged),
    whole_list(happened.LinkifiersChanged, _reads_url_templates),
    whole_list(happened.PlaygroundsChanged),
    whole_list(happened.CustomEmojiChanged),
)
