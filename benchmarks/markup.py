"""Rendering speed: real messages against plain mistune, and hostile texts of 10,000 characters.

Processor time is measured, so that other work on the machine counts for little.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import mistune

from benchmarks.corpus import read_corpus
from benchmarks.options import corpus_argument, json_argument, run
from chatcore.domain.ids import UserId
from chatcore.domain.people.alert_words import users_alerted
from chatcore.markup import Facts, Linkifier, Options, UserFact, names, parse, render, topic_links
from chatcore.markup.html.code import MAX_EFFORT, MAX_LINE

LENGTH = 10_000
ROUNDS = 3

OPTIONS = Options(
    realm_url="https://chat.example.com",
    linkifiers=(
        Linkifier("#(?P<id>[0-9]{2,8})", "https://track.example.com/{id}"),
        Linkifier("(?P<name>[A-Z]+-[0-9]+)", "https://track.example.com/{name}"),
    ),
    translate_emoticons=True,
)
USERS = {name: UserFact(number, name) for number in range(1, 1_600) for name in [f"User {number:04}"]}


def repeated(unit: str) -> str:
    return (unit * (LENGTH // len(unit) + 1))[:LENGTH]


def filled(*parts: str) -> str:
    """Join *parts*, with the second one repeated up to the length of a hostile text."""
    before, unit, after = parts
    return before + repeated(unit)[: LENGTH - len(before) - len(after)] + after


def code(language: str, unit: str) -> str:
    """Return code up to the limit of highlighting, in lines of maximal length, with text behind it."""
    lines = []
    for line in repeated(unit)[: MAX_EFFORT - MAX_EFFORT // MAX_LINE - 1].split("\n"):
        lines += [line[at : at + MAX_LINE] for at in range(0, len(line) or 1, MAX_LINE)]
    block = f"```{language}\n" + "\n".join(lines)[:MAX_EFFORT] + "\n```\n"
    return block + "a" * (LENGTH - len(block))


HOSTILE: dict[str, str] = {
    "[": repeated("["),
    "![": repeated("!["),
    "[a](": repeated("[a]("),
    "[a](b": repeated("[a](b"),
    "[a](b' and )": filled("", "[a](b'", ")"),
    '[a](" … ")': filled("", '[a]("', '")'),
    "[a](b and one title": filled("[a](b" * 900 + " '", " x", "')"),
    "[a](bad: … )": filled("[a](bad:" * 1_100, ")", ""),
    "[a](<b> blanks": filled("[a](<b>", " ", "x"),
    "[ … ](a)": filled("", "[", "](a)"),
    "[]()": repeated("[]()"),
    "(": repeated("("),
    ">": repeated(">"),
    "> >": repeated("> "),
    "> lines": repeated(">\n"),
    "> a lines": repeated("> a\n"),
    "deep quotes": "\n".join("> " * depth + "a" for depth in range(1, 99)),
    "*a **b": repeated("*a **b "),
    "*a … b*": filled("", "*a ", " b*b*"),
    "*a* behind *": filled("*" * 3_000, "a*", ""),
    "a*": repeated("a*"),
    "*": repeated("*"),
    "***": repeated("***a "),
    "**a*b**": repeated("**a*b**"),
    "**:a:b": repeated("**:smile:b *c* d** "),
    "~~": repeated("~~"),
    "~~a": repeated("~~a "),
    "*a and many *x*": filled("*a ", "*x* ", ""),
    "*a and many b*": filled("*a " * 1_500, "b*", ""),
    "***a and many ***x***": filled("***a ", "***x*** ", ""),
    "many *x* deep in stars": filled("*a " * 9, "*x* ", "b" + "*" * 9),
    "the same below an unknown mention": filled("@**Nobody** " + "*a " * 9, "*x* ", "b" + "*" * 9),
    "~~a and many ~~x~~": filled("~~a" + " b" * 2_000 + "\n", "~~x~~ ", ""),
    "the same and an unknown mention": filled("@**Nobody** *a ", "*x* ", ""),
    "_": repeated("_"),
    "backticks": repeated("`"),
    "runs of backticks": " ".join("`" * length for length in range(1, 140)),
    "backticks and text": " ".join("`" * length + "a" for length in range(139, 0, -1)),
    "backslashes": repeated("\\"),
    "backslashes and backticks": repeated("\\`"),
    "a long backslash before `": filled("", "\\", "`a`"),
    "|a|": repeated("|a|"),
    "wide table": filled("|a" * 100 + "\n" + "|-" * 100 + "\n", "1\n", ""),
    "table of one column": filled("|a|\n|-|\n", "|1|\n", ""),
    "long table": filled("a|b\n-|-\n", "1|2\n", ""),
    "table with backticks": filled("a|b\n-|-\n", "`|``", ""),
    "pipes with backslashes": filled("a|b\n-|-\n", "\\", "|"),
    "- nested": repeated("- "),
    "1. nested": repeated("1. "),
    "* a": repeated("* a\n"),
    "loose items": repeated("* a\n\n"),
    "indented items": repeated("* a\n  * b\n"),
    "deeper and deeper": "\n".join("  " * depth + "* a" for depth in range(130)),
    "item and lazy lines": filled("* a\n", "b\n", ""),
    "hr": repeated("---\n"),
    "- - -": repeated("- - - a\n"),
    "dashes": filled("", "-", "a"),
    "dashes apart": filled("", "- ", "a"),
    "# a": repeated("# a\n"),
    "# blanks": filled("# a", " ", "b"),
    "# hashes": filled("# ", "#", "a"),
    "#\\n": repeated("\n#a"),
    "hr and no heading": repeated("#\n---\n"),
    "hr, text and no heading": repeated("a\n#\n***\n"),
    "hr and no table": repeated("|\n-\n---\n"),
    "hr and a short table": repeated("|a|\n|-|\n|b\n---\n"),
    "hr and #": filled("", "---\n", "\n#a"),
    "blank lines": filled("a", "\n", "b"),
    "blanks": filled("a", " ", "b"),
    "lines of blanks": repeated("a\n   \n"),
    "indented code": repeated("    a\n\n"),
    "http://a.a": filled("http://", "a.", ""),
    "a.a": repeated("a."),
    "a.a,": repeated("a.a,"),
    "http://a.co/,": repeated("http://a.co/,"),
    "a.co/( ,": repeated("a.co/(,"),
    "a.co/() ,": repeated("a.co/(),"),
    "(a.co/": filled("", "a.co/,", "("),
    "a.co/((": filled("a.co/", "(", ")"),
    "URL and punctuation": filled("http://a.co/", "!", "a"),
    "many URLs": repeated("http://a.co/b "),
    "many names": repeated("a.co "),
    "many images": "\n".join(f"https://a.co/{number}.png" for number in range(400)),
    "a@a": repeated("a@a"),
    "a.@": filled("", "a.", "@"),
    "bitcoin:": repeated("bitcoin:1"),
    "@**": repeated("@**"),
    "@**a": repeated("@**a "),
    "@**a**": repeated("@**User 0001** "),
    "unknown mentions": repeated("@**Nobody** "),
    "@*": repeated("@*a "),
    "#**a>": repeated("#**a>b "),
    "#**a>b**": repeated("#**a>b** "),
    ":": repeated(":"),
    ":a": repeated(":a"),
    ":smile:": repeated(":smile:"),
    "emoticons": repeated(":) "),
    "typed emoji": repeated("\N{PARTY POPPER}"),
    "joined emoji": repeated("\N{PARTY POPPER}\u200d"),
    "flags": repeated("\U0001f1e6"),
    "$$": repeated("$$"),
    "$$a": repeated("$$a "),
    "$$a\\$": repeated("$$a\\$"),
    "<": repeated("<"),
    "<time:": repeated("<time:"),
    "<time:1>": repeated("<time:1>"),
    "<time:Jun>": repeated("<time:Jun 5 2017 10:30 am IST>"),
    "&": repeated("&"),
    "&amp;": repeated("&amp;"),
    "&a": filled("", "&a", ";"),
    "fences": repeated("```\n"),
    "open fences": repeated("```a\n"),
    "unlike fences": "\n".join("`" * length + "quote" for length in range(3, 135)),
    "fenced quotes": "\n".join("`" * length + "quote\n> a" for length in range(134, 3, -1)),
    "fence with a tail": filled("```a", "a", "`"),
    "fence and blanks": filled("```", " ", "`"),
    "spoilers": repeated("```spoiler a\nb\n```\n"),
    "math blocks": repeated("```math\na\n\n"),
    "unknown languages": "\n".join(f"```l{number}\na\n```" for number in range(600)),
    "long python": code("python", "def f(a): return [a, 1, 'x']\n"),
    "python strings": code("python", "'\\"),
    "python dollars": code("python", "$"),
    "json brackets": code("json", '{"a":['),
    "java words": code("java", "a "),
    "java arrows": code("java", "->0>"),
    "c# lines": code("c#", "a\n"),
    "scala dashes": code("scala", "--"),
    "scala calls": code("scala", "*%(a "),
    "c# underscores": code("c#", "_"),
    "html openers": code("html", "<?"),
    "js escapes": code("js", '"\\'),
    "makefile": code("make", "'\\"),
    "#12": repeated("#12 "),
    "#12 and #": repeated("#12#"),
    "A-": repeated("A-"),
    "tabs": repeated("\t"),
    "NUL and STX": repeated("\0\x02" + "1\x03"),
    "combining marks": "e" + "\u0301" * (LENGTH - 1),
    "everything": repeated("*a `b` [c](d) @**e** :f: ~~g~~ $$h$$ <time:1> http://a.co/ #**i** &amp; **j** "),
}


def best_of(run: Callable[[], object], rounds: int = ROUNDS) -> float:
    times = []
    for _ in range(rounds):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def messages_of(path: Path | None) -> list[str]:
    if path is None:
        return generated_messages()
    return [row.content for row, _ in read_corpus(path)]


def generated_messages(count: int = 20_000) -> list[str]:
    """Return texts somewhat like a chat's, for runs without a corpus."""
    chance = random.Random(1)
    words = [
        "the",
        "of",
        "lemma",
        "proof",
        "we",
        "can",
        "see",
        "`code`",
        "**bold**",
        "*so*",
        "I",
        "think",
        "that",
        ":smile:",
        "it's",
        "a",
        "$$x^2$$",
        "module",
    ]
    extras = (
        "@**User 0042** ",
        "[here](https://example.com/a_(b)) ",
        "https://example.com/x.py#L10 ",
        "\n\n> quoted\n\n",
        "\n\n```python\ndef f(x):\n    return x\n```\n\n",
        "\n* one\n* two\n",
        "#12 ",
    )
    texts = []
    for _ in range(count):
        parts = chance.choices(words, k=chance.randint(3, 60))
        parts += chance.choices(extras, k=chance.randint(0, 3))
        chance.shuffle(parts)
        texts.append(" ".join(parts))
    return texts


