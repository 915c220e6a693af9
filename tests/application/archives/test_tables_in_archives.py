"""What archives have of each table and each column of the schema."""

import re
from types import SimpleNamespace
from typing import cast

import pytest

from storage_backends.sql import schema
from storage_backends.sql.archives.exported import (
    EXPORTED,
    exported_columns,
    personal_columns,
    references,
)
from storage_backends.sql.archives.exporting import EXPORTED_TABLES, SECRET_KEYS
from storage_backends.sql.schema import Table
from storage_backends.sql.schema.archives import Archive
from storage_backends.sql.schema.columns import Column, Text

MODELS = {table for name in schema.__all__ if (table := getattr(schema, name)) is not Table}
LIKE_A_SECRET = re.compile(
    "cookie|credential|digest|fingerprint|hash|key|network|nonce|passw|proof|salt|secret|session|token"
)
"""What the name of a secret has in it."""


def test_every_table_is_in_a_class() -> None:
    assert set(Table.__subclasses__()) == MODELS
    assert {table for table in MODELS if not isinstance(table.archive, Archive)} == set()


@pytest.mark.parametrize("table", EXPORTED, ids=lambda table: table.__name__)
def test_what_is_said_of_a_table_names_its_columns(table: type[Table]) -> None:
    found = EXPORTED[table]
    columns = {column.column_name for column in exported_columns(table)}
    assert {*personal_columns(table), *references(table)} <= columns
    part = (found.part.person, found.part.recipient, found.part.message, found.part.file)
    assert {name for name in part if name is not None} <= columns
    if personal_columns(table):
        assert found.person_of in columns


PERSONAL = {
    schema.Account: {"settings"},
    schema.Subscription: {
        "color", "is_muted", "pin_to_top", "desktop_notifications", "email_notifications",
        "push_notifications", "audible_notifications", "wildcard_mentions_notify",
    },
}  # fmt: skip
"""What a public export must not tell of a person."""


def test_personal_columns_say_so() -> None:
    said = {table: {*personal_columns(table)} for table in EXPORTED if personal_columns(table)}
    assert said == PERSONAL


def unsaid(table: type[Table]) -> list[str]:
    """The columns of an exported table that are named like secrets, and do not say whether they are."""
    return [
        column.column_name
        for column in table._meta.sorted_fields
        if not isinstance(column, Column)
        or (
            LIKE_A_SECRET.search(f"{column.column_name} {column.name}")
            and column.anew is None
            and column.exported is None
        )
    ]


@pytest.mark.parametrize("table", EXPORTED, ids=lambda table: table.__name__)
def test_what_is_named_like_a_secret_says_whether_archives_have_it(table: type[Table]) -> None:
    assert unsaid(table) == []


def test_no_column_says_that_it_is_both_in_archives_and_made_anew() -> None:
    said = [
        column
        for table in EXPORTED
        for column in table._meta.sorted_fields
        if column.anew is not None and column.exported
    ]
    assert said == []


def test_a_forgotten_secret_is_found() -> None:
    token_hash = Text()
    token_hash.bind(schema.Draft, "token_hash", set_attribute=False)
    forgetful = SimpleNamespace(_meta=SimpleNamespace(sorted_fields=[token_hash]))
    assert unsaid(cast("type[Table]", forgetful)) == ["token_hash"]


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
