"""Stores for the tests: SQLite and a real PostgreSQL.

`store_url` is the URL of an empty, migrated store, once of each kind; `storage` is such a store, opened; for
tests of the stores themselves the one in memory too. When a test is over, nothing may be connected to its
store any more.
"""

import gc
import os
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

import pytest
from coverage import Coverage
from hypothesis import HealthCheck
from hypothesis import settings as random_tests

pytest.register_assert_rewrite("chatcore.storage.conformance")

from passlib.context import CryptContext  # noqa: E402

from chatcore.application.people import passwords  # noqa: E402
from storage_backends import open_storage  # noqa: E402
from storage_backends.sql.store import SqlStorage  # noqa: E402
from tests.postgres import WITHOUT, Found, PostgresServer, make_store, postgres_server  # noqa: E402

pytest_plugins = [
    "tests.conformance.plugin",
    "tests.running.fixtures",
    "tests.running.leftovers",
    "tests.running.parts",
]

HASHES_OF_SERVERS = passwords.password_context()
MEMORY_DISK = Path("/dev/shm")
TEMPORARY_ROOT = "PYTEST_DEBUG_TEMPROOT"
"""Environment: where pytest makes temporary folders."""
ROOM = 2 * 2**30
"""Bytes that have to be free on the memory disk."""
FOR_PROCESSES = "COVERAGE_PROCESS_CONFIG"
"""Environment: lets the processes that a test starts be measured."""
UNMEASURED = (
    "clients/",
    "web/",
    "events/test_shared_payloads.py",
    "events/test_state.py",
    "http/described/test_coverage.py",
    "http/serving/test_called_bots.py",
    "http/serving/test_durability.py",
    "http/serving/test_mail.py",
    "http/serving/test_scheduled_delivery.py",
    "markup/html/test_lexers.py",
    "markup/test_safety.py",
    "security/test_requests.py",
    "storage_backends/test_flags_property.py",
    "storage_backends/test_narrow_property.py",
    "storage_backends/sql/test_plans.py",
)
"""Long tests that repeat what others do: with random values, by many processes, or for every type."""
FEW_COLLECTIONS = (50_000, 20, 100)
EVERY_CASE = "every_case_on_postgresql"
CASES_ON_POSTGRESQL = 1
"""The number of cases of a table that run on PostgreSQL, too: others use the same statements."""

Template: TypeAlias = Callable[..., Path]
Stores: TypeAlias = Callable[[str, Found | None], str]


def pytest_configure(config: pytest.Config) -> None:
    """Make temporary files in memory, where waiting for the disk costs nothing. Other tests show that stores
    ask for durability. Collect garbage rarely.
    """
    gc.set_threshold(*FEW_COLLECTIONS)
    if os.access(MEMORY_DISK, os.W_OK) and shutil.disk_usage(MEMORY_DISK).free > ROOM:
        os.environ.setdefault(TEMPORARY_ROOT, str(MEMORY_DISK))  # noqa: TID251
    # No time of an example says anything on a busy machine.
    checks = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
    random_tests.register_profile("patient", deadline=None, suppress_health_check=checks)
    random_tests.load_profile("patient")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Use one process more than there are processors: some tests wait for servers and browsers."""
    return (os.cpu_count() or 1) + 1


def pytest_collection(session: pytest.Session) -> None:
    """Import the test modules in an order of each process's own.

    Pytest rewrites their assertions, which takes longest of all before the first test, and stores the
    result. So each process rewrites a part, and finds the others done.
    """
    worker = getattr(session.config, "workerinput", None)
    if worker is None:
        return
    folders = (path for path in map(Path, session.config.args) if path.is_dir())
    modules = sorted(module for folder in folders for module in folder.resolve().rglob("test_*.py"))
    first = len(modules) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
    for path in (*modules[first:], *modules[:first]):
        name = ".".join(path.relative_to(session.config.rootpath).with_suffix("").parts)
        with suppress(Exception, pytest.skip.Exception):  # the collection meets it again, and reports it
            import_module(name)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run the cases of a table on SQLite, and the first of them on PostgreSQL; or all of them there, if they
    reach different statements, or texts and numbers that databases may treat differently.
    """
    everywhere, seen = {item.nodeid for item in items}, Counter[str]()
    left_out = []
    for item in items:
        if is_repeated(item) and item.nodeid.replace("postgresql", "sqlite") in everywhere:
            function = item.nodeid.partition("[")[0]
            seen[function] += 1
            if seen[function] > CASES_ON_POSTGRESQL and item.get_closest_marker(EVERY_CASE) is None:
                left_out.append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        out = set(left_out)
        items[:] = [item for item in items if item not in out]