def render_as_sent(text: str) -> object:
    """Do all work of sending a message except for storage, whose answers come from a dictionary."""
    tree = parse(text, OPTIONS)
    mentioned = names(tree).user_names
    return render(tree, Facts(users=tuple(USERS[name] for name in mentioned if name in USERS)))


def time_messages(texts: Iterable[str]) -> float:
    start = time.process_time()
    for text in texts:
        render_as_sent(text)
    return time.process_time() - start


def time_mistune(texts: Iterable[str]) -> float:
    plain = mistune.create_markdown(escape=True)
    start = time.process_time()
    for text in texts:
        plain(text)
    return time.process_time() - start


def time_hostile() -> dict[str, float]:
    """Return milliseconds for each hostile text."""
    return {name: 1_000 * best_of(lambda text=text: render_as_sent(text)) for name, text in HOSTILE.items()}  # type: ignore[misc]


MANY_LINKIFIERS = tuple(
    Linkifier(f"#{number}-(?P<id>[0-9]+)", f"https://track.example.com/{number}/{{id}}")
    for number in range(200)
)
HARD_LINKIFIERS = {
    f"a hard one of {number}": (
        Linkifier(f"(?P<id>[ab ]*a[ab ]{{{number}}}c|a)", "https://track.example.com/{id}"),
    )
    for number in (60, 200, 450, 900)
} | {
    f"{count} hard ones": tuple(
        Linkifier(f"(?P<id>[ab ]*a[ab ]{{{length}}}c{number}{end})", "https://track.example.com/{id}")
        for number in range(count)
    )
    for count, length, end in ((22, 60, "|a"), (60, 20, "?[ab]"), (9, 150, "?[ab]"))
}
"""Linkifiers of about the maximal total size for an organization."""


