"""What a message is found by because of where it is, apart from its own words: it can then be moved without
a look at what was written. The index is built anew, from every message there is.
"""

from collections.abc import Iterator

from peewee import Database, SqliteDatabase

from storage_backends.sql.migration import run
from storage_backends.sql.migrations.before_0001.words import content_words, fold, search_words

BATCH = 1000

TOPICS = """
ALTER TABLE message ADD COLUMN folded_topic TEXT NOT NULL DEFAULT '';
UPDATE message SET folded_topic = topic_key WHERE topic_key IS NOT NULL;
DROP TABLE message_search;
"""
SEARCH_SQLITE = """
CREATE VIRTUAL TABLE message_search
    USING fts5 (words, place, folded UNINDEXED, tokenize = 'ascii', detail = 'none', columnsize = 0);
"""
SEARCH_POSTGRES = """
CREATE TABLE message_search (
    rowid BIGINT PRIMARY KEY, words TSVECTOR NOT NULL, place TSVECTOR NOT NULL, folded TEXT NOT NULL
);
"""
INDEX_POSTGRES = """
CREATE INDEX message_search_words ON message_search USING gin ((words || place));
"""


def up(migrator: object, db: Database) -> None:
    is_sqlite = isinstance(db, SqliteDatabase)
    run(db, TOPICS)
    run(db, SEARCH_SQLITE if is_sqlite else SEARCH_POSTGRES)
    _fill(db, is_sqlite=is_sqlite)
    if not is_sqlite:
        run(db, INDEX_POSTGRES)


def _fill(db: Database, *, is_sqlite: bool) -> None:
    value, column = ("?", "?") if is_sqlite else ("%s", "%s::tsvector")
    values = f"({value}, {column}, {column}, {value})"
    statement = f"INSERT INTO message_search (rowid, words, place, folded) VALUES {values}"
    form = "{}" if is_sqlite else "'{}'"
    fold_topic = f"UPDATE message SET folded_topic = {value} WHERE id = {value}"
    for batch in _messages(db, value):
        db.cursor().executemany(statement, [
            (
                message_id,
                " ".join(map(form.format, dict.fromkeys(content_words(html)))),
                " ".join(map(form.format, [f"§{recipient_id}", *dict.fromkeys(search_words(topic))])),
                fold(content),
            )
            for message_id, recipient_id, topic, _, content, html in batch
        ])  # fmt: skip
        # Of most topics the key is the folded spelling already.
        odd = [(fold(one[2]), one[0]) for one in batch if one[3] is not None and fold(one[2]) != one[3]]
        if odd:
            db.cursor().executemany(fold_topic, odd)


def _messages(db: Database, value: str) -> Iterator[list[tuple[int, int, str, str | None, str, str]]]:
    last = 0
    while batch := db.execute_sql(
        "SELECT id, recipient_id, topic, topic_key, content, rendered_content FROM message"
        f" WHERE id > {value} ORDER BY id LIMIT {BATCH}",
        (last,),
    ).fetchall():
        yield batch
        last = batch[-1][0]
