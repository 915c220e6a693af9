"""Changing accounts, profiles and statuses."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from chatcore.application import profile_data, statuses, user_updates
from chatcore.application.profile_data import Entry
from chatcore.application.services import Services
from chatcore.domain.roles import Role
from chatcore.http.auth import Caller
from chatcore.http.params import Params, Text, about
from chatcore.http.routing import Answer, Done


class ProfileEntry(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    value: str | list[int] | None


def _entries(given: list[ProfileEntry] | None) -> list[Entry]:
    return [Entry(entry.id, entry.value) for entry in given or ()]


# -- accounts ---------------------------------------------------------------------------------------

RoleParam = Annotated[
    int,
    msgspec.Meta(
        description="100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.",
        extra_json_schema={"enum": [int(role) for role in Role]},
    ),
]


class UpdateParams(Params, kw_only=True, frozen=True):
    user_id: Annotated[int, about("The user's id.")]
    full_name: Annotated[Text | None, about("The new name.")] = None
    role: Annotated[RoleParam | None, about("The new role, by its number.")] = None
    profile_data: Annotated[list[ProfileEntry] | None, about("Ids of fields with their values.")] = None
    new_email: Annotated[Text | None, about("The new address.")] = None


class UpdateByEmailParams(Params, kw_only=True, frozen=True):
    email: Annotated[Text, about("The user's address, or the placeholder.")]
    full_name: Annotated[Text | None, about("The new name.")] = None
    role: Annotated[RoleParam | None, about("The new role, by its number.")] = None
    profile_data: Annotated[list[ProfileEntry] | None, about("Ids of fields with their values.")] = None
    new_email: Annotated[Text | None, about("The new address.")] = None


def update_user(svc: Services, caller: Caller, p: UpdateParams) -> Done:
    """Change an account."""
    user_updates.update_user(svc, caller.user, p.user_id, _change(p))
    return Done()


def update_user_by_email(svc: Services, caller: Caller, p: UpdateByEmailParams) -> Done:
    """Change the account with an address, the real one where it may be seen or the placeholder."""
    user_updates.update_user(svc, caller.user, p.email, _change(p))
    return Done()


def _change(p: UpdateParams | UpdateByEmailParams) -> user_updates.UserChange:
    return user_updates.UserChange(
        full_name=p.full_name, role=p.role, profile_data=_entries(p.profile_data), new_email=p.new_email
    )


# -- one's own profile ------------------------------------------------------------------------------


class UpdateProfileParams(Params, kw_only=True, frozen=True):
    data: Annotated[list[ProfileEntry], about("Ids of fields with their values, or ids alone to clear them.")]


def update_profile(svc: Services, caller: Caller, p: UpdateProfileParams) -> Done:
    """Change what one has in custom profile fields."""
    profile_data.update_own(svc, caller.user, _entries(p.data))
    return Done()


class EmptyProfileParams(Params, kw_only=True, frozen=True):
    data: Annotated[list[int], about("Ids of fields with their values, or ids alone to clear them.")]


def empty_profile(svc: Services, caller: Caller, p: EmptyProfileParams) -> Done:
    """Empty custom profile fields of one's own."""
    profile_data.remove_own(svc, caller.user, p.data)
    return Done()


# -- statuses ---------------------------------------------------------------------------------------


class StatusShape(msgspec.Struct, frozen=True, kw_only=True):
    away: bool | UnsetType = UNSET
    status_text: str | UnsetType = UNSET
    emoji_name: str | UnsetType = UNSET
    emoji_code: str | UnsetType = UNSET
    reaction_type: Literal["unicode_emoji", "realm_emoji", "service_extra_emoji"] | UnsetType = UNSET


class StatusOfParams(Params, kw_only=True, frozen=True):
    user_id: Annotated[int, about("The user's id.")]


class StatusAnswer(Answer, frozen=True, kw_only=True):
    status: StatusShape


def status_of(svc: Services, caller: Caller, p: StatusOfParams) -> StatusAnswer:
    """Get a user's status."""
    parts: dict[str, Any] = dict(statuses.status_of(svc, caller.user, p.user_id))
    return StatusAnswer(status=StatusShape(**parts))


class SetStatusParams(Params, kw_only=True, frozen=True):
    status_text: Annotated[Text | None, about("What one is doing; empty clears it.")] = None
    away: Annotated[bool | None, about("Whether one is not to be seen as present.")] = None
    emoji_name: Annotated[Text | None, about("The name of an emoji; empty clears it.")] = None
    emoji_code: Annotated[Text | None, about("The emoji's code.")] = None
    reaction_type: Annotated[Text | None, about("The kind of emoji.")] = None


def set_status(svc: Services, caller: Caller, p: SetStatusParams) -> Done:
    """Set one's status, or parts of it."""
    new = statuses.NewStatus(**{name: getattr(p, name) for name in p.__struct_fields__})
    statuses.set_status(svc, caller.user, new)
    return Done()


class SetStatusOfParams(Params, kw_only=True, frozen=True):
    user_id: Annotated[int, about("The user's id.")]
    status_text: Annotated[Text | None, about("What they are doing; empty clears it.")] = None
    emoji_name: Annotated[Text | None, about("The name of an emoji; empty clears it.")] = None
    emoji_code: Annotated[Text | None, about("The emoji's code.")] = None
    reaction_type: Annotated[Text | None, about("The kind of emoji.")] = None


def set_status_of(svc: Services, caller: Caller, p: SetStatusOfParams) -> Done:
    """Set somebody's status, or parts of it, as an administrator."""
    new = statuses.NewStatus(
        status_text=p.status_text,
        emoji_name=p.emoji_name,
        emoji_code=p.emoji_code,
        reaction_type=p.reaction_type,
    )
    statuses.set_status_of(svc, caller.user, p.user_id, new)
    return Done()
