"""All statements of the stores: both databases accept them, and they read each column that is written.

They are found by walking the modules.
"""

import ast
import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from storage_backends import sql
from storage_backends.sql import schema
from storage_backends.sql.memory import HEAD
from storage_backends.sql.schema import Table
from storage_backends.sql.statement import Statement, StatementOf
from storage_backends.sql.store import SqlStorage
from storage_backends.sql.values import attributes_of, names_of
from storage_backends.sqlite_dialect import SqliteDialect

SQLITE = SqliteDialect()
MODULES = [
    importlib.import_module(found.name)
    for found in pkgutil.walk_packages(sql.__path__, f"{sql.__name__}.")
    if not found.ispkg and ".migrations." not in found.name and ".schema." not in found.name
]
COMMAND = re.compile(r"SAVEPOINT|ROLLBACK|RELEASE")
TABLES = [getattr(schema, name) for name in schema.__all__ if name != Table.__name__]

UNREAD = {
    **dict.fromkeys(
        [("audit_retention", "id"), ("retention_claim", "id"), ("upload_space", "id")],
        "the key of a table of one row",
    ),
    ("recipient", "kind"): "for people who look at the table",
    (
        "message",
        "folded_topic",
    ): "read by narrows alone, whose statements are put together of pieces when they are needed",
}
"""Columns that no statement of a module reads, with the reason."""


def statements(module: ModuleType) -> Iterator[tuple[str, Statement]]:
    """The statements of a module, alone and in collections, with their names."""
    for name, value in vars(module).items():
        found = value.values() if isinstance(value, dict) else value
        for one in found if isinstance(value, dict | list | tuple) else [value]:
            if isinstance(one, Statement):
                yield f"{module.__name__}.{name}", one


ALL = [one for module in MODULES for one in statements(module)]


def test_there_are_statements_to_test() -> None:
    assert len(ALL) > 100


def test_both_databases_accept_all_statements(storage: SqlStorage) -> None:
    dialect = storage.backend.dialect
    with storage.backend.connection():
        for name, statement in ALL:
            text = statement.on(dialect).text
            if not COMMAND.match(text):
                try:
                    prepare(storage, text)
                except Exception as error:
                    pytest.fail(f"{name}: {error}\n{text}")


def prepare(storage: SqlStorage, text: str) -> None:
    cursor = storage.backend.database.cursor()
    if storage.backend.dialect.name == SQLITE.name:
        cursor.execute(f"EXPLAIN {text}", [None] * text.count("?"))
    else:
        numbers = count(1)
        numbered = re.sub("%s", lambda _: f"${next(numbers)}", text).replace("%%", "%")
        cursor.execute(f"PREPARE one AS {numbered}")
        cursor.execute("DEALLOCATE one")


def test_every_column_that_is_written_is_read_back() -> None:
    assert unread(MODULES, TABLES) == set(UNREAD)


def unread(modules: list[ModuleType], tables: list[Any]) -> set[tuple[str, str]]:
    """The columns of tables that no statement of the modules reads.

    A statement reads a column in a condition, an order, a key, or an expression that it computes for
    whoever asked. To select it is not enough: the module has to take it from the row, as `row.column`, or
    the row becomes a value with that attribute, or an item of a mapping. To compute a column's new value is
    writing.
    """
    columns = {table._meta.table_name: set(table._meta.columns) for table in tables}
    left = {(table, column) for table in columns for column in columns[table]}
    left -= {(table, column) for table in ("log_head", "remembered_version") for column in words(HEAD)}
    for module in modules:
        source = inspect.getsource(module)
        taken = taken_from_rows(source) | taken_by_values_in(module, source)
        for name, statement in statements(module):
            text = statement.on(SQLITE).text
            named = {word for word in words(text) if word in columns}
            selected = words(text) if name.rpartition(".")[2] in taken_as_mappings(source) else set()
            read = read_by(text, taken | selected | taken_by_value(statement))
            left -= {(table, column) for table in named for column in read}
    return left


