"""The schema of a database: which migrations it has and lacks, and how it gets them."""

import time
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, Final

from playhouse.migrations import Migration, Runner

from chatcore.storage.transaction import StorageNotReady
from storage_backends.sql import schema

MIGRATIONS: Final = Path(__file__).parent / "migrations"
FIRST: Final = "0001_the_tables"
BEFORE_FIRST: Final = MIGRATIONS / "before_0001"
"""The migrations that `FIRST` has replaced. See docs/decisions/0073."""

OWN_TABLES: Final = {getattr(schema, name)._meta.table_name for name in schema.__all__}

NoteMigration = Callable[[str, float], object]
"""A function that is called with the name of a migration that was applied, and the seconds that it took."""


def known_migrations() -> list[str]:
    """Return the names of the migrations of this program, in their order."""
    return sorted(path.stem for path in MIGRATIONS.glob("[0-9]*.py"))


class Schema:
    """The migrations of a database, on this thread's connection."""

    def __init__(self, database: Any) -> None:
        self._database = database
        self._chain = Runner(database, str(MIGRATIONS))
        self._before = Runner(database, str(BEFORE_FIRST))

    def pending(self) -> list[str]:
        """Return the names of the migrations that the database lacks, in their order.

        :raises StorageNotReady: it is newer than this program, or was made by no version of it
        """
        before, chain = self._lacking()
        return before + chain

    def is_begun(self) -> bool:
        """Whether any migration was applied to the database."""
        return bool(self._chain.applied())

    def upgrade(self, note: NoteMigration, lock_out_writers: Callable[[], object]) -> list[str]:
        """Apply the migrations that the database lacks; return their names. Each locks out the writers first.
        Otherwise it could wait for the lock of a table that a writer has read, while that writer waits for
        it: a deadlock.

        :raises StorageNotReady: as `pending`
        """

        def apply(runner: Runner, name: str) -> None:
            with self._database.atomic():
                lock_out_writers()
                begun = time.monotonic()
                is_new = runner.up(name)
            if is_new:
                note(name, time.monotonic() - begun)

        before, chain = self._lacking()
        applied = self._chain.applied()
        if applied and FIRST not in applied:
            with self._database.atomic():
                for name in before:
                    apply(self._before, name)
                self._chain.History.delete().execute()
                self._chain.fake(FIRST)
        for name in chain:
            apply(self._chain, name)
        return before + chain

    def _lacking(self) -> tuple[list[str], list[str]]:
        """Return the names of the migrations that the database lacks: those before `FIRST`, then the chain
        that begins with it.

        If the database has only some from before `FIRST`, the rest of these take the place of `FIRST`. In all
        other cases it needs none of them.

        :raises StorageNotReady: it belongs to another program
        """
        status = self._chain.status()
        applied = {migration.name for migration in status if migration.applied}
        if not applied and (foreign := OWN_TABLES.intersection(self._database.get_tables())):
            raise StorageNotReady(
                f"the database belongs to another program: it has a table '{min(foreign)}' of its own;"
                " use another database"
            )
        before, chain = _names_of(self._before), _names_of(self._chain)
        if applied and applied.issubset(before):
            return [name for name in before if name not in applied], [name for name in chain if name != FIRST]
        _require_known(status, before)
        return [], [name for name in chain if name not in applied]


def _names_of(runner: Runner) -> list[str]:
    return [migration.name for migration in runner.migrations()]


def _require_known(status: Sequence[Migration], before: Collection[str]) -> None:
    """Check that this program knows all migrations of a database. *before* are the names of those before
    `FIRST`: this is not for a database that has no others.

    :raises StorageNotReady: one of them is unknown
    """
    last = max(migration.idx for migration in status if migration.path is not None)
    unknown = [migration for migration in status if migration.path is None]
    if not unknown:
        return
    if all(migration.idx > last and migration.name not in before for migration in unknown):
        raise StorageNotReady(
            f"the database was made by a newer version of this program (it has '{unknown[-1].name}');"
            " install that version, or restore a backup from before its upgrade"
        )
    raise StorageNotReady(
        f"the database was made by no version from which this program upgrades (it has '{unknown[0].name}');"
        " use the program that made it, or another database"
    )
