"""Events about users, bots, and personal settings."""

import msgspec

from chatcore.domain.choices import Value
from chatcore.domain.ids import UserId
from chatcore.domain.people.statuses import StatusParts
from chatcore.events.happened.base import Event, ListChanged
from chatcore.events.payloads.bots import BotChanges, BotDetails
from chatcore.events.payloads.users import Person, ProfileData, UserChanges


class PersonEvent(Event, frozen=True, kw_only=True):
    """An event about a user, for those in the audience to whom that user is visible."""


class UserAdded(PersonEvent, frozen=True, kw_only=True, tag="user_added"):
    """An account was created or has become visible to the audience."""

    type = "realm_user"
    person: Person
    profile_data: ProfileData = msgspec.field(default_factory=dict)
    listing: tuple[str, ...] = ()
    """Profile fields whose values list users; each recipient gets only those visible to them."""
    out_of_sight: bool = False
    """Whether it is a placeholder for a user who is no longer visible to the audience."""

    @property
    def user_id(self) -> UserId:
        return self.person.id


class UserRemoved(PersonEvent, frozen=True, kw_only=True, tag="user_removed"):
    """An account is no longer visible to the audience."""

    type = "realm_user"
    user_id: UserId


class PersonChanged(PersonEvent, frozen=True, kw_only=True, tag="person_changed"):
    """A property of a user has changed that is the same for everybody who may see the user."""

    type = "realm_user"
    user_id: UserId
    changes: UserChanges
    lists_users: bool = False
    """Whether the change is of a profile field whose value lists users."""


class AddressChanged(PersonEvent, frozen=True, kw_only=True, tag="address_changed"):
    """The address of a user or its visibility has changed; each client receives what its user may see now."""

    type = "realm_user"
    person: Person
    also_hidden: bool = False
    """Whether users who may not (or no longer) see the address are also notified."""

    @property
    def user_id(self) -> UserId:
        return self.person.id


class AvatarChanged(PersonEvent, frozen=True, kw_only=True, tag="avatar_changed"):
    type = "realm_user"
    person: Person
    follows_from_address: bool = False
    """Whether clients that generate pictures from addresses need no notification."""

    @property
    def user_id(self) -> UserId:
        return self.person.id


class StatusChanged(PersonEvent, frozen=True, kw_only=True, tag="status_changed"):
    """The changed parts of a user's status; an empty text means a cleared part."""

    type = "user_status"
    user_id: UserId
    changes: StatusParts


class PresenceChanged(PersonEvent, frozen=True, kw_only=True, tag="presence_changed"):
    """A user is online again, or from now on hides their presence."""

    type = "presence"
    user_id: UserId
    email: str
    """The address that everybody sees for the user."""
    active_at: int | None
    connected_at: int
    at: float


class BotAdded(Event, frozen=True, kw_only=True, tag="bot_added"):
    """A bot was created or became visible to a user who manages it. Its key is derived for the owner and not
    stored in the event.
    """

    type = "realm_bot"
    bot: Person
    key_version: int
    details: BotDetails = BotDetails()


class BotChanged(Event, frozen=True, kw_only=True, tag="bot_changed"):
    """A property of a bot has changed, for the users who manage it."""

    type = "realm_bot"
    user_id: UserId
    changes: BotChanges


class BotKeyChanged(Event, frozen=True, kw_only=True, tag="bot_key_changed"):
    """The key of a bot was rotated, for its owner. The key is derived from its version, as for `BotAdded`."""

    type = "realm_bot"
    user_id: UserId
    key_version: int


class BotServiceChanged(Event, frozen=True, kw_only=True, tag="bot_service_changed"):
    """The service of a bot has changed, or its token, for the users who manage the bot. Its owner also
    receives the token, which is derived as the key of `BotAdded` is.
    """

    type = "realm_bot"
    bot: Person
    key_version: int
    details: BotDetails


class BotRemoved(Event, frozen=True, kw_only=True, tag="bot_removed"):
    """A bot is no longer visible to a user who is no longer an administrator."""

    type = "realm_bot"
    user_id: UserId


class SettingChanged(Event, frozen=True, kw_only=True, tag="setting_changed"):
    type = "user_settings"
    name: str
    value: Value


class NotificationSettingChanged(Event, frozen=True, kw_only=True, tag="notification_setting_changed"):
    """The older event beside `SettingChanged`, for clients that have settings as separate fields."""

    type = "update_global_notifications"
    email: str
    name: str
    value: Value


class DisplaySettingChanged(Event, frozen=True, kw_only=True, tag="display_setting_changed"):
    """The older event beside `SettingChanged` for the settings of display, for the same clients."""

    type = "update_display_settings"
    email: str
    name: str
    value: Value


class AlertWordsChanged(ListChanged, frozen=True, kw_only=True, tag="alert_words_changed"):
    """A user's alert words have changed."""

    type = "alert_words"


class MutedUsersChanged(ListChanged, frozen=True, kw_only=True, tag="muted_users_changed"):
    """The users that a user has muted have changed."""

    type = "muted_users"


class InvitationsChanged(Event, frozen=True, kw_only=True, tag="invitations_changed"):
    """There are other invitations than before; clients fetch them again."""

    type = "invites_changed"


class OnboardingStepsChanged(ListChanged, frozen=True, kw_only=True, tag="onboarding_steps_changed"):
    """A person has seen an onboarding step; the list has those that are left."""

    type = "onboarding_steps"


AnyPersonalEvent = (
    UserAdded
    | UserRemoved
    | PersonChanged
    | AddressChanged
    | AvatarChanged
    | StatusChanged
    | PresenceChanged
    | BotAdded
    | BotChanged
    | BotKeyChanged
    | BotServiceChanged
    | BotRemoved
    | SettingChanged
    | NotificationSettingChanged
    | DisplaySettingChanged
    | AlertWordsChanged
    | MutedUsersChanged
    | InvitationsChanged
    | OnboardingStepsChanged
)
