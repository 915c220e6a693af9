"""Profile fields, domains, linkifiers and playgrounds, which administrators configure for everybody."""

from typing import Literal, NotRequired, TypedDict

from chatcore.domain.organization.domains import Domain
from chatcore.domain.organization.linkifiers import Linkifier
from chatcore.domain.organization.playgrounds import Playground
from chatcore.domain.organization.profile_fields import ProfileField, data_text
from chatcore.events.payloads.parts import Payload, object_of

__all__ = [
    "DomainEvent",
    "DomainObject",
    "DomainRemoveEvent",
    "LinkifierObject",
    "LinkifiersEvent",
    "PlaygroundObject",
    "PlaygroundsEvent",
    "ProfileFieldObject",
    "ProfileFieldsEvent",
]


class ProfileFieldObject(TypedDict):
    id: int
    name: str
    type: int
    field_type: int
    hint: str
    field_data: str
    order: int
    required: bool
    editable_by_user: bool
    display_in_profile_summary: NotRequired[bool]


def field_object(definition: ProfileField) -> ProfileFieldObject:
    """Return a profile field, with its kind under both names that clients know."""
    sent: ProfileFieldObject = {
        "id": definition.id,
        "name": definition.name,
        "type": int(definition.type),
        "field_type": int(definition.type),
        "hint": definition.hint,
        "field_data": data_text(definition),
        "order": definition.order,
        "required": definition.required,
        "editable_by_user": definition.editable_by_user,
    }
    if definition.display_in_profile_summary:
        sent["display_in_profile_summary"] = True
    return sent


class DomainObject(TypedDict):
    """A domain of the organization."""

    domain: str
    allow_subdomains: bool


def domain_object(domain: Domain) -> DomainObject:
    return object_of(DomainObject, domain)


class LinkifierObject(TypedDict):
    id: int
    pattern: str
    url_template: str


def linkifier_object(linkifier: Linkifier) -> LinkifierObject:
    return object_of(LinkifierObject, linkifier)


class PlaygroundObject(TypedDict):
    id: int
    name: str
    highlighter_language: str
    url_template: str


def playground_object(playground: Playground) -> PlaygroundObject:
    return object_of(PlaygroundObject, playground)


class DomainEvent(Payload):
    """A domain was added or changed."""

    type: Literal["realm_domains"]
    op: Literal["add", "change"]
    realm_domain: DomainObject


class DomainRemoveEvent(Payload):
    type: Literal["realm_domains"]
    op: Literal["remove"]
    domain: str


class ProfileFieldsEvent(Payload):
    type: Literal["custom_profile_fields"]
    fields: list[ProfileFieldObject]


class LinkifiersEvent(Payload):
    type: Literal["realm_linkifiers"]
    realm_linkifiers: list[LinkifierObject]


class PlaygroundsEvent(Payload):
    type: Literal["realm_playgrounds"]
    realm_playgrounds: list[PlaygroundObject]
