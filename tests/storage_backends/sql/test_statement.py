"""Statements are compiled for each database, and bind their values by name."""

from dataclasses import dataclass

import pytest
from peewee import fn

from storage_backends.postgres_dialect import PostgresDialect
from storage_backends.sql.schema import Account, CustomEmoji, OnboardingStep, TopicPolicy
from storage_backends.sql.session import Session
from storage_backends.sql.statement import Statement, change, in_list, insert, param, size, upsert
from storage_backends.sql.store import SqlStorage
from storage_backends.sqlite_dialect import SqliteDialect

SQLITE, POSTGRESQL = SqliteDialect(), PostgresDialect()
NAMES = Account.select(Account.full_name)


def test_parameters_are_bound_in_the_order_of_their_places() -> None:
    statement = Statement(
        Account.update({Account.role: param("role")}).where(
            Account.id == param("user_id"), Account.role != param("role")
        )
    )
    compiled = statement.on(SQLITE)
    assert compiled.text.count("?") == 3
    assert list(compiled.bind({"user_id": 7, "role": 400})) == [400, 7, 400]


def test_a_value_that_is_missing_is_an_error() -> None:
    with pytest.raises(KeyError):
        Statement(NAMES.where(Account.id == param("user_id"))).on(SQLITE).bind({})


ONE_TOO_MANY = {"name": "ada", "user_id": 1}


def test_a_value_that_the_statement_does_not_name_is_an_error(storage: SqlStorage) -> None:
    find, remove = (
        NAMES.where(Account.id == param("user_id")),
        Account.delete().where(Account.id == param("user_id")),
    )
    session = Session(storage.backend)
    with storage.backend.connection():
        assert session.rows(Statement(find), user_id=1) == []
        for run in (session.rows, session.row, session.value, session.column, session.mapping):
            with pytest.raises(TypeError, match="more values than the 1"):
                run(Statement(find), **ONE_TOO_MANY)
        with pytest.raises(TypeError, match="more values than the 1"):
            session.run_many(Statement(remove), [{"user_id": 1}, ONE_TOO_MANY])
        assert session.rows(Statement(find, of_pieces=True), **ONE_TOO_MANY) == []


def test_a_statement_is_compiled_once() -> None:
    statement = Statement(NAMES)
    assert statement.on(SQLITE) is statement.on(SQLITE)
    assert statement.on(SQLITE) is not statement.on(POSTGRESQL)


def test_a_list_is_one_parameter() -> None:
    statement = Statement(NAMES.where(in_list(Account.id, "ids")))
    on_sqlite, on_postgresql = statement.on(SQLITE), statement.on(POSTGRESQL)
    assert on_sqlite.text.endswith('WHERE "t1"."id" IN (SELECT value FROM json_each(?))')
    assert on_sqlite.bind({"ids": {3}}) == ["[3]"]
    assert on_postgresql.text.endswith('WHERE "t1"."id" = ANY(%s)')
    assert on_postgresql.bind({"ids": (3, 4)}) == [[3, 4]]


def test_constants_are_literals_so_that_partial_indexes_match() -> None:
    statement = Statement(
        CustomEmoji.select(CustomEmoji.id).where(
            ~CustomEmoji.deactivated,
            CustomEmoji.is_animated.is_null(False),
            CustomEmoji.name == "it's 5%",
        )
    )
    where = """NOT "t1"."deactivated" AND ("t1"."is_animated" IS NOT NULL)) AND ("t1"."name" = 'it''s 5"""
    assert f"{where}%')" in statement.on(SQLITE).text
    assert f"{where}%%')" in statement.on(POSTGRESQL).text


def test_conditions_of_booleans_and_numbers_are_literals_on_both_databases() -> None:
    """A value that is bound could be any, so that no partial index would do."""
    statement = Statement(
        CustomEmoji.select(CustomEmoji.id).where(
            CustomEmoji.deactivated == False,  # noqa: E712
            CustomEmoji.is_animated == True,  # noqa: E712
            CustomEmoji.id > 7,
        )
    )
    for dialect in (SQLITE, POSTGRESQL):
        compiled = statement.on(dialect)
        _, _, where = compiled.text.partition(" WHERE ")
        assert where == (
            """((("t1"."deactivated" = FALSE) AND ("t1"."is_animated" = TRUE)) AND ("t1"."id" > 7))"""
        )
        assert compiled.bind({}) == ()


def test_texts_name_their_parameters_too() -> None:
    statement = Statement(
        lambda dialect: (
            f"SELECT user_id::text, '5%' FROM topic_policy"
            f" WHERE policy = :policy AND user_id {dialect.in_list('ids')} AND updated < :policy"
        )
    )
    compiled = statement.on(POSTGRESQL)
    assert compiled.text == (
        "SELECT user_id::text, '5%%' FROM topic_policy"
        " WHERE policy = %s AND user_id = ANY(%s) AND updated < %s"
    )
    assert compiled.bind({"policy": 1, "ids": [2]}) == [1, [2], 1]


def test_rows_are_one_json_text_or_a_list_of_each_column() -> None:
    statement = Statement(lambda dialect: f"SELECT * FROM {dialect.rows('new', 'given', ('a', 'b'))}")
    assert statement.on(SQLITE).bind({"given": [(1, 2), (3, 4)]}) == ["[[1,2],[3,4]]"]
    assert statement.on(POSTGRESQL).bind({"given": [(1, 2), (3, 4)]}) == [[1, 3], [2, 4]]


def test_functions_and_aliases_are_those_of_the_expression() -> None:
    statement = Statement(Account.select(fn.count(Account.id).alias("count")))
    assert statement.on(SQLITE).text == 'SELECT count("t1"."id") AS "count" FROM "account" AS "t1"'


def test_columns_are_checked_against_the_model() -> None:
    assert change(Account, "role") is change(Account, "role")
    with pytest.raises(KeyError):
        change(Account, "no_column")
    with pytest.raises(KeyError):
        insert(Account, "no_column")


def test_an_upsert_changes_all_but_the_key() -> None:
    text = upsert(TopicPolicy).on(SQLITE).text
    conflict = 'ON CONFLICT ("user_id", "channel_id", "topic_key") DO UPDATE SET'
    assert conflict in text
    assert text.partition(conflict)[2].count("EXCLUDED") == 3


@dataclass(frozen=True)
class Step:
    name: str


def test_rows_become_values_alone_or_beside_a_key(storage: SqlStorage) -> None:
    steps = Statement(OnboardingStep.select().order_by(OnboardingStep.name)).of(Step)
    session = Session(storage.backend)
    with storage.backend.connection():
        for name in ("ä", "tea"):
            session.run(Statement(insert(OnboardingStep)), user_id=5, name=name)
        assert session.rows(steps) == [Step("tea"), Step("ä")]
        assert session.rows(steps.by("user_id")) == [(5, Step("tea")), (5, Step("ä"))]
        assert session.row(steps.by("user_id", "name")) == ((5, "tea"), Step("tea"))


def test_the_size_of_a_text_is_in_bytes(storage: SqlStorage) -> None:
    total = Statement(OnboardingStep.select(fn.sum(size(OnboardingStep.name) + 1)))
    session = Session(storage.backend)
    with storage.backend.connection():
        for name in ("é€", "tea"):
            session.run(Statement(insert(OnboardingStep)), user_id=5, name=name)
        assert session.value(total) == 5 + 3 + 2
