"""Users as others see them, and the data of users that events contain."""

import json
from collections.abc import Callable, Collection, Mapping
from copy import deepcopy
from datetime import UTC, datetime
from typing import Literal, NotRequired, TypedDict, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.organization.profile_fields import people_text
from chatcore.domain.people.avatars import generated_url, unknown_url, url_of
from chatcore.domain.people.presence import ClientPresenceObject, PresenceTimesObject
from chatcore.domain.people.statuses import StatusParts
from chatcore.domain.people.users import (
    AvatarSource,
    EmailVisibility,
    User,
    api_email,
    may_see_email,
    placeholder_email,
)
from chatcore.domain.roles import Role
from chatcore.events.payloads.objects import UserObject
from chatcore.events.payloads.parts import Payload, ValueObject

__all__ = [
    "ChangedUserObject",
    "ClientPresenceObject",
    "InvitationsEvent",
    "PresenceEvent",
    "PresenceTimesObject",
    "RemovedUserObject",
    "StatusEvent",
    "UserAddEvent",
    "UserRemoveEvent",
    "UserUpdateEvent",
]

UNKNOWN_USER_NAME = "Unknown user"
"""The name of a user who is not visible to a limited guest."""


class FieldValueObject(ValueObject):
    """A user's new value of a profile field, with the number of the field; None: it was removed."""

    id: int


ProfileData = Mapping[str, ValueObject]
"""A user's values by the numbers of their fields."""

AnyValue = TypeVar("AnyValue", bound=ValueObject)


def known_value(value: AnyValue, knows: Callable[[UserId], bool]) -> AnyValue:
    """Return the value of a profile field that lists users, with only those visible to the reader; None if
    there are none.
    """
    if value["value"] is None:
        return value
    user_ids = [user_id for user_id in json.loads(value["value"]) if knows(user_id)]
    known = value.copy()
    known["value"] = people_text(user_ids) if user_ids else None
    return known


def known_profile(
    profile_data: ProfileData, listing: Collection[str], knows: Callable[[UserId], bool]
) -> ProfileData:
    """Return profile data with only users visible to the reader; the *listing* fields list users."""
    known = {
        field_id: known_value(value, knows) if field_id in listing else value
        for field_id, value in profile_data.items()
    }
    return {field_id: value for field_id, value in known.items() if value["value"] is not None}


