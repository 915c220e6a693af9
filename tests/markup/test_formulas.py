"""Formulas become the HTML of KaTeX, within limits of time and size; incorrect ones stay as their source."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from html import unescape
from threading import Thread

import pytest

from chatcore.domain.narrow.words import content_words
from chatcore.markup import FormulaRenderer, highlight, html_diffs, parse, render
from chatcore.runtime import formulas
from chatcore.runtime.formulas import MAX_HTML, SECONDS_PER_TEXT, Formulas, formulas_of_process
from tests.markup.allow_list import Refused, require_safe
from tests.markup.formulas import CORRECT, hostile_formulas
from tests.markup.test_safety import COUNT, SEED

ENDLESS = "x" * 9000


@pytest.fixture(scope="module")
def formula() -> FormulaRenderer:
    """The formulas of tests, of which all together may take a while."""
    return Formulas(lambda: 0).text_renderer()


def html_of(text: str, formula: FormulaRenderer | None) -> str:
    return render(parse(text), formula=formula).html


def test_a_formula_is_mathml_with_its_source_and_html(formula: FormulaRenderer) -> None:
    html = html_of("area $$x^2$$ ok", formula)
    assert html.startswith('<p>area <span class="katex"><span class="katex-mathml"><math xmlns="')
    assert '<annotation encoding="application/x-tex">x^2</annotation></semantics></math></span>' in html
    assert '<span class="katex-html" aria-hidden="true"><span class="base"><span class="strut"' in html
    assert html.endswith("</span> ok</p>")


def test_each_part_of_a_block_is_a_paragraph(formula: FormulaRenderer) -> None:
    html = html_of("```math\na < b\n\n\nc\n```", formula)
    assert (
        re.findall(r"<p>(<span[^>]*><span[^>]*>)", html)
        == ['<span class="katex-display"><span class="katex">'] * 2
    )
    assert [unescape(each) for each in re.findall("<annotation[^>]*>([^<]*)", html)] == ["a < b", "c"]


def test_an_incorrect_formula_is_shown_as_its_source(formula: FormulaRenderer) -> None:
    assert html_of("$$x^$$ $$y$$", formula).startswith(
        '<p><span class="tex-error">$$x^$$</span> <span class="katex">'
    )
    assert html_of("```math\na &\n```", formula) == '<p><span class="tex-error">a &amp;</span></p>'
    assert html_of("$$x$$", None) == '<p><span class="tex-error">$$x$$</span></p>'


@pytest.mark.parametrize("source", CORRECT)
@pytest.mark.parametrize("display", [False, True])
def test_correct_formulas_are_within_the_allow_list(
    source: str, display: bool, formula: FormulaRenderer
) -> None:
    html = formula(source, display) or formula(source, True)
    assert html, source
    require_safe(f"<p>{html}</p>")
    assert re.findall("<annotation[^>]*>([^<]*)", html)


def test_hostile_formulas_are_within_the_allow_list(formula: FormulaRenderer) -> None:
    found = 0
    for number, source in enumerate(hostile_formulas(COUNT, SEED)):
        if html := formula(source, number % 2 == 0):
            found += 1
            try:
                require_safe(f"<p>{html}</p>")
            except Refused as problem:
                raise AssertionError(source) from problem
    assert found > COUNT / 10


def test_elements_of_formulas_are_refused_elsewhere() -> None:
    for html in (
        "<math></math>",
        '<span class="katex"></span><svg></svg>',
        '<span style="height:1em;"></span>',
        '<span class="katex"><a></a></span>',
        '<span class="katex"><span style="color:url(x);"></span></span>',
    ):
        with pytest.raises(Refused):
            require_safe(html)


@pytest.mark.parametrize(
    "source", [r"\char0", r'\char"D800', r'\char"FFFF', r"\def\a{\a\a}\a", "{" * 4000, ENDLESS]
)
def test_a_formula_that_cannot_be_shown_stays_as_its_source(source: str) -> None:
    ours = Formulas()
    start = time.process_time()
    assert ours.text_renderer()(source, False) is None
    assert time.process_time() - start < 5
    assert ours.text_renderer()("x", False), "and the next one is rendered"


def test_a_macro_does_not_last(formula: FormulaRenderer) -> None:
    assert formula(r"\gdef\lasting{x}\lasting", False)
    assert formula(r"\lasting", False) is None


def test_long_html_is_not_used(formula: FormulaRenderer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formulas, "make_engine", lambda: lambda source, display: "x" * (MAX_HTML + 1))
    assert Formulas().text_renderer()("x", False) is None


def test_the_formulas_of_one_text_have_a_time() -> None:
    times: Iterator[float] = iter([0, 0, SECONDS_PER_TEXT])
    render = Formulas(lambda: next(times)).text_renderer()
    assert render("x", False)
    assert render("y", False) is None


def test_formulas_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def engine(source: str, display: bool) -> str:
        made.append(source)
        return source

    monkeypatch.setattr(formulas, "make_engine", lambda: engine)
    ours = Formulas()
    for source in ("x", "y", "x"):
        assert ours.text_renderer()(source, False) == source
    assert made == ["x", "y"]


def test_any_thread_can_use_an_engine() -> None:
    ours = Formulas()
    results: list[str | None] = []

    def work(number: int) -> Callable[[], None]:
        return lambda: results.extend(
            ours.text_renderer()(f"x_{{{number}}}^{each}", False) for each in range(20)
        )

    assert ours.text_renderer()("x", False)
    threads = [Thread(target=work(number)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 80
    assert all(results)


def test_the_engine_of_the_process_is_one() -> None:
    assert formulas_of_process() is formulas_of_process() is not None


def test_hits_are_not_marked_in_formulas(formula: FormulaRenderer) -> None:
    html = html_of("pi $$\\pi + x$$ pi", formula)
    marked = highlight(html, lambda word: word in ("pi", "x"))
    assert marked.count('<span class="highlight">pi</span>') == marked.count('class="highlight"') == 2
    assert marked.replace('<span class="highlight">pi</span>', "pi") == html


def test_a_changed_formula_is_marked_as_a_whole(formula: FormulaRenderer) -> None:
    old, new = (html_of(f"a {source} b", formula) for source in ("$$x$$", "$$y$$"))
    one, other = (each.removeprefix("<p>a ").removesuffix(" b</p>") for each in (old, new))
    (found,) = html_diffs([(old, new)])
    for kind, piece in (("deleted", one), ("inserted", other)):
        assert f'<span class="highlight_text_{kind}">{piece}</span>' in found
    assert html_diffs([(old, old)]) == [old]


def test_the_source_of_a_formula_is_found_by_search(formula: FormulaRenderer) -> None:
    assert "lambda" in content_words(html_of(r"$$\lambda^2$$", formula))
