"""Channels and subscriptions."""

from collections.abc import Sequence
from typing import Final

from chatcore.application.channels import default_groups, defaults, email_addresses, navigation_views
from chatcore.application.channels.archiving import archive_channel
from chatcore.application.channels.folders import create_folder, reorder_folders, update_folder
from chatcore.application.channels.listing import channel_id_of, get_channel
from chatcore.application.channels.subscribers import is_subscriber
from chatcore.application.channels.subscribers import subscribers as list_subscribers
from chatcore.application.channels.topic_settings import set_visibility_policy
from chatcore.application.messages.deleting_topics import delete_topic
from chatcore.http.endpoints.channels import (
    editing,
    folders,
    listing,
    subscribers,
    subscribing,
    topic_settings,
)
from chatcore.http.endpoints.channels.answers import (
    ChannelAnswer,
    ChannelIdAnswer,
    DeleteTopicAnswer,
    EmailAddressAnswer,
    IsSubscribedAnswer,
    NewDefaultGroupAnswer,
    NewFolderAnswer,
    SubscribersAnswer,
    ViewsAnswer,
)
from chatcore.http.operations import operation
from chatcore.http.pipeline.auth import Auth
from chatcore.http.pipeline.routing import AnyRoute, Route

CHANNEL: Final = {"channel_id": "stream_id"}
CHANNELS: Final = {"channel_names": "stream_names"}

ROUTES: Final[Sequence[AnyRoute]] = (
    operation(
        "POST", "/user_topics", set_visibility_policy, names={**CHANNEL, "policy": "visibility_policy"}
    ),
    Route(
        "GET", "/users/me/{stream_id:int}/topics", listing.TopicsParams, listing.topics, auth=Auth.OPTIONAL
    ),
    Route("PATCH", "/users/me/subscriptions/muted_topics", topic_settings.MuteParams, topic_settings.mute),
    Route("GET", "/users/me/subscriptions", listing.SubscriptionsParams, listing.subscriptions),
    Route("POST", "/users/me/subscriptions", subscribing.SubscribeParams, subscribing.subscribe),
    Route("DELETE", "/users/me/subscriptions", subscribing.UnsubscribeParams, subscribing.unsubscribe),
    Route("PATCH", "/users/me/subscriptions", subscribers.UpdateParams, subscribers.update),
    Route(
        "POST",
        "/users/me/subscriptions/properties",
        subscribers.PropertiesParams,
        subscribers.set_properties,
    ),
    Route(
        "PATCH",
        "/users/me/subscriptions/{stream_id:int}",
        subscribers.PropertyParams,
        subscribers.set_property,
    ),
    operation(
        "GET",
        "/users/{user_id:int}/subscriptions/{stream_id:int}",
        is_subscriber,
        IsSubscribedAnswer,
        names=CHANNEL,
    ),
    operation("GET", "/streams/{stream_id:int}/members", list_subscribers, SubscribersAnswer, names=CHANNEL),
    Route("GET", "/streams", listing.ListParams, listing.list_channels),
    operation("GET", "/streams/{stream_id:int}", get_channel, ChannelAnswer, names=CHANNEL),
    Route("PATCH", "/streams/{stream_id:int}", editing.UpdateParams, editing.update),
    operation("DELETE", "/streams/{stream_id:int}", archive_channel, names=CHANNEL),
    operation(
        "POST",
        "/streams/{stream_id:int}/delete_topic",
        delete_topic,
        DeleteTopicAnswer,
        names={**CHANNEL, "topic": "topic_name"},
        room="channels",
    ),
    operation(
        "GET",
        "/streams/{stream_id:int}/email_address",
        email_addresses.email_address,
        EmailAddressAnswer,
        names=CHANNEL,
    ),
    operation(
        "POST",
        "/streams/{stream_id:int}/email_address/replace",
        email_addresses.replace_addresses,
        EmailAddressAnswer,
        names=CHANNEL,
    ),
    operation(
        "POST",
        "/default_stream_groups/create",
        default_groups.create_group,
        NewDefaultGroupAnswer,
        names={**CHANNELS, "name": "group_name"},
        of_administrators=True,
    ),
    operation(
        "PATCH",
        "/default_stream_groups/{group_id:int}",
        default_groups.update_group,
        names={"name": "new_group_name", "description": "new_description"},
        of_administrators=True,
    ),
    operation(
        "DELETE", "/default_stream_groups/{group_id:int}", default_groups.remove_group, of_administrators=True
    ),
    operation(
        "PATCH",
        "/default_stream_groups/{group_id:int}/streams",
        default_groups.update_channels,
        names=CHANNELS,
        of_administrators=True,
    ),
    Route("POST", "/channels/create", editing.CreateParams, editing.create),
    operation(
        "POST", "/default_streams", defaults.add_default_channel, names=CHANNEL, of_administrators=True
    ),
    operation(
        "DELETE", "/default_streams", defaults.remove_default_channel, names=CHANNEL, of_administrators=True
    ),
    Route("GET", "/channel_folders", folders.ListParams, folders.list_folders),
    operation("POST", "/channel_folders/create", create_folder, NewFolderAnswer, of_administrators=True),
    operation("PATCH", "/channel_folders", reorder_folders, of_administrators=True),
    operation(
        "PATCH",
        "/channel_folders/{channel_folder_id:int}",
        update_folder,
        names={"folder_id": "channel_folder_id"},
        of_administrators=True,
    ),
    operation("GET", "/navigation_views", navigation_views.list_views, ViewsAnswer),
    operation("POST", "/navigation_views", navigation_views.add_view),
    operation("PATCH", "/navigation_views/{fragment:path}", navigation_views.update_view),
    operation("DELETE", "/navigation_views/{fragment:path}", navigation_views.remove_view),
    operation("GET", "/get_stream_id", channel_id_of, ChannelIdAnswer, names={"name": "stream"}),
)
