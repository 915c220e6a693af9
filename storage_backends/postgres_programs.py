"""PostgreSQL's own programs, which write and read dumps; those that the user's PATH has."""

import os
import re
import subprocess
from pathlib import Path
from typing import Any, Final

from chatcore.storage.copies import CannotCopy

TOO_OLD: Final = (
    "{program} is of version {own}, and the server of {server}: install postgresql-client-{server},"
    " and put its programs first in PATH"
)


def dump(url: str, server: int, snapshot: str, file: Path) -> None:
    """Write one snapshot, which a connection has exported, to an existing file.

    :raises CannotCopy: the program is missing, older than the server's major version, or has failed
    """
    said = _run("pg_dump", "--version")
    own = int(match[1]) if (match := re.search(r"\b(\d+)[.\w]*", said)) else server
    if own < server:
        raise CannotCopy(TOO_OLD.format(program="pg_dump", own=own, server=server))
    _run("pg_dump", "--format=custom", f"--snapshot={snapshot}", f"--file={file}", url=url)


def restore(url: str, file: Path) -> None:
    """Make the contents of a dump those of an empty database, in one transaction. All of it belongs to the
    role that restores it.

    :raises CannotCopy: the program is missing, older than the one that has written the dump, or has failed
    """
    more = ("--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges")
    _run("pg_restore", *more, str(file), url=url)


def read_through(file: Path, table: str) -> None:
    """Read a dump to its end, without a database. The table has rows.

    :raises CannotCopy: it is damaged; or the program is missing, or older than the one that has written it
    """
    _run("pg_restore", f"--file={os.devnull}", str(file))
    rows = _run("pg_restore", "--data-only", f"--table={table}", "--file=-", str(file))
    if not re.search(r"(?m)^COPY .*;\n(?!\\\.$)", rows):
        raise CannotCopy(f"the table '{table}' is missing or empty")


def _run(program: str, *arguments: str, url: str = "") -> str:
    """Run a program, on a database if there is a URL, and return what it prints.

    :raises CannotCopy: it is missing, or has failed
    """
    environment = dict(os.environ)  # noqa: TID251 - the program finds its own settings there
    where: list[str] = []
    if url:
        from psycopg.conninfo import conninfo_to_dict, make_conninfo  # reading through a dump does without

        parts: dict[str, Any] = dict(conninfo_to_dict(url))
        if (password := parts.pop("password", None)) is not None:  # others see the arguments of a process
            environment["PGPASSWORD"] = str(password)
        where = [f"--dbname={make_conninfo(**parts)}", "--no-password"]
    try:
        done = subprocess.run(
            [program, *where, *arguments], env=environment, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, errors="replace", check=False,
        )  # fmt: skip
    except OSError as error:
        raise CannotCopy(
            f"{program} cannot be run ({error.strerror}): install the client programs of PostgreSQL"
            " (Debian: postgresql-client)"
        ) from error
    if done.returncode:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        raise CannotCopy("; ".join(lines[:3]) or f"{program} ended with code {done.returncode}")
    return done.stdout
