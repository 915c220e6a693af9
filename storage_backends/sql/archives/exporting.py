"""Exporting all rows of an organization, page by page, in one snapshot."""

import json
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Any, Final

from peewee import BooleanField, Field, TextField, Tuple

from chatcore.domain.ids import UserId
from chatcore.storage.archives.tables import Column, ExportedTable, Row, Scope, Value
from chatcore.storage.slices import in_slices
from storage_backends.sql.archives.exported import EXPORTED, exported_columns, personal_columns
from storage_backends.sql.channels.periods import END_OF_TIME
from storage_backends.sql.schema import (
    Attachment,
    AttachmentLink,
    Channel,
    ConversationMember,
    Message,
    MessageEdit,
    Organization,
    Recipient,
    Subscription,
    SubscriptionPeriod,
    Table,
)
from storage_backends.sql.schema.archives import Part
from storage_backends.sql.session import Session
from storage_backends.sql.statement import Statement, param

PAGE: Final = 500
"""Rows that are in memory at a time."""
DEFAULTS: Final[Mapping[str, Value]] = {"DEFAULT FALSE": False, "DEFAULT ''": "", "DEFAULT 0": 0}
SECRET_KEYS: Final = frozenset({"secret_fingerprint", "served_by"})
"""Keys of the organization's JSON that no archive has: they are of one server."""

Condition = Callable[[Any], bool]


def column_of(field: Field) -> Column:
    """Return a column as archives have it."""
    kind: type = int
    if isinstance(field, BooleanField):
        kind = bool
    elif isinstance(field, TextField):
        kind = str
    absent: tuple[Value, ...] = (None,) if field.null else ()
    for constraint in field.constraints or ():
        if constraint.sql.startswith("DEFAULT "):
            absent = (DEFAULTS[constraint.sql],)
    return Column(field.column_name, kind, field.null, absent)


EXPORTED_TABLES: Final[Mapping[type[Table], ExportedTable]] = {
    table: ExportedTable(table._meta.table_name, [column_of(field) for field in exported_columns(table)])
    for table in EXPORTED
}


def _page_statements(table: type[Table]) -> tuple[Statement, Statement]:
    """Return the statements for the first page and for the page after a key."""
    keys = table._meta.get_primary_keys()
    query = table.select(*exported_columns(table)).order_by(*keys).limit(PAGE)
    last = [param(f"last_{key.column_name}") for key in keys]
    after = keys[0] > last[0] if len(keys) == 1 else Tuple(*keys) > Tuple(*last)
    return Statement(query), Statement(query.where(after))


STATEMENTS: Final = {table: _page_statements(table) for table in EXPORTED}

FIND_PUBLIC = Statement(Channel.select(Channel.id).where(~Channel.invite_only))
FIND_PRIVATE = Statement(
    Channel.select(Channel.id, Channel.history_public_to_subscribers).where(Channel.invite_only)
)
FIND_MEMBERS = Statement(
    ConversationMember.select(ConversationMember.conversation_id, ConversationMember.user_id).order_by(
        ConversationMember.conversation_id
    )
)
FIND_SUBSCRIBERS = Statement(
    Subscription.select(Subscription.user_id).where(
        Subscription.channel_id == param("channel_id"), Subscription.active
    )
)
FIND_PERIODS = Statement(
    SubscriptionPeriod.select(
        SubscriptionPeriod.user_id, SubscriptionPeriod.start_position, SubscriptionPeriod.until_position
    ).where(SubscriptionPeriod.recipient_id == param("channel_id"))
)


def export(session: Session, scope: Scope | None) -> Iterator[tuple[ExportedTable, Iterator[Sequence[Row]]]]:
    """Yield each exported table with its pages; see `chatcore.storage.archives.tables`."""
    reach = None if scope is None else _Reach(session, scope)
    for table, exported in EXPORTED_TABLES.items():
        pages = _pages(session, table, exported)
        yield exported, pages if reach is None else reach.within(table, pages)


def _pages(session: Session, table: type[Table], exported: ExportedTable) -> Iterator[list[dict[str, Any]]]:
    """Yield all rows of a table by its primary key, in pages of at most `PAGE`."""
    first, following = STATEMENTS[table]
    keys = [key.column_name for key in table._meta.get_primary_keys()]
    rows = session.rows(first)
    while rows:
        last = {f"last_{key}": getattr(rows[-1], key) for key in keys}
        page = [with_booleans(exported, row) for row in in_slices(rows)]
        if table is Organization:
            page = [{**row, "data": _without_secrets(row["data"])} for row in page]
        yield page
        rows = session.rows(following, **last) if len(rows) == PAGE else []


def with_booleans(table: ExportedTable, values: Sequence[Any]) -> dict[str, Any]:
    """Return the values of a row by the names of their columns; the driver of SQLite has numbers for
    booleans.
    """
    return {
        column.name: bool(value) if column.type is bool and value is not None else value
        for column, value in zip(table.columns, values, strict=True)
    }


def _without_secrets(data: str) -> str:
    """Return the JSON of the organization without the settings that archives must not have."""
    settings = json.loads(data)
    return json.dumps({name: value for name, value in settings.items() if name not in SECRET_KEYS})


