"""Payloads of events about channels, their subscribers and topics."""

from collections.abc import Hashable

import msgspec

from chatcore.domain.ids import Position
from chatcore.domain.people.setting_values import subscription_for_older_clients
from chatcore.events import happened
from chatcore.events.payloads.channels import (
    ChannelCreateEvent,
    ChannelDeleteEvent,
    ChannelUpdateEvent,
    PeersEvent,
    SubscribeEvent,
    SubscriptionUpdateEvent,
    TopicPolicyEvent,
    UnsubscribeEvent,
)
from chatcore.events.payloads.folders import (
    FolderAddEvent,
    FolderReorderEvent,
    FolderUpdateEvent,
    NavigationViewAddEvent,
    NavigationViewRemoveEvent,
    NavigationViewUpdateEvent,
)
from chatcore.events.payloads.objects import ChannelObject
from chatcore.events.sending.formatter import (
    nobody_else,
    one_payload,
    same_client,
    same_client_and_people,
    whole_list,
)
from chatcore.events.sending.listener import Listener
from chatcore.events.sending.visible import visible_values


def _format_subscribed(
    event: happened.Subscribed, listener: Listener, position: Position
) -> SubscribeEvent | None:
    user_id = listener.actor.user_id
    personal = event.personal.get(user_id)
    if personal is None:
        return None
    if not listener.capabilities.notification_settings_null:
        personal = subscription_for_older_clients(personal, event.notification_defaults.get(user_id, {}))
    shared: ChannelObject = visible_values(msgspec.to_builtins(event.channel), listener.knows)
    return {
        "type": "subscription",
        "op": "add",
        "subscriptions": [{**shared, "subscribers": event.subscribers, **personal}],
        "id": position,
    }


def _format_unsubscribed(
    event: happened.Unsubscribed, listener: Listener, position: Position
) -> UnsubscribeEvent:
    return {
        "type": "subscription",
        "op": "remove",
        "subscriptions": [{"stream_id": channel_id, "name": name} for channel_id, name in event.channels],
        "id": position,
    }


def _format_peers_changed(
    event: happened.PeersChanged, listener: Listener, position: Position
) -> PeersEvent | None:
    others: list[int] = [user_id for user_id in event.user_ids if user_id != listener.actor.user_id]
    if not others:
        return None
    return {
        "type": "subscription",
        "op": event.op,
        "stream_ids": list(event.channel_ids),
        "user_ids": others,
        "id": position,
    }


def _same_peers(event: happened.PeersChanged, listener: Listener) -> Hashable:
    """Return a key for all but the users whom the event is about: each is told of the others."""
    return None if listener.actor.user_id in event.user_ids else same_client(event, listener)


def _format_subscription_changed(
    event: happened.SubscriptionChanged, listener: Listener, position: Position
) -> SubscriptionUpdateEvent:
    return {
        "type": "subscription",
        "op": "update",
        "stream_id": event.channel_id,
        "property": event.property,
        "value": event.value,
        "id": position,
    }


def _format_topic_policy_changed(
    event: happened.TopicPolicyChanged, listener: Listener, position: Position
) -> TopicPolicyEvent:
    return {
        "type": "user_topic",
        "stream_id": event.channel_id,
        "topic_name": listener.show_topic(event.topic),
        "last_updated": event.last_updated,
        "visibility_policy": event.visibility_policy,
        "id": position,
    }


def _format_channels_created(
    event: happened.ChannelsCreated, listener: Listener, position: Position
) -> ChannelCreateEvent | None:
    channels: list[ChannelObject] = [
        visible_values(msgspec.to_builtins(channel), listener.knows)
        for channel in event.channels
        if listener.capabilities.archived_channels or not channel.is_archived
    ]
    if not channels:
        return None
    return {"type": "stream", "op": "create", "streams": channels, "id": position}


def _format_channel_updated(
    event: happened.ChannelUpdated, listener: Listener, position: Position
) -> ChannelUpdateEvent:
    payload: ChannelUpdateEvent = {
        "type": "stream",
        "op": "update",
        "stream_id": event.channel_id,
        "name": event.name,
        "property": event.property,
        "value": event.value,
        **event.also,
        "id": position,
    }
    return visible_values(payload, listener.knows)


def _format_channels_deleted(
    event: happened.ChannelsDeleted, listener: Listener, position: Position
) -> ChannelDeleteEvent:
    return {
        "type": "stream",
        "op": "delete",
        "stream_ids": list(event.channel_ids),
        "streams": [{"stream_id": channel_id} for channel_id in event.channel_ids],
        "id": position,
    }


def _format_channel_folder_added(
    event: happened.ChannelFolderAdded, listener: Listener, position: Position
) -> FolderAddEvent:
    return {"type": "channel_folder", "op": "add", "channel_folder": event.folder, "id": position}


def _format_channel_folder_changed(
    event: happened.ChannelFolderChanged, listener: Listener, position: Position
) -> FolderUpdateEvent:
    return {
        "type": "channel_folder",
        "op": "update",
        "channel_folder_id": event.folder_id,
        "data": {**event.data},
        "id": position,
    }


def _format_channel_folders_reordered(
    event: happened.ChannelFoldersReordered, listener: Listener, position: Position
) -> FolderReorderEvent:
    return {"type": "channel_folder", "op": "reorder", "order": list(event.order), "id": position}


def _format_navigation_view_added(
    event: happened.NavigationViewAdded, listener: Listener, position: Position
) -> NavigationViewAddEvent:
    return {"type": "navigation_view", "op": "add", "navigation_view": event.view, "id": position}


def _format_navigation_view_changed(
    event: happened.NavigationViewChanged, listener: Listener, position: Position
) -> NavigationViewUpdateEvent:
    return {
        "type": "navigation_view",
        "op": "update",
        "fragment": event.fragment,
        "data": {**event.data},
        "id": position,
    }


def _format_navigation_view_removed(
    event: happened.NavigationViewRemoved, listener: Listener, position: Position
) -> NavigationViewRemoveEvent:
    return {"type": "navigation_view", "op": "remove", "fragment": event.fragment, "id": position}


FORMATTERS = (
    one_payload(happened.Subscribed, _format_subscribed, nobody_else),
    one_payload(happened.Unsubscribed, _format_unsubscribed),
    one_payload(happened.PeersChanged, _format_peers_changed, _same_peers),
    one_payload(happened.SubscriptionChanged, _format_subscription_changed),
    one_payload(happened.TopicPolicyChanged, _format_topic_policy_changed),
    whole_list(happened.MutedTopicsChanged),
    one_payload(happened.ChannelsCreated, _format_channels_created, same_client_and_people),
    one_payload(happened.ChannelUpdated, _format_channel_updated, same_client_and_people),
    one_payload(happened.ChannelsDeleted, _format_channels_deleted),
    whole_list(happened.DefaultChannelsChanged),
    whole_list(happened.DefaultGroupsChanged),
    one_payload(happened.ChannelFolderAdded, _format_channel_folder_added),
    one_payload(happened.ChannelFolderChanged, _format_channel_folder_changed),
    one_payload(happened.ChannelFoldersReordered, _format_channel_folders_reordered),
    one_payload(happened.NavigationViewAdded, _format_navigation_view_added),
    one_payload(happened.NavigationViewChanged, _format_navigation_view_changed),
    one_payload(happened.NavigationViewRemoved, _format_navigation_view_removed),
)
