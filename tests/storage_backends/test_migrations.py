"""Migrations of databases in which there is something already."""

from contextlib import closing

from chatcore.storage.conformance.makers import send
from chatcore.storage.conformance.search import a_talk
from storage_backends import open_storage
from storage_backends.sql.store import SqlStorage

BEFORE_WORDS_OF_PLACES = (
    "DELETE FROM schema_migration WHERE name = '0013_words_of_places'",
    "ALTER TABLE message DROP COLUMN folded_topic",
    "DROP TABLE message_search",
    "CREATE TABLE message_search (rowid INTEGER PRIMARY KEY)",
)


def test_the_words_of_messages_that_are_there_are_found_as_those_of_new_ones(bare_url: str) -> None:
    with closing(open_storage(bare_url)) as storage:
        storage.migrate()
        talk = a_talk(storage)
        storage.write(lambda tx: send(tx, talk.town.ben, talk.town.plaza, "STRAẞE", "Grüße & <tea>"))
        before = searchable(storage)
        with storage.backend.connection():
            for statement in BEFORE_WORDS_OF_PLACES:
                storage.backend.database.execute_sql(statement)
        assert storage.migrate() == ["0013_words_of_places"]
        assert searchable(storage) == before
    assert "strasse" in [topic for _, topic, *_ in before], "whose key is another"


def searchable(storage: SqlStorage) -> list[tuple[object, ...]]:
    with storage.backend.connection():
        found: list[tuple[object, ...]] = storage.backend.database.execute_sql(
            """
            SELECT m.id, m.folded_topic, s.words, s.place, s.folded
            FROM message AS m JOIN message_search AS s ON s.rowid = m.id ORDER BY m.id
            """
        ).fetchall()
    return found