class _Reach:
    """The rows of a partial export: the public ones, and those of certain people."""

    def __init__(self, session: Session, scope: Scope) -> None:
        self._session = session
        self._scope = scope
        self._whole: set[int] = set(session.column(FIND_PUBLIC))
        """Channels and conversations of which all messages are exported."""
        self._received: dict[int, list[int]] = {}
        """For channels of which people have received a part: the borders of their periods, as one rising
        list of beginnings and ends.
        """
        self._read_channels()
        self._read_conversations()
        self._messages = array("q")
        """The ids of the exported messages, rising."""
        self._moved: set[int] = set()
        """The messages among them that came from another channel, which may have been private."""
        self._attachments: set[int] = set()

    def _read_channels(self) -> None:
        """Find the private channels that are exported as a whole, and of the others the ranges that people of
        the scope have received.
        """
        private = self._session.rows(FIND_PRIVATE)
        self._private = {channel.id for channel in private}
        if not self._scope.people:
            return
        for channel in private:
            members = self._session.column(FIND_SUBSCRIBERS, channel_id=channel.id)
            subscribers = self._scope.people.intersection(members)
            if not subscribers:
                continue
            if channel.history_public_to_subscribers:
                self._whole.add(channel.id)
                continue
            periods = [
                (row.start_position, END_OF_TIME if row.until_position is None else row.until_position)
                for row in self._session.rows(FIND_PERIODS, channel_id=channel.id)
                if row.user_id in subscribers
            ]
            if periods:
                self._received[channel.id] = _borders(periods)

    def _read_conversations(self) -> None:
        """Find the conversations in which the people are; they are exported as a whole."""
        members = self._session.sets(FIND_MEMBERS)
        self._conversations = members.keys()
        self._whole.update(
            conversation_id for conversation_id, people in members.items() if people & self._scope.people
        )

    def within(
        self, table: type[Table], pages: Iterator[Sequence[dict[str, Any]]]
    ) -> Iterator[Sequence[dict[str, Any]]]:
        """Yield the rows in reach, and note what rows of later tables depend on. Other people's personal
        values are left out.
        """
        exported, personal = EXPORTED[table], personal_columns(table)
        if exported.is_of_everything_only or (table is MessageEdit and not self._scope.with_edits):
            return
        conditions = self._conditions(table, exported.part)
        for page in pages:
            kept = [row for row in in_slices(page) if all(holds(row) for holds in conditions)]
            self._note(table, kept)
            if kept:
                yield [self._impersonal(row, exported.person_of, personal) for row in kept]

    def _conditions(self, table: type[Table], part: Part) -> list[Condition]:
        """Return the conditions that all rows of a table in the export fulfil; those that follow from earlier
        tables use what was noted of these.
        """
        people = self._scope.people
        conditions: list[Condition] = []
        if part.person is not None:
            conditions.append(_in(people, part.person))
        if table is Message:
            conditions.append(self._has_received)
        elif part.message is not None:
            message_of = itemgetter(part.message)
            conditions.append(lambda row: self._has_message(message_of(row)))
        elif table is Recipient:
            conditions.append(lambda row: self._has_recipient(row["id"]))
        elif part.recipient is not None:
            conditions.append(_in(self._whole | self._received.keys(), part.recipient))
        if table is MessageEdit:
            conditions.append(lambda row: row["message_id"] not in self._moved)
        if table is Attachment:
            conditions.append(lambda row: row["id"] in self._attachments or row["owner_id"] in people)
        if part.file is not None:
            conditions.append(_in(self._attachments, part.file))
        return conditions

    def _has_recipient(self, recipient_id: int) -> bool:
        """Whether the recipient is exported; users always are."""
        is_hiding = recipient_id in self._private or recipient_id in self._conversations
        return not is_hiding or recipient_id in self._whole or recipient_id in self._received

    def _has_received(self, row: Mapping[str, Any]) -> bool:
        recipient_id = row["recipient_id"]
        if recipient_id in self._whole:
            return True
        borders = self._received.get(recipient_id)
        if borders is None:
            return False
        arrived = row["id"] if row["arrived_at"] is None else row["arrived_at"]
        borders_before = bisect_left(borders, arrived + 1)
        return borders_before % 2 == 1  # after a beginning, and not yet after its end

    def _has_message(self, message_id: int) -> bool:
        index = bisect_left(self._messages, message_id)
        return index < len(self._messages) and self._messages[index] == message_id

    def _note(self, table: type[Table], rows: Sequence[Mapping[str, Any]]) -> None:
        """Note the exported rows on which rows of later tables depend."""
        if table is Message:
            self._messages.extend(row["id"] for row in rows)
            self._moved.update(row["id"] for row in rows if row["arrived_at"] is not None)
        elif table is AttachmentLink:
            self._attachments.update(row["attachment_id"] for row in rows)
        elif table is Attachment:
            self._attachments.update(row["id"] for row in rows)

    def _impersonal(
        self, row: dict[str, Any], person_of: str, personal: Mapping[str, Value]
    ) -> dict[str, Any]:
        """Return a row without what belongs to other people."""
        if not personal or row[person_of] in self._scope.people:
            return row
        other = {**row, **personal}
        if "email" in row:
            other["email"] = self._scope.addresses.get(UserId(row["id"]), row["email"])
        return other


def _in(wanted: Any, column: str) -> Condition:
    return lambda row: row[column] in wanted


def _borders(periods: Sequence[tuple[int, int]]) -> list[int]:
    """Return the beginnings and ends of the union of periods, as one rising list."""
    borders: list[int] = []
    for start, until in sorted(periods):
        if borders and start <= borders[-1]:
            borders[-1] = max(borders[-1], until)
        else:
            borders += [start, until]
    assert all(before < after for before, after in pairwise(borders))
    return borders
