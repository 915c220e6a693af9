"""The initial state that `POST register` returns, one row for each event type.

The state and the events of one type have the same content; a client that receives a type needs the state it
starts from. The rows' functions read through `Fetch`, each kind of rows once.
"""

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import NamedTuple

from chatcore.application.organization.server_settings import version_fields
from chatcore.application.registration import (
    channels,
    configuration,
    messages,
    organization,
    people,
    settings,
)
from chatcore.application.registration.fetch import Fetch
from chatcore.application.services import Services
from chatcore.domain.errors import LoginRequired
from chatcore.domain.groups.actors import Actor
from chatcore.domain.narrow.words import STOP_WORDS
from chatcore.events.payloads.channels import IncludeSubscribers
from chatcore.events.queue import Registration
from chatcore.storage import Snapshot

Fields = Callable[[Fetch], Mapping[str, object]]


class Row(NamedTuple):
    """The fields of one event type."""

    event_type: str
    fields: Fields
    without_account: Mapping[str, object] | None = None
    """Constant fields for callers without an account; None to use the same functions."""
    also_needs: str | None = None
    """An event type that must be wanted as well."""


def stop_words(fetch: Fetch) -> dict[str, object]:
    return {"stop_words": sorted(STOP_WORDS)}


def constant(**fields: object) -> Fields:
    """Return a function for fields that are always the same."""
    return lambda fetch: fields


ROWS: tuple[Row, ...] = (
    Row("alert_words", messages.alert_words, {"alert_words": []}),
    Row("channel_folders", channels.channel_folders, {"channel_folders": []}),
    Row("custom_profile_fields", configuration.custom_profile_fields),
    Row("default_stream_groups", channels.default_channel_groups),
    Row("default_streams", channels.default_channels),
    Row("drafts", messages.drafts, {"drafts": []}),
    Row("giphy", organization.gif_search, {"giphy_api_key": ""}),
    Row("message", messages.max_message_id, {"max_message_id": messages.NO_MESSAGES}),
    Row(
        "message",
        messages.unread_msgs,
        {"unread_msgs": messages.NOTHING_UNREAD},
        also_needs="update_message_flags",
    ),
    Row("muted_topics", messages.muted_topics, {"muted_topics": []}),
    Row("muted_users", people.muted_users, {"muted_users": []}),
    Row("navigation_views", channels.navigation_views, {"navigation_views": []}),
    Row("onboarding_steps", people.onboarding_steps, {"onboarding_steps": [], **people.NO_TOUR}),
    Row("presence", people.presence),
    Row("push_device", constant(push_devices={})),
    Row("realm", organization.organization),
    Row("realm_billing", constant(realm_billing={"has_pending_sponsorship_request": False})),
    Row("realm_bot", people.bots, {"realm_bots": []}),
    Row("realm_domains", organization.domains),
    Row("realm_embedded_bots", people.embedded_bots, {"realm_embedded_bots": []}),
    Row("realm_emoji", configuration.custom_emoji),
    Row("realm_filters", configuration.filters),
    Row(
        "realm_incoming_webhook_bots",
        people.incoming_webhook_bots,
        {"realm_incoming_webhook_bots": []},
    ),
    Row("realm_linkifiers", configuration.linkifiers),
    Row("realm_playgrounds", configuration.playgrounds),
    Row("realm_user", people.users),
    Row("realm_user_groups", people.user_groups, {"realm_user_groups": []}),
    Row("realm_user_settings_defaults", settings.defaults_for_new_users),
    Row(
        "recent_private_conversations",
        messages.recent_private_conversations,
        {"recent_private_conversations": []},
    ),
    Row("reminders", messages.reminders, {"reminders": []}),
    Row("saved_snippets", messages.saved_snippets, {"saved_snippets": []}),
    Row("scheduled_messages", messages.scheduled_messages, {"scheduled_messages": []}),
    Row("starred_messages", messages.starred_messages, {"starred_messages": []}),
    Row("stop_words", stop_words),
    Row("stream", channels.channels, {}),
    Row("subscription", channels.subscriptions),
    Row("update_display_settings", settings.display_settings),
    Row("update_global_notifications", settings.notification_settings),
    Row("user_settings", settings.settings),
    Row("user_status", configuration.user_status, {"user_status": {}}),
    Row("user_topic", messages.user_topics, {"user_topics": []}),
    Row("video_calls", constant(has_zoom_token=False)),
)


def wanting(event_types: Collection[str] | None) -> Callable[[str], bool]:
    """Return a predicate: whether a client that requests these types (None: all types) wants one of them.

    A client that names `user_topic` does not want the deprecated `muted_topics`.
    """
    return Registration(event_types=None if event_types is None else tuple(event_types)).wants


def fetch_state(
    snapshot: Snapshot,
    actor: Actor | None,
    wanted: Callable[[str], bool] | Collection[str] | None,
    *,
    registration: Registration,
    svc: Services,
    now: int | None = None,
    include_subscribers: IncludeSubscribers | None = None,
    organization_url: str | None = None,
) -> dict[str, object]:
    """Return the state of the snapshot as the actor may see it, for the event types that are *wanted*: a
    predicate, their names, or None for all.

    The fields of the queue itself are not included. With None for *include_subscribers*, the registration of
    the queue decides; a client may also request partial lists, which the queue does not store.

    :raises LoginRequired: no actor, and the organization is not open to the web
    """
    if actor is None:
        include_subscribers = False
    elif include_subscribers is None:
        include_subscribers = registration.include_subscribers
    fetch = Fetch(
        snapshot=snapshot,
        actor=actor,
        registration=registration,
        svc=svc,
        now=svc.now if now is None else now,
        include_subscribers=include_subscribers,
        organization_url=organization_url or svc.settings.external_url,
    )
    if actor is None and not fetch.organization.enable_spectator_access:
        raise LoginRequired
    wants = wanted if callable(wanted) else wanting(wanted)
    wanted_rows = [
        row for row in ROWS if wants(row.event_type) and (row.also_needs is None or wants(row.also_needs))
    ]
    state = version_fields()
    for fields in snapshot.together([partial(_fields, row, fetch) for row in wanted_rows]):
        state.update(fields)
    return state


def _fields(row: Row, fetch: Fetch) -> Mapping[str, object]:
    if fetch.actor is None and row.without_account is not None:
        return row.without_account
    return row.fields(fetch)
