"""What administrators have set up for everybody, as clients read it."""

from collections.abc import Iterable
from typing import Any

from chatcore.domain.linkifiers import Linkifier
from chatcore.domain.playgrounds import Playground


def linkifier_shapes(linkifiers: Iterable[Linkifier]) -> list[dict[str, Any]]:
    return [
        {"id": linkifier.id, "pattern": linkifier.pattern, "url_template": linkifier.url_template}
        for linkifier in linkifiers
    ]


def playground_shapes(playgrounds: Iterable[Playground]) -> list[dict[str, Any]]:
    return [
        {
            "id": playground.id,
            "name": playground.name,
            "highlighter_language": playground.highlighter_language,
            "url_template": playground.url_template,
        }
        for playground in playgrounds
    ]
