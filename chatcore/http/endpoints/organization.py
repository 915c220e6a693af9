"""What administrators set up for everybody: linkifiers, code playgrounds, custom profile fields."""

from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

from chatcore.application import linkifiers, playgrounds, profile_fields
from chatcore.application.services import Services
from chatcore.domain.profile_fields import FIELD_DATA, FieldType
from chatcore.http.auth import Caller
from chatcore.http.params import Json, NoParams, Params, Text, about
from chatcore.http.routing import Answer, Done


class IdAnswer(Answer, frozen=True, kw_only=True):
    id: int


# -- linkifiers -------------------------------------------------------------------------------------


class LinkifierShape(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    pattern: str
    url_template: str


class LinkifiersAnswer(Answer, frozen=True, kw_only=True):
    linkifiers: list[LinkifierShape]


def list_linkifiers(svc: Services, caller: Caller, p: NoParams) -> LinkifiersAnswer:
    """List the linkifiers in the order in which they are tried."""
    shapes = [LinkifierShape(**shape) for shape in linkifiers.list_linkifiers(svc)]
    return LinkifiersAnswer(linkifiers=shapes)


class AddLinkifierParams(Params, kw_only=True, frozen=True):
    pattern: Annotated[Text, about("A regular expression of linear time (RE2), with named groups.")]
    url_template: Annotated[Text, about("A URL template (RFC 6570).")]


def add_linkifier(svc: Services, caller: Caller, p: AddLinkifierParams) -> IdAnswer:
    """Add a linkifier behind all others."""
    return IdAnswer(id=linkifiers.add_linkifier(svc, caller.user, p.pattern, p.url_template))


class UpdateLinkifierParams(Params, kw_only=True, frozen=True):
    filter_id: Annotated[int, about("The linkifier's id.")]
    pattern: Annotated[Text, about("A regular expression of linear time (RE2), with named groups.")]
    url_template: Annotated[Text, about("A URL template (RFC 6570).")]


def update_linkifier(svc: Services, caller: Caller, p: UpdateLinkifierParams) -> Done:
    """Change a linkifier."""
    linkifiers.update_linkifier(svc, caller.user, p.filter_id, p.pattern, p.url_template)
    return Done()


class RemoveLinkifierParams(Params, kw_only=True, frozen=True):
    filter_id: Annotated[int, about("The linkifier's id.")]


def remove_linkifier(svc: Services, caller: Caller, p: RemoveLinkifierParams) -> Done:
    """Remove a linkifier."""
    linkifiers.remove_linkifier(svc, caller.user, p.filter_id)
    return Done()


class ReorderLinkifiersParams(Params, kw_only=True, frozen=True):
    ordered_linkifier_ids: Annotated[list[int], about("All ids, in the new order.")]


def reorder_linkifiers(svc: Services, caller: Caller, p: ReorderLinkifiersParams) -> Done:
    """Set the order in which linkifiers are tried."""
    linkifiers.reorder_linkifiers(svc, caller.user, p.ordered_linkifier_ids)
    return Done()


# -- playgrounds ------------------------------------------------------------------------------------


class AddPlaygroundParams(Params, kw_only=True, frozen=True):
    name: Annotated[Text, about("The name.")]
    highlighter_language: Annotated[Text, about("The name of the language, as the highlighter has it.")]
    url_template: Annotated[
        Text, msgspec.Meta(description="RFC 6570, with exactly one variable, named `code`.")
    ]


def add_playground(svc: Services, caller: Caller, p: AddPlaygroundParams) -> IdAnswer:
    """Add a code playground for a language."""
    return IdAnswer(
        id=playgrounds.add_playground(svc, caller.user, p.name, p.highlighter_language, p.url_template)
    )


class RemovePlaygroundParams(Params, kw_only=True, frozen=True):
    playground_id: Annotated[int, about("The playground's id.")]


def remove_playground(svc: Services, caller: Caller, p: RemovePlaygroundParams) -> Done:
    """Remove a code playground."""
    playgrounds.remove_playground(svc, caller.user, p.playground_id)
    return Done()


# -- custom profile fields --------------------------------------------------------------------------


class ProfileFieldShape(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    name: str
    type: int
    field_type: int
    hint: str
    field_data: str
    order: int
    required: bool
    editable_by_user: bool
    display_in_profile_summary: bool | UnsetType = UNSET


class ProfileFieldsAnswer(Answer, frozen=True, kw_only=True):
    custom_fields: list[ProfileFieldShape]


def list_profile_fields(svc: Services, caller: Caller, p: NoParams) -> ProfileFieldsAnswer:
    """List the custom profile fields, by order."""
    shapes = [ProfileFieldShape(**shape) for shape in profile_fields.list_fields(svc)]
    return ProfileFieldsAnswer(custom_fields=shapes)


class CreateProfileFieldParams(Params, kw_only=True, frozen=True):
    name: Annotated[Text, about("The name.")] = ""
    hint: Annotated[Text, about("A hint for who fills it in.")] = ""
    field_type: Annotated[
        int,
        msgspec.Meta(
            description="1 short text, 2 long text, 3 options, 4 date, 5 link, 6 people, 7 external account,"
            " 8 pronouns.",
            extra_json_schema={"enum": [int(kind) for kind in FieldType]},
        ),
    ]
    field_data: Annotated[Json, about(FIELD_DATA, schema={"type": "object"})] = None
    display_in_profile_summary: Annotated[bool, about("Whether short profiles have it.")] = False
    required: Annotated[bool, about("Whether clients should ask for a value.")] = False
    editable_by_user: Annotated[bool, about("Whether people may change their own value.")] = True


def create_profile_field(svc: Services, caller: Caller, p: CreateProfileFieldParams) -> IdAnswer:
    """Define a custom profile field, behind all others."""
    new = profile_fields.NewField(**{name: getattr(p, name) for name in p.__struct_fields__})
    return IdAnswer(id=profile_fields.create_field(svc, caller.user, new))


class UpdateProfileFieldParams(Params, kw_only=True, frozen=True):
    field_id: Annotated[int, about("The field's id.")]
    name: Annotated[Text | None, about("The name.")] = None
    hint: Annotated[Text | None, about("A hint for who fills it in.")] = None
    field_data: Annotated[Json, about(FIELD_DATA, schema={"type": "object"})] = None
    display_in_profile_summary: Annotated[bool | None, about("Whether short profiles have it.")] = None
    required: Annotated[bool | None, about("Whether clients should ask for a value.")] = None
    editable_by_user: Annotated[bool | None, about("Whether people may change their own value.")] = None


def update_profile_field(svc: Services, caller: Caller, p: UpdateProfileFieldParams) -> Done:
    """Change a custom profile field; its kind stays."""
    parts = {name: getattr(p, name) for name in p.__struct_fields__ if name != "field_id"}
    profile_fields.update_field(svc, caller.user, p.field_id, profile_fields.FieldChange(**parts))
    return Done()


class RemoveProfileFieldParams(Params, kw_only=True, frozen=True):
    field_id: Annotated[int, about("The field's id.")]


def remove_profile_field(svc: Services, caller: Caller, p: RemoveProfileFieldParams) -> Done:
    """Remove a custom profile field and what everybody has in it."""
    profile_fields.remove_field(svc, caller.user, p.field_id)
    return Done()


class ReorderProfileFieldsParams(Params, kw_only=True, frozen=True):
    order: Annotated[list[int], about("All ids, in the new order.")]


def reorder_profile_fields(svc: Services, caller: Caller, p: ReorderProfileFieldsParams) -> Done:
    """Set the order of the custom profile fields."""
    profile_fields.reorder_fields(svc, caller.user, p.order)
    return Done()
