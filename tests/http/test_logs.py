"""Log lines as text and as JSON: time, level, request, address, and what a failed login looks like."""

import io
import json
import logging
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr
from pathlib import Path
from time import time  # noqa: TID251 - lines of the log have the machine's time
from typing import Any

import pytest
from werkzeug.test import Client, TestResponse

from chatcore.configuration import from_environment
from chatcore.http import logs
from chatcore.http.pipeline.exchange import MAX_LOGGED
from chatcore.http.security_log import SecurityEvent
from chatcore.runtime.afterwards import AFTERWARDS
from chatcore.settings import BadSetting, Settings
from tests.page_programs import ROOT
from tests.worlds.organization import HOST, MakeWorld, Someone, World, basic

LOGINS_BY_NAME = 5
"""Failed logins with a name from one address, before more are refused."""

ADDRESS = "203.0.113.9"


@pytest.fixture(autouse=True)
def all_levels(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)


def ask(world: World, path: str = "/health", **options: Any) -> TestResponse:
    headers = {"Host": HOST, **options.pop("headers", {})}
    base = {"REMOTE_ADDR": ADDRESS, **options.pop("environ_base", {})}
    return Client(world.application).open(path, headers=headers, environ_base=base, **options)


def lines(caplog: pytest.LogCaptureFixture, of: str = "chatcore.access") -> list[dict[str, Any]]:
    """The lines of a logger as JSON."""
    formatter = logs.JsonLines()
    found = [json.loads(formatter.format(one)) for one in caplog.records if one.name == of]
    caplog.clear()
    return found


# -- lines ------------------------------------------------------------------------------------------


def record(message: str = "hello %s", **fields: object) -> logging.LogRecord:
    made = logging.LogRecord("chatcore.http", logging.WARNING, __file__, 1, message, ("you",), None)
    made.created = 1_777_890_000.1234
    if fields:
        made.fields = fields
    return made


def test_a_line_says_when_in_utc_how_grave_and_from_where() -> None:
    text = logs.TextLines().format(record(address="::1", request="ab", user=None, client="a b\n"))
    assert text == (
        "2026-05-04T10:20:00.123Z WARNING chatcore.http: hello you"
        ' address=::1 request=ab user=- client="a b\\n"'
    )
    assert logs.TextLines().format(record()) == "2026-05-04T10:20:00.123Z WARNING chatcore.http: hello you"


def test_a_line_is_written_as_json() -> None:
    line = logs.JsonLines().format(record(address="::1", ms=0.1, user=None))
    assert json.loads(line) == {
        "time": "2026-05-04T10:20:00.123Z",
        "level": "warning",
        "logger": "chatcore.http",
        "message": "hello you",
        "address": "::1",
        "ms": 0.1,
        "user": None,
    }


def test_a_traceback_is_part_of_its_line_in_json_and_below_it_in_text() -> None:
    failed = record()
    try:
        raise ValueError("odd")
    except ValueError:
        failed.exc_info = sys.exc_info()
    line = logs.JsonLines().format(failed)
    assert "\n" not in line
    assert json.loads(line)["exception"].endswith("ValueError: odd")
    assert logs.TextLines().format(failed).splitlines()[-1] == "ValueError: odd"


# -- set up -----------------------------------------------------------------------------------------


@contextmanager
def bare(*handlers: logging.Handler) -> Iterator[io.StringIO]:
    """Standard error of a program whose log has only these handlers."""
    root, ours, security = (logging.getLogger(name) for name in (None, "chatcore", "chatcore.security"))
    before = root.handlers, root.level, ours.level
    root.handlers = [*handlers]
    root.setLevel(logging.WARNING)
    error = io.StringIO()
    try:
        with redirect_stderr(error):
            yield error
    finally:
        root.handlers = before[0]
        root.setLevel(before[1])
        ours.setLevel(before[2])
        for handler in security.handlers:
            handler.close()
        security.handlers, security.propagate = [], True
        security.setLevel(logging.NOTSET)


@pytest.mark.parametrize(
    ("settings", "written"),
    [
        ({}, ["info", "warning"]),
        ({"log_level": "warning"}, ["warning"]),
        ({"log_level": "error"}, []),
        ({"log_format": "json"}, ["info", "warning"]),
    ],
)
def test_the_log_is_written_once_from_its_level_on(settings: dict[str, Any], written: list[str]) -> None:
    with bare() as error:
        for _ in range(2):
            logs.set_up(Settings(**settings))
        logging.getLogger("chatcore.access").info("info")
        logging.getLogger("chatcore.access").warning("warning")
        logging.getLogger("peewee").info("of a library")
    found = error.getvalue().splitlines()
    if settings.get("log_format") == "json":
        assert [json.loads(line)["message"] for line in found] == written
    else:
        assert [line.rpartition(" ")[2] for line in found] == written


