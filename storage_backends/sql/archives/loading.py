"""Adding the rows of an archive to a new store."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from peewee import DataError, IntegrityError

from chatcore.domain.files.thumbnails import ImageState
from chatcore.domain.ids import RecipientId
from chatcore.domain.narrow.words import content_words, fold
from chatcore.storage.archives.tables import BadRows, Row
from chatcore.storage.slices import in_slices
from storage_backends.sql import schema
from storage_backends.sql.archives.classes import EXPORTED
from storage_backends.sql.archives.reading import EXPORTED_TABLES
from storage_backends.sql.bots.bots import Bots
from storage_backends.sql.channels.channels import Channels
from storage_backends.sql.channels.default_groups import DefaultGroups
from storage_backends.sql.channels.folders import ChannelFolders
from storage_backends.sql.invitations.invitations import Invitations
from storage_backends.sql.messages.messages import SEARCH_COLUMNS
from storage_backends.sql.messages.rows import place_words
from storage_backends.sql.organization.configuration import Linkifiers, Playgrounds
from storage_backends.sql.organization.emoji import CustomEmojis
from storage_backends.sql.organization.organization import Organizations
from storage_backends.sql.people.groups import Groups
from storage_backends.sql.people.profiles import ProfileFields
from storage_backends.sql.people.users import Users
from storage_backends.sql.schema import Table
from storage_backends.sql.schema.table import Serial
from storage_backends.sql.session import Session
from storage_backends.sql.statement import Statement

TABLES: Final = {table._meta.table_name: table for table in EXPORTED}

CLEAR: Final = [
    Statement(table.delete()) for table in (schema.UserGroup, schema.UserGroupSubgroup, schema.UploadSpace)
]
"""The rows that migrations make."""

DECODED: Final[Mapping[tuple[str, str], Any]] = {
    ("message", "topic_links"): tuple[dict[str, str], ...],
    ("draft", "recipients"): tuple[int, ...],
    ("scheduled_message", "people"): tuple[int, ...],
}
"""Types of columns with JSON that are read one row at a time; `READ_WHOLE` reads the others."""
PEOPLE: Final = re.compile(r"[0-9]{1,18}(,[0-9]{1,18})*")

READ_WHOLE: Final = (
    Organizations, Users, Channels, Groups, ChannelFolders, DefaultGroups, Linkifiers, Playgrounds,
    CustomEmojis, ProfileFields, Bots, Invitations,
)  # fmt: skip
"""Lists that are read once as a whole, which shows that they can be."""

COUNT_SPACE: Final = (
    Statement("INSERT INTO upload_space (id, used) SELECT 1, coalesce(sum(size), 0) FROM attachment"),
    Statement(
        "INSERT INTO upload_space_of_user (owner_id, files, used)"
        " SELECT owner_id, count(*), sum(size) FROM attachment GROUP BY owner_id"
    ),
)

IMPOSSIBLE: Final[Mapping[str, Statement]] = {
    "a direct message without a conversation": Statement(
        "SELECT m.id FROM message AS m WHERE m.topic_key IS NULL"
        " AND NOT EXISTS (SELECT 1 FROM conversation AS c WHERE c.id = m.recipient_id) LIMIT 1"
    ),
    "a message with a topic outside of channels": Statement(
        "SELECT m.id FROM message AS m WHERE m.topic_key IS NOT NULL"
        " AND NOT EXISTS (SELECT 1 FROM channel AS c WHERE c.id = m.recipient_id) LIMIT 1"
    ),
    "a conversation with other people than its members": Statement(
        "SELECT c.id FROM conversation AS c WHERE c.size !="
        " (SELECT count(*) FROM conversation_member AS m WHERE m.conversation_id = c.id) LIMIT 1"
    ),
    "an image without a size, or in an unknown state": Statement(
        "SELECT i.attachment_id FROM uploaded_image AS i WHERE i.width < 1 OR i.height < 1"
        f" OR i.state NOT IN ({', '.join(repr(state.value) for state in ImageState)}) LIMIT 1"
    ),
}
"""Statements that find rows which no store has."""


def _find_dangling(table: type[Table], column: str, target: type[Table]) -> Statement:
    here, there = table._meta.table_name, target._meta.table_name
    return Statement(
        f"SELECT a.{column} FROM {here} AS a WHERE a.{column} IS NOT NULL"
        f" AND NOT EXISTS (SELECT 1 FROM {there} AS b WHERE b.id = a.{column}) LIMIT 1"
    )


DANGLING: Final = [
    (table._meta.table_name, column, _find_dangling(table, column, target))
    for table, found in EXPORTED.items()
    for column, target in found.refers.items()
]

HIGHEST: Final = {
    name: Statement(f"SELECT max(id) FROM {name}")
    for name, table in TABLES.items()
    if isinstance(table._meta.primary_key, Serial)
}
"""The highest id of each table that draws ids."""
HIGHEST_POSITIONS: Final = {
    "message": Statement("SELECT max(id) FROM message"),
    "subscription_period": Statement("SELECT max(start_position) FROM subscription_period"),
    "muting_period": Statement("SELECT max(start_position) FROM muting_period"),
    "channel_event": Statement("SELECT max(position) FROM channel_event"),
}


def clear(session: Session) -> None:
    for statement in CLEAR:
        session.run(statement)


def load(session: Session, name: str, rows: Sequence[Row]) -> None:
    """Insert rows of a table; see `chatcore.storage.archives.tables`."""
    table = TABLES[name]
    anew = EXPORTED[table].anew
    given = [column.name for column in EXPORTED_TABLES[table].columns]
    try:
        _check(name, rows)
        values = [
            (*[row[column] for column in given], *[make(row) for make in anew.values()])
            for row in in_slices(rows)
        ]
        session.load(name, [*given, *anew], values)
        if table is schema.Message:
            session.load("message_search", SEARCH_COLUMNS, _searched(session, rows))
    except (IntegrityError, DataError) as error:
        raise BadRows(f"rows of '{name}' do not fit: {str(error).strip().splitlines()[0]}") from error


def _check(name: str, rows: Sequence[Row]) -> None:
    for (of_table, column), kind in DECODED.items():
        if of_table == name:
            for row in rows:
                _decode(name, row[column], kind)
    if name == "conversation":
        for row in rows:
            if not PEOPLE.fullmatch(row["people"]) or row["people"].count(",") + 1 != row["size"]:
                raise BadRows("a row of 'conversation' names its people wrongly")


def _decode(name: str, text: str | None, kind: Any) -> None:
    if text is not None:
        try:
            msgspec.json.decode(text, type=kind)
        except (msgspec.MsgspecError, RecursionError) as error:
            raise BadRows(f"a row of '{name}' cannot be read: {error}") from error


def _searched(session: Session, rows: Sequence[Row]) -> list[tuple[object, ...]]:
    """Return the rows of the search index for messages."""
    backend = session.backend
    return [
        (
            row["id"],
            place_words(backend, RecipientId(row["recipient_id"]), row["topic"]),
            backend.search_words(list(dict.fromkeys(content_words(row["rendered_content"])))),
            fold(row["content"]),
        )
        for row in in_slices(rows)
    ]


def finish(session: Session) -> None:
    """Check the loaded rows, and make anew what follows from all of them.

    :raises BadRows:
    """
    for name, column, statement in DANGLING:
        if (missing := session.value(statement)) is not None:
            raise BadRows(f"'{name}' refers by '{column}' to {missing}, which is not in the archive")
    for problem, statement in IMPOSSIBLE.items():
        if session.value(statement) is not None:
            raise BadRows(f"there is {problem}")
    for repository in READ_WHOLE:
        reader: Any = repository(session)
        try:
            reader.find() if repository is Organizations else reader.all()
        except (ValueError, KeyError, TypeError, LookupError, msgspec.MsgspecError) as error:
            raise BadRows(f"what {repository.__name__} reads cannot be read: {error}") from error
    for statement in COUNT_SPACE:
        session.run(statement)
