"""What an archive of a person, and erasing one, have of each table of the schema."""

import pytest

from storage_backends.sql.archives.person import PARTS
from storage_backends.sql.people.one_person import IMPERSONAL, PERSONAL
from storage_backends.sql.schema import Table
from tests.application.archives.test_tables_in_archives import LIKE_A_SECRET, MODELS

NAMED_LIKE_SECRETS = {
    "account": {"avatar_key"},  # with the picture
    "account_name": set[str](),
    "alert_word": {"word_key", "first_token"},
    "custom_emoji": {"token"},  # with the picture
    "message": {"topic_key"},
    "known_network": {"network"},
    "confirmation": {"proof"},  # what it is for
    "topic_policy": {"topic_key"},
}
"""Columns that are named like secrets, and are none."""


def test_every_table_has_its_part_of_a_person_or_a_reason_why_none() -> None:
    assert PERSONAL.keys() & IMPERSONAL.keys() == set()
    assert PERSONAL.keys() | IMPERSONAL.keys() == MODELS


@pytest.mark.parametrize("table", PERSONAL, ids=lambda table: table.__name__)
def test_rows_that_are_exported_or_removed_are_said_of_each(table: type[Table]) -> None:
    personal = PERSONAL[table]
    assert personal.exported is not None or personal.removed is not None
    assert {field.model for field in personal.columns} <= {table}


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.table.name)
def test_no_archive_of_a_person_has_secrets(part: object) -> None:
    table = part.table  # type: ignore[attr-defined]
    secret = {column.name for column in table.columns if LIKE_A_SECRET.search(column.name)}
    assert secret - NAMED_LIKE_SECRETS.get(table.name, set()) == set()
    assert not {"payload_url", "config", "registration"} & {column.name for column in table.columns}
