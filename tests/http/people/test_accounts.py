"""Logging in, API keys, and the endpoints that need no login."""

from base64 import b64encode
from datetime import datetime, time, timedelta
from functools import cache
from typing import Any

import pytest

from chatcore.application.people import passwords
from chatcore.domain.roles import Role
from tests.worlds.organization import PEOPLE, MakeWorld, Someone, World, basic

PASSWORD = "correct horse 🐎"


@cache
def password_hash() -> str:
    return passwords.hash_password(PASSWORD)


@pytest.fixture
def knowing(world: World) -> World:
    """An organization in which only ada and gus have a password."""
    for name in ("ada", "gus"):
        world.change_user(name, password_hash=password_hash())
    return world


def log_in(world: World, username: str = "ada@example.org", password: str = PASSWORD) -> dict[str, Any]:
    return world.nobody.post("/fetch_api_key", username=username, password=password)


def refused(
    world: World, code: str = "AUTHENTICATION_FAILED", status: int = 401, **login: str
) -> dict[str, Any]:
    given = {"username": "ada@example.org", "password": PASSWORD, **login}
    return world.nobody.refused("POST", "/fetch_api_key", status=status, code=code, **given)


# -- with a password --------------------------------------------------------------------------------


@pytest.mark.shows("authentication.key")
@pytest.mark.parametrize("username", ["ada@example.org", "ADA@example.org", " ada@example.org "])
def test_the_password_gives_the_key(knowing: World, username: str) -> None:
    assert log_in(knowing, username) == {
        "result": "success",
        "msg": "",
        "api_key": knowing.keys["ada"],
        "email": "ada@example.org",
        "user_id": knowing["ada"].id,
    }


@pytest.mark.shows("authentication.key")
def test_the_key_works_at_once(knowing: World) -> None:
    answer = log_in(knowing)
    nobody = knowing.nobody
    nobody.headers["Authorization"] = basic(answer["email"], answer["api_key"])
    assert nobody.get("/users/me")["user_id"] == answer["user_id"]


@pytest.mark.parametrize(
    "login",
    [
        {"password": "wrong"},
        {"password": ""},
        {"password": PASSWORD + " "},
        {"password": PASSWORD.upper()},
        {"username": "nobody@example.org"},
        {"username": ""},
        {"username": "bea@example.org"},
        {"username": "robo@example.org"},
        {"username": "user5@chat.example.org"},
    ],
)
def test_whatever_is_wrong_the_refusal_is_the_same(knowing: World, login: dict[str, str]) -> None:
    assert refused(knowing, **login) == refused(knowing, username="x", password="y")


def test_a_login_with_the_right_password_says_that_the_account_is_deactivated(knowing: World) -> None:
    knowing.change_user("ada", is_active=False)
    refused(knowing, "USER_DEACTIVATED")
    refused(knowing, password="wrong")


@pytest.mark.shows("authentication.methods")
def test_passwords_can_be_switched_off(knowing: World) -> None:
    knowing.change_organization(password_auth_enabled=False)
    refused(knowing, "PASSWORD_AUTH_DISABLED")
    refused(knowing, "PASSWORD_AUTH_DISABLED", username="nobody@example.org")


@pytest.mark.parametrize("missing", ["username", "password"])
def test_a_login_needs_a_name_and_a_password(world: World, missing: str) -> None:
    given = {"username": "ada@example.org", "password": PASSWORD}
    del given[missing]
    answer = world.nobody.refused("POST", "/fetch_api_key", code="REQUEST_VARIABLE_MISSING", **given)
    assert answer["var_name"] == missing


def test_five_failures_lock_a_name_for_half_an_hour(knowing: World) -> None:
    for _ in range(5):
        refused(knowing, password="wrong")
    response = knowing.nobody.request("POST", "/fetch_api_key", username="ADA@example.org", password=PASSWORD)
    answer = response.get_json()
    assert (response.status_code, answer["code"]) == (429, "RATE_LIMIT_HIT")
    assert 0 < answer["retry-after"] <= 1800
    assert response.headers["Retry-After"] == "1800"
    log_in(knowing, "gus@example.org")
    knowing.clock.advance(1801)
    log_in(knowing)


def test_a_login_forgives_the_failures_before_it(knowing: World) -> None:
    for _ in range(2):
        for _ in range(4):
            refused(knowing, password="wrong")
        log_in(knowing)


def test_an_address_can_fail_only_so_often_but_log_in_as_often_as_it_likes(make_world: MakeWorld) -> None:
    world = make_world(rate_limit_rules={"authenticate_by_ip": "3 per 1800 seconds"})
    world.change_user("ada", password_hash=password_hash())
    for _ in range(5):
        log_in(world)
        world.clock.advance(1)
    for number in range(2):
        refused(world, username=f"nobody{number}@example.org")
        world.clock.advance(1)
    log_in(world)
    world.clock.advance(1)
    refused(world, username="nobody@example.org")
    refused(world, "RATE_LIMIT_HIT", 429)
    world.clock.advance(1800)
    log_in(world)


