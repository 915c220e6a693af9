"""The PostgreSQL that tests and benchmarks use, and the message if there is none."""

from pathlib import Path

import pytest

from benchmarks import harness
from tests.postgres import cluster
from tests.postgres.cluster import NoPostgres, server_programs


def installed(folder: Path, version: str) -> Path:
    """A folder of programs of this version."""
    folder.mkdir(parents=True)
    (folder / "pg_ctl").touch()
    (folder / "postgres").write_text(f"#!/bin/sh\necho 'postgres (PostgreSQL) {version}'\n")
    (folder / "postgres").chmod(0o755)
    return folder


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without PostgreSQL; the folder is where the system installs its versions."""
    monkeypatch.setattr(cluster, "SYSTEM", tmp_path)
    monkeypatch.setattr(cluster, "PACKAGE", "no_such_package")
    monkeypatch.setenv("PATH", "/bin/nowhere")
    return tmp_path


def test_the_newest_installed_version_is_taken(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/bin:/usr/bin")
    for version in ("15", "16", "17"):
        installed(bare / version / "bin", f"{version}.4")
    assert server_programs() == bare / "17" / "bin"


def test_without_any_it_says_what_to_install(bare: Path) -> None:
    with pytest.raises(NoPostgres, match=r"PostgreSQL 16 or later .*apt-get install .*pip install "):
        server_programs()


def test_a_benchmark_goes_on_with_sqlite(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with harness.stores("both") as urls:
        assert urls.keys() == {"sqlite"}
    assert capsys.readouterr().err.startswith("SQLite only. There is no PostgreSQL 16 or later")
    with pytest.raises(SystemExit, match="There is no PostgreSQL"), harness.stores("postgresql"):
        pass
