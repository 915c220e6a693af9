"""The files of the web client as texts: who imports whom, lines that can be read, made types, styles.

Every colour and size of the styles has one home, `tokens.css`.
"""

import re
from collections.abc import Mapping
from graphlib import TopologicalSorter
from pathlib import Path
from posixpath import join, normpath

import pytest

from scripts.build_web_types import TARGET, build

WEB = Path(__file__).parents[1] / "chatcore" / "web"

LONGEST = 110
FILES = [
    path
    for folder in (WEB, WEB.parent / "reference")
    for suffix in ("js", "css", "d.ts")
    for path in folder.rglob(f"*.{suffix}")
    if "vendor" not in path.parts
]

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
IMPORT = re.compile(r"""\b(?:from|import)\s*\(?\s*["'](\.[^"']+)["']""")
"""What a module imports from its start, and what it imports later; not types in comments."""

STYLES = WEB / "style"
TOKENS = "tokens.css"
RAW: Mapping[str, str] = {
    "a size": r"(?<![\w-])-?\d*\.?\d+(?:px|rem|pt|cm|mm)\b",
    "a colour": r"#[0-9a-fA-F]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|light-dark)\(",
    "the name of a colour": r":[^;{}]*\b(?:black|white|gr[ae]y|red|green|blue|yellow|orange|purple|pink)\b",
}
ALLOWED: Mapping[str, str] = {
    "[mathcolor='#cc0000']": "a selector: how KaTeX marks a command that formulas may not have",
    "color: light-dark( color-mix(": "the colour of a channel is its readers' choice, made readable",
}
"""Parts of the styles that may be raw, and why."""


def imports(path: Path) -> set[str]:
    """Return the paths of the modules that a module imports."""
    folder = path.parent.relative_to(WEB).as_posix()
    return {normpath(join(folder, name)) for name in IMPORT.findall(COMMENT.sub("", path.read_text("utf-8")))}


IMPORTS = {path.relative_to(WEB).as_posix(): imports(path) for path in WEB.rglob("*.js")}


def test_all_imports_are_found() -> None:
    assert "view/titles.js" in IMPORTS["view/pages/pages.js"]
    assert "view/settings/page.js" in IMPORTS["view/pages/pages.js"]  # loaded when it is opened
    assert set().union(*IMPORTS.values()) <= IMPORTS.keys()


def test_no_module_imports_itself_through_others() -> None:
    TopologicalSorter(IMPORTS).prepare()  # a circle would be an error, which names its modules


def test_models_and_texts_know_no_views() -> None:
    below = [name for name in IMPORTS if not name.startswith("view/") and name != "main.js"]
    assert [name for name in below if any(one.startswith("view/") for one in IMPORTS[name])] == []


BEFORE_A_SESSION = {"main.js", "view/login.js"}
"""Modules of the login, which does not wait for all of the kit."""


def test_views_import_the_kit_as_one() -> None:
    others = [name for name in IMPORTS if not name.startswith("view/kit") and name not in BEFORE_A_SESSION]
    assert [name for name in others if any(one.startswith("view/kit/") for one in IMPORTS[name])] == []


def test_the_kit_knows_no_other_views() -> None:
    kit = [name for name in IMPORTS if name.startswith("view/kit/")]
    beyond = {one for name in kit for one in IMPORTS[name] if one.startswith("view/")}
    assert beyond <= set(kit)


def test_lines_can_be_read() -> None:
    texts = ((path.relative_to(WEB.parent), path.read_text("utf-8")) for path in FILES)
    found = [(str(name), line) for name, text in texts for line in text.splitlines() if len(line) > LONGEST]
    assert found == []


def test_types_are_those_of_answers_and_events() -> None:
    assert TARGET.read_text("utf-8") == build(), "python -m scripts.build_web_types"


def rules(name: str) -> str:
    """Return a file without comments, conditions (in which no tokens can be) and what is allowed."""
    text = re.sub(r"/\*.*?\*/", "", (STYLES / name).read_text(), flags=re.DOTALL)
    text = re.sub(r"@media[^{]*", "", text)
    text = re.sub(r"\s+", " ", text).replace('"', "'")
    for part in ALLOWED:
        text = text.replace(part, "")
    return text


def others() -> list[str]:
    return [path.name for path in sorted(STYLES.glob("*.css")) if path.name != TOKENS]


@pytest.mark.parametrize("name", others())
def test_colours_and_sizes_are_tokens(name: str) -> None:
    found = {what: re.findall(pattern, rules(name)) for what, pattern in RAW.items()}
    assert not any(found.values()), f"{name} has {found}: name a token of {TOKENS}"


def test_each_token_is_defined_and_used() -> None:
    styles = "".join(map(rules, [TOKENS, *others()]))
    scripts = "".join(path.read_text() for path in STYLES.parent.glob("view/**/*.js"))
    defined = {*re.findall(r"(--[\w-]+):", styles), *re.findall(r'setProperty\("(--[\w-]+)"', scripts)}
    used = {*re.findall(r"var\((--[\w-]+)", styles)}
    assert used - defined == set()
    assert defined - used == set()


@pytest.mark.parametrize("name", others())
def test_a_style_says_what_it_is_for_after_another_element(name: str) -> None:
    """Otherwise a browser styles a whole list anew when something is put into it: 300 messages at a time."""
    assert re.findall(r"[^,;{}]*[+~] (?:\*|:not)[^,;{}]*", rules(name)) == []


def test_each_icon_is_used() -> None:
    icons = re.findall(r'^  "?([\w-]+)"?: \[', (WEB / "vendor/lucide.js").read_text("utf-8"), re.MULTILINE)
    scripts = "".join(path.read_text("utf-8") for path in FILES)
    assert len(icons) > 30
    assert [icon for icon in icons if f'"{icon}"' not in scripts] == []