class Person(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Data of a user for others, stored in events; visibility of the address is decided on delivery."""

    id: UserId
    email: str
    full_name: str
    role: int
    api_email: str
    is_bot: bool = False
    bot_type: int | None = None
    bot_owner_id: UserId | None = None
    is_active: bool = True
    date_joined: int = 0
    timezone: str = ""
    avatar_source: str = AvatarSource.GRAVATAR
    avatar_version: int = 1
    avatar_key: str = ""
    email_visibility: int = EmailVisibility.EVERYONE


def person(user: User, host: str) -> Person:
    return Person(
        id=user.id,
        email=user.email,
        full_name=user.full_name,
        role=user.role,
        api_email=api_email(user, host),
        is_bot=user.is_bot,
        bot_type=user.bot_type,
        bot_owner_id=user.bot_owner_id,
        is_active=user.is_active,
        date_joined=user.date_joined,
        timezone=user.timezone,
        avatar_source=user.avatar_source,
        avatar_version=user.avatar_version,
        avatar_key=user.avatar_key,
        email_visibility=user.email_visibility,
    )


def unknown_person(user_id: UserId, host: str) -> Person:
    """Return the placeholder for a user who is not visible to a limited guest; only the id is real."""
    return Person(
        id=user_id,
        email="",
        full_name=UNKNOWN_USER_NAME,
        role=Role.MEMBER,
        api_email=placeholder_email(user_id, host),
        avatar_source=AvatarSource.UNKNOWN,
    )


def avatar_url(who: Person, *, medium: bool = False) -> str:
    """Return the URL of a picture on this server: the uploaded one, or else the generated one."""
    if who.avatar_source == AvatarSource.UNKNOWN:
        return unknown_url()
    if who.avatar_source == AvatarSource.UPLOADED:
        return f"{url_of(who.avatar_key, medium=medium)}?version={who.avatar_version}"
    return generated_url(who.id, who.avatar_version, medium=medium)


class UserChanges(TypedDict, total=False):
    """The changed properties of a user."""

    full_name: str
    email: str
    new_email: str
    delivery_email: str | None
    role: int
    is_active: bool
    timezone: str
    bot_owner_id: int | None
    avatar_url: str | None
    avatar_url_medium: str | None
    avatar_source: str
    avatar_version: int
    custom_profile_field: FieldValueObject


def avatar_fields(who: Person) -> UserChanges:
    return {
        "avatar_url": avatar_url(who),
        "avatar_url_medium": avatar_url(who, medium=True),
        "avatar_source": who.avatar_source,
        "avatar_version": who.avatar_version,
    }


def avatar_is_left_to_client(viewer: Actor | None, who: Person) -> bool:
    """Whether a client that can generate pictures itself has the data for this one."""
    return who.avatar_source == AvatarSource.GRAVATAR and may_see_email(viewer, who)


class UserShape(msgspec.Struct, kw_only=True, frozen=True):
    """A user as one reader sees it."""

    user_id: int
    delivery_email: str | None
    email: str
    full_name: str
    date_joined: str
    is_owner: bool
    is_admin: bool
    is_guest: bool
    is_bot: bool
    bot_type: int | None
    bot_owner_id: int | None
    role: int
    timezone: str
    avatar_url: str | None
    avatar_version: int
    is_active: bool | UnsetType = UNSET
    profile_data: dict[str, ValueObject] | UnsetType = UNSET


def joined_text(seconds: int) -> str:
    """Return `date_joined`: ISO 8601 with offset."""
    return datetime.fromtimestamp(seconds, UTC).isoformat()


def user_shape(
    who: Person,
    viewer: Actor | None,
    *,
    client_gravatar: bool = True,
    with_is_active: bool = True,
    profile_data: ProfileData | None = None,
) -> UserShape:
    """Return the shape of a user. *profile_data* None omits it; bots never have any."""
    sees_email = may_see_email(viewer, who)
    left_to_client = client_gravatar and sees_email and who.avatar_source == AvatarSource.GRAVATAR
    return UserShape(
        user_id=who.id,
        delivery_email=who.email if sees_email else None,
        email=who.api_email,
        full_name=who.full_name,
        date_joined=joined_text(who.date_joined),
        is_owner=who.role == Role.OWNER,
        is_admin=who.role <= Role.ADMINISTRATOR,
        is_guest=who.role == Role.GUEST,
        is_bot=who.is_bot,
        bot_type=who.bot_type,
        bot_owner_id=who.bot_owner_id,
        role=who.role,
        timezone=who.timezone,
        avatar_url=None if left_to_client else avatar_url(who),
        avatar_version=who.avatar_version,
        is_active=who.is_active if with_is_active else UNSET,
        profile_data=UNSET if profile_data is None or who.is_bot else dict(profile_data),
    )


def copy_user(user: UserShape) -> UserShape:
    """Return the same user with profile data of its own."""
    return msgspec.structs.replace(user, profile_data=deepcopy(user.profile_data))


class RemovedUserObject(TypedDict):
    user_id: int
    full_name: str


class ChangedUserObject(UserChanges):
    """A user with the changed properties."""

    user_id: int


class UserAddEvent(Payload):
    """An account was created or has become visible to the reader."""

    type: Literal["realm_user"]
    op: Literal["add"]
    person: UserObject


class UserUpdateEvent(Payload):
    type: Literal["realm_user"]
    op: Literal["update"]
    person: ChangedUserObject


class UserRemoveEvent(Payload):
    """An account is no longer visible to the reader."""

    type: Literal["realm_user"]
    op: Literal["remove"]
    person: RemovedUserObject


class StatusEvent(Payload, StatusParts):
    """The changed parts of a user's status; an empty text means a cleared part."""

    type: Literal["user_status"]
    user_id: int


class PresenceEvent(Payload):
    """The presence of users; capabilities and options of the client decide on the fields."""

    type: Literal["presence"]
    presences: NotRequired[dict[str, PresenceTimesObject]]
    """By the ids of users."""
    user_id: NotRequired[int]
    email: NotRequired[str]
    server_timestamp: NotRequired[float]
    presence: NotRequired[dict[str, ClientPresenceObject]]


class InvitationsEvent(Payload):
    """There are other invitations than before."""

    type: Literal["invites_changed"]