@pytest.mark.shows("own-user.delivery-email")
def test_a_hidden_address_still_logs_in(knowing: World) -> None:
    knowing.change_user("ada", email_visibility=4)
    assert log_in(knowing)["email"] == f"user{knowing['ada'].id}@chat.example.org"
    nobody = knowing.nobody
    nobody.headers["Authorization"] = basic(log_in(knowing)["email"], knowing.keys["ada"])
    assert nobody.get("/users/me")["delivery_email"] == "ada@example.org"


# -- for development --------------------------------------------------------------------------------


@pytest.mark.shows("development-key.answer", "authentication.development-key")
def test_a_development_server_gives_any_key(make_world: MakeWorld) -> None:
    world = make_world(development=True)
    answer = world.nobody.post("/dev_fetch_api_key", username="olga@example.org")
    assert answer == {
        "result": "success",
        "msg": "",
        "api_key": world.keys["olga"],
        "email": "olga@example.org",
        "user_id": world["olga"].id,
    }
    world.nobody.refused(
        "POST", "/dev_fetch_api_key", status=401, code="AUTHENTICATION_FAILED", username="x@example.org"
    )
    world.change_user("olga", is_active=False)
    world.nobody.refused(
        "POST", "/dev_fetch_api_key", status=401, code="USER_DEACTIVATED", username="olga@example.org"
    )


def test_a_development_server_lists_administrators_and_others(make_world: MakeWorld) -> None:
    world = make_world(development=True)
    world.change_user("cem", is_active=False)
    answer = world.nobody.get("/dev_list_users")
    admins, others = ({one["full_name"] for one in answer[f"direct_{kind}"]} for kind in ("admins", "users"))
    roles = {
        name.title(): fields.get("role", Role.MEMBER) for name, fields in PEOPLE.items() if name != "cem"
    }
    assert admins == {name for name, role in roles.items() if role.is_administrator}
    assert others == roles.keys() - admins


@pytest.mark.shows("development-key.production", "authentication.development-key", "refused.development-key")
def test_a_production_server_gives_no_key_without_a_password(world: World) -> None:
    for username in ("olga@example.org", "nobody@example.org"):
        world.nobody.refused("POST", "/dev_fetch_api_key", username=username, development="true")


# -- with a key -------------------------------------------------------------------------------------


def with_header(world: World, header: str | None) -> Any:
    nobody = world.nobody
    if header is not None:
        nobody.headers["Authorization"] = header
    return nobody.request("GET", "/users/me")


@pytest.mark.shows("authentication.basic")
def test_an_address_and_a_key_say_who_one_is(world: World, ada: Someone) -> None:
    for email in ("ada@example.org", f"user{ada.id}@chat.example.org"):
        assert with_header(world, basic(email, world.keys["ada"])).get_json()["user_id"] == ada.id
    header = basic("ada@example.org", world.keys["ada"]).replace("Basic", "basic")
    assert with_header(world, header).status_code == 200


@pytest.mark.shows("authentication.wrong")
def test_without_credentials_one_is_asked_for_them(world: World) -> None:
    response = with_header(world, None)
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"].startswith("Basic realm=")
    assert response.get_json()["code"] == "UNAUTHORIZED"


@pytest.mark.shows("authentication.wrong")
def test_another_scheme_is_a_mistake(world: World) -> None:
    for header in ("Bearer abc", "Digest x=y", b64encode(b"ada:key").decode()):
        assert with_header(world, header).status_code == 400


def test_requests_of_a_deactivated_account_say_so_until_it_is_reactivated(world: World, ada: Someone) -> None:
    world.change_user("ada", is_active=False)
    ada.refused("GET", "/users/me", status=401, code="USER_DEACTIVATED")
    ada.refused("POST", "/register", status=401, code="USER_DEACTIVATED")
    world.change_user("ada", is_active=True)
    assert ada.get("/users/me")["user_id"] == ada.id


def test_a_new_key_ends_the_old_one(world: World, ada: Someone) -> None:
    world.change_user("ada", key_version=2)
    ada.refused("GET", "/users/me", status=401, code="UNAUTHORIZED")


# -- server_settings --------------------------------------------------------------------------------


