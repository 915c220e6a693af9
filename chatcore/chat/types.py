"""Types of arguments besides numbers and texts, and errors of single areas, for programs to import from
`chatcore`.
"""

from chatcore.application.channels.subscription_plans import Wanted as WantedChannel
from chatcore.application.channels.subscription_settings import Change as SubscriptionChange
from chatcore.application.groups.editing import GroupInUse
from chatcore.application.people.accounts import PasswordsDisabled
from chatcore.application.people.profiles import Entry as ProfileEntry
from chatcore.application.visibility.group_settings import SettingChange
from chatcore.domain.files.pictures import BadImage
from chatcore.domain.files.uploads import (
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
from chatcore.domain.messages.drafts import DraftContent, DraftType, NoSuchDraft
from chatcore.domain.messages.reactions import NoSuchReaction, ReactionExists
from chatcore.domain.messages.widgets import Widget
from chatcore.domain.organization.custom_emoji import NoSuchEmoji
from chatcore.domain.organization.profile_fields import FieldType
from chatcore.domain.people.avatars import AvatarChangesDisabled
from chatcore.domain.roles import Role
from chatcore.domain.topics import VisibilityPolicy
from chatcore.events.queue import Capabilities
from chatcore.settings import BadSetting, Settings
from chatcore.storage import BadDatabaseUrl, StorageClosed, StorageNotReady

__all__ = [
    "Actor",
    "AvatarChangesDisabled",
    "BadDatabaseUrl",
    "BadImage",
    "BadSetting",
    "Capabilities",
    "DraftContent",
    "DraftType",
    "FieldType",
    "FileTooLarge",
    "GroupInUse",
    "GroupSetting",
    "NoSuchDraft",
    "NoSuchEmoji",
    "NoSuchFile",
    "NoSuchReaction",
    "NoSuchUpload",
    "PasswordsDisabled",
    "ProfileEntry",
    "QuotaExceeded",
    "ReactionExists",
    "Role",
    "SettingChange",
    "Settings",
    "StorageClosed",
    "StorageNotReady",
    "SubscriptionChange",
    "SystemGroup",
    "SystemGroupRequired",
    "TooManyUploads",
    "UploadsDisabled",
    "VisibilityPolicy",
    "WantedChannel",
    "Widget",
]
