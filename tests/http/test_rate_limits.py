"""Rate limits of requests, logins and answers, as clients meet them."""

import itertools
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import Client, TestResponse

from chatcore import configuration
from chatcore.application.people import passwords
from chatcore.application.people.credentials import set_password
from chatcore.configuration import from_environment, from_file
from chatcore.domain.errors import RateLimited
from chatcore.domain.rate_limits import API_BY_IP, API_BY_USER, RULES, RUNNING_TIME_BY_USER
from chatcore.http.response import LARGE
from chatcore.runtime import rate_limits
from chatcore.runtime.admission import BOUNDS, Lane, Patience
from chatcore.runtime.counts import Counts
from chatcore.runtime.rate_limits import RateLimits
from chatcore.settings import BadSetting, Settings
from chatcore.sites import Sites
from chatcore.storage import StorageClosed, StorageNotReady, Transaction
from storage_backends.sql.store import SqlStorage
from tests.waiting import PATIENCE, until
from tests.worlds.files import MULTIPART, Slowly, form, part, raw_request, uploads
from tests.worlds.organization import DAY, HOST, NOW, MakeWorld, Someone, World, as_text

PASSWORD = "correct horse"
FOREIGN = "/external_content/0/0"
"""The address of no picture of another site."""
Ask = Callable[[World, int], TestResponse]


def ask(
    who: Someone, method: str, path: str, *, at: str = "192.0.2.1", prefix: str = "/api/v1", **parameters: Any
) -> TestResponse:
    """A request from an address."""
    texts = {name: as_text(value) for name, value in parameters.items()}
    where = {"query_string": texts} if method == "GET" else {"data": texts}
    return Client(who.world.answers).open(
        prefix + path,
        method=method,
        headers=who.headers,
        environ_base={"REMOTE_ADDR": at},
        buffered=True,
        **where,
    )


def log_in(world: World, name: str = "ada", at: str = "192.0.2.1", password: str = "wrong") -> TestResponse:
    world.clock.advance(0.001)
    return ask(
        world.nobody,
        "POST",
        "/fetch_api_key",
        at=at,
        username=f"{name}@example.org",
        password=password,
    )


def poll(world: World, name: str) -> TestResponse:
    queue = world[name].post("/register")
    return ask(
        world[name],
        "GET",
        "/events",
        queue_id=queue["queue_id"],
        last_event_id=queue["last_event_id"],
        dont_block=True,
    )


def change_address(world: World, name: str, number: int) -> TestResponse:
    world.change_user(name, can_change_user_emails=True)
    response = ask(world[name], "PATCH", "/settings", email=f"{name}{number}@example.org")
    world.change_user(name, email=f"{name}@example.org")
    return response


def prove(world: World, name: str) -> TestResponse:
    return ask(world[name], "PATCH", "/settings", old_password="wrong", new_password=PASSWORD)


@dataclass(frozen=True)
class Case:
    """A request that counts for a rule, and a similar one of another client that does not."""

    counted: Ask
    other: Ask
    rules: Mapping[str, str] = field(default_factory=dict)