def time_linkifiers() -> dict[str, float]:
    """Return milliseconds for many linkifiers on many small texts, and for some that are hard to match on
    texts that are new each time.
    """
    cells = filled("a|b|c|d\n-|-|-|-\n", "a|b|c|d\n", "")
    chance = random.Random(1)
    texts: dict[str, tuple[tuple[Linkifier, ...], Callable[[], str]]] = {
        "200 on a table": (MANY_LINKIFIERS, lambda: cells),
        "200 on emphasis": (MANY_LINKIFIERS, lambda: repeated("*a* ")),
        "200 on one text": (MANY_LINKIFIERS, lambda: repeated("#7-12 ")),
    }
    for name, hard in HARD_LINKIFIERS.items():
        texts[name] = hard, lambda: "".join(chance.choices("ab ", k=LENGTH))
    return {
        f"linkifiers: {name}": 1_000 * best_of(lambda how=how, text=text: render(parse(text(), how)))  # type: ignore[misc]
        for name, (linkifiers, text) in texts.items()
        for how in [replace(OPTIONS, linkifiers=linkifiers)]
    }


def time_alert_words() -> dict[str, float]:
    """Return milliseconds for finding whose alert words are in a text, among a thousand candidates."""
    chance = random.Random(1)
    noise = "".join(chance.choices("ab cd-", k=LENGTH))
    texts = {
        "one beginning": (repeated("a-b "), [f"a {number}" for number in range(1_000)]),
        "of all lengths": (repeated(".x-"), [("x-." * 40)[:length] for length in range(1, 101)]),
        "parts of the text": (noise, [noise[at : at + chance.randint(2, 100)] for at in range(0, 9_000, 9)]),
    }
    return {
        f"alert words: {name}": 1_000
        * best_of(lambda text=text, words=words: users_alerted(text, [(UserId(1), word) for word in words]))  # type: ignore[misc]
        for name, (text, words) in texts.items()
    }


