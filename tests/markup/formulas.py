"""Formulas for tests: some of each kind, and parts from which others are thrown together."""

from __future__ import annotations

import random
from collections.abc import Iterator

CORRECT = (
    "x^2",
    r"\frac{a}{b} + \sqrt[3]{x} + \sqrt{\frac12}",
    r"\int_0^\infty e^{-x^2}\,dx \le \sum_{k=1}^n k",
    r"\begin{pmatrix} a & b \\ c & d \end{pmatrix} \begin{cases} x & y < 0 \\ z \end{cases}",
    r"\begin{array}{c|c:c} a & b & c \\ \hline d & e & f \\ \hdashline g & h & i \end{array}",
    r"\begin{aligned} a &= b \\ c &= d \tag{1} \end{aligned}",
    r"\overbrace{a+b}^{n} \underbrace{c}_{m} \overline{x} \underline{y} \widehat{abc} \vec{v} \utilde{ab}",
    r"\xrightarrow[below]{above} \overrightarrow{AB} \cancel{x} \bcancel{y} \xcancel{z} \sout{w}",
    r"\left( \frac{1}{2} \middle| x \right] \Bigg\{ \big\rangle",
    r"\color{red} r \textcolor{#00f}{b} \colorbox{yellow}{y} \fcolorbox{red}{#abc}{z}",
    r"\text{words & more}".replace("&", r"\&")
    + r" \mathbb{R} \mathcal{C} \mathfrak{g} \mathscr{L} \mathtt{t}",
    r"\Huge H \tiny t \boxed{x} \rule{1em}{2em} \raisebox{0.25em}{y} \kern1em \phantom{x} \smash{y}",
    r"\def\twice#1{#1#1} \twice{x} \binom{n}{k} \genfrac(]{2pt}{0}{a}{b} \overset{!}{=} \stackrel{a}{b}",
    r"\iiint \oiint \bigcup_{i} \lim_{x\to 0} \operatorname*{arg\,max}_x \bmod \pmod{n} \not= \mathring{a}",
    r"\angl{n} \phase{-78^\circ} \begin{CD} A @>a>> B \\ @VbVV @| \\ C @= D \end{CD}",
    "\N{GREEK SMALL LETTER ALPHA} + \N{CJK UNIFIED IDEOGRAPH-4E00} é'' !",
    r"\newline a \\ b \pmb{x} \boldsymbol{y} \mathchoice{a}{b}{c}{d} \char`a \char'74 \char39",
)
PARTS = (
    *(word for formula in CORRECT for word in formula.split()),
    *("{", "}", "{x}", "^", "_", "&", r"\\", "%", "~", "'", '"', "<", ">", "<b>", "</span>", "&lt;", "&amp;"),
    *(
        r"\href{javascript:alert(1)}{x}",
        r"\url{javascript:alert(1)}",
        r"\includegraphics{https://a.example/x.png}",
    ),
    *(r"\htmlClass{x}{y}", r"\htmlId{x}{y}", r"\htmlStyle{color: red}{y}", r"\htmlData{a=b}{y}"),
    *(
        r"\color{red;x:url(y)}",
        r'\color{"onx="}',
        r"\rule{99999em}{9em}",
        r"\kern-99999em",
        r"\raisebox{1e9em}{x}",
    ),
    *(
        r"\def\a{\a\a}\a",
        r"\gdef\b{x}",
        r"\b",
        r"\char0",
        r'\char"D800',
        r'\char"10FFFF',
        r"\verb|<b>|",
        r"\verb!\"!",
    ),
    *(
        r"\text{$x$ <i>}",
        r"\text{",
        r"\tag{<}",
        r"\operatorname{<a>}",
        r"\unicode{x}",
        r"\class{a}{b}",
        "\x07",
    ),
)


def hostile_formulas(count: int, seed: int) -> Iterator[str]:
    chance = random.Random(seed)
    for _ in range(count):
        yield " ".join(chance.choices(PARTS, k=chance.randint(1, 8)))
