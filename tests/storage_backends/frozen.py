"""Processes that freeze while something is written to a store: our own, as in a machine that is suspended, or
one of PostgreSQL.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from tests.waiting import until

PROGRAM = """
import os, signal, sys
from storage_backends import open_storage
from storage_backends.sql.statement import Statement

LIMIT = Statement("SET LOCAL idle_in_transaction_session_timeout = 300")
READ = Statement("SELECT position FROM log_head")
WRITE = Statement("UPDATE log_head SET position = position + :more")

def freeze():
    os.kill(os.getpid(), signal.SIGSTOP)

def work(tx):
    session, database = tx.session, tx.session.backend.database
    session.run(LIMIT)
    STATEMENTS
    freeze()
    session.settle()

open_storage(sys.argv[1]).write(work)
"""


@contextmanager
def frozen_writer(url: str, statements: str) -> Iterator[None]:
    """Let a process freeze in its unit of work, after some statements. It goes on at the end, and fails."""
    program = PROGRAM.replace("STATEMENTS", statements)
    with subprocess.Popen([sys.executable, "-c", program, url], stderr=subprocess.PIPE, text=True) as process:
        try:
            _, status = os.waitpid(process.pid, os.WUNTRACED)
            assert os.WIFSTOPPED(status)
            yield
            process.send_signal(signal.SIGCONT)
            errors = process.communicate()[1]
            assert "StorageNotReady" in errors, errors
        finally:
            process.kill()


GATE = 7
"""Key of the advisory lock without which no end of the log is committed."""
SHUT = f"""
CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    WHILE NOT pg_try_advisory_xact_lock_shared({GATE}) LOOP PERFORM pg_sleep(0.01); END LOOP;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER gate AFTER UPDATE ON log_head DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION wait_at_gate();
SELECT pg_advisory_lock({GATE});
"""
FIND_AT_GATE = """
SELECT pid FROM pg_stat_activity
WHERE datname = current_database() AND query = 'COMMIT' AND wait_event = 'PgSleep'
"""


class Gate:
    """A gate in COMMIT. The process of PostgreSQL that waits there can be frozen."""

    def __init__(self, connection: psycopg.Connection[tuple[int]]) -> None:
        self._connection = connection
        self._frozen: list[int] = []

    def freeze(self) -> None:
        """Wait for a process that commits, and freeze it."""
        until(self._find)
        self._frozen = self._find()
        for pid in self._frozen:
            os.kill(pid, signal.SIGSTOP)

    def open(self) -> None:
        """Let all commit, also who was frozen."""
        self._connection.execute("SELECT pg_advisory_unlock_all()")
        while self._frozen:
            os.kill(self._frozen.pop(), signal.SIGCONT)

    def _find(self) -> list[int]:
        return [pid for (pid,) in self._connection.execute(FIND_AT_GATE)]


@contextmanager
def gate_in_commit(url: str) -> Iterator[Gate]:
    """Let whatever writes events to a database wait in its COMMIT until the gate is opened."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(SHUT)
        gate = Gate(connection)
        try:
            yield gate
        finally:
            gate.open()
            connection.execute("DROP FUNCTION wait_at_gate CASCADE")
