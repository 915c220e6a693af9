"""Regular expressions whose time doubles with every repetition of a part of the text, found by their form.

Such an expression has a loop that can be gone through in two ways with the same text. The loops are those of
the automaton in which every character of the expression is a place. What an assertion asks for is left out:
an expression that only an assertion saves is reported as well.
"""

from __future__ import annotations

import re
import string
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, TypeVar

_MANY = 8
"""More repetitions than this count as unlimited."""
_SAMPLES = (
    string.printable
    + "\x00\x7f\xa0\xaa\xb2\xb7\xe9\u0301\u0660\u0905\u2028\u20ac\u2192\u4e2d\ud83d\U0001f600"
)
_CATEGORIES = {
    op.CATEGORY_DIGIT: r"\d",
    op.CATEGORY_NOT_DIGIT: r"\D",
    op.CATEGORY_SPACE: r"\s",
    op.CATEGORY_NOT_SPACE: r"\S",
    op.CATEGORY_WORD: r"\w",
    op.CATEGORY_NOT_WORD: r"\W",
}
_ONE_CHARACTER = frozenset({op.LITERAL, op.NOT_LITERAL, op.IN, op.ANY})

Node = TypeVar("Node")
Place = int
Places = frozenset[Place]


@dataclass(frozen=True)
class _Part:
    """A part of an expression: where it may begin and end, and whether it may be empty."""

    first: Places = frozenset()
    last: Places = frozenset()
    may_be_empty: bool = True


@dataclass
class _Automaton:
    flags: int
    characters: dict[Place, frozenset[str]] = field(default_factory=dict)
    next: dict[Place, dict[Place, int]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(int)))
    """The number of transitions from a place to another."""

    def _place(self, characters: frozenset[str]) -> _Part:
        place = len(self.characters)
        self.characters[place] = characters
        return _Part(frozenset([place]), frozenset([place]), may_be_empty=False)

    def _join(self, before: Places, after: Places) -> None:
        for here in before:
            for there in after:
                self.next[here][there] += 1

    def _one_behind_another(self, one: _Part, other: _Part) -> _Part:
        self._join(one.last, other.first)
        return _Part(
            one.first | other.first if one.may_be_empty else one.first,
            other.last | one.last if other.may_be_empty else other.last,
            one.may_be_empty and other.may_be_empty,
        )

    def sequence(self, nodes: Iterable[tuple[Any, Any]]) -> _Part:
        whole = _Part()
        for kind, value in nodes:
            whole = self._one_behind_another(whole, self._part(kind, value))
        return whole

    def _part(self, kind: Any, value: Any) -> _Part:
        match kind:
            case op.LITERAL | op.NOT_LITERAL | op.IN | op.ANY:
                asked = tuple(value) if kind is op.IN else value
                return self._place(_characters(kind, asked, self.flags))
            case op.BRANCH:
                ways = [self.sequence(way) for way in value[1]]
                return _Part(
                    frozenset().union(*(way.first for way in ways)),
                    frozenset().union(*(way.last for way in ways)),
                    any(way.may_be_empty for way in ways),
                )
            case op.SUBPATTERN:
                return self.sequence(value[-1])
            case op.ATOMIC_GROUP:
                return self.sequence(value)
            case op.MAX_REPEAT | op.MIN_REPEAT | op.POSSESSIVE_REPEAT:
                return self._repeated(*value)
            case op.ASSERT | op.ASSERT_NOT:
                self.sequence(value[1])  # it may have loops of its own
                return _Part()
            case _:
                return _Part()

    def _repeated(self, least: int, most: Any, nodes: Iterable[tuple[Any, Any]]) -> _Part:
        if most is not op.MAXREPEAT and most <= _MANY:
            whole = _Part()
            for number in range(most):
                part = self.sequence(nodes)
                if number >= least:
                    part = _Part(part.first, part.last)
                whole = self._one_behind_another(whole, part)
            return whole
        part = self.sequence(nodes)
        self._join(part.last, part.first)
        return _Part(part.first, part.last, part.may_be_empty or least == 0)


def _cases(sample: str, flags: int) -> set[str]:
    if not flags & re.IGNORECASE:
        return {sample}
    return {case for case in (sample, sample.lower(), sample.upper()) if len(case) == 1}


@cache
def _characters(kind: Any, value: Any, flags: int) -> frozenset[str]:
    """The sample characters that a part for one character matches."""
    return frozenset(sample for sample in _SAMPLES if _takes(kind, value, sample, flags))


