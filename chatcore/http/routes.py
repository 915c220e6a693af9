"""One row for each endpoint."""

from collections.abc import Sequence
from typing import Final

from chatcore.http.auth import Auth
from chatcore.http.endpoints import channels, events, messages, users
from chatcore.http.params import NoParams
from chatcore.http.routing import AnyRoute, Route

ROUTES: Final[Sequence[AnyRoute]] = (
    Route("GET", "/server_settings", NoParams, events.settings, auth=Auth.NONE),
    Route("POST", "/fetch_api_key", users.LoginParams, users.log_in, auth=Auth.NONE),
    Route(
        "POST",
        "/dev_fetch_api_key",
        users.DevelopmentLoginParams,
        users.log_in_for_development,
        auth=Auth.NONE,
    ),
    Route("POST", "/register", events.RegisterParams, events.register, auth=Auth.OPTIONAL),
    Route("GET", "/events", events.PollParams, events.poll),
    Route("DELETE", "/events", events.DeleteParams, events.delete),
    Route("GET", "/messages", messages.FetchParams, messages.fetch, auth=Auth.OPTIONAL),
    Route("POST", "/messages", messages.SendParams, messages.send, auth=Auth.SENDING),
    Route("POST", "/messages/render", messages.RenderParams, messages.render),
    Route("GET", "/messages/{message_id:int}", messages.GetParams, messages.get, auth=Auth.OPTIONAL),
    Route("POST", "/messages/flags", messages.FlagsParams, messages.update_flags),
    Route("POST", "/messages/flags/narrow", messages.FlagsInNarrowParams, messages.update_flags_in_narrow),
    Route("GET", "/users", users.ListParams, users.list_users, auth=Auth.OPTIONAL),
    Route("GET", "/users/me", NoParams, users.own_user),
    Route("GET", "/users/{user_id:int}", users.GetParams, users.get_user),
    Route("GET", "/users/{email}", users.GetByEmailParams, users.get_user_by_email),
    Route(
        "GET", "/users/me/{stream_id:int}/topics", channels.TopicsParams, channels.topics, auth=Auth.OPTIONAL
    ),
    Route("GET", "/users/me/subscriptions", channels.SubscriptionsParams, channels.subscriptions),
    Route("POST", "/users/me/subscriptions", channels.SubscribeParams, channels.subscribe),
    Route("DELETE", "/users/me/subscriptions", channels.UnsubscribeParams, channels.unsubscribe),
    Route("GET", "/streams", channels.ListParams, channels.list_channels),
    Route("GET", "/get_stream_id", channels.IdParams, channels.get_id),
)
