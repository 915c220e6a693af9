"""The emoji of the product: names to codes and back, for markup, reactions and the emoji data file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from chatcore.markup.emoji_table import TABLE

EMOTICONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        ":)": "smile",
        "(:": "smile",
        ":(": "frown",
        "<3": "heart",
        ":|": "neutral",
        ":/": "confused",
        ";)": "wink",
        ":D": "grinning",
        ":o": "open_mouth",
        ":O": "open_mouth",
        ":p": "stuck_out_tongue",
        ":P": "stuck_out_tongue",
    }
)


def _read_table() -> tuple[dict[str, str], dict[str, tuple[str, ...]], dict[str, list[str]], frozenset[str]]:
    """Return `CODE_OF`, `NAMES_OF`, `GROUPS` and `TEXT_BY_DEFAULT` from `TABLE`, in the form that it says."""
    codes: dict[str, str] = {}
    names: dict[str, tuple[str, ...]] = {}
    groups: dict[str, list[str]] = {}
    texts = set()
    for line in TABLE.splitlines():
        mark_or_code, *all_names = line.split()
        if mark_or_code == "#":
            group = groups[all_names[0]] = []
            continue
        code = mark_or_code.removeprefix("~")
        if code != mark_or_code:
            texts.add(code)
        group.append(code)
        names[code] = tuple(all_names)
        codes.update(dict.fromkeys(all_names, code))
    return codes, names, groups, frozenset(texts)


_codes, _names, _groups, _texts = _read_table()

CODE_OF: Final[Mapping[str, str]] = MappingProxyType(_codes)
"""The code of every name, aliases included: codepoints in lower-case hex joined by `-`, no variation
selector.
"""
NAMES_OF: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(_names)
"""The names of every code, the canonical one first."""
GROUPS: Final[Mapping[str, Sequence[str]]] = MappingProxyType(_groups)
"""The codes of each group, in the order in which pickers show them."""
TEXT_BY_DEFAULT: Final = _texts
"""Codes of characters that are an emoji only with a variation selector."""

_VARIATION = "\ufe0f"
_ELEMENT = (
    "(?:[\U0001f1e6-\U0001f1ff]{2}"  # a flag, by the letters of its country
    "|[#*0-9]\ufe0f\u20e3"  # a keycap
    "|[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u2580-\u27bf\u2900-\u297f\u2b00-\u2bff"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001f1e5\U0001f200-\U0001faff]"
    "(?:[\ufe0f\U0001f3fb-\U0001f3ff]\u20e3?|[\U000e0020-\U000e007f]+)?)"  # variation or skin tone; or tags
)
SEQUENCE: Final = re.compile(f"{_ELEMENT}(?:\u200d{_ELEMENT})*")
"""A possible emoji, which is matched as a whole or not at all."""


def code_of_characters(sequence: str) -> str | None:
    """Return the code of the emoji typed as *sequence*; None if it is not in the table or is only text."""
    code = "-".join(f"{ord(character):04x}" for character in sequence if character != _VARIATION)
    if code not in NAMES_OF or (code in TEXT_BY_DEFAULT and _VARIATION not in sequence):
        return None
    return code
