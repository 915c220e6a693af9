"""A table with a small function for each kind of event; a client fails on any other event."""

from collections.abc import Callable, Mapping

from tests.worlds.clients import channels, people
from tests.worlds.clients.state import PEOPLE, Event, State


def apply(state: State, event: Event) -> None:
    """Change the state by an event, like a client that is notified of it."""
    APPLY[event["type"], event.get("op")](state, event)


# -- the organization, and personal state -----------------------------------------------------------


def profile_fields(state: State, event: Event) -> None:
    state["custom_profile_fields"] = event["fields"]
    there = {str(field["id"]) for field in event["fields"]}
    for name in PEOPLE:
        for user in state[name].values():
            for gone in set(user.get("profile_data", ())) - there:
                del user["profile_data"][gone]


def organization_updated(state: State, event: Event) -> None:
    assert f"realm_{event['property']}" in state
    state[f"realm_{event['property']}"] = event["value"]


def organization_deactivated(state: State, event: Event) -> None:
    """Ignore the event: the organization is refused from then on, and is as it was when it comes back."""


def server_restarted(state: State, event: Event) -> None:
    for name in ("service_version", "service_merge_base", "service_feature_level", "server_generation"):
        assert name in state
        state[name] = event[name]


def organization_permissions(state: State, event: Event) -> None:
    for name, value in event["data"].items():
        assert f"realm_{name}" in state
        state[f"realm_{name}"] = value


def domain_added(state: State, event: Event) -> None:
    state["realm_domains"].append(event["realm_domain"])


def domain_changed(state: State, event: Event) -> None:
    (domain,) = [one for one in state["realm_domains"] if one["domain"] == event["realm_domain"]["domain"]]
    domain.update(event["realm_domain"])


def domain_removed(state: State, event: Event) -> None:
    state["realm_domains"] = [one for one in state["realm_domains"] if one["domain"] != event["domain"]]


def user_default(state: State, event: Event) -> None:
    assert event["property"] in state["realm_user_settings_defaults"]
    state["realm_user_settings_defaults"][event["property"]] = event["value"]


def emoji(state: State, event: Event) -> None:
    state["realm_emoji"] = event["realm_emoji"]


def linkifiers(state: State, event: Event) -> None:
    state["realm_linkifiers"] = event["realm_linkifiers"]


def playgrounds(state: State, event: Event) -> None:
    state["realm_playgrounds"] = event["realm_playgrounds"]


def alert_words(state: State, event: Event) -> None:
    state["alert_words"] = event["alert_words"]


def muted_users(state: State, event: Event) -> None:
    state["muted_users"] = event["muted_users"]


def view_added(state: State, event: Event) -> None:
    state["navigation_views"][event["navigation_view"]["fragment"]] = event["navigation_view"]


def view_changed(state: State, event: Event) -> None:
    state["navigation_views"][event["fragment"]].update(event["data"])


def view_removed(state: State, event: Event) -> None:
    del state["navigation_views"][event["fragment"]]


def invitations(state: State, event: Event) -> None:
    """Ignore the event: clients fetch the invitations when they show them."""


def onboarding_steps(state: State, event: Event) -> None:
    state["onboarding_steps"] = event["onboarding_steps"]


def drafts_added(state: State, event: Event) -> None:
    state["drafts"].update({draft["id"]: draft for draft in event["drafts"]})


def draft_updated(state: State, event: Event) -> None:
    state["drafts"][event["draft"]["id"]] = event["draft"]


def draft_removed(state: State, event: Event) -> None:
    del state["drafts"][event["draft_id"]]


def of_no_state(state: State, event: Event) -> None:
    """An event about what a registration does not have."""


def snippet_changed(state: State, event: Event) -> None:
    state["saved_snippets"][event["saved_snippet"]["id"]] = event["saved_snippet"]


def snippet_removed(state: State, event: Event) -> None:
    del state["saved_snippets"][event["saved_snippet_id"]]


def scheduled_added(state: State, event: Event) -> None:
    (scheduled,) = event["scheduled_messages"]
    assert scheduled["scheduled_message_id"] not in state["scheduled_messages"]
    state["scheduled_messages"][scheduled["scheduled_message_id"]] = scheduled


def scheduled_changed(state: State, event: Event) -> None:
    scheduled = event["scheduled_message"]
    assert scheduled["scheduled_message_id"] in state["scheduled_messages"]
    state["scheduled_messages"][scheduled["scheduled_message_id"]] = scheduled


def scheduled_removed(state: State, event: Event) -> None:
    del state["scheduled_messages"][event["scheduled_message_id"]]


def reminder_added(state: State, event: Event) -> None:
    (reminder,) = event["reminders"]
    assert reminder["reminder_id"] not in state["reminders"]
    state["reminders"][reminder["reminder_id"]] = reminder