OF_PAGES = {"links_by_ip", "sends_email_by_ip", "password_reset_form_by_email", "join_form_by_email"}
"""Rules whose refusals are pages; their tests are in `tests/http/invitations`."""
CASES: Mapping[str, Case] = {
    "api_by_user": Case(
        lambda world, n: ask(world["ada"], "GET", "/users/me"),
        lambda world, n: ask(world["bea"], "GET", "/users/me"),
    ),
    "api_by_bot": Case(
        lambda world, n: ask(world["robo"], "GET", "/users/me"),
        lambda world, n: ask(world["ada"], "GET", "/users/me"),
    ),
    "polls_by_user": Case(
        lambda world, n: poll(world, "ada"), lambda world, n: ask(world["ada"], "GET", "/users/me")
    ),
    "api_by_ip": Case(
        lambda world, n: ask(world.nobody, "GET", "/server_settings", at=f"2001:db8:1:2::{n}"),
        lambda world, n: ask(world.nobody, "GET", "/server_settings", at="2001:db8:1:3::1"),
    ),
    "api_by_network": Case(
        lambda world, n: ask(world.nobody, "GET", "/server_settings", at=f"2001:db8:1:{n:x}::1"),
        lambda world, n: ask(world.nobody, "GET", "/server_settings", at="2001:db8:2::1"),
    ),
    "files_by_ip": Case(
        lambda world, n: ask(world.nobody, "GET", ("/user_avatars/2/a.png", FOREIGN)[n % 2], prefix=""),
        lambda world, n: ask(world.nobody, "GET", FOREIGN, prefix="", at="192.0.2.2"),
    ),
    "spectator_attachment_access_by_file": Case(
        lambda world, n: ask(world.nobody, "GET", open_file(world, "x.txt"), prefix="", at=f"192.0.2.{n}"),
        lambda world, n: ask(world.nobody, "GET", open_file(world, "y.txt"), prefix=""),
    ),
    "running_time_by_user": Case(
        lambda world, n: ask(slow(world)["ada"], "GET", "/users/me"),
        lambda world, n: ask(world["bea"], "GET", "/users/me"),
    ),
    "running_time_by_ip": Case(
        lambda world, n: ask(slow(world).nobody, "GET", "/server_settings"),
        lambda world, n: ask(world.nobody, "GET", "/server_settings", at="192.0.2.2"),
    ),
    "email_change_by_user": Case(
        lambda world, n: change_address(world, "olga", n), lambda world, n: change_address(world, "bea", n)
    ),
    "authenticate_by_username": Case(
        lambda world, n: log_in(world), lambda world, n: log_in(world, at="192.0.2.2")
    ),
    "authenticate_by_username_anywhere": Case(
        lambda world, n: log_in(world, at=f"192.0.2.{n}"), lambda world, n: log_in(world, "bea")
    ),
    "authenticate_by_username_slowly": Case(
        lambda world, n: log_in(world, at=f"192.0.2.{n}"),
        lambda world, n: log_in(world, "bea"),
        {"authenticate_by_username_anywhere": "1 per 86400 seconds"},
    ),
    "authenticate_by_ip": Case(
        lambda world, n: log_in(world, f"nobody{n}"), lambda world, n: log_in(world, at="192.0.2.2")
    ),
    "authenticate_by_network": Case(
        lambda world, n: log_in(world, f"nobody{n}", at=f"2001:db8:1:{n:x}::1"),
        lambda world, n: log_in(world, at="2001:db8:2::1"),
    ),
    "password_proof_by_user": Case(
        lambda world, n: prove(world, "ada"), lambda world, n: prove(world, "bea")
    ),
}


def open_file(world: World, name: str) -> str:
    """The address of a file that the web may read."""
    for one in world["ada"].get("/attachments")["attachments"]:
        if one["name"] == name:
            return f"/user_uploads/{one['path_id']}"
    world.open_to_the_web()
    url: str = uploads(world["ada"], filename=name)["url"]
    world["ada"].says(f"[{name}]({url})", "plaza")
    return url


def slow(world: World) -> World:
    """A world whose requests run for half a millisecond."""
    world.svc.admission.timer = map(float, itertools.count(0, 0.0005)).__next__  # type: ignore[call-overload]
    return world


def refusal(response: TestResponse) -> dict[str, Any]:
    assert response.status_code == 429, response.text
    answer: dict[str, Any] = response.get_json()
    assert (answer["result"], answer["code"]) == ("error", "RATE_LIMIT_HIT")
    assert 0 < answer["retry-after"] <= int(response.headers["Retry-After"]) < answer["retry-after"] + 1
    return answer


def test_every_rule_has_its_case() -> None:
    assert CASES.keys() == RULES.keys() - OF_PAGES


@pytest.mark.parametrize("rule", CASES)
def test_requests_beyond_a_limit_are_refused_until_its_time_is_over(
    make_world: MakeWorld, rule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passwords, "verify_password", lambda password, known_hash: False)
    case = CASES[rule]
    world = make_world(rate_limit_rules={**case.rules, rule: "3 per 600 seconds"})
    for number in range(3):
        assert case.counted(world, number).status_code not in (429, 500)
    wait = refusal(case.counted(world, 3))["retry-after"]
    assert wait <= 600
    assert case.other(world, 4).status_code not in (429, 500)
    world.clock.advance(wait)
    assert case.counted(world, 5).status_code not in (429, 500)


def test_sec_78_answers_say_how_much_is_left(make_world: MakeWorld) -> None:
    world = make_world(rate_limit_rules={"api_by_user": "2 per 60 seconds"})
    ends = NOW // 60 * 60 + 60

    def state(response: TestResponse) -> tuple[int, ...]:
        names = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
        return (response.status_code, *(int(response.headers[name]) for name in names))

    assert state(ask(world["ada"], "GET", "/users/me")) == (200, 2, 1, ends)
    assert state(ask(world["ada"], "GET", "/messages")) == (400, 2, 0, ends)
    refused = ask(world["ada"], "GET", "/users/me")
    assert state(refused) == (429, 2, 0, ends)
    assert refusal(refused)["retry-after"] == ends - NOW


