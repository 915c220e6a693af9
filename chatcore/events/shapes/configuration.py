"""Profile fields, domains, linkifiers and playgrounds, which administrators configure for everybody."""

from typing import Any

import msgspec

from chatcore.domain.organization.domains import Domain
from chatcore.domain.organization.linkifiers import Linkifier
from chatcore.domain.organization.playgrounds import Playground
from chatcore.domain.organization.profile_fields import ProfileField, data_text


def field_shape(definition: ProfileField) -> dict[str, Any]:
    """Return a profile field, with its kind under both names that clients know."""
    shape = {
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
        shape["display_in_profile_summary"] = True
    return shape


class DomainShape(msgspec.Struct, frozen=True):
    """A domain of the organization."""

    domain: str
    allow_subdomains: bool


def domain_shape(domain: Domain) -> DomainShape:
    return DomainShape(domain.domain, domain.allow_subdomains)


def linkifier_shape(linkifier: Linkifier) -> dict[str, Any]:
    return {"id": linkifier.id, "pattern": linkifier.pattern, "url_template": linkifier.url_template}


def playground_shape(playground: Playground) -> dict[str, Any]:
    return {
        "id": playground.id,
        "name": playground.name,
        "highlighter_language": playground.highlighter_language,
        "url_template": playground.url_template,
    }
