"""`chatcore migrate`, and what other commands say about databases that are not up to date."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from chatcore.configuration import ORGANIZATIONS
from tests.test_cli import INIT, error_line, home, run

__all__ = ["home"]

LAST = "0015_imported_messages"


def make_older(file: Path) -> None:
    """Undo a migration in a database."""
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("DROP TABLE imported_message")
        connection.execute("DELETE FROM schema_migration WHERE name = ?", (LAST,))


def test_pending_migrations_are_named_and_applied(home: Path) -> None:
    run(*INIT)
    make_older(home / "chat.db")
    for _ in range(2):
        asked = run("migrate", "--check")
        assert (asked.exit_code, asked.stdout) == (3, f"1 migration is pending: {LAST}\n")
    assert "lacks 1 migration(s) of this version; run 'chatcore migrate'" in run("check").stdout
    done = run("migrate")
    assert done.exit_code == 0
    first, last = done.stdout.splitlines()
    assert first.split()[0] == LAST
    assert last.startswith("1 migration was applied in ")
    for options in ((), ("--check",)):
        again = run("migrate", *options)
        assert (again.exit_code, again.stdout) == (0, "The database is up to date.\n")
    assert run("check").exit_code == 0


def test_programs_read_what_was_done(home: Path) -> None:
    run(*INIT)
    make_older(home / "chat.db")
    place = {"host": "127.0.0.1", "database": f"sqlite:///{home}/chat.db", "problem": None}
    assert json.loads(run("migrate", "--check", "--json").stdout) == [
        {**place, "pending": [LAST], "applied": []}
    ]
    ((done),) = json.loads(run("migrate", "--json").stdout)
    ((applied),) = done.pop("applied")
    assert done == {**place, "pending": []}
    assert applied.pop("seconds") >= 0
    assert applied == {"name": LAST}


def test_a_database_that_cannot_be_used_is_not_made(home: Path) -> None:
    for options in ((), ("--check",)):
        assert "there is no database yet" in error_line(run("migrate", *options), 3)
    assert not (home / "chat.db").exists()
    (home / "chat.db").touch()
    for options in ((), ("--check",)):
        assert "there is no organization yet" in error_line(run("migrate", *options), 3)


def test_each_of_several_organizations_is_migrated(home: Path) -> None:
    for name in ("club", "team", "zoo"):
        (home / name).mkdir()
        (home / name / "chatcore.toml").write_text(f'external_url = "https://{name}.example.com"\n')
    for name in ("club", "zoo"):
        database = ("--database", f"sqlite:///{home}/{name}/chat.db")
        assert run(*INIT, *database, env={"CHATCORE_DATA_DIR": f"{home}/{name}/chat-data"}).exit_code == 0
        make_older(home / name / "chat.db")
    done = run("migrate", "--organizations", ".")
    assert done.exit_code == 3
    assert done.stdout.count(f"{LAST} ") == 2
    assert "team/chat.db" in done.stderr
    reports = json.loads(run("migrate", "--check", "--json", env={ORGANIZATIONS: "."}).stdout)
    assert [(each["host"], each["problem"] is None) for each in reports] == [
        ("club.example.com", True), ("team.example.com", False), ("zoo.example.com", True)
    ]  # fmt: skip
    assert [each["pending"] for each in reports] == [[], [], []]


def test_init_says_what_it_has_done_to_an_older_database(home: Path) -> None:
    run(*INIT)
    make_older(home / "chat.db")
    for count in ("1 migration was applied", "0 migrations were applied"):
        line = error_line(run(*INIT), 1)
        assert "has an organization already, and is up to date" in line
        assert count in line
