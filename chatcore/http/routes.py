"""One row for each endpoint."""

from collections.abc import Sequence
from typing import Final

from chatcore.http.auth import Auth
from chatcore.http.endpoints import (
    alert_words,
    channels,
    drafts,
    events,
    messages,
    organization,
    profiles,
    topics,
    user_groups,
    users,
)
from chatcore.http.file_routes import FILE_ROUTES
from chatcore.http.params import NoParams
from chatcore.http.routing import AnyRoute, Route

ROUTES: Final[Sequence[AnyRoute]] = (
    Route("GET", "/server_settings", NoParams, events.settings, auth=Auth.NONE, at_every_host=True),
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
    Route("POST", "/mark_all_as_read", NoParams, topics.mark_all_as_read),
    Route("POST", "/mark_stream_as_read", topics.MarkChannelParams, topics.mark_channel_as_read),
    Route("POST", "/mark_topic_as_read", topics.MarkTopicParams, topics.mark_topic_as_read),
    Route("POST", "/user_topics", topics.PolicyParams, topics.set_policy),
    Route("GET", "/users", users.ListParams, users.list_users, auth=Auth.OPTIONAL),
    Route("GET", "/users/me", NoParams, users.own_user),
    Route("GET", "/users/{user_id:int}", users.GetParams, users.get_user),
    Route("GET", "/users/{email}", users.GetByEmailParams, users.get_user_by_email),
    Route("PATCH", "/users/{user_id:int}", profiles.UpdateParams, profiles.update_user),
    Route("PATCH", "/users/{email}", profiles.UpdateByEmailParams, profiles.update_user_by_email),
    Route("GET", "/users/{user_id:int}/status", profiles.StatusOfParams, profiles.status_of),
    Route("POST", "/users/me/status", profiles.SetStatusParams, profiles.set_status),
    Route("PATCH", "/users/me/profile_data", profiles.UpdateProfileParams, profiles.update_profile),
    Route("DELETE", "/users/me/profile_data", profiles.EmptyProfileParams, profiles.empty_profile),
    Route("GET", "/users/me/alert_words", NoParams, alert_words.alert_words),
    Route("POST", "/users/me/alert_words", alert_words.WordsParams, alert_words.add),
    Route("DELETE", "/users/me/alert_words", alert_words.WordsParams, alert_words.remove),
    Route("GET", "/realm/linkifiers", NoParams, organization.list_linkifiers),
    Route(
        "PATCH", "/realm/linkifiers", organization.ReorderLinkifiersParams, organization.reorder_linkifiers
    ),
    Route("POST", "/realm/filters", organization.AddLinkifierParams, organization.add_linkifier),
    Route(
        "PATCH",
        "/realm/filters/{filter_id:int}",
        organization.UpdateLinkifierParams,
        organization.update_linkifier,
    ),
    Route(
        "DELETE",
        "/realm/filters/{filter_id:int}",
        organization.RemoveLinkifierParams,
        organization.remove_linkifier,
    ),
    Route("POST", "/realm/playgrounds", organization.AddPlaygroundParams, organization.add_playground),
    Route(
        "DELETE",
        "/realm/playgrounds/{playground_id:int}",
        organization.RemovePlaygroundParams,
        organization.remove_playground,
    ),
    Route("GET", "/realm/profile_fields", NoParams, organization.list_profile_fields),
    Route(
        "POST",
        "/realm/profile_fields",
        organization.CreateProfileFieldParams,
        organization.create_profile_field,
    ),
    Route(
        "PATCH",
        "/realm/profile_fields",
        organization.ReorderProfileFieldsParams,
        organization.reorder_profile_fields,
    ),
    Route(
        "PATCH",
        "/realm/profile_fields/{field_id:int}",
        organization.UpdateProfileFieldParams,
        organization.update_profile_field,
    ),
    Route(
        "DELETE",
        "/realm/profile_fields/{field_id:int}",
        organization.RemoveProfileFieldParams,
        organization.remove_profile_field,
    ),
    Route(
        "GET", "/users/me/{stream_id:int}/topics", channels.TopicsParams, channels.topics, auth=Auth.OPTIONAL
    ),
    Route("GET", "/users/me/subscriptions", channels.SubscriptionsParams, channels.subscriptions),
    Route("POST", "/users/me/subscriptions", channels.SubscribeParams, channels.subscribe),
    Route("DELETE", "/users/me/subscriptions", channels.UnsubscribeParams, channels.unsubscribe),
    Route("GET", "/streams", channels.ListParams, channels.list_channels),
    Route("GET", "/get_stream_id", channels.IdParams, channels.get_id),
    Route("GET", "/user_groups", user_groups.ListParams, user_groups.list_groups),
    Route("POST", "/user_groups/create", user_groups.CreateParams, user_groups.create),
    Route("PATCH", "/user_groups/{user_group_id:int}", user_groups.UpdateParams, user_groups.update),
    Route(
        "POST",
        "/user_groups/{user_group_id:int}/deactivate",
        user_groups.DeactivateParams,
        user_groups.deactivate,
    ),
    Route("GET", "/user_groups/{user_group_id:int}/members", user_groups.MembersParams, user_groups.members),
    Route(
        "POST",
        "/user_groups/{user_group_id:int}/members",
        user_groups.UpdateMembersParams,
        user_groups.update_members,
    ),
    Route(
        "GET",
        "/user_groups/{user_group_id:int}/members/{user_id:int}",
        user_groups.MemberParams,
        user_groups.is_member,
    ),
    Route(
        "GET",
        "/user_groups/{user_group_id:int}/subgroups",
        user_groups.SubgroupsParams,
        user_groups.subgroups,
    ),
    Route(
        "POST",
        "/user_groups/{user_group_id:int}/subgroups",
        user_groups.UpdateSubgroupsParams,
        user_groups.update_subgroups,
    ),
    Route("GET", "/drafts", NoParams, drafts.list_drafts),
    Route("POST", "/drafts", drafts.CreateParams, drafts.create),
    Route("PATCH", "/drafts/{draft_id:int}", drafts.EditParams, drafts.edit),
    Route("DELETE", "/drafts/{draft_id:int}", drafts.DeleteParams, drafts.delete),
    *FILE_ROUTES,
)
