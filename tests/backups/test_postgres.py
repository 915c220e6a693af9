"""Backups of PostgreSQL, which its own programs make."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.backups.lunch import (
    backups,
    change_parts,
    contents,
    damage,
    made,
    post,
    restored_elsewhere,
    rewrite,
)
from tests.postgres import PostgresServer
from tests.postgres.cluster import server_programs
from tests.test_cli import INIT, error_line, home, run

__all__ = ["home"]


@pytest.fixture
def dumped(home: Path, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URL of an organization of which there is a backup."""
    monkeypatch.setenv("PATH", f"{server_programs()}:{os.environ['PATH']}")  # noqa: TID251
    with postgres.bare_database() as url:
        assert run(*INIT, "--database", url).exit_code == 0
        post(b"soup", url)
        made("--database", url)
        yield url


def test_a_dump_is_checked_and_restored_elsewhere(
    dumped: str, home: Path, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("backup", "--check", "backups").output == "1 backup is whole\n"
    assert "is not empty" in error_line(run("restore", "backups", "--database", dumped), 3)
    assert "the backup is of postgresql, and the database is sqlite" in error_line(
        run("restore", "backups"), 1
    )
    with postgres.bare_database() as url:
        done = restored_elsewhere(home, monkeypatch, "--database", url)
        assert done.exit_code == 0, done.output
        shutil.copy("../chat-data/secret_key", "chat-data")
        assert run("check", "--database", url).exit_code == 0
        assert list(contents(Path("chat-data") / "uploads").values()) == [b"soup"]


def test_a_damaged_dump_is_found(dumped: str) -> None:
    (path,) = backups()
    damage(path / "database.dump")
    assert "is damaged: its checksum differs" in run("backup", "--check", "backups").stdout


def test_a_dump_without_an_organization_is_not_restored(dumped: str, postgres: PostgresServer) -> None:
    (backup,) = backups()
    with postgres.bare_database() as url:
        for rows in ("", "CREATE TABLE organization (id integer, data text)"):
            if rows:
                with psycopg.connect(url, autocommit=True) as connection:
                    connection.execute(rows)
            dump = backup / "database.dump"
            subprocess.run(["pg_dump", "-Fc", "-f", dump, f"--dbname={url}"], check=True)
            rewrite(backup, "database.dump", dump.read_bytes())
            said = "database.dump cannot be used: the table 'organization' is missing or empty"
            assert said in run("backup", "--check", "backups").stdout
            with postgres.bare_database() as empty:
                assert said in error_line(run("restore", "backups", "--database", empty), 1)


def test_a_database_of_another_program_is_not_empty(dumped: str, postgres: PostgresServer) -> None:
    with postgres.bare_database() as url:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CREATE TABLE stock (id integer)")
        assert "is not empty" in error_line(run("restore", "backups", "--database", url), 3)


def program(folder: Path, name: str, prints: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\necho '{prints}'\n")
    (folder / name).chmod(0o700)


def test_the_programs_of_postgresql_have_to_be_there_and_new(
    dumped: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(home / "programs"))
    command = ("backup", "backups", "--database", dumped)
    assert "pg_dump cannot be run (No such file or directory): install" in error_line(run(*command), 1)
    program(home / "programs", "pg_dump", "pg_dump (PostgreSQL) 12.3")
    said = error_line(run(*command), 1)
    assert re.search(r"pg_dump is of version 12, and the server of (\d+): install postgresql-client-\1", said)
    assert len(backups()) == 1
    assert not list(Path("backups").glob("*unfinished"))


def test_a_dump_that_was_cut_off_from_the_beginning_is_found(dumped: str) -> None:
    (path,) = backups()
    dump = path / "database.dump"
    dump.write_bytes(dump.read_bytes()[:-1000])
    change_parts(path, **{dump.name: dump})
    checked = run("backup", "--check", "backups")
    assert checked.exit_code == 1
    assert f"{dump} cannot be used: " in checked.stdout