def reminder_removed(state: State, event: Event) -> None:
    del state["reminders"][event["reminder_id"]]


def attachment_changed(state: State, event: Event) -> None:
    state["attachments"][event["attachment"]["id"]] = event["attachment"]
    state["upload_space_used"] = event["upload_space_used"]


def attachment_removed(state: State, event: Event) -> None:
    del state["attachments"][event["attachment"]["id"]]
    state["upload_space_used"] = event["upload_space_used"]


APPLY: Mapping[tuple[str, str | None], Callable[[State, Event], None]] = {
    ("alert_words", None): alert_words,
    ("attachment", "add"): attachment_changed,
    ("attachment", "remove"): attachment_removed,
    ("attachment", "update"): attachment_changed,
    ("channel_folder", "add"): channels.folder_added,
    ("channel_folder", "reorder"): channels.folders_reordered,
    ("channel_folder", "update"): channels.folder_changed,
    ("custom_profile_fields", None): profile_fields,
    ("default_stream_groups", None): channels.default_groups,
    ("default_streams", None): channels.default_channels,
    ("delete_message", None): channels.messages_deleted,
    ("drafts", "add"): drafts_added,
    ("drafts", "remove"): draft_removed,
    ("drafts", "update"): draft_updated,
    ("message", None): channels.message,
    ("muted_topics", None): channels.muted_topics,
    ("muted_users", None): muted_users,
    ("navigation_view", "add"): view_added,
    ("navigation_view", "remove"): view_removed,
    ("navigation_view", "update"): view_changed,
    ("invites_changed", None): invitations,
    ("onboarding_steps", None): onboarding_steps,
    ("presence", None): people.presence,
    ("reaction", "add"): channels.reaction,
    ("reaction", "remove"): channels.reaction,
    ("realm", "deactivated"): organization_deactivated,
    ("realm", "update"): organization_updated,
    ("realm", "update_dict"): organization_permissions,
    ("realm_bot", "add"): people.bot_added,
    ("realm_bot", "delete"): people.bot_removed,
    ("realm_bot", "update"): people.bot_updated,
    ("realm_domains", "add"): domain_added,
    ("realm_domains", "change"): domain_changed,
    ("realm_domains", "remove"): domain_removed,
    ("realm_emoji", "update"): emoji,
    ("realm_linkifiers", None): linkifiers,
    ("realm_playgrounds", None): playgrounds,
    ("realm_user", "add"): people.user_added,
    ("realm_user", "remove"): people.user_removed,
    ("realm_user", "update"): people.user_updated,
    ("realm_user_settings_defaults", "update"): user_default,
    ("restart", None): server_restarted,
    ("web_reload_client", None): of_no_state,
    ("reminders", "add"): reminder_added,
    ("reminders", "remove"): reminder_removed,
    ("realm_export", None): of_no_state,
    ("realm_export_consent", None): of_no_state,
    ("saved_snippets", "add"): snippet_changed,
    ("saved_snippets", "remove"): snippet_removed,
    ("saved_snippets", "update"): snippet_changed,
    ("scheduled_messages", "add"): scheduled_added,
    ("scheduled_messages", "remove"): scheduled_removed,
    ("scheduled_messages", "update"): scheduled_changed,
    ("stream", "create"): channels.channel_created,
    ("stream", "delete"): channels.channel_deleted,
    ("stream", "update"): channels.channel_updated,
    ("submessage", None): channels.submessage,
    ("subscription", "add"): channels.subscribed,
    ("subscription", "peer_add"): channels.peers_added,
    ("subscription", "peer_remove"): channels.peers_removed,
    ("subscription", "remove"): channels.unsubscribed,
    ("subscription", "update"): channels.subscription_updated,
    ("typing", "start"): people.typing,
    ("typing", "stop"): people.typing,
    ("typing_edit_message", "start"): channels.typing_in_edit,
    ("typing_edit_message", "stop"): channels.typing_in_edit,
    ("update_display_settings", None): people.display_setting,
    ("update_global_notifications", None): people.notification_setting,
    ("update_message", None): channels.message_updated,
    ("update_message_flags", "add"): channels.flag_added,
    ("update_message_flags", "remove"): channels.flag_removed,
    ("user_group", "add"): people.group_added,
    ("user_group", "add_members"): people.group_members_added,
    ("user_group", "add_subgroups"): people.subgroups_added,
    ("user_group", "remove"): people.group_removed,
    ("user_group", "remove_members"): people.group_members_removed,
    ("user_group", "remove_subgroups"): people.subgroups_removed,
    ("user_group", "update"): people.group_updated,
    ("user_settings", "update"): people.user_setting,
    ("user_status", None): people.user_status,
    ("user_topic", None): channels.user_topic,
}
"""The functions by type and by `op`, which not all types have."""
