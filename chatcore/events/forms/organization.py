"""Events about the organization, its bots and files, and what is scheduled."""

from typing import Literal, NotRequired, TypedDict

from chatcore.domain.choices import Value
from chatcore.events.forms.base import Placed
from chatcore.events.payloads.bots import BotObject as BotObject
from chatcore.events.payloads.bots import ServiceObject as ServiceObject
from chatcore.events.payloads.configuration import DomainObject as DomainObject
from chatcore.events.payloads.configuration import LinkifierObject as LinkifierObject
from chatcore.events.payloads.configuration import PlaygroundObject as PlaygroundObject
from chatcore.events.payloads.configuration import ProfileFieldObject as ProfileFieldObject
from chatcore.events.payloads.exports import ConsentObject, ExportObject
from chatcore.events.payloads.objects import EmojiObject
from chatcore.events.payloads.scheduled import ReminderObject, ScheduledMessageObject
from chatcore.events.payloads.uploads import AttachmentObject

__all__ = [
    "AttachmentEvent",
    "AttachmentIdObject",
    "AttachmentRemoveEvent",
    "BotAddEvent",
    "BotDeleteEvent",
    "BotIdObject",
    "BotObject",
    "BotUpdateEvent",
    "ChangedBotObject",
    "DomainEvent",
    "DomainObject",
    "DomainRemoveEvent",
    "EmojiEvent",
    "EmojiObject",
    "ExportConsentEvent",
    "ExportsEvent",
    "HeartbeatEvent",
    "LinkifierObject",
    "LinkifiersEvent",
    "OrganizationDeactivatedEvent",
    "OrganizationSettingsEvent",
    "OrganizationUpdateEvent",
    "PlaygroundObject",
    "PlaygroundsEvent",
    "ProfileFieldObject",
    "ProfileFieldsEvent",
    "ReminderRemoveEvent",
    "RemindersAddEvent",
    "RestartEvent",
    "ScheduledAddEvent",
    "ScheduledRemoveEvent",
    "ScheduledUpdateEvent",
    "ServiceObject",
    "UserDefaultEvent",
    "WebReloadEvent",
]


class OrganizationUpdateEvent(Placed):
    """A setting of the organization has changed."""

    type: Literal["realm"]
    op: Literal["update"]
    property: str
    value: Value


class OrganizationSettingsEvent(Placed):
    """Settings of the organization have changed together, such as permissions or a picture."""

    type: Literal["realm"]
    op: Literal["update_dict"]
    property: str
    data: dict[str, Value | dict[str, list[int] | dict[str, bool]]]


class OrganizationDeactivatedEvent(Placed):
    type: Literal["realm"]
    op: Literal["deactivated"]
    realm_id: int


class UserDefaultEvent(Placed):
    """A setting with which new people start has changed."""

    type: Literal["realm_user_settings_defaults"]
    op: Literal["update"]
    property: str
    value: Value


class DomainEvent(Placed):
    """A domain was added or changed."""

    type: Literal["realm_domains"]
    op: Literal["add", "change"]
    realm_domain: DomainObject


class DomainRemoveEvent(Placed):
    type: Literal["realm_domains"]
    op: Literal["remove"]
    domain: str


class ProfileFieldsEvent(Placed):
    type: Literal["custom_profile_fields"]
    fields: list[ProfileFieldObject]


class LinkifiersEvent(Placed):
    type: Literal["realm_linkifiers"]
    realm_linkifiers: list[LinkifierObject]


class PlaygroundsEvent(Placed):
    type: Literal["realm_playgrounds"]
    realm_playgrounds: list[PlaygroundObject]


class EmojiEvent(Placed):
    """The custom emoji of the organization, by their ids."""

    type: Literal["realm_emoji"]
    op: Literal["update"]
    realm_emoji: dict[str, EmojiObject]


class ExportsEvent(Placed):
    type: Literal["realm_export"]
    exports: list[ExportObject]


class ExportConsentEvent(Placed, ConsentObject):
    """A person consents to the export of private data from now on, or no longer."""

    type: Literal["realm_export_consent"]


class RestartEvent(Placed):
    """Another version of the server serves the organization from now on."""

    type: Literal["restart"]
    service_version: str
    service_merge_base: str
    service_feature_level: int
    server_generation: int


class WebReloadEvent(Placed):
    """Another version of the web client is served from now on; only queues that name its type receive it."""

    type: Literal["web_reload_client"]
    immediate: bool


class HeartbeatEvent(Placed):
    """An event without content, which ends a poll that has waited for long."""

    type: Literal["heartbeat"]


class ChangedBotObject(TypedDict):
    """The changed properties of a bot."""

    user_id: int
    full_name: NotRequired[str]
    owner_id: NotRequired[int | None]
    is_active: NotRequired[bool]
    avatar_url: NotRequired[str | None]
    api_key: NotRequired[str]
    default_sending_stream: NotRequired[str | None]
    default_events_register_stream: NotRequired[str | None]
    default_all_public_streams: NotRequired[bool]
    services: NotRequired[list[ServiceObject]]


class BotIdObject(TypedDict):
    user_id: int


class BotAddEvent(Placed):
    type: Literal["realm_bot"]
    op: Literal["add"]
    bot: BotObject


class BotUpdateEvent(Placed):
    type: Literal["realm_bot"]
    op: Literal["update"]
    bot: ChangedBotObject


class BotDeleteEvent(Placed):
    """A bot is no longer visible to the reader."""

    type: Literal["realm_bot"]
    op: Literal["delete"]
    bot: BotIdObject


class AttachmentEvent(Placed):
    """A file was uploaded, or messages that link to it have changed."""

    type: Literal["attachment"]
    op: Literal["add", "update"]
    attachment: AttachmentObject
    upload_space_used: int


class AttachmentIdObject(TypedDict):
    id: int


class AttachmentRemoveEvent(Placed):
    type: Literal["attachment"]
    op: Literal["remove"]
    attachment: AttachmentIdObject
    upload_space_used: int


class ScheduledAddEvent(Placed):
    type: Literal["scheduled_messages"]
    op: Literal["add"]
    scheduled_messages: list[ScheduledMessageObject]


class ScheduledUpdateEvent(Placed):
    type: Literal["scheduled_messages"]
    op: Literal["update"]
    scheduled_message: ScheduledMessageObject


class ScheduledRemoveEvent(Placed):
    type: Literal["scheduled_messages"]
    op: Literal["remove"]
    scheduled_message_id: int


class RemindersAddEvent(Placed):
    type: Literal["reminders"]
    op: Literal["add"]
    reminders: list[ReminderObject]


class ReminderRemoveEvent(Placed):
    type: Literal["reminders"]
    op: Literal["remove"]
    reminder_id: int


AnyOrganizationForm = (
    OrganizationUpdateEvent
    | OrganizationSettingsEvent
    | OrganizationDeactivatedEvent
    | UserDefaultEvent
    | DomainEvent
    | DomainRemoveEvent
    | ProfileFieldsEvent
    | LinkifiersEvent
    | PlaygroundsEvent
    | EmojiEvent
    | ExportsEvent
    | ExportConsentEvent
    | RestartEvent
    | WebReloadEvent
    | HeartbeatEvent
    | BotAddEvent
    | BotUpdateEvent
    | BotDeleteEvent
    | AttachmentEvent
    | AttachmentRemoveEvent
    | ScheduledAddEvent
    | ScheduledUpdateEvent
    | ScheduledRemoveEvent
    | RemindersAddEvent
    | ReminderRemoveEvent
)
