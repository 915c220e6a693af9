"""Something that happens, for every type of event that there is."""

from collections.abc import Callable
from typing import NamedTuple

from chatcore.events import types as happened
from tests.events.scene import Scene


class Action(NamedTuple):
    do: Callable[[Scene], None]
    events: tuple[type[happened.Event], ...]
    """What is in the log afterwards, among others."""
    where_guests_know_few: tuple[type[happened.Event], ...] = ()
    """What is there as well, where guests may not know of everybody."""


ACTIONS: tuple[Action, ...] = (
    Action(Scene.messages_in_channels, (happened.MessageSent,)),
    Action(Scene.direct_messages, (happened.MessageSent,)),
    Action(Scene.a_bot_is_called, (happened.MessageSent,)),
    Action(Scene.a_channel_wakes_up, (happened.ChannelUpdated,)),
    Action(Scene.a_topic_is_followed, (happened.TopicPolicyChanged,)),
    Action(Scene.read_and_starred, (happened.FlagsChanged,)),
    Action(Scene.unread_again, (happened.FlagsChanged,)),
    Action(Scene.messages_are_edited, (happened.MessageEdited,)),
    Action(Scene.messages_are_edited_again, (happened.MessageEdited,)),
    Action(Scene.topics_are_moved, (happened.MessageEdited, happened.TopicPolicyChanged)),
    Action(
        Scene.messages_are_moved_between_channels,
        (happened.MessageEdited, happened.MessagesDeleted, happened.MessageSent),
    ),
    Action(Scene.messages_are_deleted, (happened.MessagesDeleted,)),
    Action(Scene.a_direct_message_is_deleted, (happened.MessagesDeleted,)),
    Action(Scene.topic_policies, (happened.TopicPolicyChanged, happened.MutedTopicsChanged)),
    Action(Scene.topic_policies_are_taken_back, (happened.TopicPolicyChanged, happened.MutedTopicsChanged)),
    Action(Scene.people_react, (happened.ReactionChanged, happened.MessageSent)),
    Action(Scene.a_topic_is_read, (happened.FlagsChanged,)),
    Action(Scene.a_channel_is_read, (happened.FlagsChanged,)),
    Action(Scene.everything_is_read, (happened.FlagsChanged,)),
    Action(Scene.people_join, (happened.Subscribed, happened.PeersChanged)),
    Action(Scene.people_are_brought_into_private_channels, (happened.ChannelsCreated, happened.Subscribed)),
    Action(Scene.messages_in_channels, (happened.MessageSent,)),
    Action(Scene.people_leave, (happened.Unsubscribed, happened.ChannelsDeleted, happened.PeersChanged)),
    Action(Scene.messages_in_channels, (happened.MessageSent,)),
    Action(Scene.one_who_left_comes_back, (happened.Subscribed, happened.ChannelsCreated)),
    Action(Scene.channels_are_made, (happened.ChannelsCreated, happened.Subscribed)),
    Action(Scene.channels_are_changed, (happened.ChannelUpdated, happened.MutedTopicsChanged)),
    Action(Scene.channels_become_private, (happened.ChannelUpdated, happened.ChannelsDeleted)),
    Action(Scene.messages_in_channels, (happened.MessageSent,)),
    Action(Scene.channels_are_opened, (happened.ChannelsCreated, happened.ChannelUpdated)),
    Action(Scene.groups_come_to_see_a_channel, (happened.ChannelsCreated, happened.ChannelUpdated)),
    Action(Scene.there_are_default_channels, (happened.DefaultChannelsChanged, happened.ChannelsCreated)),
    Action(Scene.channels_are_archived, (happened.ChannelUpdated, happened.DefaultChannelsChanged)),
    Action(Scene.people_do_something_about_archived_channels, (happened.Subscribed, happened.Unsubscribed)),
    Action(Scene.channels_come_back, (happened.ChannelUpdated, happened.Subscribed)),
    Action(Scene.a_topic_is_deleted, (happened.MessagesDeleted, happened.TopicPolicyChanged)),
    Action(Scene.accounts_are_made, (happened.UserAdded, happened.GroupMembersChanged)),
    Action(Scene.a_bot_is_made, (happened.UserAdded, happened.BotAdded)),
    Action(Scene.people_are_renamed, (happened.PersonChanged, happened.BotChanged)),
    Action(Scene.addresses_are_changed, (happened.AddressChanged, happened.AvatarChanged)),
    Action(Scene.statuses, (happened.StatusChanged, happened.SettingChanged)),
    Action(Scene.people_are_there, (happened.PresenceChanged,)),
    Action(Scene.people_hide, (happened.PresenceChanged, happened.StatusChanged)),
    Action(Scene.people_write, (happened.TypingInChannel,)),
    Action(Scene.people_write_to_people, (happened.TypingDirectly,)),
    Action(Scene.settings, (happened.SettingChanged, happened.DisplaySettingChanged)),
    Action(Scene.people_show_their_addresses, (happened.AddressChanged, happened.AvatarChanged)),
    Action(Scene.people_hide_their_addresses, (happened.AddressChanged, happened.AvatarChanged)),
    Action(Scene.people_have_pictures, (happened.AvatarChanged, happened.BotChanged)),
    Action(Scene.profile_fields_are_made, (happened.ProfileFieldsChanged,)),
    Action(Scene.profiles_are_filled, (happened.PersonChanged,)),
    Action(
        Scene.a_member_becomes_a_guest,
        (happened.PersonChanged, happened.ChannelsDeleted),
        where_guests_know_few=(happened.UserRemoved,),
    ),
    Action(Scene.a_direct_message_between_strangers, (happened.MessageSent,)),
    Action(Scene.statuses_are_cleared, (happened.StatusChanged, happened.NotificationSettingChanged)),
    Action(Scene.a_guest_becomes_a_member, (happened.PersonChanged, happened.ChannelsCreated)),
    Action(Scene.a_member_becomes_an_administrator, (happened.ChannelsCreated, happened.AddressChanged)),
    Action(Scene.an_administrator_becomes_a_moderator, (happened.ChannelsDeleted, happened.AddressChanged)),
    Action(Scene.everybody_is_as_before, (happened.PersonChanged, happened.AddressChanged)),
    Action(Scene.people_have_none_any_more, (happened.AvatarChanged, happened.BotChanged)),
    Action(Scene.profile_fields_are_changed, (happened.ProfileFieldsChanged,)),
    Action(Scene.a_profile_field_is_removed, (happened.ProfileFieldsChanged,)),
    Action(Scene.a_group_is_made, (happened.GroupCreated,)),
    Action(Scene.a_group_is_changed, (happened.GroupChanged,)),
    Action(Scene.people_and_groups_join_a_group, (happened.GroupMembersChanged, happened.SubgroupsChanged)),
    Action(Scene.people_and_groups_leave_a_group, (happened.GroupMembersChanged, happened.SubgroupsChanged)),
    Action(Scene.a_group_is_deactivated, (happened.GroupDeactivated,)),
    Action(Scene.a_group_is_reactivated, (happened.GroupReactivated,)),
    Action(Scene.a_group_opens_a_channel, (happened.SubgroupsChanged, happened.ChannelsCreated)),
    Action(Scene.a_group_closes_a_channel, (happened.SubgroupsChanged, happened.ChannelsDeleted)),
    Action(Scene.emoji_are_made, (happened.CustomEmojiChanged,)),
    Action(Scene.an_emoji_is_removed, (happened.CustomEmojiChanged,)),
    Action(Scene.the_web_is_kept_out, (happened.OrganizationChanged,)),
    Action(Scene.the_web_is_let_in, (happened.OrganizationChanged,)),
    Action(Scene.linkifiers, (happened.LinkifiersChanged,)),
    Action(Scene.playgrounds, (happened.PlaygroundsChanged,)),
    Action(Scene.alert_words, (happened.AlertWordsChanged,)),
    Action(Scene.drafts_are_made, (happened.DraftsAdded,)),
    Action(Scene.a_draft_is_changed, (happened.DraftChanged,)),
    Action(Scene.a_draft_is_removed, (happened.DraftRemoved,)),
    Action(Scene.files_are_uploaded, (happened.AttachmentChanged,)),
    Action(Scene.a_file_is_shown, (happened.AttachmentChanged, happened.MessageSent)),
    Action(Scene.a_file_is_removed, (happened.AttachmentChanged,)),
)
