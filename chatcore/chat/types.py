"""What methods take besides numbers and texts, by the names that programs import from `chatcore`."""

from chatcore.application.group_settings import SettingChange
from chatcore.application.profile_data import Entry as ProfileEntry
from chatcore.application.subscription_plans import Wanted as WantedChannel
from chatcore.application.subscription_settings import Change as SubscriptionChange
from chatcore.domain.drafts import DraftContent, DraftType
from chatcore.domain.groups import Actor, GroupSetting, SystemGroup
from chatcore.domain.profile_fields import FieldType
from chatcore.domain.roles import Role
from chatcore.domain.topics import VisibilityPolicy
from chatcore.domain.widgets import Widget
from chatcore.events.queue import Capabilities
from chatcore.settings import BadSetting, Settings
from chatcore.storage import BadDatabaseUrl, StorageClosed, StorageNotReady

__all__ = [
    "Actor",
    "BadDatabaseUrl",
    "BadSetting",
    "Capabilities",
    "DraftContent",
    "DraftType",
    "FieldType",
    "GroupSetting",
    "ProfileEntry",
    "Role",
    "SettingChange",
    "Settings",
    "StorageClosed",
    "StorageNotReady",
    "SubscriptionChange",
    "SystemGroup",
    "VisibilityPolicy",
    "WantedChannel",
    "Widget",
]