@pytest.mark.shows(
    "settings.no-parameters", "settings.external-methods", "settings.version", "settings.push",
    "settings.incompatible", "settings.email-format", "settings.realm-url", "settings.realm-name",
    "settings.realm-icon", "settings.web-public", "authentication.settings",
)  # fmt: skip
def test_a_server_gives_clients_the_settings_for_a_login(world: World) -> None:
    answer = world.nobody.get("/server_settings")
    assert answer["authentication_methods"]["password"] is True
    assert answer["authentication_methods"]["dev"] is False
    assert answer["external_authentication_methods"] == []
    assert answer["realm_url"] == answer["realm_uri"] == "https://chat.example.org"
    assert answer["realm_name"] == "Analytical Society"
    assert answer["realm_web_public_access_enabled"] is False
    assert answer["email_auth_enabled"] is True
    assert answer["push_notifications_enabled"] is False
    assert answer["is_incompatible"] is False
    assert answer["require_email_format_usernames"] is True
    assert isinstance(answer["realm_description"], str)
    assert answer["realm_icon"].startswith("/user_avatars/1/")
    major, _, minor = answer["service_version"].partition(".")
    assert major.isdigit()
    assert minor.isdigit()
    assert isinstance(answer["service_feature_level"], int)
    assert "acme_version" not in answer


@pytest.mark.shows("settings.no-parameters")
def test_wrong_credentials_do_not_matter_there(world: World) -> None:
    nobody = world.nobody
    nobody.headers["Authorization"] = "Basic x"
    assert nobody.get("/server_settings")["realm_name"]


@pytest.mark.shows("settings.email-auth", "settings.web-public")
def test_server_settings_are_as_configured(make_world: MakeWorld) -> None:
    world = make_world(development=True)
    world.change_organization(password_auth_enabled=False, enable_spectator_access=True)
    answer = world.nobody.get("/server_settings")
    methods = answer["authentication_methods"]
    assert [methods[name] for name in ("password", "email", "dev")] == [False, False, True]
    assert answer["email_auth_enabled"] is False
    assert answer["realm_web_public_access_enabled"] is True


def test_a_brand_is_spoken_beside_the_plain_names(make_world: MakeWorld) -> None:
    world = make_world(compat_brand="acme")
    for answer in (world.nobody.get("/server_settings"), world["ada"].post("/register")):
        for name in ("version", "feature_level", "merge_base"):
            assert answer[f"acme_{name}"] == answer[f"service_{name}"]
    wanted = world["ada"].post(
        "/register", event_types=["message"], fetch_event_types=["realm", "acme_version"]
    )
    assert "realm_name" in wanted
    assert wanted["realm_acme_update_announcements_stream_id"] == -1
    assert wanted["service_plan_is_not_limited"] is wanted["acme_plan_is_not_limited"] is True


# -- users ------------------------------------------------------------------------------------------


@pytest.mark.shows(
    "conventions.date-joined", "user.user-id", "user.full-name", "user.date-joined", "user.bot-type",
    "user.avatar-version", "user.no-billing", "own-user.fields", "own-user.max-message-id",
    "own-user.profile-data", "change.no-billing",
)  # fmt: skip
def test_one_reads_ones_own_account(world: World, ada: Someone) -> None:
    assert ada.get("/users/me") == {
        "result": "success",
        "msg": "",
        "user_id": ada.id,
        "delivery_email": "ada@example.org",
        "email": "ada@example.org",
        "full_name": "Ada",
        "date_joined": "2025-04-16T15:06:40+00:00",
        "is_active": True,
        "is_owner": False,
        "is_admin": False,
        "is_guest": False,
        "is_bot": False,
        "bot_type": None,
        "bot_owner_id": None,
        "role": 400,
        "timezone": "",
        "avatar_url": ada.get("/users/me")["avatar_url"],
        "avatar_version": 1,
        "profile_data": {},
        "max_message_id": -1,
    }
    sent = ada.says("soup")
    world["cem"].writes("not for her", "bea")
    assert ada.get("/users/me")["max_message_id"] == sent
    assert "profile_data" not in world["robo"].get("/users/me")


@pytest.mark.shows("user.is-owner", "user.is-admin", "user.is-guest", "user.is-bot", "user.role")
@pytest.mark.parametrize(
    ("name", "role", "true"),
    [
        ("olga", 100, {"is_owner", "is_admin"}),
        ("adi", 200, {"is_admin"}),
        ("mona", 300, set()),
        ("gus", 600, {"is_guest"}),
        ("robo", 400, {"is_bot"}),
    ],
)
def test_a_role_shows_in_several_ways(
    world: World, cem: Someone, name: str, role: int, true: set[str]
) -> None:
    for user in (cem.get(f"/users/{world[name].id}")["user"], world[name].get("/users/me")):
        assert user["role"] == role
        assert {key for key in ("is_owner", "is_admin", "is_guest", "is_bot") if user[key]} == true


