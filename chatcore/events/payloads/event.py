"""All events as clients receive them: a payload, a dictionary with known keys, for each type and operation.

A type checker narrows an `Event` by its `type` and, if there are several operations, its `op`. Names of
payloads end in `Event`, names of what they contain in `Object`; all of them can be imported from `chatcore`.
"""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias, get_args, get_type_hints

from chatcore.events.payloads import (
    bots,
    channels,
    configuration,
    drafts,
    emoji,
    exports,
    folders,
    groups,
    messages,
    objects,
    organization,
    parts,
    saved_snippets,
    scheduled,
    settings,
    uploads,
    users,
)
from chatcore.events.payloads.bots import *  # noqa: F403 - the modules name what programs can import
from chatcore.events.payloads.channels import *  # noqa: F403
from chatcore.events.payloads.configuration import *  # noqa: F403
from chatcore.events.payloads.drafts import *  # noqa: F403
from chatcore.events.payloads.emoji import *  # noqa: F403
from chatcore.events.payloads.exports import *  # noqa: F403
from chatcore.events.payloads.folders import *  # noqa: F403
from chatcore.events.payloads.groups import *  # noqa: F403
from chatcore.events.payloads.messages import *  # noqa: F403
from chatcore.events.payloads.objects import *  # noqa: F403
from chatcore.events.payloads.organization import *  # noqa: F403
from chatcore.events.payloads.parts import *  # noqa: F403
from chatcore.events.payloads.saved_snippets import *  # noqa: F403
from chatcore.events.payloads.scheduled import *  # noqa: F403
from chatcore.events.payloads.settings import *  # noqa: F403
from chatcore.events.payloads.uploads import *  # noqa: F403
from chatcore.events.payloads.users import *  # noqa: F403

__all__ = ["Event"]
__all__ += bots.__all__
__all__ += channels.__all__
__all__ += configuration.__all__
__all__ += drafts.__all__
__all__ += emoji.__all__
__all__ += exports.__all__
__all__ += folders.__all__
__all__ += groups.__all__
__all__ += messages.__all__
__all__ += objects.__all__
__all__ += organization.__all__
__all__ += parts.__all__
__all__ += saved_snippets.__all__
__all__ += scheduled.__all__
__all__ += settings.__all__
__all__ += uploads.__all__
__all__ += users.__all__

Event: TypeAlias = (
    bots.BotAddEvent
    | bots.BotUpdateEvent
    | bots.BotDeleteEvent
    | channels.SubscribeEvent
    | channels.UnsubscribeEvent
    | channels.SubscriptionUpdateEvent
    | channels.PeersEvent
    | channels.ChannelCreateEvent
    | channels.ChannelUpdateEvent
    | channels.ChannelDeleteEvent
    | channels.TopicPolicyEvent
    | channels.MutedTopicsEvent
    | channels.DefaultChannelsEvent
    | channels.DefaultChannelGroupsEvent
    | configuration.DomainEvent
    | configuration.DomainRemoveEvent
    | configuration.ProfileFieldsEvent
    | configuration.LinkifiersEvent
    | configuration.PlaygroundsEvent
    | drafts.DraftsAddEvent
    | drafts.DraftUpdateEvent
    | drafts.DraftRemoveEvent
    | emoji.EmojiEvent
    | exports.ExportsEvent
    | exports.ExportConsentEvent
    | folders.FolderAddEvent
    | folders.FolderUpdateEvent
    | folders.FolderReorderEvent
    | folders.NavigationViewAddEvent
    | folders.NavigationViewUpdateEvent
    | folders.NavigationViewRemoveEvent
    | groups.GroupAddEvent
    | groups.GroupUpdateEvent
    | groups.GroupRemoveEvent
    | groups.GroupMembersEvent
    | groups.SubgroupsEvent
    | messages.MessageEvent
    | messages.UpdateMessageEvent
    | messages.DeleteMessageEvent
    | messages.FlagsEvent
    | messages.ReactionEvent
    | messages.SubmessageEvent
    | messages.TypingEvent
    | messages.TypingEditEvent
    | organization.OrganizationUpdateEvent
    | organization.OrganizationSettingsEvent
    | organization.OrganizationDeactivatedEvent
    | organization.UserDefaultEvent
    | organization.RestartEvent
    | organization.WebReloadEvent
    | organization.HeartbeatEvent
    | saved_snippets.SnippetEvent
    | saved_snippets.SnippetRemoveEvent
    | scheduled.ScheduledAddEvent
    | scheduled.ScheduledUpdateEvent
    | scheduled.ScheduledRemoveEvent
    | scheduled.RemindersAddEvent
    | scheduled.ReminderRemoveEvent
    | settings.SettingEvent
    | settings.NotificationSettingEvent
    | settings.DisplaySettingEvent
    | settings.AlertWordsEvent
    | settings.MutedUsersEvent
    | settings.OnboardingStepsEvent
    | uploads.AttachmentEvent
    | uploads.AttachmentRemoveEvent
    | users.UserAddEvent
    | users.UserUpdateEvent
    | users.UserRemoveEvent
    | users.StatusEvent
    | users.PresenceEvent
    | users.InvitationsEvent
)
"""Any event that a client can receive."""

Name: TypeAlias = tuple[str, str | None]
"""A type and an operation of events; None if the type has no operations."""


def names_of(payload: type[Any]) -> Iterator[Name]:
    """Return the types and operations of the events that have this payload."""
    hints = get_type_hints(payload)
    for event_type in get_args(hints["type"]):
        for op in get_args(hints.get("op")) or (None,):
            yield event_type, op


PAYLOADS: Mapping[Name, type[Any]] = {
    name: payload for payload in get_args(Event) for name in names_of(payload)
}
"""The payload of each type and operation of events."""
