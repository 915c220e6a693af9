"""Event classes, one frozen class for each kind of event, as they are written to the log.

An event contains everything needed to format it for clients, in terms of the domain, even after the message
was edited or the user renamed. Long lists that clients receive as a whole are the exception: they are read
when the event is sent (`docs/decisions/0024`). `chatcore.events.wire` has the forms for clients.

Events whose form is the same for all clients (drafts, files, groups) contain it ready-made: nothing needs to
be computed.
"""

from chatcore.events.types.base import Event, ListChanged
from chatcore.events.types.channels import (
    AnyChannelEvent,
    ChannelEvent,
    ChannelFolderAdded,
    ChannelFolderChanged,
    ChannelFoldersReordered,
    ChannelsCreated,
    ChannelsDeleted,
    ChannelUpdated,
    DefaultChannelsChanged,
    DefaultGroupsChanged,
    MutedTopicsChanged,
    NavigationViewAdded,
    NavigationViewChanged,
    NavigationViewRemoved,
    PeersChanged,
    Subscribed,
    SubscriptionChanged,
    TopicPolicyChanged,
    Unsubscribed,
)
from chatcore.events.types.files import FilesChanged
from chatcore.events.types.groups import (
    AnyGroupEvent,
    GroupChanged,
    GroupCreated,
    GroupDeactivated,
    GroupEvent,
    GroupMembersChanged,
    GroupReactivated,
    SubgroupsChanged,
)
from chatcore.events.types.messages import (
    AnyMessageEvent,
    DraftChanged,
    DraftRemoved,
    DraftsAdded,
    FlagsChanged,
    MessageEdited,
    MessagesDeleted,
    MessageSent,
    ReactionChanged,
    SavedSnippetAdded,
    SavedSnippetChanged,
    SavedSnippetRemoved,
    SubmessageAdded,
    TypingDirectly,
    TypingEvent,
    TypingInChannel,
    TypingInEdit,
)
from chatcore.events.types.organization import (
    AnyOrganizationEvent,
    CustomEmojiChanged,
    LinkifiersChanged,
    OrganizationChanged,
    OrganizationDeactivated,
    OrganizationPermissionsChanged,
    PlaygroundsChanged,
    ProfileFieldsChanged,
)
from chatcore.events.types.people import (
    AddressChanged,
    AlertWordsChanged,
    AnyPersonalEvent,
    AvatarChanged,
    BotAdded,
    BotChanged,
    BotKeyChanged,
    BotRemoved,
    DisplaySettingChanged,
    MutedUsersChanged,
    NotificationSettingChanged,
    OnboardingStepsChanged,
    PersonChanged,
    PersonEvent,
    PresenceChanged,
    SettingChanged,
    StatusChanged,
    UserAdded,
    UserRemoved,
)
from chatcore.events.types.queues import QueueClosed
from chatcore.events.types.scheduled import (
    AnyScheduledEvent,
    ReminderAdded,
    ReminderRemoved,
    ScheduledMessageAdded,
    ScheduledMessageChanged,
    ScheduledMessageRemoved,
)

__all__ = [
    "AddressChanged",
    "AlertWordsChanged",
    "AnyEvent",
    "AvatarChanged",
    "BotAdded",
    "BotChanged",
    "BotKeyChanged",
    "BotRemoved",
    "ChannelEvent",
    "ChannelFolderAdded",
    "ChannelFolderChanged",
    "ChannelFoldersReordered",
    "ChannelUpdated",
    "ChannelsCreated",
    "ChannelsDeleted",
    "CustomEmojiChanged",
    "DefaultChannelsChanged",
    "DefaultGroupsChanged",
    "DisplaySettingChanged",
    "DraftChanged",
    "DraftRemoved",
    "DraftsAdded",
    "Event",
    "FilesChanged",
    "FlagsChanged",
    "GroupChanged",
    "GroupCreated",
    "GroupDeactivated",
    "GroupEvent",
    "GroupMembersChanged",
    "GroupReactivated",
    "LinkifiersChanged",
    "ListChanged",
    "MessageEdited",
    "MessageSent",
    "MessagesDeleted",
    "MutedTopicsChanged",
    "MutedUsersChanged",
    "NavigationViewAdded",
    "NavigationViewChanged",
    "NavigationViewRemoved",
    "NotificationSettingChanged",
    "OnboardingStepsChanged",
    "OrganizationChanged",
    "OrganizationDeactivated",
    "OrganizationPermissionsChanged",
    "PeersChanged",
    "PersonChanged",
    "PersonEvent",
    "PlaygroundsChanged",
    "PresenceChanged",
    "ProfileFieldsChanged",
    "QueueClosed",
    "ReactionChanged",
    "ReminderAdded",
    "ReminderRemoved",
    "SavedSnippetAdded",
    "SavedSnippetChanged",
    "SavedSnippetRemoved",
    "ScheduledMessageAdded",
    "ScheduledMessageChanged",
    "ScheduledMessageRemoved",
    "SettingChanged",
    "StatusChanged",
    "SubgroupsChanged",
    "SubmessageAdded",
    "Subscribed",
    "SubscriptionChanged",
    "TopicPolicyChanged",
    "TypingDirectly",
    "TypingEvent",
    "TypingInChannel",
    "TypingInEdit",
    "Unsubscribed",
    "UserAdded",
    "UserRemoved",
]

AnyEvent = (
    AnyMessageEvent
    | AnyChannelEvent
    | AnyPersonalEvent
    | AnyOrganizationEvent
    | AnyGroupEvent
    | FilesChanged
    | AnyScheduledEvent
    | QueueClosed
)
