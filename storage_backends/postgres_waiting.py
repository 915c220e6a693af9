"""Connections to PostgreSQL that wait by a function of the server.

The driver waits by `select.poll`. Where that has been replaced for greenlets, each wait makes and discards
several objects; the server's own function takes half the time of the processor.
"""

from typing import Any, TypeVar

import psycopg
from peewee import Psycopg3Adapter
from psycopg.abc import PQGen
from psycopg.waiting import Wait

from chatcore.storage.slices import WaitForSocket

T = TypeVar("T")


def adapter_for(wait_for_socket: WaitForSocket) -> type[Psycopg3Adapter]:
    """Return peewee's adapter for connections that wait by a function."""

    class Connection(psycopg.Connection[Any]):
        def wait(self, gen: PQGen[T], interval: float = 0.0, timeout: float | None = None) -> T:
            if timeout is not None:
                return super().wait(gen, interval, timeout)
            try:
                wanted = next(gen)
                while True:
                    reading, writing = bool(wanted & Wait.R), bool(wanted & Wait.W)
                    wait_for_socket(self.pgconn.socket, reading=reading, writing=writing)
                    wanted = gen.send(wanted)  # the numbers are the same
            except StopIteration as done:
                value: T = done.value
                return value

    class Adapter(Psycopg3Adapter):
        def connect(self, db: Any, **parameters: Any) -> Connection:
            return Connection.connect(db.database, **parameters)

    return Adapter
