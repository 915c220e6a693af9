"""Forms of events about channels, their subscribers and topics."""

from collections.abc import Hashable

import msgspec

from chatcore.domain.people.setting_values import without_null_notifications
from chatcore.events import happened
from chatcore.events.sending.event import Fields
from chatcore.events.sending.formatter import (
    form,
    nobody_else,
    same_client,
    same_client_and_people,
    whole_list,
)
from chatcore.events.sending.listener import Listener
from chatcore.events.sending.visible import visible_values


def _subscribed(event: happened.Subscribed, listener: Listener) -> Fields:
    user_id = listener.actor.user_id
    personal: Fields = event.personal.get(user_id, {})
    if not listener.capabilities.notification_settings_null:
        personal = without_null_notifications(personal, event.notification_defaults.get(user_id, {}))
    shared = visible_values(msgspec.to_builtins(event.channel), listener.knows)
    channel = {**shared, "subscribers": event.subscribers, **personal}
    return {"type": event.type, "op": "add", "subscriptions": [channel]}


def _unsubscribed(event: happened.Unsubscribed, listener: Listener) -> Fields:
    channels = [{"stream_id": channel_id, "name": name} for channel_id, name in event.channels]
    return {"type": event.type, "op": "remove", "subscriptions": channels}


def _peers(event: happened.PeersChanged, listener: Listener) -> Fields | None:
    others = [user_id for user_id in event.user_ids if user_id != listener.actor.user_id]
    if not others:
        return None
    return {"type": event.type, "op": event.op, "stream_ids": event.channel_ids, "user_ids": others}


def _same_peers(event: happened.PeersChanged, listener: Listener) -> Hashable:
    """Return a key for all but the users whom the event is about: each is told of the others."""
    return None if listener.actor.user_id in event.user_ids else same_client(event, listener)


def _subscription(event: happened.SubscriptionChanged, listener: Listener) -> Fields:
    return {
        "type": event.type,
        "op": "update",
        "stream_id": event.channel_id,
        "property": event.property,
        "value": event.value,
    }


def _topic_policy(event: happened.TopicPolicyChanged, listener: Listener) -> Fields:
    return {
        "type": event.type,
        "stream_id": event.channel_id,
        "topic_name": listener.topic(event.topic),
        "last_updated": event.last_updated,
        "visibility_policy": event.visibility_policy,
    }


def _created(event: happened.ChannelsCreated, listener: Listener) -> Fields | None:
    channels = [
        visible_values(msgspec.to_builtins(channel), listener.knows)
        for channel in event.channels
        if listener.capabilities.archived_channels or not channel.is_archived
    ]
    return {"type": event.type, "op": "create", "streams": channels} if channels else None


def _updated(event: happened.ChannelUpdated, listener: Listener) -> Fields:
    fields = {
        "type": event.type,
        "op": "update",
        "stream_id": event.channel_id,
        "name": event.name,
        "property": event.property,
        "value": event.value,
        **event.also,
    }
    return visible_values(fields, listener.knows)


def _deleted(event: happened.ChannelsDeleted, listener: Listener) -> Fields:
    return {
        "type": event.type,
        "op": "delete",
        "stream_ids": event.channel_ids,
        "streams": [{"stream_id": channel_id} for channel_id in event.channel_ids],
    }


def _folder_added(event: happened.ChannelFolderAdded, listener: Listener) -> Fields:
    return {"type": event.type, "op": "add", "channel_folder": event.folder}


def _folder_changed(event: happened.ChannelFolderChanged, listener: Listener) -> Fields:
    return {
        "type": event.type,
        "op": "update",
        "channel_folder_id": event.folder_id,
        "data": event.data,
    }


def _folders_reordered(event: happened.ChannelFoldersReordered, listener: Listener) -> Fields:
    return {"type": event.type, "op": "reorder", "order": event.order}


def _view_added(event: happened.NavigationViewAdded, listener: Listener) -> Fields:
    return {"type": event.type, "op": "add", "navigation_view": event.view}


def _view_changed(event: happened.NavigationViewChanged, listener: Listener) -> Fields:
    return {"type": event.type, "op": "update", "fragment": event.fragment, "data": event.data}


def _view_removed(event: happened.NavigationViewRemoved, listener: Listener) -> Fields:
    return {"type": event.type, "op": "remove", "fragment": event.fragment}


FORMATTERS = (
    form(happened.Subscribed, _subscribed, nobody_else),
    form(happened.Unsubscribed, _unsubscribed),
    form(happened.PeersChanged, _peers, _same_peers),
    form(happened.SubscriptionChanged, _subscription),
    form(happened.TopicPolicyChanged, _topic_policy),
    whole_list(happened.MutedTopicsChanged),
    form(happened.ChannelsCreated, _created, same_client_and_people),
    form(happened.ChannelUpdated, _updated, same_client_and_people),
    form(happened.ChannelsDeleted, _deleted),
    whole_list(happened.DefaultChannelsChanged),
    whole_list(happened.DefaultGroupsChanged),
    form(happened.ChannelFolderAdded, _folder_added),
    form(happened.ChannelFolderChanged, _folder_changed),
    form(happened.ChannelFoldersReordered, _folders_reordered),
    form(happened.NavigationViewAdded, _view_added),
    form(happened.NavigationViewChanged, _view_changed),
    form(happened.NavigationViewRemoved, _view_removed),
)
