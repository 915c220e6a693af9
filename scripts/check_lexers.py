"""Whether the lexers of code blocks stay quick on texts that are made to be slow.

    python scripts/check_lexers.py [LANGUAGE ...]

Every language (all of those with tokens, by Pygments' names) gets fragments over and over behind openers, as
much as a message may have. Each runs in a process of its own, which is ended when one text takes longer than
HARD_CAP seconds. A language that takes over LIMIT makes the script fail. That no time doubles with every
repetition is shown by tests/markup/html/test_lexers.py, which runs no lexers.
"""

from __future__ import annotations

import multiprocessing
import random
import sys
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from pygments.lexers import find_lexer_class

from chatcore.markup.html.code import MAX_EFFORT, MAX_LINE, CodeBlocks
from chatcore.markup.html.lexers import LANGUAGES

LIMIT = 0.1
HARD_CAP = 10.0
SOUPS = 150

OPENERS = (
    *(
        "",
        '"',
        "'",
        '"""',
        "'''",
        "`",
        "/*",
        "//",
        "#",
        "--",
        "(*",
        "{-",
        "<!--",
        "<",
        "</",
        "<?",
        "{{",
        "{%",
    ),
    *(
        "(",
        "[",
        "{",
        "$",
        "${",
        "$(",
        "@",
        "%",
        "\\",
        "/",
        "s/",
        "s!",
        "m{",
        "r'",
        'f"',
        "$'",
        "<<",
        "<<<",
        "<<-E\n",
    ),
    *("def ", "class ", "a = ", "import ", "public ", "template<", "a(", "type ", "1", "0x", ":", "=begin\n"),
)
UNITS = (
    *(
        "a",
        "a ",
        "a\n",
        "a.",
        "a,",
        "a(",
        "a<",
        "a:",
        "a::",
        "a=",
        "aa bb ",
        "_",
        "1",
        "1.",
        "0x1",
        "1e",
        "\xe9",
        "A",
    ),
    *(
        "\\",
        "\\\\",
        "\\a",
        "\\1",
        "\\\n",
        '\\"',
        "\\'",
        " ",
        "\n",
        "\t",
        " \n",
        "\n ",
        "''",
        '""',
        "'",
        '"',
        "`",
    ),
    *(
        "(",
        ")",
        "()",
        "[",
        "[]",
        "{",
        "{}",
        "<",
        "<>",
        ">",
        "<a ",
        "<a>",
        "</a>",
        "/",
        "//",
        "/*",
        "*/",
        "*",
        "**",
    ),
    *(
        "#",
        "##",
        "#{",
        "${",
        "$a",
        "$",
        "@a",
        "@",
        "%",
        "%a",
        "%{",
        "{{",
        "{%",
        "&",
        "&a;",
        "|",
        "!",
        "~",
        "^",
        "?",
    ),
    *(
        ";",
        ",",
        ".",
        "..",
        ":",
        "::",
        "=",
        "==",
        "-",
        "--",
        "->",
        "<-",
        "=>",
        "+",
        "<<",
        ">>",
        "<?",
        "?>",
        "<!--",
    ),
    *(
        "if ",
        "do\n",
        "end\n",
        "def a\n",
        "a b\n",
        "//\\\n",
        "-- a\n",
        "# a\n",
        "#\\\n",
        "a\\\n",
        "a: b\n",
        "* a\n",
    ),
)


def repeated(opener: str, unit: str) -> str:
    """As much code as gets tokens, in lines as long as they may be."""
    text = (opener + unit * (MAX_EFFORT // len(unit) + 1))[:MAX_EFFORT]
    lines = [
        line[at : at + MAX_LINE] for line in text.split("\n") for at in range(0, len(line) or 1, MAX_LINE)
    ]
    return "\n".join(lines)[:MAX_EFFORT]


def texts(language: str) -> Iterator[str]:
    chance = random.Random(language)
    for unit in UNITS:
        yield repeated("", unit)
    for _ in range(SOUPS):
        opener = "".join(chance.choices(OPENERS + UNITS, k=chance.randint(0, 3)))
        yield repeated(opener, "".join(chance.choices(UNITS, k=chance.randint(1, 4))))


def run(language: str, findings: Connection) -> None:
    alias = find_lexer_class(language).aliases[0]
    CodeBlocks().html("a", alias)  # the lexer is made
    for text in texts(language):
        findings.send(text)
        start = time.process_time()
        CodeBlocks().html(text, alias)
        findings.send(time.process_time() - start)
    findings.send(None)


def slowest(language: str) -> tuple[float, str]:
    """Seconds for the slowest text, and the text."""
    findings, other_end = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=run, args=(language, other_end))
    process.start()
    worst = (0.0, "")
    while (text := findings.recv()) is not None:
        if not findings.poll(HARD_CAP):
            worst = (HARD_CAP, text)
            process.kill()
            break
        worst = max(worst, (findings.recv(), text))
    process.join()
    return worst


def main(chosen: list[str]) -> int:
    too_slow = 0
    for language in chosen or sorted(LANGUAGES):
        seconds, text = slowest(language)
        too_slow += seconds > LIMIT
        mark = "SLOW " if seconds > LIMIT else "     "
        sys.stdout.write(f"{mark}{1_000 * seconds:8.1f} ms  {language:28} {text[:40]!r}\n")
        sys.stdout.flush()
    return 1 if too_slow else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
