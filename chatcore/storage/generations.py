"""Mappings that forget their oldest entries."""

from dataclasses import dataclass
from sys import getsizeof
from typing import Final, Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")
S = TypeVar("S")


FEWEST_VALUES: Final = 4
"""Values for which a generation has room at least: larger ones are not kept."""


class Generations(Generic[K, V]):
    """Values of at most so many bytes, in two generations: when the newer one is full, the older one goes.

    A lookup costs as much as in a dictionary, and needs no lock: threads that put values at once may only
    count their bytes wrongly. What is asked for again and again is made anew once in a while.
    """

    def __init__(self, most: int) -> None:
        """:param most: bytes of all values"""
        self._most_of_generation = most // 2
        self._newer: dict[K, tuple[V, int]] = {}
        self._older: dict[K, tuple[V, int]] = {}
        self._size = 0

    def get(self, key: K) -> V | None:
        found = self._newer.get(key) or self._older.get(key)
        return None if found is None else found[0]

    def takes(self, size: int) -> bool:
        """Whether a value of so many bytes is kept: not if many others would have to go for it."""
        return size <= self._most_of_generation // FEWEST_VALUES

    def put(self, key: K, value: V, size: int) -> None:
        """:param size: bytes of the value, which is kept if `takes` says so"""
        if not self.takes(size):
            return
        _, size_before = self._newer.get(key, (None, 0))
        self._newer[key] = value, size
        self._size += size - size_before
        if self._size > self._most_of_generation:
            self._older, self._newer, self._size = self._newer, {}, 0


@dataclass(slots=True)
class _Made(Generic[S, V]):
    source: S
    value: V


class Made(Generic[K, S, V]):
    """Values in two generations, each with its source. A value is found for an equal source only, so nothing
    has to be forgotten when something changes; and a new version takes the place of the one before.
    """

    def __init__(self, most: int) -> None:
        """:param most: bytes of all values with their sources"""
        self._made: Generations[K, _Made[S, V]] = Generations(most)

    def get(self, key: K, source: S) -> V | None:
        made = self._made.get(key)
        if made is None:
            return None
        if made.source is not source:
            if made.source != source:
                return None
            made.source = source  # compared in no time when it comes again, and the other one can go
        return made.value

    def takes(self, size: int) -> bool:
        """Whether a value of so many bytes, with its source, is kept."""
        return self._made.takes(size)

    def put(self, key: K, source: S, value: V, size: int) -> None:
        """:param size: bytes of the value and its source"""
        self._made.put(key, _Made(source, value), size)


def size_of_text(text: str) -> int:
    """Return the bytes of a text in memory, where one that is not ASCII has its UTF-8 beside it once it was
    sent.
    """
    return getsizeof(text) if text.isascii() else getsizeof(text) + len(text.encode())
