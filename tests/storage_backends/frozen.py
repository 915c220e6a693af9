"""A process that freezes while it writes to a store, as in a machine that is suspended."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

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
