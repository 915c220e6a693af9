"""Rows that contradict others: statements that count them, and that make them anew from the others."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from chatcore.domain.narrow.words import content_words, fold, search_words
from chatcore.storage.faults import Fault, Subject
from chatcore.storage.slices import in_slices
from storage_backends.sql.archives.loading import COUNT_SPACE, COUNT_SPACE_OF_USERS
from storage_backends.sql.channels.subscriptions import COUNTED_SUBSCRIBERS
from storage_backends.sql.messages.edits import REMOVE_WORDS
from storage_backends.sql.messages.messages import SEARCH_COLUMNS
from storage_backends.sql.messages.rows import place_words, recipient_token
from storage_backends.sql.messages.watermarks import READ_FOR_EVER
from storage_backends.sql.session import Session
from storage_backends.sql.statement import Statement

STEP: Final = 1_000
"""Messages that one snapshot or unit of work deals with."""
END: Final = 2**60

FIND_END = Statement(
    f"SELECT max(id) FROM (SELECT id FROM message WHERE id > :after ORDER BY id LIMIT {STEP}) AS page"
)
"""The last of the next messages."""


@dataclass(frozen=True, slots=True)
class RowRule:
    """A condition that rows fulfil."""

    problem: str
    """The name of the rows that do not."""
    count: Statement
    """The number of these."""
    repair: Sequence[Statement]


def _forbid(problem: str, table: str, broken: str, correction: str | None = None) -> RowRule:
    """Return the rule that no row `t` of a table is broken. The repair sets its columns as in the correction,
    or removes the row if there is none.
    """
    repair = f"DELETE FROM {table} AS t" if correction is None else f"UPDATE {table} AS t SET {correction}"
    return RowRule(
        problem,
        Statement(f"SELECT count(*) FROM {table} AS t WHERE {broken}"),
        [Statement(f"{repair} WHERE {broken}")],
    )


_NO_MESSAGE: Final = "NOT EXISTS (SELECT 1 FROM message AS m WHERE m.id = t.message_id)"
_RECIPIENT: Final = "(SELECT m.recipient_id FROM message AS m WHERE m.id = t.message_id)"
_LINKED: Final = "EXISTS (SELECT 1 FROM attachment_link AS l WHERE l.attachment_id = t.id)"


def _require_note(column: str, table: str, what: str) -> RowRule:
    """Return the rule that messages to which rows of a table belong say so in a column."""
    there = f"EXISTS (SELECT 1 FROM {table} AS r WHERE r.message_id = t.id)"
    return _forbid(
        f"messages whose {what} are not shown",
        "message",
        f"t.id > :after AND t.id <= :to AND NOT t.{column} AND {there}",
        f"{column} = TRUE",
    )


OF_MESSAGES: Final[Mapping[Subject, Sequence[RowRule]]] = {
    Subject.SEARCH: (
        _forbid(
            "entries of the search index without a message",
            "message_search",
            "t.rowid > :after AND t.rowid <= :to"
            " AND NOT EXISTS (SELECT 1 FROM message AS m WHERE m.id = t.rowid)",
        ),
    ),
    Subject.FLAGS: (
        _forbid(
            "flags without a message",
            "message_flag",
            f"t.message_id > :after AND t.message_id <= :to AND {_NO_MESSAGE}",
        ),
        _forbid(
            "flags that are kept for another place than that of their message",
            "message_flag",
            f"t.message_id > :after AND t.message_id <= :to AND t.recipient_id != {_RECIPIENT}",
            f"recipient_id = {_RECIPIENT}",
        ),
    ),
    Subject.COUNTS: (
        _require_note("has_reaction", "reaction", "reactions"),
        _require_note("has_submessages", "submessage", "polls and tasks"),
        _require_note("has_edits", "message_edit", "earlier versions"),
    ),
}
"""Rules for rows of messages, by ranges of the ids `:after` and `:to`."""
OF_ALL: Final[Mapping[Subject, Sequence[RowRule]]] = {
    Subject.SEARCH: (),
    Subject.FLAGS: (
        _forbid(
            "watermarks beyond the end of the log, so that new messages arrive as read",
            "read_watermark",
            f"t.position < {READ_FOR_EVER} AND t.position > (SELECT max(position) FROM log_head)",
            "position = (SELECT max(position) FROM log_head)",
        ),
    ),
    Subject.COUNTS: (
        _forbid(
            "files in use that would be removed as unused",
            "attachment",
            f"t.unlinked_since IS NOT NULL AND {_LINKED}",
            "unlinked_since = NULL",
        ),
        _forbid(
            "unused files that would never be removed",
            "attachment",
            f"t.unlinked_since IS NULL AND NOT {_LINKED}",
            "unlinked_since = t.created / 1000",
        ),
        RowRule(
            "channels with another number of subscribers than is shown",
            Statement(f"SELECT count(*) FROM channel WHERE subscriber_count != ({COUNTED_SUBSCRIBERS})"),
            [Statement(f"UPDATE channel SET subscriber_count = ({COUNTED_SUBSCRIBERS})")],
        ),
        RowRule(
            "people with another amount of files than is counted",
            Statement(
                "SELECT count(*) FROM (SELECT owner_id FROM ("
                "SELECT owner_id, -files AS files, -used AS used FROM upload_space_of_user"
                " UNION ALL SELECT owner_id, count(*), sum(size) FROM attachment GROUP BY owner_id"
                ") AS counted GROUP BY owner_id HAVING sum(files) != 0 OR sum(used) != 0) AS wrong"
            ),
            [Statement("DELETE FROM upload_space_of_user"), COUNT_SPACE_OF_USERS],
        ),
        RowRule(
            "amount of all files that is counted wrongly",
            Statement(
                "SELECT count(*) FROM upload_space WHERE used !="
                " (SELECT coalesce(sum(size), 0) FROM attachment)"
            ),
            [Statement("DELETE FROM upload_space"), COUNT_SPACE],
        ),
    ),
}
"""Rules for tables that are read as a whole."""

FIND_SEARCHED = Statement(
    lambda dialect: (
        f"""
        SELECT m.id, m.recipient_id, m.topic, m.content, m.rendered_content,
            {dialect.words_in("s.words")} AS words, {dialect.words_in("s.place")} AS place, s.folded
        FROM message AS m LEFT JOIN message_search AS s ON s.rowid = m.id
        WHERE m.id > :after AND m.id <= :to
    """
    )
)
"""Messages with what the search index has of them, words separated by spaces."""


def find_faults(
    subject: Subject, run: Callable[[Callable[[Session], Any]], Any], *, repair: bool = False
) -> Sequence[Fault]:
    """Return the faults of a subject, and repair them if wanted.

    :param run: it runs each step on a session of its own
    """
    found: Counter[str] = Counter()
    after = 0
    while after < END:
        to = run(partial(_end_of_step, after=after))
        found.update(run(partial(_check_messages, subject=subject, after=after, to=to, repair=repair)))
        after = to
    found.update(run(partial(_check_all, subject=subject, repair=repair)))
    return [Fault(rows, problem) for problem, rows in found.items() if rows]


def _end_of_step(session: Session, after: int) -> int:
    """Return the last id of the next messages; a number above all ids after the last one."""
    return session.value(FIND_END, after=after) or END


def _check_messages(
    session: Session, *, subject: Subject, after: int, to: int, repair: bool
) -> dict[str, int]:
    """Return the numbers of broken rows of messages with ids after *after*, up to *to*, by their problem."""
    found = {
        rule.problem: _apply(session, rule, repair=repair, after=after, to=to)
        for rule in OF_MESSAGES[subject]
    }
    if subject is Subject.SEARCH:
        found["messages that a search finds by other words than theirs, or not at all"] = _check_words(
            session, after, to, repair=repair
        )
    return found


def _check_all(session: Session, *, subject: Subject, repair: bool) -> dict[str, int]:
    """Return the numbers of broken rows of other tables, by their problem."""
    return {rule.problem: _apply(session, rule, repair=repair) for rule in OF_ALL[subject]}


def _apply(session: Session, rule: RowRule, *, repair: bool, **values: int) -> int:
    """Return the number of rows that break a rule, and repair them if that is wanted."""
    broken = int(session.value(rule.count, **values))
    if broken and repair:
        for statement in rule.repair:
            session.run(statement, **values)
    return broken


def _check_words(session: Session, after: int, to: int, *, repair: bool) -> int:
    """Return the number of messages with ids in a range for which the search index has other words than their
    texts; write these entries anew if *repair*.
    """
    wrong: list[tuple[object, ...]] = []
    for row in in_slices(session.rows(FIND_SEARCHED, after=after, to=to)):
        words = list(dict.fromkeys(content_words(row.rendered_content)))
        place = {recipient_token(row.recipient_id), *search_words(row.topic)}
        folded = fold(row.content)
        if (_words(row.words), _words(row.place), row.folded) != ({*words}, place, folded):
            backend = session.backend
            wrong.append(
                (
                    row.id,
                    place_words(backend, row.recipient_id, row.topic),
                    backend.search_words(words),
                    folded,
                )
            )
    if wrong and repair:
        session.run(REMOVE_WORDS, message_ids=[row[0] for row in wrong])
        session.load("message_search", SEARCH_COLUMNS, wrong)
    return len(wrong)


def _words(stored: str | None) -> set[str] | None:
    """Return the words that are stored for a message; None if it has no entry."""
    return None if stored is None else {*stored.split()}
