"""Embedded bots: programs of the server, which answer messages without a service.

A program gets the text of a message and the stored texts of its bot, and returns the answer; it stores by
changing the mapping. It does no I/O, and its time is bounded by the length of a message.
"""

import codecs
import re
from collections.abc import Callable, Mapping, MutableMapping
from decimal import Decimal, InvalidOperation
from typing import TypeAlias

Memory: TypeAlias = MutableMapping[str, str]
Program: TypeAlias = Callable[[str, Memory], str]

GREETING = "beep boop"


def _hello(text: str, memory: Memory) -> str:
    return GREETING


def _encrypt(text: str, memory: Memory) -> str:
    return f"Encrypted/Decrypted text: {codecs.encode(text, 'rot13')}"


def _increment(text: str, memory: Memory) -> str:
    number = int(memory.get("number", "0")) + 1
    memory["number"] = str(number)
    return str(number)


_FACTORS: Mapping[str, tuple[str, Decimal]] = {
    name: (kind, Decimal(factor))
    for kind, units in {
        "length": {"mm": "0.001", "cm": "0.01", "m": "1", "km": "1000", "inch": "0.0254", "foot": "0.3048",
                   "yard": "0.9144", "mile": "1609.344"},
        "mass": {"g": "0.001", "kg": "1", "t": "1000", "ounce": "0.028349523125", "pound": "0.45359237"},
        "time": {"second": "1", "minute": "60", "hour": "3600", "day": "86400", "week": "604800"},
        "data": {"bit": "0.125", "byte": "1", "kilobyte": "1000", "megabyte": "1000000"},
    }.items()
    for name, factor in units.items()
}  # fmt: skip
"""The kind of each unit, and its size in a unit of this kind."""
CONVERT_HELP = f"Write `2 km mile`: a number, its unit, and another unit. Units: {', '.join(_FACTORS)}."
_ASKED = re.compile(r"(-?[0-9]{1,30}(?:\.[0-9]{1,30})?) ([a-z]{1,20}) (?:to )?([a-z]{1,20})")


def _convert(text: str, memory: Memory) -> str:
    asked = _ASKED.fullmatch(text.strip().lower())
    if asked is None or asked[2] not in _FACTORS or asked[3] not in _FACTORS:
        return CONVERT_HELP
    (kind, factor), (wanted_kind, divisor) = _FACTORS[asked[2]], _FACTORS[asked[3]]
    if kind != wanted_kind:
        return f"`{asked[2]}` is a unit of {kind}, `{asked[3]}` one of {wanted_kind}."
    try:
        result = Decimal(asked[1]) * factor / divisor
    except InvalidOperation:
        return CONVERT_HELP
    return f"{asked[1]} {asked[2]} = {result.normalize():.12g} {asked[3]}"


EMBEDDED_BOTS: Mapping[str, Program] = {
    "converter": _convert,
    "encrypt": _encrypt,
    "helloworld": _hello,
    "incrementor": _increment,
}
"""The programs by their names."""


def without_mention(text: str, full_name: str) -> str:
    """Return a text without the mention of a bot with which it begins."""
    return re.sub(rf"\A\s*@\*\*{re.escape(full_name)}(?:\|\d+)?\*\*", "", text, count=1).strip()