def test_the_strictest_of_several_limits_is_named(make_world: MakeWorld) -> None:
    world = make_world(rate_limit_rules={"api_by_user": "3 per 60 seconds; 4 per hour"})

    def left() -> tuple[str, str]:
        headers = ask(world["ada"], "GET", "/users/me").headers
        return headers["X-RateLimit-Limit"], headers["X-RateLimit-Remaining"]

    assert left() == ("3", "2")
    assert left() == ("3", "1")
    world.clock.advance(60)
    assert left() == ("4", "1")
    assert left() == ("4", "0")
    refusal(ask(world["ada"], "GET", "/users/me"))


def test_files_and_pictures_with_a_key_are_not_counted(make_world: MakeWorld) -> None:
    world = make_world(rate_limit_rules=dict.fromkeys(("api_by_user", "files_by_ip"), "1 per hour"))
    for path in ["/avatar/ada@example.org"] * 3 + ["/user_uploads/2/ab/x.txt"] * 3:
        response = ask(world["ada"], "GET", path, prefix="")
        assert response.status_code in (302, 404)
        assert "X-RateLimit-Limit" not in response.headers


def test_reading_files_and_polling_have_turns_of_their_own(make_world: MakeWorld) -> None:
    assert len(Lane) == len(BOUNDS) == 5
    world = make_world(rate_limit_rules={"polls_by_user": "1 per hour"})
    for _ in range(3):
        assert ask(world["ada"], "GET", "/avatar/ada@example.org", prefix="").status_code == 302
    assert poll(world, "ada").status_code == 200
    refusal(poll(world, "ada"))


def test_files_that_nobody_may_read_cannot_be_locked_by_asking_for_them(make_world: MakeWorld) -> None:
    world = make_world(rate_limit_rules={"spectator_attachment_access_by_file": "1 per day"})
    url = uploads(world["ada"])["url"]
    for _ in range(3):
        assert ask(world.nobody, "GET", url, prefix="").status_code == 401
    world.open_to_the_web()
    world["ada"].says(url, "plaza")
    assert ask(world.nobody, "GET", url, prefix="").status_code == 200
    assert refusal(ask(world.nobody, "GET", url, prefix=""))["limit"] == "spectator_attachment_access_by_file"


def test_counters_have_short_names(make_world: MakeWorld) -> None:
    world = make_world(rate_limit_rules={name: rule.limit for name, rule in RULES.items()})
    for number in range(3):
        path = f"/user_uploads/2/{number}{'x' * 100_000}"
        assert ask(world.nobody, "GET", path, prefix="", at=f"10.0.0.1:{'9' * 5000}").status_code == 401
        log_in(world, name="x" * 100_000)
    counted = world.svc.rate_limits.counts.take_unshared()
    assert counted
    assert max(len(name) for name, _ in counted) < 200


def test_a_refusal_names_its_limit_and_reveals_nothing_of_others(make_world: MakeWorld) -> None:
    rules = {"api_by_user": "100 per hour", "running_time_by_user": "1 per hour"}
    world = slow(make_world(rate_limit_rules=rules))
    counted = ask(world["ada"], "GET", "/users/me")
    assert counted.headers["X-RateLimit-Limit"] == "100"
    refused = ask(world["ada"], "GET", "/users/me")
    assert refusal(refused)["limit"] == "running_time_by_user"
    assert "X-RateLimit-Limit" not in refused.headers


def test_authentication_is_checked_before_limits_and_limits_before_parameters(make_world: MakeWorld) -> None:
    world = make_world(rate_limit_rules={"api_by_user": "1 per hour"})
    assert ask(world["ada"], "GET", "/users/me").status_code == 200
    refusal(ask(world["ada"], "GET", "/messages", num_before="many"))
    world["ada"].headers["Authorization"] = world["bea"].headers["Authorization"] + "x"
    assert ask(world["ada"], "GET", "/messages").status_code == 401
    assert ask(world["bea"], "GET", "/messages", num_before="many").status_code == 400
    assert ask(world["bea"], "PUT", "/messages").status_code == 405


