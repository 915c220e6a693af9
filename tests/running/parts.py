"""The second part of the suite: modules that start processes, or share one that runs.

What a process does depends on how busy the machine is, so these run apart from the others, and never more of
them at once than there are processors. A test of the first part that starts a process fails.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SECOND = (
    "tests/application/archives/test_restoring.py",
    "tests/application/events/test_failover.py",
    "tests/application/imports/test_importing.py",
    "tests/application/retention/test_killed.py",
    "tests/application/test_loading.py",
    "tests/backups",
    "tests/chat/test_closing.py",
    "tests/cli/checking",
    "tests/cli/test_out_of_order.py",
    "tests/cli/test_rotating.py",
    "tests/cli/test_shells.py",
    "tests/clients",
    "tests/http/archives/test_exports.py",
    "tests/http/described/test_openapi.py",
    "tests/http/files/test_bucket_server.py",
    "tests/http/files/test_foreign_pictures_server.py",
    "tests/http/files/test_local_files_server.py",
    "tests/http/files/test_tus_server.py",
    "tests/http/serving",
    "tests/http/sign_on/test_real_provider.py",
    "tests/installing",
    "tests/markup/test_emoji.py",
    "tests/postgres/test_cluster.py",
    "tests/running/test_leftovers.py",
    "tests/storage_backends/test_files.py",
    "tests/storage_backends/test_pgbouncer.py",
    "tests/storage_backends/test_postgres.py",
    "tests/storage_backends/test_replica.py",
    "tests/test_cli.py",
    "tests/test_docs.py",
    "tests/test_documented_servers.py",
    "tests/test_mail.py",
    "tests/test_several_organizations.py",
    "tests/test_web_programs.py",
    "tests/test_wheel.py",
    "tests/web",
)
"""Folders and modules."""
OF_POSTGRESQL = frozenset({"initdb", "pg_config", "pg_ctl", "postgres"})
"""Programs of the database that all tests of a process share."""

_guarded: list[str] = []
"""The test of the first part that runs now, if one does."""


def is_in_second_part(path: Path, root: Path) -> bool:
    name = path.relative_to(root).as_posix()
    return any(name == one or name.startswith(f"{one}/") for one in SECOND)


def pytest_configure() -> None:
    sys.addaudithook(refuse_processes)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    if not is_in_second_part(item.path, item.config.rootpath):
        _guarded.append(item.nodeid)
    try:
        return (yield)
    finally:
        _guarded.clear()


def refuse_processes(event: str, arguments: tuple[object, ...]) -> None:
    """Refuse what starts a process while a test of the first part runs.

    :raises AssertionError:
    """
    if not _guarded or event not in ("subprocess.Popen", "os.fork"):
        return
    if event == "os.fork" or Path(str(arguments[0])).name not in OF_POSTGRESQL:
        raise AssertionError(f"{_guarded[0]} starts a process: its module belongs in SECOND in {__file__}")