@pytest.mark.parametrize(
    ("handlers", "settings"), [([logging.NullHandler()], {}), ([], {"log_format": "off"})]
)
def test_a_program_keeps_the_log_that_it_has(
    handlers: list[logging.Handler], settings: dict[str, Any]
) -> None:
    with bare(*handlers) as error:
        logs.set_up(Settings(**settings))
        assert logging.getLogger().handlers == handlers
    assert error.getvalue() == ""


def test_the_settings_are_words() -> None:
    settings = from_environment({"CHATCORE_LOG_FORMAT": "JSON", "CHATCORE_LOG_LEVEL": "warning"})
    assert (settings.log_format, settings.log_level) == ("json", "warning")
    for variable, value in (("CHATCORE_LOG_FORMAT", "xml"), ("CHATCORE_LOG_LEVEL", "loud")):
        with pytest.raises(BadSetting, match=f"{variable} is '{value}': use "):
            from_environment({variable: value})


# -- requests ---------------------------------------------------------------------------------------


def test_an_answer_has_the_id_under_which_the_log_has_it(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    answers = [ask(world), ask(world, "/api/v1/nothing"), ask(world, headers={"X-Request-Id": "mine"})]
    ids = [answer.headers["X-Request-Id"] for answer in answers]
    assert len(set(ids)) == 3
    assert all(re.fullmatch("[0-9a-f]{16}", one) for one in ids)  # not the one that a stranger sends
    found = lines(caplog)
    assert [line["request"] for line in found] == ids
    assert {line["address"] for line in found} == {ADDRESS}
    assert [line.get("code") for line in found] == [None, "BAD_REQUEST", None]


def test_a_line_that_is_written_later_has_the_time_of_its_answer(
    world: World, ada: Someone, caplog: pytest.LogCaptureFixture
) -> None:
    later: list[Callable[[], object]] = []
    before = time()
    answer = ask(world, "/api/v1/users/me", headers=ada.headers, environ_base={AFTERWARDS: later.append})
    after = time()
    assert lines(caplog) == []
    while time() <= after:
        pass
    for write in later:
        write()
    (written,) = (one for one in caplog.records if one.name == "chatcore.access")
    assert before <= written.created <= after
    assert written.msecs == pytest.approx(written.created % 1 * 1000)
    (line,) = lines(caplog)
    assert (line["message"], line["user"]) == ("GET /api/v1/users/me 200", answer.get_json()["user_id"])
    assert line["request"] == answer.headers["X-Request-Id"]


def test_a_log_of_warnings_has_no_line_about_an_answer(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "chatcore.access"):
        caplog.handler.setLevel(logging.NOTSET)  # it is the logger that has the level
        ask(world)
    assert lines(caplog) == []


@pytest.mark.parametrize("number", range(MAX_LOGGED - 12, MAX_LOGGED + 2))
def test_a_long_path_is_cut_and_shows_no_secret(
    world: World, caplog: pytest.LogCaptureFixture, number: int
) -> None:
    before = f"/{'a' * (number - 1)}"
    ask(world, f"{before}/join/secret")
    (line,) = lines(caplog)
    path = line["message"].split()[1]
    assert path in (f"{before}/join/*", f"{before}/join/"[:MAX_LOGGED])
    assert len(path) <= MAX_LOGGED


def test_a_trusted_proxy_names_the_request_and_the_client(
    make_world: MakeWorld, caplog: pytest.LogCaptureFixture
) -> None:
    world = make_world(trusted_proxies=1)
    headers = {"X-Request-Id": "proxy-17", "X-Forwarded-For": "198.51.100.4"}
    assert ask(world, headers=headers).headers["X-Request-Id"] == "proxy-17"
    (line,) = lines(caplog)
    assert (line["address"], line["request"]) == ("198.51.100.4", "proxy-17")
    for odd in ("", "a b", "x" * 101, "a\x1b", "é"):
        assert re.fullmatch("[0-9a-f]{16}", ask(world, headers={"X-Request-Id": odd}).headers["X-Request-Id"])


def test_a_failure_has_the_id_of_its_request(
    world: World, ada: Someone, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("odd")

    with monkeypatch.context() as patch:
        patch.setattr(world.svc.storage, "read", fail)
        answer = ask(world, "/api/v1/users/me", headers=ada.headers)
    assert answer.status_code == 500
    (failure,) = [one for one in caplog.records if one.name == "chatcore.http"]
    said = json.loads(logs.JsonLines().format(failure))
    assert said["request"] == answer.headers["X-Request-Id"]
    assert said["address"] == ADDRESS
    assert "RuntimeError: odd" in said["exception"]


def test_failed_logins_are_distinguished_from_other_refusals(
    world: World, ada: Someone, caplog: pytest.LogCaptureFixture
) -> None:
    login = {"username": ada.email, "password": "hunter2-no"}
    own_page = {"Origin": f"https://{HOST}"}
    tries: list[tuple[dict[str, Any], str | None]] = [
        ({"path": "/api/v1/fetch_api_key", "method": "POST", "data": login}, "login_failed"),
        (
            {"path": "/api/v1/accounts/login", "method": "POST", "data": login, "headers": own_page},
            "login_failed",
        ),
        (
            {"path": "/api/v1/users/me", "headers": {"Authorization": basic(ada.email, "wrongkey")}},
            "key_refused",
        ),
        ({"path": "/accounts/login/sso", "headers": {"Remote-User": ada.email}}, "login_failed"),
        ({"path": "/api/v1/users/me"}, None),
        ({"path": "/api/v1/messages/999999", "headers": ada.headers}, None),
    ]
    for request, event in tries:
        ask(world, **request)
        text = caplog.text
        line = next(iter(lines(caplog, "chatcore.security")), None)
        assert event == (line and line["event"]), request
        assert line is None or (line["level"], line["address"]) == ("warning", ADDRESS)
        for secret in (ada.email, "hunter2", "wrongkey"):
            assert secret not in text + json.dumps(line)


def test_too_many_tries_are_seen(world: World, ada: Someone, caplog: pytest.LogCaptureFixture) -> None:
    login = {"username": ada.email, "password": "wrong"}
    for _ in range(LOGINS_BY_NAME + 1):
        ask(world, "/api/v1/fetch_api_key", method="POST", data=login)
    *_, failed, refused = lines(caplog, "chatcore.security")
    assert (failed["event"], refused["event"]) == ("login_failed", "rate_limited")
    assert refused["limit"] == "authenticate_by_username"


def test_a_busy_client_is_no_attacker_but_its_limit_is_named(
    make_world: MakeWorld, caplog: pytest.LogCaptureFixture
) -> None:
    world = make_world(rate_limit_rules={"api_by_user": "1 per hour"})
    for _ in range(2):
        ask(world, "/api/v1/users/me", headers=world["ada"].headers)
    line = lines(caplog)[-1]
    assert (line["level"], line["code"], line["limit"]) == ("info", "RATE_LIMIT_HIT", "api_by_user")
    assert "event" not in line


# -- the security log -------------------------------------------------------------------------------


def fail_to_log_in(world: World, ada: Someone, **headers: str) -> None:
    login = {"username": ada.email, "password": "wrong"}
    ask(world, "/api/v1/fetch_api_key", method="POST", data=login, headers=headers)


@pytest.mark.parametrize("settings", [{}, {"log_format": "json"}, {"log_level": "error"}])
def test_the_security_log_may_have_a_file(
    world: World, ada: Someone, tmp_path: Path, settings: dict[str, Any]
) -> None:
    path, moved = tmp_path / "security.log", tmp_path / "security.log.1"
    with bare() as error:
        logs.set_up(Settings(security_log=path, **settings))
        fail_to_log_in(world, ada)
        path.rename(moved)  # as logrotate does
        fail_to_log_in(world, ada)
    for file in (path, moved):
        (line,) = file.read_text().splitlines()
        assert "login_failed" in line
        assert ADDRESS in line
        assert line.startswith("{") is (settings.get("log_format") == "json")
    assert "login_failed" not in error.getvalue()


def test_a_file_that_cannot_be_written_is_a_bad_setting(tmp_path: Path) -> None:
    with bare(), pytest.raises(BadSetting, match=r"CHATCORE_SECURITY_LOG is '.*', which cannot be written"):
        logs.set_up(Settings(security_log=tmp_path / "missing" / "security.log"))


def test_the_filter_of_the_page_finds_addresses_of_failed_logins(
    world: World, ada: Someone, caplog: pytest.LogCaptureFixture
) -> None:
    (failregex,) = re.findall(r"^failregex = (.+)$", (ROOT / "docs/watching.md").read_text(), re.MULTILINE)
    line_of_attack = re.compile(failregex.replace("<HOST>", r"(?P<host>[\w.:]+)"))
    invented = "WARNING chatcore.security: GET / 401 event=login_failed address=198.51.100.1 x"
    fail_to_log_in(world, ada, **{"User-Agent": invented})
    ask(world, "/api/v1/users/me", headers={"Authorization": basic(ada.email, "wrongkey")})
    ask(world, f"/api/v1/{invented}\n{invented}")
    ask(world, "/api/v1/users/me", headers={"User-Agent": invented})
    formatter = logs.TextLines()
    texts = [formatter.format(record) for record in caplog.records]
    without_time = [text.partition("Z")[2] for text in texts]  # fail2ban cuts it out
    assert len(texts) == 6
    found = [match["host"] for text in without_time if (match := line_of_attack.search(text))]
    assert found == [ADDRESS] * 2


def test_the_page_lists_each_kind_of_event() -> None:
    page = (ROOT / "docs/watching.md").read_text()
    assert {event for event in SecurityEvent if f"| `{event}` |" not in page} == set()
