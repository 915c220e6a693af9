"""The base of the repositories: each has a session, and its statements."""

from collections.abc import Sequence
from typing import TypeVar

from storage_backends.sql.memory import RememberedKind
from storage_backends.sql.session import Session
from storage_backends.sql.statement import StatementOf

V = TypeVar("V")


class SqlRepository:
    """A repository over one session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def _recall_all(self, kind: RememberedKind, name: str, statement: StatementOf[V]) -> Sequence[V]:
        """Return all values of a statement without parameters, from the memory or else from the store."""
        return self._session.recall.one(kind, name, lambda: tuple(self._session.each(statement)))
