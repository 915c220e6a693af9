"""The organization's custom profile fields."""

from collections.abc import Sequence
from typing import Annotated

import msgspec

from chatcore.application.arguments import about
from chatcore.application.organization import profile_fields
from chatcore.application.services import Services
from chatcore.domain.organization.profile_fields import FIELD_DATA_EXPLAINED, FieldType
from chatcore.events.payloads.configuration import ProfileFieldObject
from chatcore.http.endpoints.organization.answers import NewIdAnswer
from chatcore.http.parameters.declaring import Json, NoParams, Params, Text
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Answer, Done


class ProfileFieldsAnswer(Answer, frozen=True, kw_only=True):
    custom_fields: Sequence[ProfileFieldObject]


def list_profile_fields(svc: Services, caller: Caller, p: NoParams) -> ProfileFieldsAnswer:
    """List the custom profile fields in their order."""
    return ProfileFieldsAnswer(custom_fields=profile_fields.list_fields(svc))


class CreateProfileFieldParams(Params, kw_only=True, frozen=True):
    name: Annotated[Text, about("The name.")] = ""
    hint: Annotated[Text, about("A hint for users who fill in the field.")] = ""
    field_type: Annotated[
        int,
        msgspec.Meta(
            description="1 short text, 2 long text, 3 options, 4 date, 5 link, 6 people, 7 external account,"
            " 8 pronouns.",
            extra_json_schema={"enum": [int(kind) for kind in FieldType]},
        ),
    ]
    field_data: Annotated[Json, about(FIELD_DATA_EXPLAINED, schema={"type": "object"})] = None
    display_in_profile_summary: Annotated[bool, about("Whether summaries of profiles show the field.")] = (
        False
    )
    required: Annotated[bool, about("Whether clients should ask for a value.")] = False
    editable_by_user: Annotated[bool, about("Whether people may change their own value.")] = True


def create_profile_field(svc: Services, caller: Caller, p: CreateProfileFieldParams) -> NewIdAnswer:
    """Define a custom profile field after all others."""
    new = profile_fields.NewField(**{name: getattr(p, name) for name in p.__struct_fields__})
    return NewIdAnswer(id=profile_fields.create_field(svc, caller.actor, new))


class UpdateProfileFieldParams(Params, kw_only=True, frozen=True):
    field_id: Annotated[int, about("The field's id.")]
    name: Annotated[Text | None, about("The name.")] = None
    hint: Annotated[Text | None, about("A hint for users who fill in the field.")] = None
    field_data: Annotated[Json, about(FIELD_DATA_EXPLAINED, schema={"type": "object"})] = None
    display_in_profile_summary: Annotated[
        bool | None, about("Whether summaries of profiles show the field.")
    ] = None
    required: Annotated[bool | None, about("Whether clients should ask for a value.")] = None
    editable_by_user: Annotated[bool | None, about("Whether people may change their own value.")] = None


def update_profile_field(svc: Services, caller: Caller, p: UpdateProfileFieldParams) -> Done:
    """Change a custom profile field; its type stays."""
    parts = {name: getattr(p, name) for name in p.__struct_fields__ if name != "field_id"}
    profile_fields.update_field(svc, caller.actor, p.field_id, profile_fields.FieldChange(**parts))
    return Done()