def test_wrong_keys_count_for_the_address_and_concern_no_right_one(make_world: MakeWorld) -> None:
    world = make_world(rate_limit_rules={"api_by_ip": "3 per hour"})
    stranger = Someone(world, "ada")
    stranger.headers["Authorization"] = world["bea"].headers["Authorization"] + "x"
    for path in ("/users/me", "/messages", "/users/me"):
        assert ask(stranger, "GET", path).status_code == 401
    refusal(ask(stranger, "GET", "/users/me"))
    refusal(ask(world.nobody, "GET", "/server_settings"))
    refusal(ask(world.nobody, "GET", "/users/me"))
    assert ask(world["bea"], "GET", "/users/me").status_code == 200
    assert ask(stranger, "GET", "/users/me", at="192.0.2.2").status_code == 401


def test_the_switch_turns_everything_off(make_world: MakeWorld) -> None:
    world = make_world(
        rate_limits=False, rate_limit_rules={"api_by_user": "1 per hour", "authenticate_by_ip": "1 per hour"}
    )
    for _ in range(3):
        response = ask(world["ada"], "GET", "/users/me")
        assert response.status_code == 200
        assert "X-RateLimit-Limit" not in response.headers
        assert log_in(world).status_code == 401


# -- settings ---------------------------------------------------------------------------------------


def test_rules_are_set_in_the_environment_and_in_a_table_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "chatcore.toml"
    file.write_text('[rate_limits]\napi_by_user = "400 per 60 seconds"\napi_by_ip = "off"\n')
    given = from_environment({**from_file(file), "CHATCORE_RATE_LIMITS_API_BY_USER": "5/minute"})
    assert given.rate_limits
    assert given.rate_limit_rules == {"api_by_user": "5/minute", "api_by_ip": "off"}
    limits = RateLimits(lambda: 0.0, given.rate_limit_rules)
    ((limit,), none) = limits.items(API_BY_USER), limits.items(API_BY_IP)
    assert (limit.amount, limit.get_expiry(), none) == (5, 60, ())
    assert not from_environment({"CHATCORE_RATE_LIMITS": "off"}).rate_limits


def test_an_empty_variable_turns_nothing_off() -> None:
    with pytest.raises(BadSetting, match="CHATCORE_RATE_LIMITS"):
        from_environment({"CHATCORE_RATE_LIMITS": ""})


@pytest.mark.parametrize("text", ["", "many", "5", "5 per", "-1 per minute", "0 per minute"])
def test_an_invalid_limit_is_named(text: str) -> None:
    variable = "CHATCORE_RATE_LIMITS_API_BY_USER"
    with pytest.raises(BadSetting, match=variable):
        from_environment({variable: text})


@pytest.mark.parametrize(
    ("given", "most"),
    [
        ({}, 200),
        ({"connections_per_address": 7}, 7),
        ({"connections_per_address": 0}, None),
        ({"trusted_proxies": 1}, None),
        ({"rate_limits": False}, None),
    ],
)
def test_connections_behind_a_proxy_are_not_counted(given: dict[str, Any], most: int | None) -> None:
    assert Sites(Settings(**given)).connections_per_address == most


def test_every_rule_has_its_variable() -> None:
    assert set(configuration.RULE_VARIABLES.values()) == set(RULES)


# -- several processes, and memory ------------------------------------------------------------------


def test_processes_on_one_database_count_together(postgres_url: str) -> None:
    rules = {"api_by_user": "10 per 600 seconds"}
    first, second = worlds = [World(postgres_url, rate_limit_rules=rules) for _ in range(2)]

    def asks(world: World, count: int, name: str = "ada") -> list[int]:
        statuses = [ask(world[name], "GET", "/users/me").status_code for _ in range(count)]
        world.svc.rate_limits.share(world.storage)
        return statuses

    try:
        assert asks(first, 4) == [200] * 4
        assert asks(second, 4) == [200] * 4
        assert asks(second, 3) == [200, 200, 429]
        assert asks(first, 1) == [200], "it hears of the others when it has counted something itself"
        assert asks(first, 1) == [429]
        assert asks(first, 1, "bea") == [200]
        first.clock.advance(600)
        assert asks(first, 1) == [200]
    finally:
        for world in worlds:
            world.close()


def test_counts_are_shared_by_themselves(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "SHARING_INTERVAL", 0.01)
    world = World(postgres_url, rate_limit_rules={"api_by_user": "10 per 600 seconds"})
    try:
        ask(world["ada"], "GET", "/users/me")
        until(lambda: world.count("request_count") == 1)
    finally:
        world.close()


TEN: Mapping[str, str] = {"api_by_user": "10 per 600 seconds"}


def left(limits: RateLimits) -> int:
    """Count one more; how many are left then."""
    limit_state, _ = limits.count(API_BY_USER, "ada")
    assert limit_state is not None
    return limit_state.remaining


