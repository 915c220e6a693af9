"""The contents of the audit log: of each event, whether a unit of work that announces it also notes a change.

Worlds check it with each unit of work that a test causes (`watch_units`), so that no use case can forget it.
"""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from chatcore.application import units
from chatcore.events import happened
from chatcore.events.audience import Audience, Everyone, Users

Wants = Callable[[Any, Audience], bool]
"""Whether an event to an audience needs an entry."""


class Unnoted(str):
    """The reason why an event needs no entry."""


OWN = Unnoted("what people do for themselves, and to messages")
SEEN = Unnoted("who sees what has changed, which follows from what is noted, or from what people do")
LISTS = Unnoted("the order and names in lists, which give nobody a right")
SERVER = Unnoted("the server tells what it does")

FOLLOWING = {
    "first_message_id",
    "stream_weekly_traffic",
    "is_recently_active",
    "subscriber_count",
}
"""Properties of channels that follow from messages and subscriptions."""


def always(event: Any, to: Audience) -> bool:
    return True


def to_everyone(event: Any, to: Audience) -> bool:
    return isinstance(to, Everyone)


def unless_of_sight(event: Any, to: Audience) -> bool:
    return not isinstance(to, Users)  # people who begin to see somebody whom a permission names


def of_channel(event: happened.ChannelUpdated, to: Audience) -> bool:
    return unless_of_sight(event, to) and event.property not in FOLLOWING


def of_rights(event: happened.PersonChanged, to: Audience) -> bool:
    return bool(event.changes.keys() & {"role", "is_active", "full_name", "bot_owner_id"})


EVENTS: Mapping[type[Any], Wants | Unnoted] = {
    **dict.fromkeys(
        [
            happened.BotKeyChanged, happened.CustomEmojiChanged, happened.DefaultChannelsChanged,
            happened.DefaultGroupsChanged, happened.DomainAdded, happened.DomainChanged,
            happened.DomainRemoved, happened.ExportConsentChanged,
            happened.GroupCreated, happened.GroupDeactivated, happened.GroupReactivated,
            happened.InvitationsChanged, happened.LinkifiersChanged, happened.OrganizationChanged,
            happened.OrganizationDeactivation,
            happened.OrganizationPictureChanged, happened.PlaygroundsChanged, happened.ProfileFieldsChanged,
            happened.SubgroupsChanged, happened.UserDefaultsChanged, happened.BotServiceChanged,
        ],
        always,
    ),
    happened.GroupChanged: unless_of_sight,
    happened.GroupMembersChanged: to_everyone,
    happened.OrganizationPermissionsChanged: unless_of_sight,
    happened.UserAdded: to_everyone,
    happened.PersonChanged: of_rights,
    happened.ChannelUpdated: of_channel,
    happened.BotChanged: lambda event, to: event.changes.keys() != {"avatar_url"},
    **dict.fromkeys(
        [
            happened.AlertWordsChanged, happened.AvatarChanged, happened.DisplaySettingChanged,
            happened.DraftChanged, happened.DraftRemoved, happened.DraftsAdded, happened.FilesChanged,
            happened.FlagsChanged, happened.MessageEdited, happened.MessageRendered, happened.MessageSent,
            happened.MessagesDeleted, happened.MutedTopicsChanged, happened.MutedUsersChanged,
            happened.NavigationViewAdded, happened.NavigationViewChanged, happened.NavigationViewRemoved,
            happened.NotificationSettingChanged, happened.OnboardingStepsChanged, happened.PresenceChanged,
            happened.ReactionChanged, happened.ReminderAdded, happened.ReminderRemoved,
            happened.SavedSnippetAdded, happened.SavedSnippetChanged, happened.SavedSnippetRemoved,
            happened.ScheduledMessageAdded, happened.ScheduledMessageChanged,
            happened.ScheduledMessageRemoved, happened.SettingChanged, happened.StatusChanged,
            happened.SubmessageAdded, happened.SubscriptionChanged, happened.TopicPolicyChanged,
            happened.TypingDirectly, happened.TypingInChannel, happened.TypingInEdit,
        ],
        OWN,
    ),
    **dict.fromkeys(
        [
            happened.BotAdded, happened.BotRemoved, happened.ChannelsCreated, happened.ChannelsDeleted,
            happened.PeersChanged, happened.Subscribed, happened.Unsubscribed, happened.UserRemoved,
            happened.AddressChanged,
        ],
        SEEN,
    ),
    **dict.fromkeys(
        [happened.ChannelFolderAdded, happened.ChannelFolderChanged, happened.ChannelFoldersReordered], LISTS
    ),
    **dict.fromkeys(
        [
            happened.ExportsChanged, happened.QueueClosed, happened.ServerRestarted,
            happened.WebClientOutdated,
        ],
        SERVER,
    ),
}  # fmt: skip
"""Of each event, when it needs an entry, or why it never does."""


def needs_entry(event: object, to: Audience) -> bool:
    wants = EVENTS[type(event)]
    return not isinstance(wants, Unnoted) and wants(event, to)


def watch_units(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail in each unit of work that announces a change of the organization, and does not note it."""
    write = units.write

    def watched(svc: Any, work: Any, *args: Any, **kwargs: Any) -> Any:
        def run(unit: Any, *args: Any, **kwargs: Any) -> Any:
            result = work(unit, *args, **kwargs)
            if not unit.tx.recorded:
                forgotten = [event for _, event, to in unit.tx.announced if needs_entry(event, to)]
                assert not forgotten, f"the audit log needs an entry of {forgotten[0]}"
            return result

        return write(svc, run, *args, **kwargs)

    monkeypatch.setattr(units, "write", watched)
