"""The rules for rows that no store has: an import refuses an archive with such a row, `check` and exports
report it. For tables whose rows are made again from files (`Exported.is_made_again`), an import leaves out
such rows instead, and nobody reports them.

No use case may write a row that breaks one of them: a test exports and restores whatever the stories of the
other tests have written.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, Final

import msgspec

from chatcore.domain.choices import MAX_INT
from chatcore.domain.emoji import KINDS
from chatcore.domain.errors import InvalidParameter
from chatcore.domain.files.media_types import is_media_type
from chatcore.domain.files.thumbnails import IMAGES
from chatcore.domain.files.uploads import is_path_id
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.ids import MAX_ID, Position
from chatcore.domain.organization.custom_emoji import ENDINGS
from chatcore.domain.people.settings import SETTINGS
from chatcore.domain.people.users import AvatarSource, BotType
from chatcore.domain.push.do_not_disturb import DAILY, UNTIL, DoNotDisturb
from chatcore.domain.scheduled.scheduled_messages import LATEST
from chatcore.domain.topics import TopicsPolicy
from chatcore.storage.archives.tables import BadRows, Row
from storage_backends.sql.archives.exported import EXPORTED, exported_columns, references
from storage_backends.sql.messages.rows import decode_links
from storage_backends.sql.organization.organization import Organizations
from storage_backends.sql.people.users import Users
from storage_backends.sql.recipients import RECIPIENT_KINDS
from storage_backends.sql.schema import Table
from storage_backends.sql.schema.columns import Choice, Json, NumberedChoice
from storage_backends.sql.session import Session
from storage_backends.sql.statement import Statement

# -- single rows ------------------------------------------------------------------------------------

_PEOPLE: Final = re.compile(r"[0-9]{1,18}(,[0-9]{1,18})*")
_AVATAR_SOURCES: Final = (AvatarSource.GRAVATAR, AvatarSource.UPLOADED)
_read_settings: Final = msgspec.json.Decoder(dict[str, Any]).decode


def _require(holds: object, column: str) -> None:
    """Refuse a row with a value that its column never has.

    :raises ValueError:
    """
    if not holds:
        raise ValueError(f"there is no such '{column}'")


def _require_time(seconds: int, column: str) -> None:
    _require(0 <= seconds <= LATEST, column)


def _check_recipient(row: Any) -> None:
    _require(row.kind in RECIPIENT_KINDS, "kind")


def _check_account(row: Any) -> None:
    _require(row.avatar_source in _AVATAR_SOURCES, "avatar_source")
    _require_time(row.date_joined, "date_joined")
    if row.bot_type is not None:
        BotType(row.bot_type)
    settings = _read_settings(row.settings)
    for name, value in settings.items():
        # Versions differ in the settings and the values that they accept, but not in the type of a setting.
        if (setting := SETTINGS.get(name)) is not None and not (value is None and setting.nullable):
            _require(type(value) is type(setting.default), name)
            _require(not isinstance(value, int) or 0 <= value <= MAX_INT, name)
    _check_do_not_disturb(settings)


def _check_do_not_disturb(settings: Mapping[str, Any]) -> None:
    _require(type(settings.get(DAILY, "")) is str, DAILY)
    _require(type(settings.get(UNTIL, 0)) is int, UNTIL)
    try:
        DoNotDisturb.of(settings)
    except InvalidParameter as error:
        raise ValueError(str(error)) from error


def _check_channel(row: Any) -> None:
    _require(row.topics_policy in TopicsPolicy.ALL, "topics_policy")


def _check_custom_emoji(row: Any) -> None:
    _require(row.content_type in ENDINGS, "content_type")


def _check_user_status(row: Any) -> None:
    _require(row.reaction_type in KINDS or not row.emoji_name, "reaction_type")


def _check_reaction(row: Any) -> None:
    _require(row.reaction_type in KINDS, "reaction_type")


def _check_conversation(row: Any) -> None:
    _require(_PEOPLE.fullmatch(row.people) and row.people.count(",") + 1 == row.size, "people")


def _check_message(row: Any) -> None:
    _require_time(row.timestamp, "timestamp")
    _require_time(row.last_edit_timestamp or 0, "last_edit_timestamp")
    if row.topic_links:
        decode_links(row.topic_links)


def _check_attachment(row: Any) -> None:
    _require(is_path_id(row.path_id), "path_id")
    _require(is_media_type(row.content_type), "content_type")
    _require_time(row.created // 1000, "created")


def _check_audit_entry(row: Any) -> None:
    _require_time(row.at, "at")


def _check_scheduled_message(row: Any) -> None:
    _require_time(row.due, "due")


def _check_legal_hold(row: Any) -> None:
    _require_time(row.set_at, "set_at")


def _check_uploaded_image(row: Any) -> None:
    _require(row.content_type in IMAGES, "content_type")
    _require(row.width > 0 and row.height > 0, "width or height")


_CHECKS: Final[Mapping[str, Callable[[Any], object]]] = {
    "recipient": _check_recipient,
    "account": _check_account,
    "channel": _check_channel,
    "custom_emoji": _check_custom_emoji,
    "user_status": _check_user_status,
    "reaction": _check_reaction,
    "conversation": _check_conversation,
    "message": _check_message,
    "attachment": _check_attachment,
    "audit_entry": _check_audit_entry,
    "scheduled_message": _check_scheduled_message,
    "legal_hold": _check_legal_hold,
    "uploaded_image": _check_uploaded_image,
}
"""Functions that fail for a row that cannot be read: for what `_READERS` and `require_whole` do not find."""
_READERS: Final = {
    table._meta.table_name: {
        field.column_name: field.read
        for field in exported_columns(table)
        if isinstance(field, Json | Choice | NumberedChoice) and field.read is not None
    }
    for table in EXPORTED
}
"""The readers of those columns of each table that do not hold just any text or number."""


def require_rows(name: str, rows: Sequence[Row]) -> None:
    """Check rows of a table, each by itself.

    :raises BadRows:
    """
    check, readers = _CHECKS.get(name), _READERS[name]
    for row in rows:
        try:
            if "id" in row:
                _require(0 < int(row["id"] or 0) <= MAX_ID, "id")
            for column, read in readers.items():
                if row[column] is not None:
                    read(row[column])
            if check is not None:
                check(SimpleNamespace(**row))
        except (ValueError, LookupError, msgspec.MsgspecError, RecursionError) as error:
            raise BadRows(f"a row of '{name}' cannot be read: {error}") from error


def is_row(name: str, row: Row) -> bool:
    """Whether `require_rows` accepts a row. An import asks this where rows are made again."""
    try:
        require_rows(name, [row])
    except BadRows:
        return False
    return True


# -- all rows together ------------------------------------------------------------------------------

_IMPOSSIBLE: Final[Mapping[str, Statement]] = {
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
}
"""Statements that find rows which no store has."""
_SYSTEM_GROUPS: Final = Statement(f"SELECT id FROM user_group WHERE id <= {int(max(SystemGroup))}")

_HIGHEST_POSITIONS: Final = {
    "message": Statement("SELECT max(id) FROM message"),
    "subscription_period": Statement("SELECT max(start_position) FROM subscription_period"),
    "muting_period": Statement("SELECT max(start_position) FROM muting_period"),
    "channel_event": Statement("SELECT max(position) FROM channel_event"),
}


def _dangling(table: type[Table], column: str, target: type[Table]) -> str:
    """Return the condition for rows of `a` that refer to a row which is not there."""
    there = target._meta.table_name
    return f"a.{column} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM {there} AS b WHERE b.id = a.{column})"


def _keys(table: type[Table]) -> list[str]:
    """Return the columns by which an error names a row of a table: those of its primary key."""
    return [key.column_name for key in table._meta.get_primary_keys()]


_DANGLING: Final = [
    (
        table._meta.table_name,
        column,
        Statement(
            f"SELECT a.{column} AS missing, {', '.join(f'a.{key}' for key in _keys(table))}"
            f" FROM {table._meta.table_name} AS a WHERE {_dangling(table, column, target)} LIMIT 1"
        ),
        _keys(table),
    )
    for table, exported in EXPORTED.items()
    if not exported.is_made_again
    for column, target in references(table).items()
]
"""For each reference: its table, its column, a statement that finds a row in which it leads to nothing, and
the columns that name the row.
"""
REMOVE_DANGLING: Final = [
    Statement(f"DELETE FROM {table._meta.table_name} AS a WHERE {_dangling(table, column, target)}")
    for table, exported in EXPORTED.items()
    if exported.is_made_again
    for column, target in references(table).items()
]
"""Statements that remove the dangling rows of tables whose rows are made again."""


def require_whole(session: Session, head: Position) -> None:
    """Check the rows of a store together.

    :raises BadRows:
    """
    for name, column, statement, keys in _DANGLING:
        if (row := session.row(statement)) is not None:
            which = ", ".join(f"{key}={getattr(row, key)}" for key in keys)
            raise BadRows(f"'{name}' refers by '{column}' to {row.missing}, which is not there ({which})")
    for problem, statement in _IMPOSSIBLE.items():
        if (row_id := session.value(statement)) is not None:
            raise BadRows(f"there is {problem} (id={row_id})")
    if missing := set(SystemGroup).difference(session.column(_SYSTEM_GROUPS)):
        raise BadRows(f"the group '{min(missing).group_name}' is not there")
    reads: Mapping[str, Callable[[], object]] = {
        "Organizations": Organizations(session).find,
        "Users": Users(session).all,
    }
    for repository, read in reads.items():
        try:
            read()  # fails for a row that cannot be read
        except (ValueError, TypeError, LookupError, msgspec.MsgspecError, RecursionError) as error:
            raise BadRows(f"what {repository} reads cannot be read: {error}") from error
    for name, statement in _HIGHEST_POSITIONS.items():
        if (session.value(statement) or 0) > head:
            raise BadRows(f"'{name}' has a position after the end of the log")
