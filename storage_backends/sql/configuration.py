"""What the organization's administrators set up for everybody: linkifiers and playgrounds."""

from collections.abc import Sequence

from chatcore.domain.ids import LinkifierId, PlaygroundId
from chatcore.domain.linkifiers import Linkifier
from chatcore.domain.playgrounds import Playground
from storage_backends.sql.session import Session


class Linkifiers:
    def __init__(self, session: Session) -> None:
        self._session = session

    def all(self) -> Sequence[Linkifier]:
        rows = self._session.rows("SELECT id, pattern, url_template FROM linkifier ORDER BY place, id")
        return [Linkifier(*row) for row in rows]

    def add(self, pattern: str, url_template: str) -> LinkifierId:
        ((linkifier_id,),) = self._session.rows(
            """
            INSERT INTO linkifier (place, pattern, url_template)
            SELECT coalesce(max(place), 0) + 1, ?, ? FROM linkifier RETURNING id
            """,
            pattern,
            url_template,
        )
        return LinkifierId(linkifier_id)

    def update(self, linkifier: Linkifier) -> None:
        self._session.run(
            "UPDATE linkifier SET pattern = ?, url_template = ? WHERE id = ?",
            linkifier.pattern,
            linkifier.url_template,
            linkifier.id,
        )

    def reorder(self, linkifier_ids: Sequence[LinkifierId]) -> None:
        self._session.run_many(
            "UPDATE linkifier SET place = ? WHERE id = ?",
            [(place, linkifier_id) for place, linkifier_id in enumerate(linkifier_ids, start=1)],
        )

    def remove(self, linkifier_id: LinkifierId) -> None:
        self._session.run("DELETE FROM linkifier WHERE id = ?", linkifier_id)


class Playgrounds:
    def __init__(self, session: Session) -> None:
        self._session = session

    def all(self) -> Sequence[Playground]:
        rows = self._session.rows(
            "SELECT id, name, highlighter_language, url_template FROM playground ORDER BY id"
        )
        return [Playground(*row) for row in rows]

    def add(self, name: str, highlighter_language: str, url_template: str) -> PlaygroundId:
        ((playground_id,),) = self._session.rows(
            """
            INSERT INTO playground (name, highlighter_language, url_template) VALUES (?, ?, ?) RETURNING id
            """,
            name,
            highlighter_language,
            url_template,
        )
        return PlaygroundId(playground_id)

    def remove(self, playground_id: PlaygroundId) -> None:
        self._session.run("DELETE FROM playground WHERE id = ?", playground_id)
