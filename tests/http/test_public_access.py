"""Access without an account in an organization that is open to the web.

`messages/test_fetching.py` tests reading messages, and `files/test_access.py` reading files.
"""

import json
from typing import Any

import pytest

from chatcore.application.organization.founding import allow_public_access
from chatcore.bootstrap import make_application
from chatcore.chat import Chat
from chatcore.http.pipeline.auth import Auth
from chatcore.http.pipeline.routing import AnyRoute
from chatcore.http.routes import ROUTES
from tests.worlds.organization import Someone, World, basic

OPEN = {
    "POST /api/v1/register",
    "GET /api/v1/messages",
    "GET /api/v1/messages/{message_id:int}",
    "GET /api/v1/users",
    "GET /api/v1/users/me/{stream_id:int}/topics",
    "GET /avatar/{email_or_id}",
    "GET /avatar/{email_or_id}/medium",
    "GET /user_uploads/{realm_id:int}/{filename:path}",
    "GET /user_uploads/download/{realm_id:int}/{filename:path}",
    "GET /user_uploads/thumbnail/{realm_id:int}/{filename:path}",
}
"""Endpoints that accept clients without an account if the organization does."""

FOR_ANYBODY = {
    "GET /api/v1/server_settings",
    "POST /api/v1/fetch_api_key",
    "POST /api/v1/jwt/fetch_api_key",
    "POST /api/v1/dev_fetch_api_key",
    "GET /api/v1/dev_list_users",
    *(f"GET /login/oidc/{{provider}}{path}" for path in ("", "/callback", "/logout")),
    "GET /accounts/login/sso",
    "GET /manifest.webmanifest",
    "POST /login/oidc/{provider}/backchannel-logout",
    *(f"{method} /scim/v2/{{kind}}" for method in ("GET", "POST")),
    *(f"{method} /scim/v2/{{kind}}/{{id}}" for method in ("GET", "PUT", "PATCH", "DELETE")),
    "GET /user_avatars/{realm_id:int}/{name}",
    "GET /user_avatars/{realm_id:int}/emoji/images/{file_name}",
    "GET /user_avatars/{realm_id:int}/realm/{file_name}",
    "GET /user_avatars/{realm_id:int}/emoji/images/still/{file_name}",
    "GET /user_uploads/temporary/{token}/{filename}",
    "GET /external_content/{digest}/{encoded}",
    "OPTIONS /api/v1/tus",
    "OPTIONS /api/v1/tus/{upload_id:path}",
    *(
        f"{method} {path}"
        for method in ("GET", "POST")
        for path in (
            "/join",
            "/join/{token}",
            "/confirm/{token}",
            "/reset",
            "/reset/{token}",
            "/unsubscribe/{token}",
        )
    ),
}
"""Endpoints that need no account: those used before a login, and addresses that grant access themselves."""

FOR_OWN_PAGES = {
    "POST /api/v1/accounts/login",
    "POST /api/v1/accounts/dev_login",
    "POST /api/v1/accounts/logout",
}
"""Endpoints for browsers on the organization's own pages; see `test_sessions.py`."""


@pytest.fixture
def nobody(world: World) -> Someone:
    """A caller without an account, in an organization that is open to the web."""
    world.open_to_the_web()
    return world.nobody


def name_of(route: AnyRoute) -> str:
    return f"{route.method} {route.full_path}"


def asks(someone: Someone, route: AnyRoute) -> Any:
    path = route.full_path.replace(":int}", "}").replace(":path}", "}")
    for name in route.path_names:
        path = path.replace(f"{{{name}}}", "1")
    return someone.client.open(path, method=route.method, headers=someone.headers)


# -- which endpoints ask for an account -------------------------------------------------------------


def test_the_endpoints_that_need_no_account_are_these() -> None:
    assert {name_of(route) for route in ROUTES if route.auth is Auth.OPTIONAL} == OPEN
    assert {name_of(route) for route in ROUTES if route.auth is Auth.NONE} == FOR_ANYBODY
    assert {name_of(route) for route in ROUTES if route.auth is Auth.OWN_PAGE} == FOR_OWN_PAGES


def test_everything_else_needs_an_account_also_where_the_web_is_let_in(nobody: Someone) -> None:
    for route in ROUTES:
        if name_of(route) in OPEN | FOR_ANYBODY | FOR_OWN_PAGES:
            continue
        response = asks(nobody, route)
        assert response.status_code == 401, route
        assert response.headers["WWW-Authenticate"].startswith("Basic realm=")
        if response.data and "/tus" not in route.path:
            assert response.get_json()["code"] == "UNAUTHORIZED"


def test_in_a_closed_organization_everything_needs_an_account(world: World) -> None:
    answers = {name: asks(world.nobody, route) for route in ROUTES if (name := name_of(route)) in OPEN}
    assert {name: answer.status_code for name, answer in answers.items()} == dict.fromkeys(
        OPEN - {"GET /api/v1/messages"}, 401
    ) | {"GET /api/v1/messages": 400}  # its parameters are missing; with them, see `test_fetching.py`
    answer = world.nobody.refused("POST", "/register", status=401, code="UNAUTHENTICATED_USER")
    assert answer.keys() == {"result", "msg", "code"}
    assert not world.nobody.get("/server_settings")["realm_web_public_access_enabled"]


@pytest.mark.shows("level.users-in-public")
def test_people_are_listed_without_an_account(world: World, nobody: Someone) -> None:
    members = {user["full_name"]: user for user in nobody.get("/users")["members"]}
    assert {"Olga", "Ada", "Gus", "Robo"} <= members.keys()
    assert {user["delivery_email"] for user in members.values() if not user["is_bot"]} == {None}
    assert [user["full_name"] for user in nobody.get("/users", user_ids=[world["ada"].id])["members"]] == [
        "Ada"
    ]