def taken_as_mappings(source: str) -> set[str]:
    """The names of the statements whose two columns become a mapping, by `session.mapping(FIND, ...)`."""
    return {
        node.args[0].id
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "mapping"
        and isinstance(node.args[0], ast.Name)
    }


def taken_by_value(statement: Statement) -> set[str]:
    """The columns of which the attributes of a statement's values are made."""
    if not isinstance(statement, StatementOf):
        return set()
    if statement.table is None:
        return set(attributes_of(statement.value_class))
    return columns_with(statement.value_class, statement.table)


def taken_by_values_in(module: ModuleType, source: str) -> set[str]:
    """The columns of which a module makes values by `value_in(row, Value, TABLE)`."""
    return {
        column
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "value_in"
        for column in columns_with(*(getattr(module, ast.unparse(name)) for name in node.args[1:]))
    }


def columns_with(value_class: Any, table: type[Table]) -> set[str]:
    """The columns of a table that hold attributes of a class."""
    return {table._meta.fields[name].column_name for name in names_of(table, value_class)}


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


def taken_from_rows(source: str) -> set[str]:
    """The attributes that a module reads from variables called `row`."""
    return {
        node.attr
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "row"
    }


def read_by(text: str, taken: set[str]) -> set[str]:
    """The columns that a statement reads, of which those that it only selects have to be taken from rows.

    Rows that are given to the statement are none of the table.
    """
    text = " ".join(text.replace('"', "").split())
    text = re.sub(r"^INSERT INTO \w+ \([^)]*\)", "", text)
    changed, _, changes = text.partition(" SET ")
    text = f"{changed}{items_of(changes)[1]}"
    given = re.compile(r"\(SELECT [^()]* FROM json_each\(\?\)\) AS (\w+)")
    new = "|".join(["excluded", *given.findall(text)])
    text = re.sub(rf"\b({new})\.\w+", "", given.sub("", text), flags=re.IGNORECASE)
    if select := re.match(r"SELECT (?:DISTINCT )?", text):
        selected, rest = items_of(text[select.end() :])
    else:
        rest, _, returned = text.partition(" RETURNING ")
        selected, _ = items_of(returned)
    plain = {item.rpartition(".")[2] for item in selected if re.fullmatch(r"[\w.]+", item)}
    computed = [item for item in selected if not re.fullmatch(r"[\w.]+", item)]
    return words(" ".join([rest, *computed])) | (plain if len(selected) == 1 else plain & taken)


def items_of(text: str) -> tuple[list[str], str]:
    """The items of a clause, separated by commas, and the clauses behind it."""
    items, depth, start = [], 0, 0
    for at, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        is_end = text.startswith((" FROM ", " WHERE ", " RETURNING "), at)
        if depth == 0 and (sign == "," or is_end):
            items.append(text[start:at].strip())
            start = at + 1
            if is_end:
                return items, text[at:]
    return [*items, text[start:].strip()], ""


MODULE = """
from storage_backends.sql.schema import Linkifier
from storage_backends.sql.statement import Statement, change, insert

FIND = Statement(Linkifier.select())
ADD = Statement(insert(Linkifier))
CHANGE = change(Linkifier)

def patterns(session):
    return [(row.id, row.pattern) for row in session.rows(FIND)]
"""


@pytest.mark.parametrize(
    ("find", "missing"),
    [
        ("Linkifier.select()", {"place", "url_template"}),
        ("Linkifier.select().order_by(Linkifier.place)", {"url_template"}),
        ("Linkifier.select().where(Linkifier.place > 1, Linkifier.url_template != '')", set()),
        ("Linkifier.select(Linkifier.id, Linkifier.pattern, Linkifier.place + 1)", {"url_template"}),
        ("Linkifier.select(Linkifier.url_template)", {"id", "pattern", "place"}),
    ],
)
def test_a_column_that_is_only_written_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, find: str, missing: set[str]
) -> None:
    (tmp_path / "only_writing.py").write_text(MODULE.replace("Linkifier.select()", find))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "only_writing", raising=False)
    module = importlib.import_module("only_writing")
    # Its key is compared where a row is changed.
    assert unread([module], [schema.Linkifier]) == {("linkifier", name) for name in missing - {"id"}}
