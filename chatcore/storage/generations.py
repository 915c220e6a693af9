"""A mapping that forgets its oldest entries."""

from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Generations(Generic[K, V]):
    """Values of at most so many bytes, in two generations: when the newer one is full, the older one goes.

    A lookup costs as much as in a dictionary, and needs no lock: threads that put values at once may only
    count their bytes wrongly. What is asked for again and again is made anew once in a while.
    """

    def __init__(self, most: int) -> None:
        """:param most: bytes of all values"""
        self._most_of_one = most // 2
        self._newer: dict[K, tuple[V, int]] = {}
        self._older: dict[K, tuple[V, int]] = {}
        self._size = 0

    def get(self, key: K) -> V | None:
        found = self._newer.get(key) or self._older.get(key)
        return None if found is None else found[0]

    def put(self, key: K, value: V, size: int) -> None:
        """:param size: bytes of the value"""
        _, size_before = self._newer.get(key, (None, 0))
        self._newer[key] = value, size
        self._size += size - size_before
        if self._size > self._most_of_one:
            self._older, self._newer, self._size = self._newer, {}, 0
