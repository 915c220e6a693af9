"""Tables: what makes one, and what becomes of rows that do not fit."""

from __future__ import annotations

import pytest

from tests.markup.said import html_of


def test_dashes_below_names_make_a_table() -> None:
    assert html_of("| A | B |\n|---|---|\n| 1 | 2 |") == (
        "<table>\n<thead>\n<tr>\n<th>A</th>\n<th>B</th>\n</tr>\n</thead>\n"
        "<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>"
    )


def test_colons_align_columns() -> None:
    html = html_of("a|b|c|d\n:-|-:|:-:|-\n1|2|3|4")
    for tag in ("th", "td"):
        for side in ("left", "right", "center"):
            assert html.count(f'<{tag} style="text-align: {side};">') == 1


def test_a_table_without_rows_has_an_empty_one() -> None:
    assert html_of("a|b\n:-|-").count("<td></td>") == 2


def test_rows_are_cut_and_filled() -> None:
    assert html_of("a|b\n-|-\n1\n1|2|3").count("<td>") == 4


@pytest.mark.parametrize(
    "text", ["a|b", "a|b\n-|x", "a|b\n-", "a\n-|-", "a|b\n-|-|-", "|a|\n|-|\nb", "a|b\n\n-|-"]
)
def test_this_is_no_table(text: str) -> None:
    assert "<table>" not in html_of(text)


def test_one_column_needs_pipes_in_each_row() -> None:
    assert html_of("|a|\n|-|\n|1|\n|2").count("<td>") == 2
    assert "<table>" not in html_of("a\n-\n1")


def test_pipes_in_code_and_escaped_ones_part_nothing() -> None:
    html = html_of("a|b\n-|-\n`x|y`|z\n1\\|2|3\n``|`|``|4\n`|5")
    assert "<code>x|y</code>" in html
    assert "<td>1\\|2</td>" in html
    assert "<code>|`|</code>" in html
    assert "<td>5</td>" in html


def test_an_escaped_pipe_at_the_end_is_no_border() -> None:
    assert "<td>2\\|</td>" in html_of("|a|b|\n|-|-|\n|1|2\\|")
    assert "<td>2\\\\</td>" in html_of("|a|b|\n|-|-|\n|1|2\\\\|")


def test_a_table_cannot_be_made_enormous() -> None:
    text = "|a" * 100 + "\n" + "|-" * 100 + "\n" + "1\n" * 4_000
    assert len(html_of(text)) < 100_000


def test_a_table_of_any_sensible_size_is_one() -> None:
    text = "|a" * 10 + "\n" + "|-" * 10 + ("\n" + "|b" * 10) * 450
    assert html_of(text).count("<td>") == 4_500
