"""People and groups in the form of SCIM (RFC 7643), and what its messages say of them.

It needs the extra `scim`, whose libraries load with this module.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, TypeAlias

import scim2_models as scim
from pydantic import Field
from scim2_models.path.expressions import Comparison

from chatcore.application.services import Services
from chatcore.application.sign_on import provisioning
from chatcore.domain.ids import UserId
from chatcore.domain.roles import Role
from chatcore.domain.sign_on.provisioning import (
    MAX_COUNT,
    ChangeGroup,
    ChangePerson,
    ProvisionedGroup,
    ProvisionedPerson,
    Unfit,
    id_in,
)
from chatcore.http.endpoints.sign_on.scim_messages import MAX_VALUES, read_patch, refusals, require_small

MAX_NAMES: Final = 50
"""Names of attributes to show, or not to show."""

AnyResource: TypeAlias = scim.Resource[Any]
Choice: TypeAlias = scim.ResponseParameters[Any]


class Name(scim.ComplexAttribute):
    formatted: str | None = None
    given_name: str | None = None
    family_name: str | None = None


class Value(scim.ComplexAttribute):
    """One of several, in any form: use cases check it."""

    value: str | None = None
    type: str | None = None
    primary: bool | None = None


class Rank(Value):
    value: str | None = Field(None, examples=[role.name.lower() for role in Role if role != Role.OWNER])


class UserResource(scim.Resource[Any]):
    """A user with those attributes that have a meaning here."""

    __schema__ = scim.User.__schema__

    user_name: Annotated[str | None, scim.Required.true, scim.Uniqueness.server] = None
    display_name: str | None = None
    name: Name | None = None
    emails: list[Value] | None = None
    active: bool | None = None
    roles: list[Rank] | None = None


def read_choice(attributes: str, excluded: str) -> Choice:
    """Return which attributes an answer has: only some, or all without some.

    :raises Unfit: no names of attributes, or too many
    """
    chosen = {"attributes": attributes or None, "excludedAttributes": excluded or None}
    with refusals():
        if max(attributes.count(","), excluded.count(",")) >= MAX_NAMES:
            raise scim.InvalidValueException(detail=f"Name {MAX_NAMES} attributes at most.")
        return Choice.model_validate(chosen)


def render(resource: AnyResource, choice: Choice | None = None) -> dict[str, Any]:
    """Return a resource as JSON has it."""
    context = scim.Context.RESOURCE_QUERY_RESPONSE
    with refusals():
        return resource.model_dump(scim_ctx=context, response_parameters=choice or Choice())


def render_list(resources: Sequence[dict[str, Any]], total: int, start: int) -> dict[str, Any]:
    """Return one page of resources, of which the first has the number *start*."""
    return {
        "schemas": [f"{scim.ListResponse.__schema__}"],
        "totalResults": total,
        "startIndex": start,
        "itemsPerPage": len(resources),
        "Resources": resources,
    }


def _meta(kind: str, base: str, end: str) -> dict[str, str]:
    return {"resourceType": kind, "location": f"{base}/{end}"}


# -- people -----------------------------------------------------------------------------------------


def person_resource(person: ProvisionedPerson, base: str) -> UserResource:
    """Return the resource of an account; *base* is the address of the service."""
    given, _, family = person.full_name.rpartition(" ")
    return UserResource.model_validate(
        {
            "id": f"{person.id}",
            "externalId": person.external_id or None,
            "userName": person.email,
            "displayName": person.full_name,
            "name": {"formatted": person.full_name, "givenName": given or None, "familyName": family or None},
            "emails": [{"value": person.email, "type": "work", "primary": True}],
            "active": person.is_active,
            "roles": [{"value": person.role.name.lower(), "primary": True}],
            "meta": _meta("User", base, f"Users/{person.id}"),
        }
    )


def show_person(person: ProvisionedPerson, base: str, choice: Choice) -> dict[str, Any]:
    """Return an account as JSON has it."""
    return render(person_resource(person, base), choice)


def read_person(content: object) -> ChangePerson:
    """Return a function that gives a person the attributes of a message; those it leaves out stay.

    :raises Unfit: it describes none
    """
    require_small(content, most=MAX_VALUES)
    with refusals():
        wanted = UserResource.model_validate(content, scim_ctx=scim.Context.RESOURCE_CREATION_REQUEST)
    return lambda person: _apply_resource(person, wanted)


def patch_person(content: object) -> ChangePerson:
    """Return a function that changes a person by the operations of a message. It raises `Unfit` for one that
    cannot be applied.

    :raises Unfit: the message has no operations
    """
    require_small(content, most=MAX_VALUES)
    with refusals():
        patch = read_patch(scim.PatchOp[UserResource], content)

    def change(person: ProvisionedPerson) -> ProvisionedPerson:
        wanted = person_resource(person, "")
        with refusals():
            # A copy: the resource takes over values, which later operations change, and a unit may run again.
            patch.model_copy(deep=True).patch(wanted)
        return _apply_resource(person, wanted)

    return change


def _apply_resource(person: ProvisionedPerson, wanted: UserResource) -> ProvisionedPerson:
    """Return a person with the attributes of a resource. Several attributes have the name, and several the
    address: the first of them that differs from before counts. If the resource deactivates the person,
    nothing else changes.
    """
    if person.is_active and wanted.active is False:
        return replace(person, is_active=False)
    old, name = person_resource(person, ""), wanted.name or Name()
    assert old.name is not None
    parts = [name.given_name, name.family_name]
    has_new_parts = parts != [old.name.given_name, old.name.family_name]
    of_parts = " ".join(filter(None, parts)) if has_new_parts else None
    full_name = _first_new(person.full_name, wanted.display_name, name.formatted, of_parts)
    email = _first_new(person.email, wanted.user_name, _primary_value(wanted.emails))
    role = _primary_value(wanted.roles)
    return replace(
        person,
        email=email,
        full_name=full_name or email.partition("@")[0],
        role=person.role if role is None else _read_role(role),
        is_active=person.is_active if wanted.active is None else wanted.active,
        external_id=wanted.external_id or person.external_id,
    )


def _first_new(old: str, *values: str | None) -> str:
    """Return the first of the values that says something new; the old one if none does."""
    return next((value for value in values if value and value != old), old)


def _primary_value(values: Sequence[Value] | None) -> str | None:
    """Return the primary one of the values, else the first; None if there is none."""
    main = min(values or (), key=lambda value: not value.primary, default=None)
    return None if main is None else main.value


def _read_role(text: str) -> Role:
    try:
        return Role[text.upper()]
    except KeyError:
        roles = ", ".join(role.name.lower() for role in Role)
        raise Unfit(f"A role is one of {roles}.", "invalidValue") from None


# -- groups -----------------------------------------------------------------------------------------


def show_group(group: ProvisionedGroup, base: str, choice: Choice) -> dict[str, Any]:
    """Return a group as JSON has it; *base* is the address of the service. Its members go past the
    library, which takes a second for ten thousand of them.
    """
    meta = _meta("Group", base, f"Groups/{group.id}")
    shown = render(
        scim.Group.model_validate({"id": f"{group.id}", "displayName": group.name, "meta": meta}), choice
    )
    if _shows_members(choice):
        shown["members"] = [
            {"value": f"{user_id}", "type": "User", "$ref": f"{base}/Users/{user_id}"}
            for user_id in sorted(group.members)
        ]
    return shown


def _shows_members(choice: Choice) -> bool:
    """Whether an answer has the members of a group: their attribute, or one within, is chosen, or not
    excluded.
    """
    if choice.attributes:
        return any(path.attr.lower().partition(".")[0] == "members" for path in choice.attributes)
    return all(path.attr.lower() != "members" for path in choice.excluded_attributes or ())


def read_group(content: object) -> ChangeGroup:
    """Return a function that gives a group the name and the members of a message: an empty name, or no
    members, if the message has none.

    :raises Unfit: it describes none
    """
    require_small(content)
    with refusals():
        wanted = scim.Group.model_validate(content, scim_ctx=scim.Context.RESOURCE_CREATION_REQUEST)
        name, members = wanted.display_name or "", _user_ids(wanted.members or ())
    return lambda group: replace(group, name=name, members=members)


def patch_group(content: object) -> ChangeGroup:
    """Return a function that changes a group by the operations of a message. They change a set of ids: the
    library would take seconds for a few of them and thousands of members.

    :raises Unfit: an operation that cannot be applied
    """
    changes: list[ChangeGroup] = []
    require_small(content)
    with refusals():
        for operation in read_patch(scim.PatchOp[scim.Group], content).operations or ():
            path, value = operation.path, operation.value
            parts = value if not path and isinstance(value, dict) else {f"{path or ''}": value}
            changes += [
                _group_change(operation.op, scim.Path[scim.Group](name), part) for name, part in parts.items()
            ]

    def apply_all(group: ProvisionedGroup) -> ProvisionedGroup:
        for change in changes:
            group = change(group)
        return group

    return apply_all


def _group_change(op: str, path: scim.Path[scim.Group], value: Any) -> ChangeGroup:
    """Return a function that changes a group by one operation on one attribute; other attributes than name
    and members have no meaning here, and are passed over.

    :raises SCIMException, ValidationError: it cannot be applied
    """
    attribute, value_filter = path.attr.lower(), path.value_filter
    if attribute == "displayname":
        name = scim.Group.model_validate({"displayName": value}).display_name or ""
        return lambda group: replace(group, name=name)
    if attribute.partition(".")[0] != "members":
        return lambda group: group
    if attribute != "members":
        raise scim.InvalidPathException(detail='Use members, or members[value eq "…"].')
    if value_filter is not None:
        comparison = value_filter if isinstance(value_filter, Comparison) else None
        if op != "remove" or comparison is None or f"{comparison.attr_path} {comparison.op}" != "value eq":
            raise scim.InvalidPathException(detail='Use members[value eq "…"], to remove one.')
        value = {"value": f"{comparison.value}"}
    elif op == "remove" and value is None:
        return lambda group: replace(group, members=frozenset())
    ids = _user_ids(map(scim.GroupMember.model_validate, value if isinstance(value, list) else [value]))
    if op == "replace":
        return lambda group: replace(group, members=ids)
    merge = frozenset.difference if op == "remove" else frozenset.union
    return lambda group: replace(group, members=merge(group.members, ids))


def _user_ids(members: Iterable[scim.GroupMember]) -> frozenset[UserId]:
    """:raises InvalidValueException: a member is no person, or has no id of one"""
    ids = [id_in(member.value or "") if member.type in (None, "User") else None for member in members]
    if None in ids:
        raise scim.InvalidValueException(detail="Members are people, each by the id of a user here.")
    return frozenset(UserId(user_id) for user_id in ids if user_id is not None)


# -- what the service says of itself ----------------------------------------------------------------


def service_config(base: str) -> scim.ServiceProviderConfig:
    """Return what the service can do; *base* is its address."""
    bearer = {"type": "oauthbearertoken", "name": "Bearer token", "description": "That of the settings"}
    return scim.ServiceProviderConfig.model_validate(
        {
            "patch": {"supported": True},
            "filter": {"supported": True, "maxResults": MAX_COUNT},
            "bulk": {"supported": False, "maxOperations": 0, "maxPayloadSize": 0},
            **{name: {"supported": False} for name in ("changePassword", "sort", "etag")},
            "authenticationSchemes": [bearer],
            "meta": _meta("ServiceProviderConfig", base, "ServiceProviderConfig"),
        }
    )


def descriptions(base: str) -> Mapping[str, Sequence[AnyResource]]:
    """Return the kinds of resources and their attributes, by the ends of their addresses."""
    models = [kind.model for kind in KINDS.values()]
    described: Mapping[str, Sequence[AnyResource]] = {
        "ResourceTypes": [scim.ResourceType.from_resource(model) for model in models],
        "Schemas": [model.to_schema() for model in models],
    }
    for end, resources in described.items():
        for resource in resources:
            location = f"{end}/{resource.id}"
            resource.meta = scim.Meta.model_validate(_meta(end.removesuffix("s"), base, location))
    return described


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceKind:
    """One kind of resources: its form, the messages about it, and the use cases."""

    model: type[AnyResource]
    new: Any
    """The person or group before its creation, which the message of the creation changes."""
    searched: Mapping[str, str]
    """The attributes by which one is found, each with the argument of `find`."""
    show: Callable[[Any, str, Choice], dict[str, Any]]
    read: Callable[[object], Callable[[Any], Any]]
    patch: Callable[[object], Callable[[Any], Any]]
    find: Callable[..., tuple[int, Sequence[Any]]]
    get: Callable[[Services, int], Any]
    add: Callable[[Services, Any], Any]
    change: Callable[[Services, int, Callable[[Any], Any]], Any]
    deactivate: Callable[[Services, int], None]


KINDS: Final[Mapping[str, ResourceKind]] = {
    "Users": ResourceKind(
        model=UserResource,
        new=ProvisionedPerson(),
        searched={"userName": "email", "externalId": "external_id"},
        show=show_person,
        read=read_person,
        patch=patch_person,
        find=provisioning.list_people,
        get=provisioning.get_person,
        add=provisioning.add_person,
        change=provisioning.change_person,
        deactivate=provisioning.deactivate_person,
    ),
    "Groups": ResourceKind(
        model=scim.Group,
        new=ProvisionedGroup(),
        searched={"displayName": "name"},
        show=show_group,
        read=read_group,
        patch=patch_group,
        find=provisioning.list_groups,
        get=provisioning.get_group,
        add=provisioning.add_group,
        change=provisioning.change_group,
        deactivate=provisioning.deactivate_group,
    ),
}
"""The kinds of resources, by the ends of their addresses."""
