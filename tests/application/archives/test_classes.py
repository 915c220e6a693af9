"""Each table and each column of the schema is in a class of archives."""

import pytest

from storage_backends.sql import schema
from storage_backends.sql.archives.classes import CLASSES, EXPORTED
from storage_backends.sql.archives.reading import EXPORTED_TABLES, SECRET_KEYS
from storage_backends.sql.schema import Table

MODELS = {table for name in schema.__all__ if (table := getattr(schema, name)) is not Table}


def test_every_table_is_in_a_class() -> None:
    assert set(CLASSES) == MODELS


@pytest.mark.parametrize("table", EXPORTED, ids=lambda table: table.__name__)
def test_every_column_is_in_a_class(table: type[Table]) -> None:
    found = EXPORTED[table]
    columns = found.columns.split()
    assert len(columns) == len(set(columns))
    assert not set(columns) & found.anew.keys()
    assert {*columns, *found.anew} == set(table._meta.columns)
    assert {*found.personal, *found.refers} <= set(columns)
    part = (found.part.person, found.part.recipient, found.part.message, found.part.file)
    assert {name for name in part if name is not None} <= set(columns)


def test_no_archive_has_secrets() -> None:
    names = {column.name for table in EXPORTED_TABLES.values() for column in table.columns}
    assert not names & {"password_hash", "key_version", "network", "registration", "nonce", "token_hash"}
    assert {"secret_fingerprint", "served_by"} == SECRET_KEYS


def test_messages_come_before_what_belongs_to_them() -> None:
    order = [*EXPORTED]
    of_messages = [table for table in order if EXPORTED[table].part.message not in (None, "id")]
    assert of_messages
    assert order.index(schema.Message) < min(map(order.index, of_messages))
    assert order.index(schema.AttachmentLink) < order.index(schema.Attachment)
    of_files = [table for table in order if EXPORTED[table].part.file is not None]
    assert of_files
    assert order.index(schema.Attachment) < min(map(order.index, of_files))