def pytest_collection_finish(session: pytest.Session) -> None:
    """Collect no garbage among the thousands of tests."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Measure the coverage of a test unless it only runs lines that others run, too: measuring takes half of
    the time again, in its server processes as well.
    """
    coverage = Coverage.current()
    if coverage is None or is_measured(item):
        return (yield)
    coverage.stop()
    given = os.environ.pop(FOR_PROCESSES, None)  # noqa: TID251
    try:
        return (yield)
    finally:
        if given is not None:
            os.environ[FOR_PROCESSES] = given  # noqa: TID251
        coverage.start()


def is_measured(item: pytest.Item) -> bool:
    """Whether a test may run lines that no other does: above the stores, PostgreSQL has none of its own."""
    return not place_of(item).startswith(UNMEASURED) and not is_repeated(item)


def is_repeated(item: pytest.Item) -> bool:
    """Whether a test runs on PostgreSQL what it runs on SQLite, but for the store."""
    case = getattr(item, "callspec", None)
    on_postgresql = case is not None and case.params.get("store_kind") == "postgresql"
    return on_postgresql and not place_of(item).startswith("storage_backends/")


def place_of(item: pytest.Item) -> str:
    return item.path.relative_to(item.config.rootpath / "tests").as_posix()


@pytest.fixture(scope="session", autouse=True)
def quick_hashes() -> Iterator[None]:
    """Hash passwords a thousand times faster; the processes that tests start hash as servers do."""
    quick = CryptContext(
        schemes=["argon2"], argon2__time_cost=1, argon2__memory_cost=64, argon2__parallelism=1
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "password_context", lambda: quick)
        yield


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server. Without one the tests fail, unless the developer wants it so."""
    if os.environ.get(WITHOUT):  # noqa: TID251
        pytest.skip(f"PostgreSQL is left out, as {WITHOUT} says")
    with postgres_server(os.environ) as server:  # noqa: TID251
        yield server


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Template:
    """The file of a store as something leaves it, which is done once."""
    folder = tmp_path_factory.mktemp("sqlite")

    @cache
    def template(found: Found | None = None) -> Path:
        path = folder / f"{'empty' if found is None else found.__module__}.db"
        make_store(f"sqlite:///{path}", found)
        return path

    return template


@pytest.fixture
def stores(request: pytest.FixtureRequest, sqlite_template: Template, tmp_path: Path) -> Iterator[Stores]:
    """Gives the URL of a store of a kind, as something leaves an empty one."""
    with ExitStack() as stack:

        def url(kind: str, found: Found | None = None) -> str:
            if kind == "postgresql":
                server: PostgresServer = request.getfixturevalue("postgres")
                return stack.enter_context(server.database(found))
            path = tmp_path / "chat.db"
            shutil.copyfile(sqlite_template(found), path)
            stack.callback(require_alone, path)
            return f"sqlite:///{path}"

        yield url


@pytest.fixture
def sqlite_url(stores: Stores) -> str:
    """An empty store in a file."""
    return stores("sqlite", None)


@pytest.fixture
def postgres_url(stores: Stores) -> str:
    """An empty store in a database of its own."""
    return stores("postgresql", None)


@pytest.fixture(params=["sqlite", "postgresql"])
def store_kind(request: pytest.FixtureRequest) -> str:
    """Each kind of store that several processes can share."""
    kind: str = request.param
    return kind


@pytest.fixture
def store_url(stores: Stores, store_kind: str) -> str:
    """An empty store, once of each kind."""
    return stores(store_kind, None)


@pytest.fixture
def storage(store_url: str) -> Iterator[SqlStorage]:
    """An empty store, opened, once of each kind."""
    opened = open_storage(store_url)
    yield opened
    opened.close()


def require_alone(path: Path) -> None:
    """Fail if a connection still has the database file open: the last one that is closed removes the log."""
    if path.with_name(f"{path.name}-wal").exists() and not is_alone(path):
        gc.collect()  # an error that a test has kept may keep a cursor in its traceback
        assert is_alone(path), "connections were left open"


def is_alone(path: Path) -> bool:
    """Whether no connection has the database file open: only then does SQLite leave WAL mode."""
    connection = sqlite3.connect(path, timeout=0)
    try:
        return connection.execute("PRAGMA journal_mode = delete").fetchone() == ("delete",)
    except sqlite3.OperationalError:
        return False
    finally:
        connection.close()
