"""Parameters of our endpoints, compared with the description of the API if that is available.

The comparison reads our own OpenAPI document. A table lists the intended differences with their reasons; an
entry that is no longer needed fails as well.
"""

from collections.abc import Mapping
from typing import Any, Final

import pytest

from tests.http.described import missing
from tests.http.described.taking import Taken, operations, our_parameters, their_parameters
from tests.reference import described
from tests.worlds.organization import World, succeeded

# -- where we differ --------------------------------------------------------------------------------

A_FILE = "a request without a file is refused"
CHECKSUM = "the checksum extension of the protocol"
DRAFT_ID = "the specification: an id must not be sent"
KNOWN = "one of those that there are"
LEVEL_412 = "clients of level 412 send true, false or partial"
PERSON = "several people in a field of type 6 are sent as a list of ids, and null empties a field"
PROOF = "sessions of browsers prove by it who uses them"
PUSH = "phones for push messages"
RULE = "no value but a rule, which is in the parameter's description"
SEEN = "as for messages: a change of a text that nobody has seen is refused"
VERSION = "the protocol wants its version with every request but OPTIONS"

WANTED: Final[Mapping[tuple[str, str], str]] = {
    ("POST /api/v1/drafts", "drafts"): DRAFT_ID,
    ("PATCH /api/v1/drafts/{draft_id}", "draft"): DRAFT_ID,
    ("PATCH /api/v1/drafts/{draft_id}", "prev_content_sha256"): SEEN,
    ("DELETE /api/v1/drafts/{draft_id}", "prev_content_sha256"): SEEN,
    ("PATCH /api/v1/saved_snippets/{saved_snippet_id}", "prev_content_sha256"): SEEN,
    ("DELETE /api/v1/saved_snippets/{saved_snippet_id}", "prev_content_sha256"): SEEN,
    ("PATCH /api/v1/scheduled_messages/{scheduled_message_id}", "prev_content_sha256"): SEEN,
    ("DELETE /api/v1/scheduled_messages/{scheduled_message_id}", "prev_content_sha256"): SEEN,
    ("GET /api/v1/events", "last_event_id"): "a poll without it is refused",
    ("POST /api/v1/realm/emoji/{emoji_name}", "filename"): A_FILE,
    ("POST /api/v1/register", "client_gravatar"): RULE,
    ("POST /api/v1/register", "digests"): "what a client has kept is not sent again",
    ("POST /api/v1/register", "event_types"): RULE,
    ("POST /api/v1/register", "fetch_event_types"): RULE,
    ("POST /api/v1/register", "include_subscribers"): LEVEL_412,
    ("POST /api/v1/register", "queue_lifespan_secs"): "clients ask so for queues that last longer",
    ("POST /api/v1/register", "idle_queue_timeout"): "another name for that, of a mobile client",
    ("GET /api/v1/messages/matches_narrow", "narrow"): "terms are written as elsewhere, pairs too",
    ("POST /api/v1/messages", "client"): "the name of the program, which the text of the API describes",
    ("POST /api/v1/messages", "widget_content"): "bots send forms by it",
    ("PATCH /api/v1/realm/user_settings_defaults", "emojiset"): KNOWN,
    ("PATCH /api/v1/realm/user_settings_defaults", "notification_sound"): KNOWN,
    ("PATCH /api/v1/realm/user_settings_defaults", "web_home_view"): KNOWN,
    ("PATCH /api/v1/settings", "default_language"): KNOWN,
    ("PATCH /api/v1/settings", "emojiset"): KNOWN,
    ("PATCH /api/v1/settings", "notification_sound"): KNOWN,
    ("PATCH /api/v1/settings", "web_channel_default_view"): "the organization's defaults know a fourth value",
    ("PATCH /api/v1/settings", "web_home_view"): KNOWN,
    ("POST /api/v1/tus", "Upload-Checksum"): CHECKSUM,
    ("HEAD /api/v1/tus/{upload_id}", "Tus-Resumable"): VERSION,
    ("PATCH /api/v1/tus/{upload_id}", "Tus-Resumable"): VERSION,
    ("PATCH /api/v1/tus/{upload_id}", "Upload-Checksum"): CHECKSUM,
    ("POST /api/v1/typing", "type"): "the older name of direct messages is taken too",
    ("POST /api/v1/user_uploads", "filename"): A_FILE,
    ("POST /api/v1/users/me/subscriptions", "subscriptions"): "clients send the color of a subscription",
    ("PATCH /api/v1/users/me/subscriptions", "add"): "a channel without a name is none",
    ("POST /api/v1/users", "own_password"): PROOF,
    ("POST /api/v1/users/{user_id}/reactivate", "own_password"): PROOF,
    ("DELETE /api/v1/users/me", "own_password"): PROOF,
    ("PATCH /api/v1/users/{email}", "own_password"): PROOF,
    ("PATCH /api/v1/users/{user_id}", "own_password"): PROOF,
    ("PATCH /api/v1/users/{email}", "profile_data"): PERSON,
    ("PATCH /api/v1/users/{user_id}", "profile_data"): PERSON,
}