def test_the_settings_say_whether_the_web_is_let_in(nobody: Someone) -> None:
    assert nobody.get("/server_settings")["realm_web_public_access_enabled"] is True


def test_all_users_are_notified_when_the_web_is_let_in(world: World, ada: Someone) -> None:
    line = ada.registers(event_types=["realm"])
    state = {name: line.state[name] for name in ("realm_enable_spectator_access",)}
    chat = Chat(world.svc, make_application)
    for allowed in (True, True, False):
        chat.allow_public_access(allowed=allowed)
        assert world.nobody.request("POST", "/register").status_code == (200 if allowed else 401)
    events = line.events()
    for event in events:
        assert event.keys() == {"id", "type", "op", "property", "value"}
        assert (event["type"], event["op"]) == ("realm", "update")
    assert [event["value"] for event in events] == [True, False], "once for each change"
    for event, registered in zip(events, (True, False), strict=True):
        state[f"realm_{event['property']}"] = event["value"]
        allow_public_access(world.svc, allowed=registered)
        now = ada.post("/register", event_types=["realm"])
        assert {name: now[name] for name in state} == state


def test_wrong_credentials_are_no_way_to_be_nobody(world: World, nobody: Someone, ada: Someone) -> None:
    nobody.headers["Authorization"] = basic(ada.email, "x" * 32)
    nobody.refused("POST", "/register", status=401, code="UNAUTHORIZED")
    world.change_user("ada", is_active=False)
    ada.refused("POST", "/register", status=401, code="USER_DEACTIVATED")


# -- registering ------------------------------------------------------------------------------------


def test_without_an_account_there_is_state_but_no_queue(world: World, nobody: Someone) -> None:
    answer = nobody.post("/register")
    assert answer["queue_id"] is None
    assert isinstance(answer["last_event_id"], int)
    assert answer["service_feature_level"] == nobody.get("/server_settings")["service_feature_level"]
    assert world.count("event_queue") == 0
    for queue_id in ("", "null", "None"):
        nobody.refused("GET", "/events", status=401, code="UNAUTHORIZED", queue_id=queue_id, last_event_id=-1)


@pytest.mark.parametrize(
    "parameters",
    [
        {"client_gravatar": True},
        {"include_subscribers": True},
        {"include_subscribers": "partial"},
        {"client_gravatar": True, "include_subscribers": True},
        {"all_public_streams": True},
    ],
)
def test_state_about_people_is_not_available(nobody: Someone, parameters: dict[str, Any]) -> None:
    nobody.refused("POST", "/register", **parameters)


@pytest.mark.parametrize(
    "parameters",
    [
        {"client_gravatar": False, "include_subscribers": False, "all_public_streams": False},
        {"apply_markdown": True, "slim_presence": True, "presence_history_limit_days": 0},
        {"narrow": [["channel", "secret"], ["is", "dm"]]},
        {"client_capabilities": {"archived_channels": True, "user_list_incomplete": True}},
        {"queue_lifespan_secs": 600},
    ],
)
def test_a_spectator_may_register_with_these_options(nobody: Someone, parameters: dict[str, Any]) -> None:
    assert nobody.post("/register", **parameters)["queue_id"] is None


def test_only_what_is_wanted_is_in_the_state(nobody: Someone) -> None:
    always = {"result", "msg", "queue_id", "last_event_id"} | {
        f"service_{name}" for name in ("version", "feature_level", "merge_base")
    }
    assert nobody.post("/register", event_types=[]).keys() == always
    for parameters in (
        {"event_types": ["realm_linkifiers"]},
        {"event_types": ["message"], "fetch_event_types": ["realm_linkifiers"]},
    ):
        assert nobody.post("/register", **parameters).keys() == always | {"realm_linkifiers"}


def test_pictures_have_their_addresses_without_being_asked_for(nobody: Someone) -> None:
    assert None not in {user["avatar_url"] for user in nobody.post("/register")["realm_users"]}


def test_the_state_knows_web_public_channels_only(world: World, nobody: Someone) -> None:
    world.add_channel("ruin", is_web_public=True, is_archived=True)
    state = nobody.post("/register")
    assert [channel["name"] for channel in state["never_subscribed"]] == ["plaza"]
    assert state["subscriptions"] == state["unsubscribed"] == []
    assert "subscribers" not in state["never_subscribed"][0]
    with_archived = nobody.post("/register", client_capabilities={"archived_channels": True})
    assert [channel["name"] for channel in with_archived["never_subscribed"]] == ["plaza", "ruin"]


def test_sec_49_the_state_has_nothing_of_closed_channels(world: World, nobody: Someone, ada: Someone) -> None:
    hidden = ("kraken", "basilisk", "phoenix", "gryphon", "wyvern", "unicorn")
    world.add_channel("kraken", "ada", invite_only=True)
    ada.says("basilisk", "lunch", "phoenix")
    ada.writes("gryphon", "bea")
    ada.post("/users/me/alert_words", alert_words=["wyvern"])
    ada.post("/drafts", drafts=[{"type": "", "to": [], "topic": "", "content": "unicorn"}])
    answers = [nobody.get(path) for path in ("/users", "/server_settings")]
    seen = json.dumps([*answers, nobody.post("/register"), nobody.page("channels:web-public")])
    assert [word for word in hidden if word in seen] == []
    for name, user in world.users.items():
        assert (f"{name}@example.org" in seen) == user.is_bot
