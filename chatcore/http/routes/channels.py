"""Channels and subscriptions."""

from collections.abc import Sequence
from typing import Final

from chatcore.http.auth import Auth
from chatcore.http.endpoints.channels import (
    default_groups,
    editing,
    folders,
    listing,
    navigation_views,
    subscribers,
    subscribing,
    topic_settings,
)
from chatcore.http.parameters.declaring import NoParams
from chatcore.http.routing import AnyRoute, Route

ROUTES: Final[Sequence[AnyRoute]] = (
    Route("POST", "/user_topics", topic_settings.PolicyParams, topic_settings.set_policy),
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
    Route(
        "GET",
        "/users/{user_id:int}/subscriptions/{stream_id:int}",
        subscribers.StatusParams,
        subscribers.status,
    ),
    Route("GET", "/streams/{stream_id:int}/members", subscribers.MembersParams, subscribers.members),
    Route("GET", "/streams", listing.ListParams, listing.list_channels),
    Route("GET", "/streams/{stream_id:int}", editing.OneParams, editing.get),
    Route("PATCH", "/streams/{stream_id:int}", editing.UpdateParams, editing.update),
    Route("DELETE", "/streams/{stream_id:int}", editing.OneParams, editing.archive),
    Route(
        "POST",
        "/streams/{stream_id:int}/delete_topic",
        editing.DeleteTopicParams,
        editing.delete_topic,
    ),
    Route(
        "GET",
        "/streams/{stream_id:int}/email_address",
        editing.EmailAddressParams,
        editing.email_address,
    ),
    Route(
        "POST",
        "/streams/{stream_id:int}/email_address/replace",
        editing.EmailAddressParams,
        editing.replace_email_addresses,
    ),
    Route(
        "POST",
        "/default_stream_groups/create",
        default_groups.CreateParams,
        default_groups.create,
        of_administrators=True,
    ),
    Route(
        "PATCH",
        "/default_stream_groups/{group_id:int}",
        default_groups.UpdateParams,
        default_groups.update,
        of_administrators=True,
    ),
    Route(
        "DELETE",
        "/default_stream_groups/{group_id:int}",
        default_groups.OneParams,
        default_groups.remove,
        of_administrators=True,
    ),
    Route(
        "PATCH",
        "/default_stream_groups/{group_id:int}/streams",
        default_groups.ChannelsParams,
        default_groups.update_channels,
        of_administrators=True,
    ),
    Route("POST", "/channels/create", editing.CreateParams, editing.create),
    Route(
        "POST",
        "/default_streams",
        editing.OneParams,
        editing.add_default,
        of_administrators=True,
    ),
    Route(
        "DELETE",
        "/default_streams",
        editing.OneParams,
        editing.remove_default,
        of_administrators=True,
    ),
    Route("GET", "/channel_folders", folders.ListParams, folders.list_folders),
    Route(
        "POST",
        "/channel_folders/create",
        folders.CreateParams,
        folders.create,
        of_administrators=True,
    ),
    Route(
        "PATCH",
        "/channel_folders",
        folders.ReorderParams,
        folders.reorder,
        of_administrators=True,
    ),
    Route(
        "PATCH",
        "/channel_folders/{channel_folder_id:int}",
        folders.UpdateParams,
        folders.update,
        of_administrators=True,
    ),
    Route("GET", "/navigation_views", NoParams, navigation_views.list_views),
    Route("POST", "/navigation_views", navigation_views.AddParams, navigation_views.add),
    Route(
        "PATCH", "/navigation_views/{fragment:path}", navigation_views.UpdateParams, navigation_views.update
    ),
    Route("DELETE", "/navigation_views/{fragment:path}", navigation_views.OneParams, navigation_views.remove),
    Route("GET", "/get_stream_id", listing.IdParams, listing.get_id),
)
