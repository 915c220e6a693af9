"""API keys for JSON Web Tokens of another program."""

import json
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jwt
import pytest

from chatcore.configuration import from_environment
from chatcore.settings import BadSetting, Settings
from tests.worlds.organization import NOW, MakeWorld, World, basic
from tests.worlds.tokens import JWT_KEY, token, token_for

PATH = "/jwt/fetch_api_key"
ADA = {"email": "ada@example.org"}


@pytest.fixture
def trusting(make_world: MakeWorld) -> World:
    return make_world(jwt_key=JWT_KEY)


def refused(world: World, given: str, code: str = "BAD_REQUEST", status: int = 400) -> dict[str, Any]:
    return world.nobody.refused("POST", PATH, code=code, status=status, token=given)


def test_a_token_gives_the_key(trusting: World) -> None:
    answer = trusting.nobody.post(PATH, token=token_for("ADA@example.org"))
    assert answer == {
        "result": "success",
        "msg": "",
        "api_key": trusting.keys["ada"],
        "email": "ada@example.org",
        "user_id": trusting["ada"].id,
    }
    nobody = trusting.nobody
    nobody.headers["Authorization"] = basic(answer["email"], answer["api_key"])
    assert nobody.get("/users/me")["user_id"] == answer["user_id"]


def test_the_answer_has_the_profile_if_it_is_wanted(trusting: World) -> None:
    answer = trusting.nobody.post(PATH, token=token(ADA), include_profile=True)
    ada = trusting["ada"]
    assert answer["user"] == ada.get(f"/users/{ada.id}", client_gravatar=False)["user"]
    assert "user" not in trusting.nobody.post(PATH, token=token(ADA), include_profile=False)


def encoded(part: object) -> str:
    return urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")


UNSIGNED = f"{encoded({'alg': 'none'})}.{encoded(ADA)}."


def test_without_a_key_of_the_operator_no_token_counts(world: World) -> None:
    for given in (token(ADA), UNSIGNED, "x"):
        assert "not enabled" in refused(world, given)["msg"]
    world.nobody.refused("POST", PATH, code="REQUEST_VARIABLE_MISSING")


def signed(header: Mapping[str, object], payload: bytes) -> str:
    """A token that the library would not make, with the right signature."""
    return jwt.api_jws.encode(payload, JWT_KEY, "HS256", {**header})


NESTED = "[" * 3000 + "]" * 3000
FORGED = {
    "no token": "",
    "not a token": "a.b.c",
    "not ASCII": "ä.ö.ü",
    "another key": token(ADA, key=b"a key that somebody else has made up for it"),
    "a prefix of the key": token(ADA, key=JWT_KEY[:-1]),
    "no algorithm": UNSIGNED,
    "no algorithm, signed": f"{encoded({'alg': 'none'})}.{encoded(ADA)}.{token(ADA).rpartition('.')[2]}",
    "no algorithm, in capitals": f"{encoded({'alg': 'NONE'})}.{encoded(ADA)}.",
    "an algorithm that is not set": token(ADA, algorithm="HS512"),
    "another algorithm in the header": f"{encoded({'alg': 'HS512'})}.{token(ADA).partition('.')[2]}",
    "an algorithm of public keys": f"{encoded({'alg': 'RS256'})}.{token(ADA).partition('.')[2]}",
    "a number for an algorithm": f"{encoded({'alg': 256})}.{token(ADA).partition('.')[2]}",
    "no signature": token(ADA).rpartition(".")[0] + ".",
    "another address": ".".join(
        [token(ADA).split(".")[0], encoded({"email": "olga@example.org"}), token(ADA).split(".")[2]]
    ),
    "a header in circles": f"{urlsafe_b64encode(NESTED.encode()).decode()}.e30.e30",
    "a header that must be understood": signed({"crit": ["x"], "x": 1}, json.dumps(ADA).encode()),
    "claims in circles": signed({}, NESTED.encode()),
    "no claims": signed({}, b"[]"),
    "claims that are not JSON": signed({}, b"\xff"),
    "a very long token": token({**ADA, "more": "x" * 8192}),
    "expired": token({**ADA, "exp": NOW - 31}),
    "not valid yet": token({**ADA, "nbf": NOW + 31}),
    "a text for a time": signed({}, json.dumps({**ADA, "exp": str(NOW + 60)}).encode()),
    "a truth value for a time": signed({}, json.dumps({**ADA, "exp": True}).encode()),
    "no number for a time": signed({}, b'{"email": "ada@example.org", "exp": NaN}'),
    "for another server": token({**ADA, "aud": "another"}),
}


