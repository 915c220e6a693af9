"""Formulas as HTML, by KaTeX in a small JavaScript engine, where the extra `formulas` is installed.

The engine has no access to anything, little memory and little time. It is loaded with the first formula, and
thrown away when a formula has exceeded a limit.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.resources import files
from importlib.util import find_spec
from typing import Any, Final

from chatcore.markup import FormulaRenderer

SECONDS_PER_FORMULA: Final = 0.25
SECONDS_PER_TEXT: Final = 1.0
"""Seconds after which the rest of the formulas of one text stay as their source."""
MEMORY_BYTES: Final = 32 * 2**20
STACK_BYTES: Final = 768 * 2**10
MAX_HTML: Final = 50_000
"""Characters of HTML above which a formula stays as its source."""
MAX_IDLE_ENGINES: Final = 2
"""Number of engines that are kept; each needs some 4 MB."""
MAX_REMEMBERED: Final = 200
"""Number of formulas that are remembered."""

SCRIPT: Final = "katex/katex-0.16.22.min.js"
# JSON keeps the engine's own kinds of text out of Python. `strict` would only write warnings.
_RENDER: Final = """
(source, display) => JSON.stringify(katex.renderToString(source, {
    displayMode: display, throwOnError: true, trust: false, strict: "ignore", maxSize: 20, maxExpand: 300,
}))
"""
_UNPRINTABLE: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
"""Characters that a formula can name by their numbers and that are not allowed in HTML."""


def make_engine() -> Callable[[str, bool], str]:
    """Load KaTeX into a new engine, which any thread can use, but only one at a time."""
    import _quickjs  # the package around it starts a thread when it is imported

    context = _quickjs.Context()
    context.set_memory_limit(MEMORY_BYTES)
    context.set_max_stack_size(STACK_BYTES)
    context.eval((files(__package__) / SCRIPT).read_text(encoding="utf-8"))
    render: Any = context.eval(_RENDER)
    context.set_time_limit(SECONDS_PER_FORMULA)

    def engine(source: str, display: bool) -> str:
        html: str = json.loads(render(source, display))
        return html

    return engine


class Formulas:
    """The formulas of one process, which remembers some of them."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._idle: list[Callable[[str, bool], str]] = []
        """Engines that no thread uses now; taking or returning one is a single step of Python."""
        self._html = lru_cache(maxsize=MAX_REMEMBERED)(self._render)

    def text_renderer(self) -> FormulaRenderer:
        """Return the function that renders the formulas of one text, in the time that one text has."""
        ends = self._monotonic() + SECONDS_PER_TEXT

        def render(source: str, display: bool) -> str | None:
            return self._html(source, display) if self._monotonic() < ends else None

        return render

    def _render(self, source: str, display: bool) -> str | None:
        """Return the HTML of a formula, or None. An engine is used again unless it failed by itself."""
        engine = self._idle.pop() if self._idle else make_engine()
        try:
            html = engine(source, display)
        except Exception as error:  # its class is known only when the engine is loaded
            if str(error).startswith("ParseError"):
                self._keep(engine)
            return None
        self._keep(engine)
        return None if len(html) > MAX_HTML or _UNPRINTABLE.search(html) else html

    def _keep(self, engine: Callable[[str, bool], str]) -> None:
        if len(self._idle) < MAX_IDLE_ENGINES:
            self._idle.append(engine)


@cache
def formulas_of_process() -> Formulas | None:
    """Return the formulas of this process; None without an engine."""
    return None if find_spec("_quickjs") is None else Formulas()


def may_have_formulas(text: str) -> bool:
    """Whether a text may have formulas, which take long to render."""
    return "$$" in text or "math" in text.lower()
