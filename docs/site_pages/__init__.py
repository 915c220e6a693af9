"""The parts of the site that are made from the code: a page has `<!-- name -->` where the part `name` comes.

Links from a page to files outside of the documentation become texts: the site has no such files.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from tests import errors_page
from tests.conformance import page as conformance
from tests.http.described import page as coverage

from . import command_line, drawings, events, http, limits, metrics, python, settings

PARTS: Final[Mapping[str, Callable[[], str]]] = {
    "settings": settings.text,
    "limits": limits.text,
    "metrics": metrics.text,
    "command line": command_line.text,
    "events": events.text,
    "http": http.text,
    "python": python.text,
    "errors": errors_page.text,
    "conformance": conformance.text,
    "coverage of the api": coverage.text,
}
LINK: Final = re.compile(r"(?<!!)\[([^\]]+)\]\(((?:\.\./)+)[^)]*\)")


def fill(app: Sphinx, name: str, source: list[str]) -> None:
    text = source[0]
    for part, make in PARTS.items():
        marker = f"<!-- {part} -->\n"
        if marker in text:
            text = text.replace(marker, make())
    source[0] = LINK.sub(lambda link: link[1] if link[2].count("/") > name.count("/") else link[0], text)


def made_anew(app: Sphinx, env: BuildEnvironment, *changes: set[str]) -> list[str]:
    """Return the pages that are read even where they have not changed: the code may have."""
    made = {"errors", "conformance", "coverage-of-the-api", "settings", "limits", "watching"}
    return [name for name in env.found_docs if name.startswith("reference/") or name in made]


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("svgbob", drawings.Drawing, override=True)
    app.add_transform(drawings.AltOfDrawings)
    app.connect("env-get-outdated", made_anew)
    app.connect("source-read", fill)
    app.connect("autodoc-process-docstring", python.as_restructured_text)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
