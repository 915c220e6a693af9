"""One of several organizations cannot be used: the others are served, and it comes back without a restart."""

import json
import shutil
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import Client

from chatcore.application.events import restarts
from chatcore.application.events.secret_replacement import replace_secret
from chatcore.application.received_mail.outcomes import DeliveryOutcome, outcome_of_address
from chatcore.application.services import Services
from chatcore.bootstrap import open_services, open_sites
from chatcore.cli.alone import alone_on
from chatcore.configuration import from_environment
from chatcore.settings import Settings
from chatcore.sites import Sites
from chatcore.sites.reopening import LONGEST_PAUSE, pause_after
from chatcore.storage import StorageClosed, StorageNotReady
from tests.postgres import PostgresServer
from tests.test_cli import refused_to_serve, run, serving
from tests.test_several_organizations import make, organization
from tests.waiting import PATIENCE, until

CLUB, TEAM = "club.example.org", "team.example.org"


@pytest.fixture
def both(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of two organizations: `club`, and `team` after it."""
    for name in ("club", "team"):
        make(organization(home / "all", name), monkeypatch)
    return home / "all"


@pytest.fixture
def opened(both: Path) -> Iterator[Callable[[], Sites]]:
    """Open the sites of both, as a server does."""
    with ExitStack() as every:

        def open_both() -> Sites:
            sites = open_sites(from_environment({"CHATCORE_ORGANIZATIONS": str(both)}))
            every.callback(sites.close)
            every.callback(sites.stop)
            return sites

        yield open_both


def answer(sites: Sites, host: str, path: str = "/api/v1/server_settings") -> tuple[int, Any]:
    response = Client(sites.application()).get(path, headers={"Host": host})
    return response.status_code, response.json


def names(sites: Sites, host: str) -> Any:
    return answer(sites, host)[1].get("realm_name")


def move(folder: Path) -> Callable[[], object]:
    """Move a database away; return what brings it back."""
    database, away = folder / "chat.db", folder / "away.db"
    database.rename(away)
    return lambda: away.rename(database)


def damage(folder: Path) -> Callable[[], object]:
    bring_back = move(folder)
    (folder / "chat.db").write_text("This is no database. " * 1000)
    return bring_back


def change_secret(folder: Path) -> Callable[[], object]:
    file = folder / "chat-data" / "secret_key"
    right = file.read_text()
    file.write_text("x" * 64)
    return lambda: file.write_text(right)


def share_secret(folder: Path) -> Callable[[], object]:
    """Give a new organization the secret of the other one."""
    right = move(folder)
    (folder / "chat-data").rename(folder / "right-data")
    shutil.copytree(folder.parent / "club" / "chat-data", folder / "chat-data")
    with pytest.MonkeyPatch.context() as there:
        make(folder, there)

    def bring_back() -> None:
        for part in ("chat.db", "chat.db-wal", "chat.db-shm"):
            (folder / part).unlink(missing_ok=True)
        shutil.rmtree(folder / "chat-data")
        (folder / "right-data").rename(folder / "chat-data")
        right()

    return bring_back


@pytest.mark.parametrize("break_it", [move, damage, change_secret, share_secret])
def test_one_that_cannot_be_opened_stops_no_other_and_comes_back(
    both: Path, opened: Callable[[], Sites], break_it: Callable[[Path], Callable[[], object]]
) -> None:
    bring_back = break_it(both / "team")
    sites = opened()
    sites.start()
    assert names(sites, CLUB) == "Club"
    status, body = answer(sites, TEAM)
    assert (status, body["code"]) == (503, "SERVER_NOT_READY")
    assert str(both) not in json.dumps(body)
    assert [answer(sites, host, "/ready")[0] for host in (CLUB, TEAM, "10.0.0.1")] == [200, 503, 200]
    bring_back()
    until(lambda: sites.problem_at(TEAM) is None)
    assert names(sites, TEAM) == "Team"
    assert [svc.alarms.scheduled.runs for svc in sites] == [True, True]


def test_one_that_breaks_while_it_starts_is_tried_again(
    opened: Callable[[], Sites], monkeypatch: pytest.MonkeyPatch
) -> None:
    sites, failures = opened(), [StorageNotReady("the disk is out for lunch")]
    really_note = restarts.note_start

    def note(svc: Any) -> None:
        if svc.settings.host == CLUB and failures:
            raise failures.pop()
        really_note(svc)

    monkeypatch.setattr("chatcore.sites.note_start", note)
    sites.start()
    assert (answer(sites, CLUB)[0], names(sites, TEAM)) == (503, "Team")
    until(lambda: sites.problem_at(CLUB) is None)
    assert names(sites, CLUB) == "Club"


def test_attempts_become_rarer_up_to_a_bound() -> None:
    pauses = [pause_after(failures) for failures in range(1, 9)]
    assert pauses == [1, 2, 4, 8, 16, 32, LONGEST_PAUSE, LONGEST_PAUSE]
    assert pause_after(10_000) == LONGEST_PAUSE


def test_an_unexpected_failure_is_logged_and_not_told(both: Path, caplog: pytest.LogCaptureFixture) -> None:
    def fails(settings: Settings) -> Services:
        raise RuntimeError("a detail")

    settings = from_environment({"CHATCORE_ORGANIZATIONS": str(both)})
    sites = Sites(settings, open_one=fails)
    sites.open(settings.organizations[0])
    assert "a detail" in caplog.text
    assert "detail" not in (sites.problem_at(CLUB) or "detail")


def test_mail_goes_to_the_others(both: Path, opened: Callable[[], Sites]) -> None:
    bring_back = move(both / "team")
    sites = opened()
    assert outcome_of_address(sites.at, f"general@{CLUB}").outcome is DeliveryOutcome.UNKNOWN_ADDRESS
    assert outcome_of_address(sites.at, f"general@{TEAM.upper()}").outcome is DeliveryOutcome.TRY_AGAIN
    receive = ("mail", "receive", "--organizations", str(both))
    assert run(*receive, f"general@{CLUB}", input="").exit_code == 67
    assert run(*receive, f"general@{TEAM}", input="").exit_code == 75
    bring_back()
    sites.keep_opening()
    until(lambda: outcome_of_address(sites.at, f"general@{TEAM}").outcome is DeliveryOutcome.UNKNOWN_ADDRESS)


def lock(folder: Path) -> Callable[[], object]:
    """Serve a database, as another server does."""
    serving_it = ExitStack()
    serving_it.enter_context(alone_on(f"sqlite:///{folder}/chat.db"))
    return serving_it.close


@pytest.mark.parametrize(
    ("break_it", "reason"), [(move, "does not exist"), (lock, "Another server (process ")]
)
def test_a_server_starts_without_one_and_serves_it_when_it_is_back(
    both: Path, break_it: Callable[[Path], Callable[[], object]], reason: str
) -> None:
    bring_back = break_it(both / "team")
    code, said = refused_to_serve("--organizations", "all", "--strict")
    assert (code in (1, 3), reason in said) == (True, True)
    with serving("--organizations", "all") as server:
        (line,) = [one for one in server.said.splitlines() if one.startswith(TEAM)]
        assert line.startswith(f"{TEAM}: CANNOT BE USED, is tried again: ")
        assert reason in line
        assert [asked(server.url, host) for host in (CLUB, TEAM)] == ["Club", 503]
        bring_back()
        until(lambda: asked(server.url, TEAM) == "Team", lambda: server.log)
        assert server.stop() == 0


def test_workers_serve_one_that_is_made_later(
    home: Path, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with postgres.bare_database() as club, postgres.bare_database() as team:
        make(organization(home / "all", "club", f'database_url = "{club}"\n'), monkeypatch)
        folder = organization(home / "all", "team", f'database_url = "{team}"\n')
        with serving("--organizations", "all", "--workers", "2") as server:
            assert [asked(server.url, host) for host in (CLUB, TEAM)] == ["Club", 503]
            make(folder, monkeypatch)
            until(lambda: {asked(server.url, TEAM) for _ in range(8)} == {"Team"}, lambda: server.log)
            assert server.stop() == 0


def asked(url: str, host: str) -> Any:
    """Return the name of the organization at a host, or the status of the refusal."""
    request = urllib.request.Request(f"{url}/api/v1/server_settings", headers={"Host": host})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:
            return json.load(response)["realm_name"]
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code


def test_check_goes_on_after_a_database_that_cannot_be_named(both: Path) -> None:
    with (both / "club" / "chatcore.toml").open("a") as file:
        file.write('database_url = "nothing://x/y"\n')
    result = run("check", "--organizations", str(both))
    assert "'Team', up to date" in result.stdout
    assert "FAILED" in result.stdout
    assert result.exit_code == 2


def test_a_server_is_ready_while_any_organization_can_be_used(opened: Callable[[], Sites]) -> None:
    sites = opened()
    club, _ = sites
    replace_secret(club, b"n" * 32)  # so a server with the old one refuses all requests
    assert [answer(sites, host, "/ready")[0] for host in (CLUB, TEAM, "10.0.0.1")] == [503, 200, 200]


def test_a_stopped_server_tries_nothing_again(both: Path, opened: Callable[[], Sites]) -> None:
    def attempts() -> list[str]:
        return [thread.name for thread in threading.enumerate() if thread.name == "chatcore-reopening"]

    until(lambda: not attempts())  # of other tests
    move(both / "team")
    sites = opened()
    sites.start()
    assert len(attempts()) == 1
    sites.stop()
    until(lambda: not attempts())


def test_an_organization_that_opens_after_the_end_is_closed(both: Path) -> None:
    settings = from_environment({"CHATCORE_ORGANIZATIONS": str(both)})
    late: list[Services] = []

    def open_late(organization: Settings) -> Services:
        late.append(open_services(organization))
        return late[-1]

    sites = Sites(settings, open_one=open_late)
    sites.close()
    sites.open(settings.organizations[0])
    assert list(sites) == []
    with pytest.raises(StorageClosed):
        late[0].storage.read(lambda snapshot: snapshot.organization.find())
