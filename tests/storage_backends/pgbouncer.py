"""PgBouncer in front of a database of the tests."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest

from tests.waiting import PATIENCE, until

PORT = 6432

CONFIGURATION = """
[databases]
{name} = host={host} user=postgres
[pgbouncer]
listen_port = {port}
unix_socket_dir = {folder}
auth_type = any
pool_mode = transaction
default_pool_size = 5
max_client_conn = 100
{more}
"""


@contextmanager
def pgbouncer(url: str, more: str = "") -> Iterator[str]:
    """The URL of a database through a PgBouncer in transaction mode; without one the test is skipped."""
    program = shutil.which("pgbouncer", path=os.pathsep.join(["/usr/sbin", os.defpath]))
    if program is None:
        pytest.skip("PgBouncer is not installed; Debian: apt-get install pgbouncer")
    parts = urlsplit(url)
    name, host = parts.path[1:], parse_qs(parts.query)["host"][0]
    with TemporaryDirectory(prefix="chatcore-pgbouncer-") as made:  # a short path: a socket is in it
        folder = Path(made)
        file = folder / "pgbouncer.ini"
        file.write_text(CONFIGURATION.format(name=name, host=host, port=PORT, folder=folder, more=more))
        user = None if os.geteuid() else Path(host).owner()  # it refuses to be root
        if user is not None:
            shutil.chown(folder, user)
        process = subprocess.Popen(
            [program, "--quiet", file], user=user, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            through = f"postgresql://postgres@/{name}?host={folder}&port={PORT}"
            until(lambda: _takes_connections(through))
            yield through
        finally:
            process.terminate()
            process.wait(PATIENCE)


def _takes_connections(url: str) -> bool:
    try:
        psycopg.connect(url).close()
    except psycopg.OperationalError:
        return False
    return True
