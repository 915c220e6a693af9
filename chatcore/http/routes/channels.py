"""Channels and subscriptions."""

from collections.abc import Sequence
from typing import Final

from chatcore.http.auth import Auth
from chatcore.http.endpoints.channels import editing, listing, subscribers, subscribing, topic_settings
from chatcore.http.routing import AnyRoute, Route

ROUTES: Final[Sequence[AnyRoute]] = (
    Route("POST", "/user_topics", topic_settings.PolicyParams, topic_settings.set_policy),
    Route(
        "GET", "/users/me/{stream_id:int}/topics", listing.TopicsParams, listing.topics, auth=Auth.OPTIONAL
    ),
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
    Route("GET", "/get_stream_id", listing.IdParams, listing.get_id),
)