def test_counts_that_cannot_be_shared_are_shared_later(
    storage: SqlStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = (RateLimits(lambda: float(NOW), TEN) for _ in range(2))
    assert [left(here) for _ in range(4)] == [9, 8, 7, 6]

    def fail(work: object) -> None:
        assert left(here) == 5, "somebody asks meanwhile"
        raise StorageNotReady("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(storage, "write", fail)
        with pytest.raises(StorageNotReady):
            here.share(storage)
    assert here.share(storage)
    assert not here.share(storage)
    assert left(there) == 9
    there.share(storage)
    assert left(there) == 10 - 5 - 2


def test_a_store_that_is_away_is_logged_once(
    storage: SqlStorage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(rate_limits, "SHARING_INTERVAL", 0.01)
    limits = RateLimits(lambda: float(NOW), TEN, storage=storage)
    tries: list[object] = []

    def fail(work: object) -> None:
        tries.append(work)
        raise StorageNotReady("nobody answers") if len(tries) < 4 else StorageClosed()

    def fails_for_good() -> bool:
        left(limits)
        return len(tries) == 4

    monkeypatch.setattr(storage, "write", fail)
    until(fails_for_good)
    assert [record.message for record in caplog.records if record.name == "chatcore.limits"] == [
        "counts of requests cannot be shared with other processes: nobody answers"
    ]


def test_counts_made_while_counts_are_shared_stay(
    storage: SqlStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = (RateLimits(lambda: float(NOW), TEN) for _ in range(2))
    assert [left(there) for _ in range(3)] == [9, 8, 7]
    there.share(storage)
    assert left(here) == 9
    write = storage.write

    def slowly(work: Callable[[Transaction], Any]) -> Any:
        totals = write(work)
        assert left(here) == 8, "somebody asks meanwhile"
        return totals

    with monkeypatch.context() as patch:
        patch.setattr(storage, "write", slowly)
        here.share(storage)
    assert left(here) == 10 - 3 - 3
    here.share(storage)
    assert left(there) == 6, "it has not heard of the others yet"
    there.share(storage)
    assert left(there) == 10 - 4 - 3 - 1


def test_very_many_addresses_fill_no_memory_and_hide_nobody() -> None:
    clock = [0.0]
    counts = Counts(lambda: clock[0], max_keys=1000)
    for _ in range(50):
        counts.incr("busy", 60)
    for number in range(100_000):
        counts.incr(f"address {number}", 60)
        assert len(counts) <= 1000
    assert counts.get("busy") == 50
    clock[0] = 60.0
    assert counts.get("busy") == 0
    assert counts.incr("busy", 60) == 1


def test_a_clock_that_is_set_back_keeps_no_limit_used_up() -> None:
    clock = [NOW + 365.0 * DAY]
    limits = RateLimits(lambda: clock[0], {"running_time_by_user": "5 per 60 seconds"})
    limits.charge(RUNNING_TIME_BY_USER, "ada", 5)
    with pytest.raises(RateLimited):
        limits.require_left(RUNNING_TIME_BY_USER, "ada")
    clock[0] = NOW
    limits.require_left(RUNNING_TIME_BY_USER, "ada")


# -- logins -----------------------------------------------------------------------------------------


@pytest.fixture
def make_house(make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch) -> MakeWorld:
    """Makes a world in which ada's and bea's password is known; hashes take no time."""
    monkeypatch.setattr(
        passwords, "verify_password", lambda password, known_hash: bool(known_hash) and password == PASSWORD
    )

    def make(**settings: Any) -> World:
        world = make_world(**settings)
        for name in ("ada", "bea"):
            world.change_user(name, password_hash="known")
        return world

    return make


@pytest.fixture
def house(make_house: MakeWorld) -> World:
    return make_house()


ATTACKER, HOME, ELSEWHERE = "203.0.113.9", "198.51.100.7", "192.0.2.55"


def attack(world: World, tries: int, *, networks: int = 1) -> None:
    for number in range(tries):
        log_in(world, at=f"203.0.{number % networks}.9")


def test_wrong_passwords_of_others_lock_nobody_out(house: World) -> None:
    for _ in range(5):
        assert log_in(house, at=ATTACKER).status_code == 401
    refusal(log_in(house, at=ATTACKER))
    refusal(log_in(house, at=ATTACKER, password=PASSWORD))
    assert log_in(house, at=HOME, password=PASSWORD).status_code == 200
    house.clock.advance(1800)
    assert log_in(house, at=ATTACKER).status_code == 401


@pytest.mark.parametrize("step", [3600, 365 * DAY])
def test_a_clock_that_is_set_back_locks_nobody_out(house: World, step: int) -> None:
    house.clock.advance(step)
    for _ in range(5):
        assert log_in(house, at=HOME).status_code == 401
        assert prove(house, "ada").status_code == 400
    refusal(log_in(house, at=HOME, password=PASSWORD))
    house.clock.advance(-step)
    assert log_in(house, at=HOME, password=PASSWORD).status_code == 200
    changed = ask(house["ada"], "PATCH", "/settings", old_password=PASSWORD, new_password="another one")
    assert changed.status_code == 200, changed.text


def test_the_password_can_be_changed_while_others_try_it(house: World) -> None:
    attack(house, 200, networks=60)
    changed = ask(house["ada"], "PATCH", "/settings", old_password=PASSWORD, new_password="another one")
    assert changed.status_code == 200, changed.text


def test_one_who_has_a_key_may_not_try_passwords_for_ever(house: World) -> None:
    for _ in range(5):
        assert prove(house, "ada").status_code == 400
    refusal(ask(house["ada"], "PATCH", "/settings", old_password=PASSWORD, new_password="another one"))
    assert log_in(house, password=PASSWORD).status_code == 200, "logging in is counted apart"


def test_another_password_forgives_the_wrong_ones(house: World) -> None:
    attack(house, 6)
    refusal(log_in(house, at="203.0.0.9", password=PASSWORD))
    set_password(house.svc, house["ada"].email, "another one")
    assert log_in(house, at="203.0.0.9", password=PASSWORD).status_code == 200


def test_tries_from_very_many_addresses_leave_one_a_minute(house: World) -> None:
    attack(house, 110, networks=60)
    wait = refusal(log_in(house, at=ELSEWHERE, password=PASSWORD))["retry-after"]
    assert wait <= 60
    house.clock.advance(wait)
    assert log_in(house, at=ELSEWHERE, password=PASSWORD).status_code == 200


def test_an_address_from_which_the_account_was_used_is_exempt(house: World) -> None:
    assert log_in(house, at=HOME, password=PASSWORD).status_code == 200
    attack(house, 110, networks=60)
    assert log_in(house, at=HOME, password=PASSWORD).status_code == 200
    for _ in range(5):
        assert log_in(house, at=HOME).status_code == 401
    refusal(log_in(house, at=HOME, password=PASSWORD))
    refusal(log_in(house, "ada", at=ELSEWHERE, password=PASSWORD))


def test_an_own_account_gives_an_address_no_more_tries_at_others(house: World) -> None:
    refused = 0
    for number in range(60):
        assert log_in(house, "bea", at=ATTACKER, password=PASSWORD).status_code in (200, 429)
        refused += log_in(house, f"somebody{number}", at=ATTACKER).status_code == 429
    assert refused == 10


def test_logins_with_the_right_password_do_not_count_for_the_network(make_house: MakeWorld) -> None:
    house = make_house(rate_limit_rules={"authenticate_by_network": "3 per 600 seconds"})
    for number in range(6):
        response = log_in(house, "bea", at=f"2001:db8:1:{number:x}::1", password=PASSWORD)
        assert response.status_code == 200
    for number in range(3):
        assert log_in(house, f"nobody{number}", at=f"2001:db8:1:a{number:x}::1").status_code == 401
    refusal(log_in(house, "bea", at="2001:db8:1:ff::1", password=PASSWORD))


@pytest.mark.parametrize(
    "spelling", ["ADA@example.org", " ada@example.org", "ada@example.org ", "Ada@Example.Org\t"]
)
def test_a_name_in_another_spelling_gives_no_further_tries(house: World, spelling: str) -> None:
    def tries(name: str, password: str = "wrong") -> TestResponse:
        house.clock.advance(0.001)
        return ask(house.nobody, "POST", "/fetch_api_key", username=name, password=password)

    for name in ("ada@example.org", spelling, spelling, "ada@example.org", spelling):
        assert tries(name).status_code == 401
    refusal(tries(spelling))
    refusal(tries("ada@example.org", PASSWORD))
    assert tries("bea@example.org", PASSWORD).status_code == 200


def test_the_store_does_not_reveal_from_where_people_log_in(house: World) -> None:
    assert log_in(house, at=HOME, password=PASSWORD).status_code == 200
    backend = house.storage.backend
    with backend.connection():
        rows = backend.database.execute_sql("SELECT network FROM known_network").fetchall()
    assert len(rows) == 1
    assert HOME not in rows[0][0]


# -- answers that nobody reads ----------------------------------------------------------------------


@pytest.fixture
def long_history(make_world: MakeWorld) -> World:
    """Answers of half a megabyte, of which an account may leave one unread, and all together three."""
    world = make_world()
    for _ in range(60):
        world["ada"].says("x" * 10_000)
    world.svc.admission.patience = Patience(seconds=0.05, unsent=LARGE, all_unsent=3 * 2**19)
    return world


class Unread:
    """An answer whose client does not read it."""

    def __init__(self, world: World, name: str, method: str = "GET") -> None:
        query = "anchor=newest&num_before=100&num_after=0"
        environ = {
            "REQUEST_METHOD": method,
            "PATH_INFO": "/api/v1/messages",
            "QUERY_STRING": query,
            "HTTP_HOST": HOST,
            "HTTP_AUTHORIZATION": world[name].headers["Authorization"],
            "REMOTE_ADDR": "192.0.2.1",
            "wsgi.input": None,
            "wsgi.url_scheme": "http",
        }
        self.status = 0
        self.body = world.application(environ, self._start)

    def _start(self, status: str, headers: list[tuple[str, str]], *more: Any) -> Callable[[bytes], object]:
        self.status = int(status.partition(" ")[0])
        self.length = int(dict(headers)["Content-Length"])
        return lambda data: None

    def read(self) -> bytes:
        return b"".join(self.body)

    def close(self) -> None:
        if hasattr(self.body, "close"):
            self.body.close()


@pytest.fixture
def unread(long_history: World) -> Iterator[Callable[[str], Unread]]:
    asked: list[Unread] = []

    def ask_for(name: str) -> Unread:
        asked.append(Unread(long_history, name))
        return asked[-1]

    yield ask_for
    for answer in asked:
        answer.close()
    assert long_history.svc.admission.unsent == 0


def test_clients_that_do_not_read_get_no_more_until_it_was_sent(
    long_history: World, unread: Callable[[str], Unread]
) -> None:
    first = unread("ada")
    assert first.status == 200
    assert unread("ada").status == 429
    refusal(ask(long_history["ada"], "GET", "/users/me"))
    assert ask(long_history["bea"], "GET", "/users/me").status_code == 200
    assert len(first.read()) == first.length
    first.close()
    assert unread("ada").status == 200


def test_unread_answers_of_all_clients_are_bounded(
    long_history: World, unread: Callable[[str], Unread]
) -> None:
    long_history.clock.advance(1)
    names = ("ada", "bea", "gus")
    assert [unread(name).status for name in names] == [200, 200, 429]
    assert ask(long_history["cem"], "GET", "/users/me").status_code == 200, "small answers go out"


def test_half_of_the_room_is_for_those_who_have_read_everything(
    long_history: World, unread: Callable[[str], Unread]
) -> None:
    size = unread("ada").length
    long_history.svc.admission.patience = Patience(seconds=0.05, unsent=9 * size, all_unsent=3 * size)
    assert unread("ada").status == 429
    assert [unread(name).status for name in ("bea", "cem")] == [200, 200]


def test_waiting_for_room_is_not_running(
    long_history: World, unread: Callable[[str], Unread], monkeypatch: pytest.MonkeyPatch
) -> None:
    charged: list[int] = []
    monkeypatch.setattr(
        long_history.svc.rate_limits, "charge", lambda rule, who, amount: charged.append(amount)
    )
    admission, waited = long_history.svc.admission, 0.0
    admission.patience = Patience(seconds=0.05, unsent=10**9, all_unsent=1)
    monkeypatch.setattr(admission, "timer", lambda: time.perf_counter() + waited)
    reserve = admission.reserve

    def wait_long(who: str, size: int, *, may_refuse: bool) -> None:
        nonlocal waited
        waited += 3600.0
        reserve(who, size, may_refuse=may_refuse)

    monkeypatch.setattr(admission, "reserve", wait_long)
    assert unread("ada").status == 200
    assert unread("bea").status == 429
    assert waited > 0
    assert max(charged) < 3_600_000


def test_a_large_answer_is_the_same_in_pieces(long_history: World, unread: Callable[[str], Unread]) -> None:
    answer = unread("ada")
    pieces = list(answer.body)
    assert max(map(len, pieces)) == LARGE
    assert b"".join(pieces).count(b'"sender_id"') == 60
    answer.close()


def test_only_the_head_of_a_large_answer_is_sent_and_nothing_waits(long_history: World) -> None:
    for _ in range(3):
        answer = Unread(long_history, "ada", "HEAD")
        assert (answer.status, answer.read()) == (200, b"")
        assert answer.length > LARGE
        assert long_history.svc.admission.unsent == 0


def test_no_bot_is_looked_for_once_an_address_has_used_up_its_requests(make_world: MakeWorld) -> None:
    """A key without an address is compared with those of all bots."""
    world = make_world(rate_limit_rules={"api_by_ip": "2 per hour"})

    def status(at: str, key: str) -> int:
        query = {"api_key": key, "stream": "lunch"}
        return (
            Client(world.application)
            .post(
                "/api/v1/external/text",
                query_string=query,
                json={"text": "hi"},
                environ_base={"REMOTE_ADDR": at},
            )
            .status_code
        )

    right = world.keys["robo"]
    assert [status("192.0.2.1", key) for key in ("wrong", right, right, "wrong")] == [401, 200, 200, 401]
    assert [status("192.0.2.1", key) for key in ("wrong", right)] == [429, 429]
    assert status("198.51.100.1", right) == 200
    assert ask(world["ada"], "GET", "/users/me").status_code == 200


def test_large_pages_are_counted_for_their_readers(make_world: MakeWorld) -> None:
    """They are counted as other requests without credentials are; small and compressed ones are not."""
    world = make_world(rate_limit_rules={"api_by_ip": "2 per hour"})
    admission = world.svc.admission

    def status(at: str, *, encoding: str = "identity") -> int:
        environ = {"REMOTE_ADDR": at}
        headers = {"Accept-Encoding": encoding}
        with closing(
            Client(world.application).get("/api/v1/openapi.json", environ_base=environ, headers=headers)
        ) as response:
            waits = response.status_code == 200 and encoding == "identity"
            assert (admission.unsent >= LARGE) == waits
            return response.status_code

    assert [status("192.0.2.1", encoding="gzip") for _ in range(5)] == [200] * 5
    assert [status("192.0.2.1") for _ in range(3)] == [200, 200, 429]
    assert status("192.0.2.1", encoding="gzip") == status("198.51.100.1") == 200
    assert admission.unsent == 0
    admission.patience = Patience(seconds=0, all_unsent=1)
    with closing(Client(world.application).get("/api/v1/openapi.json")):
        assert Client(world.application).get("/api/v1/openapi.json").status_code == 429


# -- polls ------------------------------------------------------------------------------------------


def test_polls_that_wait_keep_nothing_else_waiting(make_world: MakeWorld) -> None:
    world = make_world()
    queues = [world["ada"].post("/register", event_types=["message"]) for _ in range(5)]
    answers: list[Any] = []

    def wait(queue: Mapping[str, Any]) -> None:
        answers.append(
            world["ada"].get("/events", queue_id=queue["queue_id"], last_event_id=queue["last_event_id"])
        )

    threads = [threading.Thread(target=wait, args=(queue,)) for queue in queues]
    for number, thread in enumerate(threads, 1):
        thread.start()
        until(lambda number=number: world.svc.hub.waiting == number)  # type: ignore[misc]
    world["ada"].says("here")
    for thread in threads:
        thread.join(PATIENCE)
    assert [answer["events"][0]["type"] for answer in answers] == ["message"] * 5
    assert world.svc.admission.present == 0


def test_bodies_that_come_slowly_keep_nothing_else_waiting(world: World, ada: Someone) -> None:
    """However many of an account's requests wait for them, others run; and waiting is not running."""
    waits, goes_on = threading.Semaphore(0), threading.Event()
    body = form(part(b"soup"))

    class Waiting(Slowly):
        def read(self, size: int = -1) -> bytes:
            waits.release()
            assert goes_on.wait(PATIENCE)
            return super().read(size)

    statuses: list[str] = []

    def send() -> None:
        given = {"CONTENT_TYPE": MULTIPART, "CONTENT_LENGTH": str(len(body))}
        statuses.append(raw_request(ada, "POST", "/api/v1/user_uploads", Waiting(body), **given)[1])

    threads = [threading.Thread(target=send) for _ in range(BOUNDS[Lane.CALLS].running)]
    for thread in threads:
        thread.start()
    try:
        for _ in threads:
            assert waits.acquire(timeout=PATIENCE)
        assert ask(ada, "GET", "/users/me").status_code == 200
    finally:
        goes_on.set()
        for thread in threads:
            thread.join(PATIENCE)
    assert statuses == ["200 OK"] * len(threads)
    assert world.svc.admission.present == 0