def _takes(kind: Any, value: Any, sample: str, flags: int) -> bool:
    match kind:
        case op.ANY:
            return sample != "\n" or bool(flags & re.DOTALL)
        case op.LITERAL:
            return chr(value) in _cases(sample, flags)
        case op.NOT_LITERAL:
            return chr(value) not in _cases(sample, flags)
        case op.RANGE:
            return any(value[0] <= ord(case) <= value[1] for case in _cases(sample, flags))
        case op.CATEGORY:
            return re.fullmatch(_CATEGORIES[value], sample) is not None
    is_negated = value[0][0] is op.NEGATE
    return is_negated != any(_takes(*item, sample, flags) for item in value if item[0] is not op.NEGATE)


def doubles(pattern: str, flags: int = 0) -> bool:
    """Whether the running time of *pattern* may double with every repetition of a text."""
    parsed = parser.parse(pattern, flags)
    if not any(_loops_within(parsed)):
        return False
    automaton = _Automaton(parsed.state.flags)
    automaton.sequence(_without_last_loops(parsed))
    loops = _loops({place: set(after) for place, after in automaton.next.items()})
    return any(_is_ambiguous(automaton, loop) for loop in loops)


def _loops_within(nodes: Iterable[tuple[Any, Any]]) -> Iterator[bool]:
    """Something for every loop over more than one character."""
    for kind, value in nodes:
        match kind:
            case op.MAX_REPEAT | op.MIN_REPEAT | op.POSSESSIVE_REPEAT:
                if len(value[2]) != 1 or value[2][0][0] not in _ONE_CHARACTER:
                    yield value[1] > 1
                    yield from _loops_within(value[2])
            case op.SUBPATTERN:
                yield from _loops_within(value[-1])
            case op.ATOMIC_GROUP:
                yield from _loops_within(value)
            case op.ASSERT | op.ASSERT_NOT:
                yield from _loops_within(value[1])
            case op.BRANCH:
                for way in value[1]:
                    yield from _loops_within(way)


def _without_last_loops(nodes: Iterable[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """A loop with nothing behind it is never gone through in another way: what it found will do."""
    *before, (kind, value) = list(nodes) or [(None, None)]
    match kind:
        case None:
            return []
        case op.MAX_REPEAT | op.MIN_REPEAT | op.POSSESSIVE_REPEAT:
            return [*before, *_without_last_loops(value[2])]
        case op.SUBPATTERN:
            return [*before, (kind, (*value[:-1], _without_last_loops(value[-1])))]
        case op.BRANCH:
            return [*before, (kind, (value[0], [_without_last_loops(way) for way in value[1]]))]
    return [*before, (kind, value)]


def _is_ambiguous(automaton: _Automaton, loop: Places) -> bool:
    if any(automaton.next[here].get(there, 0) > 1 for here in loop for there in loop):
        return True
    pairs: dict[tuple[Place, Place], set[tuple[Place, Place]]] = {}
    waiting = [(place, place) for place in loop]
    while waiting:
        pair = waiting.pop()
        if pair in pairs:
            continue
        pairs[pair] = {
            (min(one, other), max(one, other))
            for one in automaton.next[pair[0]]
            if one in loop
            for other in automaton.next[pair[1]]
            if other in loop and automaton.characters[one] & automaton.characters[other]
        }
        waiting += pairs[pair]
    return any(
        any(one == other for one, other in both) and any(one != other for one, other in both)
        for both in _loops(pairs)
    )


def _loops(after: Mapping[Node, set[Node]]) -> Iterator[frozenset[Node]]:
    """Sets of nodes of which each can be reached from each (Tarjan)."""
    number: dict[Node, int] = {}
    low: dict[Node, int] = {}
    open_nodes: list[Node] = []
    is_open: set[Node] = set()
    for root in list(after):
        if root in number:
            continue
        number[root] = low[root] = len(number)
        open_nodes.append(root)
        is_open.add(root)
        path = [(root, iter(after.get(root, ())))]
        while path:
            node, rest = path[-1]
            for there in rest:
                if there not in number:
                    number[there] = low[there] = len(number)
                    open_nodes.append(there)
                    is_open.add(there)
                    path.append((there, iter(after.get(there, ()))))
                    break
                if there in is_open:
                    low[node] = min(low[node], number[there])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[node])
                if low[node] == number[node]:
                    at = open_nodes.index(node)
                    loop = frozenset(open_nodes[at:])
                    del open_nodes[at:]
                    is_open -= loop
                    if len(loop) > 1 or node in after.get(node, ()):
                        yield loop
