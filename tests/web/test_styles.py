"""The styles: every colour and size has one home, `tokens.css`."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

STYLES = Path("chatcore/web/style")
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
