"""A team chat server that is also a Python library.

`open_chat` embeds an organization in another program; `chatcore.domain` has the rules alone, without a
store. Importing this package connects to nothing and loads none of the server.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from chatcore.domain.errors import (
    AnomalousPayload,
    AuthenticationFailed,
    BadEventQueue,
    BadNarrow,
    BadRequest,
    BadWebToken,
    CannotDeactivateLastUser,
    ChannelAlreadyExists,
    ChannelDoesNotExist,
    ChannelWildcardNotAllowed,
    ChatcoreError,
    ChatError,
    ExpectationMismatch,
    InconvertibleParameter,
    InsufficientPermission,
    InsufficientRole,
    InvalidJson,
    InvalidParameter,
    LoginRequired,
    MissingParameter,
    MoveTimeLimitExceeded,
    NotFound,
    OrganizationDeactivated,
    RateLimited,
    TopicWildcardNotAllowed,
    Unauthorized,
    UserDeactivated,
)
from chatcore.public_names import MODULES

__version__: str
"""The version of the program; it is read when it is asked for."""

if TYPE_CHECKING:
    from chatcore.application.archives.format import BadArchive
    from chatcore.application.archives.to_file import Exported
    from chatcore.application.channels.subscribing import SubscribeResult
    from chatcore.application.channels.subscription_plans import WantedChannel
    from chatcore.application.channels.subscription_settings import SubscriptionChange
    from chatcore.application.channels.unsubscribing import UnsubscribeResult
    from chatcore.application.delivery.checked_messages import Sent
    from chatcore.application.events.queues import Registered
    from chatcore.application.files.access import OpenFile
    from chatcore.application.files.thumbnails import OpenThumbnail
    from chatcore.application.files.uploads import OwnFiles
    from chatcore.application.groups.editing import GroupInUse
    from chatcore.application.imports.corpus import BadCorpus, ImportLine
    from chatcore.application.imports.importing import Imported
    from chatcore.application.invitations.joining import Door
    from chatcore.application.mail.outbox import NoMail
    from chatcore.application.messages.edit_history import History
    from chatcore.application.messages.fetching import Fetched, Reading
    from chatcore.application.messages.flags import Changed, ChangedRange
    from chatcore.application.people.logins import Login
    from chatcore.application.people.passwords import PasswordsDisabled
    from chatcore.application.people.profiles import Entry as ProfileEntry
    from chatcore.application.people.users import OwnUserShape
    from chatcore.application.received_mail.posting import MailTooLarge
    from chatcore.application.received_mail.receipts import TooManyMails
    from chatcore.application.received_mail.receiving import NoSuchLetterbox
    from chatcore.application.received_mail.replies import WrongSender
    from chatcore.application.visibility.group_settings import SettingChange
    from chatcore.application.visibility.presences import Presences
    from chatcore.bootstrap import open_chat, restore_chat
    from chatcore.chat import Chat
    from chatcore.domain.archives.exports import ExportType, NoSuchExport
    from chatcore.domain.channels.navigation_views import NoSuchView
    from chatcore.domain.files.pictures import BadImage
    from chatcore.domain.files.uploads import (
        Attachment,
        FileTooLarge,
        NoSuchFile,
        NoSuchUpload,
        QuotaExceeded,
        TooManyUploads,
        UploadsDisabled,
    )
    from chatcore.domain.groups.actors import Actor
    from chatcore.domain.groups.permissions import GroupSetting, SystemGroupRequired
    from chatcore.domain.groups.system import SystemGroup
    from chatcore.domain.invitations.invitations import (
        InvitationFailed,
        InvitationRequired,
        NoSuchInvitation,
        NoSuchLink,
    )
    from chatcore.domain.messages.drafts import DraftContent, DraftType, NoSuchDraft
    from chatcore.domain.messages.editing import Version
    from chatcore.domain.messages.flags import Flag
    from chatcore.domain.messages.messages import Edit, Message, Reaction, Submessage
    from chatcore.domain.messages.reactions import NoSuchReaction, ReactionExists
    from chatcore.domain.messages.recipients import DirectRecipient
    from chatcore.domain.messages.saved_snippets import NoSuchSnippet
    from chatcore.domain.messages.unread import Unread, UnreadConversation, UnreadTopic
    from chatcore.domain.messages.widgets import Widget
    from chatcore.domain.narrow.terms import Narrow
    from chatcore.domain.narrow.window import Page
    from chatcore.domain.organization.custom_emoji import NoSuchEmoji
    from chatcore.domain.organization.domains import Domain
    from chatcore.domain.organization.pictures import PictureKind
    from chatcore.domain.organization.profile_fields import FieldType
    from chatcore.domain.people.avatars import AvatarChangesDisabled
    from chatcore.domain.people.bot_roles import BotRoleAboveOwner
    from chatcore.domain.people.erasure import PersonErased
    from chatcore.domain.people.sessions import NoSuchSession
    from chatcore.domain.received_mail.mails import UnreadableMail
    from chatcore.domain.retention.holds import MustBeKept
    from chatcore.domain.roles import Role
    from chatcore.domain.scheduled.reminders import NoSuchReminder
    from chatcore.domain.scheduled.scheduled_messages import NoSuchScheduledMessage
    from chatcore.domain.sign_on.external_identities import AddressNotVerified, BadIdentity, IdentityConflict
    from chatcore.domain.sign_on.providers import LoginRefused, NoSuchProvider, ProviderUnavailable
    from chatcore.domain.topics import VisibilityPolicy
    from chatcore.events.payloads.channels import ChannelShape, DefaultGroupObject, SubscriptionShape
    from chatcore.events.payloads.drafts import DraftObject
    from chatcore.events.payloads.emoji import EmojiShape
    from chatcore.events.payloads.event import *  # noqa: F403
    from chatcore.events.payloads.exports import ConsentObject, ExportObject, PersonExportObject
    from chatcore.events.payloads.folders import FolderObject, NavigationViewObject
    from chatcore.events.payloads.groups import GroupShape
    from chatcore.events.payloads.invitations import InvitationShape
    from chatcore.events.payloads.messages import UnreadObject
    from chatcore.events.payloads.organization import AuditEntryObject, HoldObject
    from chatcore.events.payloads.parts import ValueObject
    from chatcore.events.payloads.saved_snippets import SavedSnippetObject
    from chatcore.events.payloads.scheduled import ReminderObject, ScheduledMessageObject
    from chatcore.events.payloads.sessions import SessionObject
    from chatcore.events.payloads.uploads import AttachmentObject, LinkingObject
    from chatcore.events.payloads.users import FieldValueObject, Person, UserShape
    from chatcore.events.queue import Capabilities
    from chatcore.settings import BadSetting, Settings
    from chatcore.storage import BadDatabaseUrl, StorageClosed, StorageNotReady

__all__ = [
    "Actor",
    "AddressNotVerified",
    "AnomalousPayload",
    "Attachment",
    "AttachmentObject",
    "AuditEntryObject",
    "AuthenticationFailed",
    "AvatarChangesDisabled",
    "BadArchive",
    "BadCorpus",
    "BadDatabaseUrl",
    "BadEventQueue",
    "BadIdentity",
    "BadImage",
    "BadNarrow",
    "BadRequest",
    "BadSetting",
    "BadWebToken",
    "BotRoleAboveOwner",
    "CannotDeactivateLastUser",
    "Capabilities",
    "Changed",
    "ChangedRange",
    "ChannelAlreadyExists",
    "ChannelDoesNotExist",
    "ChannelShape",
    "ChannelWildcardNotAllowed",
    "Chat",
    "ChatError",
    "ChatcoreError",
    "ConsentObject",
    "DefaultGroupObject",
    "DirectRecipient",
    "Domain",
    "Door",
    "DraftContent",
    "DraftObject",
    "DraftType",
    "Edit",
    "EmojiShape",
    "ExpectationMismatch",
    "ExportObject",
    "ExportType",
    "Exported",
    "Fetched",
    "FieldType",
    "FieldValueObject",
    "FileTooLarge",
    "Flag",
    "FolderObject",
    "GroupInUse",
    "GroupSetting",
    "GroupShape",
    "History",
    "HoldObject",
    "IdentityConflict",
    "ImportLine",
    "Imported",
    "InconvertibleParameter",
    "InsufficientPermission",
    "InsufficientRole",
    "InvalidJson",
    "InvalidParameter",
    "InvitationFailed",
    "InvitationRequired",
    "InvitationShape",
    "LinkingObject",
    "Login",
    "LoginRefused",
    "LoginRequired",
    "MailTooLarge",
    "Message",
    "MissingParameter",
    "MoveTimeLimitExceeded",
    "MustBeKept",
    "Narrow",
    "NavigationViewObject",
    "NoMail",
    "NoSuchDraft",
    "NoSuchEmoji",
    "NoSuchExport",
    "NoSuchFile",
    "NoSuchInvitation",
    "NoSuchLetterbox",
    "NoSuchLink",
    "NoSuchProvider",
    "NoSuchReaction",
    "NoSuchReminder",
    "NoSuchScheduledMessage",
    "NoSuchSession",
    "NoSuchSnippet",
    "NoSuchUpload",
    "NoSuchView",
    "NotFound",
    "OpenFile",
    "OpenThumbnail",
    "OrganizationDeactivated",
    "OwnFiles",
    "OwnUserShape",
    "Page",
    "PasswordsDisabled",
    "Person",
    "PersonErased",
    "PersonExportObject",
    "PictureKind",
    "Presences",
    "ProfileEntry",
    "ProviderUnavailable",
    "QuotaExceeded",
    "RateLimited",
    "Reaction",
    "ReactionExists",
    "Reading",
    "Registered",
    "ReminderObject",
    "Role",
    "SavedSnippetObject",
    "ScheduledMessageObject",
    "Sent",
    "SessionObject",
    "SettingChange",
    "Settings",
    "StorageClosed",
    "StorageNotReady",
    "Submessage",
    "SubscribeResult",
    "SubscriptionChange",
    "SubscriptionShape",
    "SystemGroup",
    "SystemGroupRequired",
    "TooManyMails",
    "TooManyUploads",
    "TopicWildcardNotAllowed",
    "Unauthorized",
    "Unread",
    "UnreadConversation",
    "UnreadObject",
    "UnreadTopic",
    "UnreadableMail",
    "UnsubscribeResult",
    "UploadsDisabled",
    "UserDeactivated",
    "UserShape",
    "ValueObject",
    "Version",
    "VisibilityPolicy",
    "WantedChannel",
    "Widget",
    "WrongSender",
    "open_chat",
    "restore_chat",
]

if TYPE_CHECKING:
    from chatcore.events.payloads import event

    __all__ += event.__all__

_ENDS_OF_EVENT_NAMES = ("Event", "Object")


def __getattr__(name: str) -> Any:
    # A server patches the standard library first, before what uses it is loaded.
    if name == "__version__":
        return import_module("chatcore.version").version()
    if name in MODULES:
        module, _, name_there = MODULES[name].partition(":")
        return getattr(import_module(module), name_there or name)
    if name.endswith(_ENDS_OF_EVENT_NAMES):
        return getattr(import_module("chatcore.events.payloads.event"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
