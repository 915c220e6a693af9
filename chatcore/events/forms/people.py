"""Events about users, groups, and the settings and lists of one user."""

from typing import Literal, NotRequired, TypedDict

from chatcore.domain.choices import Value
from chatcore.events.forms.base import Placed
from chatcore.events.payloads.groups import SettingShape
from chatcore.events.payloads.objects import GroupObject, UserObject
from chatcore.events.payloads.users import FieldValueObject
from chatcore.events.payloads.users import MutedUserObject as MutedUserObject
from chatcore.events.payloads.users import OnboardingStepObject as OnboardingStepObject

__all__ = [
    "AlertWordsEvent",
    "ChangedUserObject",
    "ClientPresenceObject",
    "DisplaySettingEvent",
    "GroupAddEvent",
    "GroupMembersEvent",
    "GroupObject",
    "GroupRemoveEvent",
    "GroupUpdateEvent",
    "InvitationsEvent",
    "MutedUserObject",
    "MutedUsersEvent",
    "NotificationSettingEvent",
    "OnboardingStepObject",
    "OnboardingStepsEvent",
    "PresenceEvent",
    "PresenceTimesObject",
    "RemovedUserObject",
    "SettingEvent",
    "StatusEvent",
    "SubgroupsEvent",
    "UserAddEvent",
    "UserObject",
    "UserRemoveEvent",
    "UserUpdateEvent",
]


class RemovedUserObject(TypedDict):
    user_id: int
    full_name: str


class ChangedUserObject(TypedDict):
    """The changed properties of a user."""

    user_id: int
    full_name: NotRequired[str]
    email: NotRequired[str]
    new_email: NotRequired[str]
    delivery_email: NotRequired[str | None]
    role: NotRequired[int]
    is_active: NotRequired[bool]
    timezone: NotRequired[str]
    bot_owner_id: NotRequired[int | None]
    avatar_url: NotRequired[str | None]
    avatar_url_medium: NotRequired[str | None]
    avatar_source: NotRequired[str]
    avatar_version: NotRequired[int]
    custom_profile_field: NotRequired[FieldValueObject]


class UserAddEvent(Placed):
    """An account was created or has become visible to the reader."""

    type: Literal["realm_user"]
    op: Literal["add"]
    person: UserObject


class UserUpdateEvent(Placed):
    type: Literal["realm_user"]
    op: Literal["update"]
    person: ChangedUserObject


class UserRemoveEvent(Placed):
    """An account is no longer visible to the reader."""

    type: Literal["realm_user"]
    op: Literal["remove"]
    person: RemovedUserObject


class StatusEvent(Placed):
    """The changed parts of a user's status; an empty text means a cleared part."""

    type: Literal["user_status"]
    user_id: int
    status_text: NotRequired[str]
    emoji_name: NotRequired[str]
    emoji_code: NotRequired[str]
    reaction_type: NotRequired[str]
    away: NotRequired[bool]


class ClientPresenceObject(TypedDict):
    client: str
    status: str
    timestamp: int
    pushable: bool


class PresenceTimesObject(TypedDict):
    active_timestamp: NotRequired[int]
    idle_timestamp: NotRequired[int]


class PresenceEvent(Placed):
    """The presence of users; capabilities and options of the client decide on the fields."""

    type: Literal["presence"]
    presences: NotRequired[dict[str, PresenceTimesObject]]
    """By the ids of users."""
    user_id: NotRequired[int]
    email: NotRequired[str]
    server_timestamp: NotRequired[float]
    presence: NotRequired[dict[str, ClientPresenceObject]]


class GroupAddEvent(Placed):
    type: Literal["user_group"]
    op: Literal["add"]
    group: GroupObject


class GroupUpdateEvent(Placed):
    type: Literal["user_group"]
    op: Literal["update"]
    group_id: int
    data: dict[str, Value | SettingShape]


class GroupRemoveEvent(Placed):
    """A group was deactivated, for clients without the capability `include_deactivated_groups`."""

    type: Literal["user_group"]
    op: Literal["remove"]
    group_id: int


class GroupMembersEvent(Placed):
    type: Literal["user_group"]
    op: Literal["add_members", "remove_members"]
    group_id: int
    user_ids: list[int]


class SubgroupsEvent(Placed):
    type: Literal["user_group"]
    op: Literal["add_subgroups", "remove_subgroups"]
    group_id: int
    direct_subgroup_ids: list[int]


class SettingEvent(Placed):
    """A setting of the reader has changed."""

    type: Literal["user_settings"]
    op: Literal["update"]
    property: str
    value: Value
    language_name: NotRequired[str]


class NotificationSettingEvent(Placed):
    """The older form of `SettingEvent`."""

    type: Literal["update_global_notifications"]
    user: str
    notification_name: str
    setting: Value


class DisplaySettingEvent(Placed):
    """The older form of `SettingEvent`."""

    type: Literal["update_display_settings"]
    user: str
    setting_name: str
    setting: Value
    language_name: NotRequired[str]


class AlertWordsEvent(Placed):
    type: Literal["alert_words"]
    alert_words: list[str]


class MutedUsersEvent(Placed):
    type: Literal["muted_users"]
    muted_users: list[MutedUserObject]


class OnboardingStepsEvent(Placed):
    type: Literal["onboarding_steps"]
    onboarding_steps: list[OnboardingStepObject]


class InvitationsEvent(Placed):
    """There are other invitations than before."""

    type: Literal["invites_changed"]


AnyPersonForm = (
    UserAddEvent
    | UserUpdateEvent
    | UserRemoveEvent
    | StatusEvent
    | PresenceEvent
    | GroupAddEvent
    | GroupUpdateEvent
    | GroupRemoveEvent
    | GroupMembersEvent
    | SubgroupsEvent
    | SettingEvent
    | NotificationSettingEvent
    | DisplaySettingEvent
    | AlertWordsEvent
    | MutedUsersEvent
    | OnboardingStepsEvent
    | InvitationsEvent
)
