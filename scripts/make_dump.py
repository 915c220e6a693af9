"""Makes the dumps of a new version, from which all later ones are upgraded in the tests: one of each kind.

    python -m scripts.make_dump

A dump that exists is not made again: it is what a released version has left.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from chatcore.version import version
from tests.postgres.cluster import postgres_cluster, server_programs
from tests.upgrades.dumps import KINDS, MOST_BYTES, SECRET, dump_of, sqlite_statements, write_dump
from tests.upgrades.story import PEOPLE, Server, tell

PROGRAM = (sys.executable, "-m", "chatcore.cli")
OF_SESSIONS = re.compile(r"^(?:SET .*;|SELECT pg_catalog\.set_config.*|\\.*|--.*|)\n", re.MULTILINE)
"""Lines of pg_dump that set up a session, or that only psql understands."""


def main(name: str) -> None:
    for kind in KINDS:
        path = dump_of(name, kind)
        if path.exists():
            sys.exit(f"{path} exists already; it is what version {name} has left")
        with TemporaryDirectory() as folder, database_of(kind, Path(folder)) as url:
            keys = fill(Path(folder), url)
            write_dump(path, keys, statements_of(Path(folder), url))
        print(f"{path}: {path.stat().st_size:,} bytes")
        if path.stat().st_size > MOST_BYTES:
            sys.exit("it is too large; tell a shorter story")


@contextmanager
def database_of(kind: str, folder: Path) -> Iterator[str]:
    if kind == "sqlite":
        yield f"sqlite:///{folder}/chat.db"
    else:
        with postgres_cluster({}) as url:
            yield url


def fill(folder: Path, url: str) -> dict[str, str]:
    """Make an organization, and let everything happen there; return the API keys of its people."""
    secret = folder / "chat-data" / "secret_key"
    secret.parent.mkdir(mode=0o700)
    secret.write_text(SECRET)
    secret.chmod(0o600)
    environment = {
        **os.environ,  # noqa: TID251
        "CHATCORE_DATABASE_URL": url,
        "CHATCORE_DATA_DIR": str(secret.parent),
        "CHATCORE_RATE_LIMITS": "off",
    }

    def run(*arguments: str) -> str:
        return subprocess.check_output([*PROGRAM, *arguments], cwd=folder, env=environment, text=True)

    owner, *others = PEOPLE
    names = ["--owner-email", f"{owner}@example.com", "--owner-name", owner.title()]
    printed = {owner: run("init", "--name", "Soup club", *names, "--json")}
    for name in others:
        account = ["--email", f"{name}@example.com", "--name", name.title(), "--role", PEOPLE[name]]
        printed[name] = run("user", "create", *account, "--json")
    keys = {name: re.findall(r'"api_key": "(\w+)"', text)[0] for name, text in printed.items()}
    serving = [*PROGRAM, "serve", "--port", "0"]
    with subprocess.Popen(serving, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            line = next(line for line in server.stdout if line.startswith("Serving "))
            tell(Server(re.findall(r"http://[\w.:]+", line)[0], keys))
        finally:
            server.terminate()
    return keys


def statements_of(folder: Path, url: str) -> str:
    if url.startswith("sqlite"):
        return sqlite_statements(folder / "chat.db")
    options = ("--inserts", "--rows-per-insert=100", "--no-owner", "--no-privileges")
    dump = subprocess.check_output([server_programs() / "pg_dump", *options, f"--dbname={url}"], text=True)
    return OF_SESSIONS.sub("", dump)


if __name__ == "__main__":
    main(version())