EXPECTED: Final = WANTED.keys() | missing.PARAMETERS.keys()

PAGES: Final = (
    "/join",
    "/join/{token}",
    "/confirm/{token}",
    "/reset",
    "/reset/{token}",
    "/unsubscribe/{token}",
)
NOT_DESCRIBED: Final[Mapping[str, str]] = {
    "POST /api/v1/accounts/login": "how a browser gets its cookie",
    "POST /api/v1/accounts/dev_login": "the same on a development server, without a password",
    "GET /api/v1/dev_list_users": "the people as whom anybody may log in there",
    "POST /api/v1/accounts/logout": "how it forgets it",
    "GET /api/v1/users/me/sessions": "the browsers that have one",
    "DELETE /api/v1/users/me/sessions": "how all others forget theirs",
    "DELETE /api/v1/users/me/sessions/{session_id}": "how another browser forgets its own",
    "POST /api/v1/streams/{stream_id}/email_address/replace": "how an address that became known ends",
    "POST /api/v1/external/{integration}": "where other programs post",
    "GET /api/v1/audit": "who changed what of the organization",
    **dict.fromkeys(
        (
            "GET /api/v1/legal_holds",
            "POST /api/v1/legal_holds",
            "DELETE /api/v1/legal_holds/{hold_id}",
        ),
        "what owners keep from being deleted",
    ),
    "GET /api/v1/users/me/exports": "exports of the data of one person",
    "POST /api/v1/users/me/exports": "how people ask for their own data",
    "POST /api/v1/users/{user_id}/exports": "how administrators ask for that of somebody who allows it",
    "POST /api/v1/users/{user_id}/erase": "how owners erase a person",
    "OPTIONS /api/v1/tus": "how the protocol asks what a server can do",
    "OPTIONS /api/v1/tus/{upload_id}": "the same at the address of an upload",
    "DELETE /api/v1/tus/{upload_id}": "the termination extension of the protocol",
    "GET /api/v1/web_push": "by which key browsers subscribe to notices, and which of them did",
    **dict.fromkeys(
        ("GET /api/v1/users/me/do_not_disturb", "PATCH /api/v1/users/me/do_not_disturb"),
        "when nothing notifies a person",
    ),
    "POST /api/v1/web_push/subscriptions": "how a browser subscribes to them",
    "DELETE /api/v1/web_push/subscriptions/{subscription_id}": "how it ends that",
    "POST /api/v1/users/me/apns_device_token": PUSH,
    "DELETE /api/v1/users/me/apns_device_token": PUSH,
    "POST /api/v1/users/me/android_gcm_reg_id": PUSH,
    "DELETE /api/v1/users/me/android_gcm_reg_id": PUSH,
    **missing.REFUSED,
    "POST /api/v1/jwt/fetch_api_key": "described without its method",
    "GET /api/v1/calls/bigbluebutton/create": "described without its parameters",
    "GET /calls/bigbluebutton/join": "what its answer leads to",
    "GET /accounts/login/sso": "where a proxy says who a person is",
    **dict.fromkeys(
        (f"{method} {path}" for method in ("GET", "POST") for path in PAGES), "pages on which people join"
    ),
    **dict.fromkeys(
        (f"GET /login/oidc/{{provider}}{path}" for path in ("", "/callback", "/logout")),
        "between which a login service sends browsers",
    ),
    "POST /login/oidc/{provider}/backchannel-logout": "how it ends sessions",
    **dict.fromkeys(
        (f"{method} /scim/v2/{{kind}}" for method in ("GET", "POST")), "where it makes and finds accounts"
    ),
    **dict.fromkeys(
        (f"{method} /scim/v2/{{kind}}/{{id}}" for method in ("GET", "PUT", "PATCH", "DELETE")),
        "where it changes one",
    ),
    "GET /manifest.webmanifest": "what a device that installs the client asks for",
    "GET /avatar/{email_or_id}/medium": "the larger picture",
    "GET /external_content/{digest}/{encoded}": "a picture of another site in messages",
    "GET /user_avatars/{realm_id}/{name}": "the address of an uploaded picture",
    "GET /user_avatars/{realm_id}/emoji/images/{file_name}": "the address of an emoji's picture",
    "GET /user_avatars/{realm_id}/emoji/images/still/{file_name}": "that of the first one of an animation",
    "GET /user_avatars/{realm_id}/realm/{file_name}": "the address of the organization's icon or logo",
    "GET /user_uploads/{realm_id}/{filename}": "the address of a file in messages",
    "GET /user_uploads/download/{realm_id}/{filename}": "the same, to be saved",
    "GET /user_uploads/exports/{token}/{filename}": "the address of an export's archive",
    "GET /user_uploads/thumbnail/{realm_id}/{filename}": "an image in a smaller size",
    "GET /user_uploads/temporary/{token}/{filename}": "what the address for a minute leads to",
}
"""Our own endpoints, which the description does not have."""