@pytest.mark.parametrize("given", FORGED.values(), ids=FORGED)
def test_a_token_that_vouches_for_nobody_is_refused(trusting: World, given: str) -> None:
    assert refused(trusting, given)["msg"] == "Bad JSON web token"


@pytest.mark.parametrize("claims", [{}, {"email": ""}, {"email": 5}, {"email": ["ada@example.org"]}])
def test_a_token_names_an_address(trusting: World, claims: dict[str, Any]) -> None:
    assert refused(trusting, token(claims))["msg"] == "No email specified in JSON web token claims"


def test_a_token_counts_while_it_is_valid(trusting: World) -> None:
    given = token({**ADA, "nbf": NOW + 20, "exp": NOW + 60})
    trusting.nobody.post(PATH, token=given)
    trusting.clock.advance(89)
    trusting.nobody.post(PATH, token=given)
    trusting.clock.advance(1)
    refused(trusting, given)


@pytest.mark.parametrize(
    "times", [{"iat": NOW + 60}, {"exp": float("inf")}, {"exp": float("nan")}, {"nbf": -1}]
)
def test_impossible_times_are_refused(trusting: World, times: dict[str, float]) -> None:
    refused(trusting, token({**ADA, **times}))


@pytest.mark.parametrize(
    "email",
    ["x@example.org", "robo@example.org", "a\0@x.y", "\ud800@x.y", "a" * 5000, "\u212aate@example.org"],
)
def test_a_token_for_no_person_is_refused_like_a_login(trusting: World, email: str) -> None:
    trusting.add_user("kate", email="kate@example.org")
    refused(trusting, token_for(email), "AUTHENTICATION_FAILED", 401)


def test_deactivated_accounts_and_organizations_get_no_key(trusting: World) -> None:
    trusting.change_user("ada", is_active=False)
    refused(trusting, token(ADA), "USER_DEACTIVATED", 401)
    trusting.change_organization(is_deactivated=True)
    for given in (token(ADA), "x"):
        refused(trusting, given, "REALM_DEACTIVATED", 401)


def test_failures_from_an_address_are_limited_and_lock_nobody_out(trusting: World) -> None:
    for _ in range(60):
        trusting.nobody.post(PATH, token=token(ADA))
    for _ in range(50):
        refused(trusting, "x")
    refused(trusting, token(ADA), "RATE_LIMIT_HIT", 429)
    elsewhere = {"REMOTE_ADDR": "198.51.100.1"}
    answer = trusting.nobody.client.post(
        f"/api/v1{PATH}", data={"token": token(ADA)}, environ_overrides=elsewhere
    )
    assert answer.status_code == 200
    trusting.clock.advance(1801)
    trusting.nobody.post(PATH, token=token(ADA))


def test_people_without_an_account_lock_out_no_program_that_vouches(trusting: World) -> None:
    for number in range(60):
        refused(trusting, token_for(f"new{number}@example.org"), "AUTHENTICATION_FAILED", 401)
    trusting.nobody.post(PATH, token=token(ADA))


def test_tokens_that_are_not_enabled_are_no_failed_logins(world: World) -> None:
    for _ in range(60):
        refused(world, "x")


def test_only_the_algorithms_that_are_set_count(make_world: MakeWorld) -> None:
    world = make_world(jwt_key=JWT_KEY, jwt_algorithms=("HS384", "HS512"))
    for algorithm in ("HS384", "HS512"):
        world.nobody.post(PATH, token=token(ADA, algorithm=algorithm))
    refused(world, token(ADA))


# -- the settings -----------------------------------------------------------------------------------


def test_the_operator_sets_the_key(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_bytes(JWT_KEY + b"\n")
    settings = from_environment(
        {"CHATCORE_JWT_KEY_FILE": str(file), "CHATCORE_JWT_ALGORITHMS": "hs512, HS256"}
    )
    assert (settings.jwt_key, settings.jwt_algorithms) == (JWT_KEY, ("HS512", "HS256"))
    assert from_environment({"CHATCORE_JWT_KEY": JWT_KEY.decode()}).jwt_key == JWT_KEY
    assert Settings().jwt_key == b""
    assert JWT_KEY.decode() not in repr(settings)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("CHATCORE_JWT_KEY", "too short to count"),
        ("CHATCORE_JWT_ALGORITHMS", "none"),
        ("CHATCORE_JWT_ALGORITHMS", "HS256,RS256"),
        ("CHATCORE_JWT_ALGORITHMS", ""),
    ],
)
def test_a_setting_that_is_not_safe_is_refused(variable: str, value: str) -> None:
    with pytest.raises(BadSetting, match=variable) as refusal:
        from_environment({variable: value})
    assert "too short to count" not in str(refusal.value)
