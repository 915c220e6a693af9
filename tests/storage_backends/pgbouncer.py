"""PgBouncer in front of a database of the tests."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest

PORT = 6432
PATIENCE = 10.0

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
            _wait_for(through)
            yield through
        finally:
            process.terminate()
            process.wait(PATIENCE)


def _wait_for(url: str) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return
