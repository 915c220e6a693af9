"""The base class of the tables, and what columns of several tables have.

The Models describe the schema: people, statements and the comparison with the migrated databases read them.
No row becomes an instance of one, and none of them has a database of its own.
"""

from typing import Any, ClassVar

from peewee import SQL, Model

from storage_backends.sql.schema.archives import Archive

UNIQUE: list[Any] = [SQL("UNIQUE")]
DEFAULT_FALSE: list[Any] = [SQL("DEFAULT FALSE")]
DEFAULT_EMPTY: list[Any] = [SQL("DEFAULT ''")]
DEFAULT_ZERO: list[Any] = [SQL("DEFAULT 0")]


class Table(Model):
    """A table of both databases."""

    archive: ClassVar[Archive]
    """The part of it that archives have."""

    @classmethod
    def declare_index(cls, name: str, *columns: Any, where: Any = None, unique: bool = False) -> None:
        """Declare an index; with *where*, of the matching rows only."""
        cls.add_index(*columns, name=name, where=where, unique=unique)