NAMES_ALONE: Final[Mapping[str, str]] = {
    "PATCH /api/v1/realm": "settings, of which we take those that something here asks for",
}
"""Endpoints of which not even the parameters are described, but for names."""

# -- the tests --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def theirs() -> Mapping[str, Mapping[str, Taken]]:
    description = described("endpoints.json")
    return {
        f"{endpoint['method']} {endpoint['path']}": their_parameters(endpoint, description["types"])
        for endpoint in description["endpoints"]
    }


@pytest.fixture(scope="module")
def routes_of_handlers() -> Mapping[str, Mapping[str, Any]]:
    """Routes whose handler is known by name only; the description leaves out some of their details."""
    routes = described("endpoints.json")["routes_without_description"]["routes"]
    return {f"{route['method']} {route['path']}": route for route in routes}


def differs(ours: Taken | None, theirs: Taken | None) -> bool:
    """Whether they differ; ours may have a default where the description does not specify one."""
    if ours is None or theirs is None or theirs.default is not None:
        return ours != theirs
    return (ours.kinds, ours.required) != (theirs.kinds, theirs.required)


def test_parameters_are_as_described(theirs: Mapping[str, Mapping[str, Taken]]) -> None:
    differences = {
        (endpoint, name): f"ours {ours.get(name)}, described {theirs[endpoint].get(name)}"
        for endpoint, operation in operations()
        if endpoint in theirs
        for ours in [our_parameters(operation)]
        for name in ours.keys() | theirs[endpoint].keys()
        if differs(ours.get(name), theirs[endpoint].get(name))
    }
    assert {name: announced for name, announced in differences.items() if name not in EXPECTED} == {}
    assert WANTED.keys() - differences.keys() == set(), "these do not differ any more"


def test_parameters_of_endpoints_that_are_only_named(
    routes_of_handlers: Mapping[str, Mapping[str, Any]],
) -> None:
    for endpoint, operation in operations():
        if endpoint in routes_of_handlers and endpoint not in NAMES_ALONE:
            parameters = routes_of_handlers[endpoint]["params"]
            named = {one if isinstance(one, str) else one["name"] for one in parameters}
            absent = {(endpoint, name) for name in named - our_parameters(operation).keys()}
            assert absent <= missing.PARAMETERS.keys(), endpoint


def test_every_other_endpoint_of_ours_is_known(
    theirs: Mapping[str, Any], routes_of_handlers: Mapping[str, Any]
) -> None:
    ours = {endpoint for endpoint, _ in operations()}
    assert ours - theirs.keys() - routes_of_handlers.keys() == NOT_DESCRIBED.keys()


def test_parameters_of_older_levels_are_ignored_like_unknown_ones(world: World) -> None:
    olga = world["olga"]
    before = olga.registers(fetch_event_types=["realm", "user_settings"]).state
    for reason, values in ((missing.OLDER, (1, False, "x")), (missing.DENSE, (True, False, "x"))):
        for (endpoint, name), why in missing.PARAMETERS.items():
            if why == reason:
                method, _, path = endpoint.partition(" /api/v1")
                for value in values:
                    answer = succeeded(olga.request(method, path, **{name: value}))
                    assert answer["ignored_parameters_unsupported"] == [name]
    after = olga.registers(fetch_event_types=["realm", "user_settings"]).state
    for fields in (before, after):
        del fields["queue_id"]
    assert before == after
