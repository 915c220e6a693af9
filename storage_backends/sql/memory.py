"""Values that change seldom, remembered between transactions exactly as the store has them.

The row `log_head`, which every transaction reads, has a version for each kind of such values. Triggers of the
schema draw a new version with every change of a kind's tables, in the transaction of the change, so that no
path can forget it. A transaction uses a remembered value only if it sees the version under which the value
was read. See docs/decisions/0035.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Sized
from enum import Enum
from typing import Any, Final, TypeVar

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)

MOST: Final = 5_000
"""The number of values of one kind, and of items in one of them, that are remembered. An account takes about
a kilobyte.
"""


class Kind(Enum):
    """The kinds of remembered values; the value of each is its column in `log_head`."""

    ORGANIZATION = "organization_version"
    PEOPLE = "people_version"
    GROUPS = "groups_version"
    CONFIGURATION = "configuration_version"


TABLES: Final[Mapping[str, Kind]] = {
    "organization": Kind.ORGANIZATION,
    "account": Kind.PEOPLE,
    "user_group": Kind.GROUPS,
    "user_group_member": Kind.GROUPS,
    "user_group_subgroup": Kind.GROUPS,
    "linkifier": Kind.CONFIGURATION,
    "playground": Kind.CONFIGURATION,
    "custom_emoji": Kind.CONFIGURATION,
    "profile_field": Kind.CONFIGURATION,
}
"""The tables whose changes draw a new version; the triggers are in the migrations."""

HEAD: Final = f"SELECT position, {', '.join(kind.value for kind in Kind)} FROM log_head"
"""The statement with which every transaction begins."""

_WRITTEN = re.compile(r'\b(?:INSERT INTO|UPDATE|DELETE FROM)\s+"?(\w+)', re.IGNORECASE)


def written_by(text: str) -> frozenset[Kind]:
    """Return the kinds of values that a statement changes."""
    return frozenset(TABLES[table] for table in _WRITTEN.findall(text) if table in TABLES)


class Memory:
    """The remembered values of one store, each kind under the version that was seen last."""

    def __init__(self) -> None:
        self._values: dict[Kind, tuple[int, dict[Hashable, Any]]] = {}

    def under(self, kind: Kind, version: int) -> dict[Hashable, Any]:
        """Return the values of a version; those of another version are forgotten."""
        known = self._values.get(kind)
        if known is None or known[0] != version:
            known = self._values[kind] = (version, {})
        return known[1]

    def forget(self) -> None:
        self._values.clear()


class Recall:
    """The remembered values as one transaction sees them.

    *head* is the row that `HEAD` has read in this transaction. A kind of values that the transaction itself
    has changed is read from the store until its end.
    """

    def __init__(self, memory: Memory, head: Sequence[int]) -> None:
        self._memory = memory
        self._versions = dict(zip(Kind, head[1:], strict=True))

    def change(self, kinds: Iterable[Kind]) -> None:
        """Note that the transaction changes values of these kinds."""
        for kind in kinds:
            self._versions.pop(kind, None)

    def one(self, kind: Kind, key: Hashable, read: Callable[[], T]) -> T:
        """Return the value of a key, from the memory or by *read*."""
        version = self._versions.get(kind)
        if version is None:
            return read()
        values = self._memory.under(kind, version)
        try:
            found: T = values[key]
        except KeyError:
            found = read()
            if len(values) < MOST and not (isinstance(found, Sized) and len(found) > MOST):
                values[key] = found
        return found

    def many(self, kind: Kind, keys: Iterable[K], read: Callable[[list[K]], Mapping[K, T]]) -> dict[K, T]:
        """Return the values of those keys that have one; *read* receives the keys that are not remembered."""
        version = self._versions.get(kind)
        if version is None:
            return dict(read(list(keys)))
        values = self._memory.under(kind, version)
        found: dict[K, T] = {}
        unknown: list[K] = []
        for key in keys:
            if (value := values.get(key)) is not None:
                found[key] = value
            else:
                unknown.append(key)
        if unknown:
            more = read(unknown)
            found.update(more)
            if len(values) + len(more) <= MOST:
                values.update(more.items())
        return found


class ReadAlways(Recall):
    """A recall without memory, for work outside the transactions of a store."""

    def __init__(self) -> None:
        super().__init__(Memory(), (0,) * (1 + len(Kind)))
        self.change(Kind)