def time_topics() -> float:
    """Return milliseconds for a topic full of links."""
    return 1_000 * best_of(lambda: topic_links(repeated("#12 a.co ")[:60], OPTIONS))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    corpus_argument(arguments, "corpus", nargs="?")
    json_argument(arguments)
    chosen = arguments.parse_args()
    texts = messages_of(chosen.corpus)
    time_messages(texts[:500])
    ours = time_messages(texts)
    plain = time_mistune(texts)
    hostile = time_hostile() | time_linkifiers() | time_alert_words()
    figures = {
        "messages": len(texts),
        "seconds": round(ours, 2),
        "messages_per_second": round(len(texts) / ours),
        "mistune_messages_per_second": round(len(texts) / plain),
        "times_mistune": round(plain / ours, 2),
        "topic_links_ms": round(time_topics(), 3),
        "hostile_ms": {
            name: round(took, 1) for name, took in sorted(hostile.items(), key=lambda item: -item[1])
        },
    }
    for name, value in figures.items():
        if name != "hostile_ms":
            sys.stdout.write(f"{name:32} {value:>10}\n")
    sys.stdout.write(f"\nhostile texts of {LENGTH:,} characters, milliseconds\n")
    for name, took in sorted(hostile.items(), key=lambda item: -item[1]):
        sys.stdout.write(f"  {name:30} {took:>10.1f}\n")
    if chosen.json:
        chosen.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    run(main)
