"""All that the description of the API has and this server does not: the one list, with reasons.

A line goes when its thing comes: `tests.http.described.test_coverage` fails for lines that are not needed.
"""

from collections.abc import Mapping
from typing import Final

PUSH: Final = "push messages are not sent"
CALLS: Final = "there are no video calls of Zoom, which wants an account of the server"
BILLING: Final = "nothing is sold"
DENSE: Final = "of levels before the one that this server reports: sizes of fonts have taken its place"
OLDER: Final = "of levels before the one that this server reports: settings with groups have taken its place"

ENDPOINTS: Final[Mapping[str, str]] = {
    "POST /service-outgoing-webhook": "a request that the server itself makes, to the service of a bot",
    "* (billing pages)": BILLING,
}

REFUSED: Final[Mapping[str, str]] = {
    "POST /api/v1/mobile_push/register": PUSH,
    "POST /api/v1/mobile_push/test_notification": PUSH,
    "POST /api/v1/mobile_push/e2ee/test_notification": PUSH,
    "POST /api/v1/calls/zoom/create": CALLS,
}
"""Endpoints that refuse every request, with the code that the API has for a server without the service."""

PARAMETERS: Final[Mapping[tuple[str, str], str]] = {
    ("PATCH /api/v1/tus/{upload_id}", "Content-Type"): "OpenAPI has the media type of the body with the body",
    ("PATCH /api/v1/realm", "string_id"): "an organization is at the host of its address",
    **{
        ("PATCH /api/v1/realm", name): OLDER
        for name in (
            "add_custom_emoji_policy",
            "allow_edit_history",
            "bot_creation_policy",
            "create_private_stream_policy",
            "create_public_stream_policy",
            "create_web_public_stream_policy",
            "delete_own_message_policy",
            "edit_topic_policy",
            "invite_to_realm_policy",
            "invite_to_stream_policy",
            "move_messages_between_streams_policy",
            "private_message_policy",
            "user_group_edit_policy",
            "wildcard_mention_policy",
        )
    },
    ("PATCH /api/v1/settings/display", "dense_mode"): DENSE,
    ("PATCH /api/v1/settings/notifications", "dense_mode"): DENSE,
}

FIELDS: Final[Mapping[str, str]] = {
    "demo_organization_scheduled_deletion_date": "the demo has no end",
}

EVENTS: Final[Mapping[tuple[str, str | None], str]] = {
    ("heartbeat", None): "sent to a poll that has waited for long, and no part of the log",
    ("realm_bot", "remove"): "of levels before 222: an update with `is_active` has taken its place",
    ("realm_filters", None): "of levels before 176, and not sent any more",
    ("has_zoom_token", None): CALLS,
    ("push_device", None): PUSH,
}