@pytest.mark.shows("user.delivery-email-bots", "user.bot-type", "user.bot-owner")
def test_a_bot_shows_its_kind_its_owner_and_its_address(world: World, ada: Someone, cem: Someone) -> None:
    world.change_user("robo", email_visibility=4)
    path = f"/users/{world['robo'].id}"
    for viewer in (cem, world["gus"], world["olga"]):
        robot = viewer.get(path)["user"]
        assert (robot["bot_type"], robot["bot_owner_id"]) == (1, ada.id)
        assert robot["delivery_email"] == "robo@example.org"
    for kind in (2, 3, 4):
        world.change_user("robo", bot_type=kind, bot_owner_id=None)
        robot = cem.get(path)["user"]
        assert (robot["bot_type"], robot["bot_owner_id"]) == (kind, None)


@pytest.mark.shows("user.timezone")
def test_a_user_is_somewhere_on_the_globe(world: World, ada: Someone, cem: Someone) -> None:
    world.change_user("ada", timezone="Europe/Vienna")
    for user in (ada.get("/users/me"), cem.get(f"/users/{ada.id}")["user"]):
        assert user["timezone"] == "Europe/Vienna"


@pytest.mark.shows("user.full-name", "user.is-active", "user.bot-owner", "named.users", "level.users-by-ids")
def test_everybody_is_listed(world: World, cem: Someone) -> None:
    world.change_user("bea", is_active=False)
    members = {user["full_name"]: user for user in cem.get("/users")["members"]}
    assert set(members) == {"Olga", "Adi", "Mona", "Ada", "Bea", "Cem", "Gus", "Robo"}
    assert members["Bea"]["is_active"] is False
    assert "profile_data" not in members["Ada"]
    assert members["Robo"]["bot_owner_id"] == world["ada"].id
    wanted = cem.get("/users", user_ids=[world["ada"].id, 99_999], include_custom_profile_fields=True)
    assert [user["profile_data"] for user in wanted["members"]] == [{}]


@pytest.mark.shows(
    "user.user-id", "user.profile-data", "get-user.user", "get-user.profile-data", "get-user.unknown",
    "named.user-by-email", "code.bad-request",
)  # fmt: skip
def test_one_user_is_found_by_id_or_address(world: World, cem: Someone, ada: Someone) -> None:
    for who in (ada.id, "ada@example.org", "ADA@example.org", f"user{ada.id}@chat.example.org"):
        assert cem.get(f"/users/{who}")["user"]["user_id"] == ada.id
    for nobody in (99_999, "nobody@example.org", "user99999@chat.example.org", "x"):
        cem.refused("GET", f"/users/{nobody}")
    assert "profile_data" not in cem.get(f"/users/{ada.id}")["user"]
    assert cem.get(f"/users/{ada.id}", include_custom_profile_fields=True)["user"]["profile_data"] == {}


@pytest.mark.shows(
    "user.avatar-url", "user.avatar-url-null", "user.avatar-version", "get-user.client-gravatar",
)  # fmt: skip
def test_the_picture_is_left_to_the_client_where_it_can_make_it(make_world: MakeWorld) -> None:
    world = make_world()
    cem, ada = world["cem"], world["ada"]
    path = f"/users/{ada.id}"
    assert cem.get(path)["user"]["avatar_url"] is None
    assert cem.get(path, client_gravatar=False)["user"]["avatar_url"].startswith("/user_avatars/")
    world.change_user("ada", email_visibility=3)
    assert cem.get(path)["user"]["avatar_url"].startswith("/user_avatars/")
    assert world["adi"].get(path)["user"]["avatar_url"] is None
    world.change_user("ada", avatar_source="U", avatar_version=4)
    assert "version=4" in cem.get(path)["user"]["avatar_url"]


@pytest.mark.shows("user.delivery-email-bots", "conventions.date-joined")
def test_nobody_sees_of_people_the_day_and_of_bots_the_address(world: World) -> None:
    world.open_to_the_web()
    state = world.nobody.post("/register")
    for people in (world.nobody.get("/users")["members"], state["realm_users"], state["cross_realm_bots"]):
        for user in people:
            joined = datetime.fromisoformat(user["date_joined"])
            assert (joined.utcoffset(), joined.time()) == (timedelta(0), time(0))
            assert (user["delivery_email"] is not None) == user["is_bot"]
    of_bots = {one["delivery_email"] for one in world.nobody.get("/users")["members"] if one["is_bot"]}
    assert "robo@example.org" in of_bots


def test_nobody_sees_people_only_where_the_organization_is_open(world: World) -> None:
    world.nobody.refused("GET", "/users", status=401, code="UNAUTHENTICATED_USER")
    world.open_to_the_web()
    members = world.nobody.get("/users")["members"]
    assert all(user["timezone"] == "" for user in members)
    world.nobody.refused("GET", "/users/me", status=401, code="UNAUTHORIZED")
    world.nobody.refused("GET", f"/users/{world['ada'].id}", status=401, code="UNAUTHORIZED")
