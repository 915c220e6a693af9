"""Values that change seldom, remembered between transactions exactly as the store has them.

The table `remembered_version` has a version for each kind of such values, and every transaction begins by
reading it. Triggers of the schema draw a new version with every change of a kind's tables, in the transaction
of the change, so that no path can forget it. A transaction uses a remembered value only if it sees the
version under which the value was read. See docs/decisions/0035.
"""

import re
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from enum import StrEnum
from operator import attrgetter
from typing import Any, Final, TypeVar

from chatcore.domain.ids import MessageId
from chatcore.domain.messages.messages import Message
from chatcore.storage.generations import Generations
from chatcore.storage.messages.messages import Revision
from chatcore.storage.messages.sizes import size_of_parts
from chatcore.storage.transaction import Outdated

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)

MOST: Final = 20_000
"""The weight of the values that may be remembered of one query. A collection weighs as many as its items; an
account takes about a kilobyte.
"""

SIZE_OF_MESSAGE: Final = 800
"""Bytes of a remembered message besides its texts and parts."""

MESSAGES: Final[Generations[tuple[object, MessageId], Revision]] = Generations(8 * 2**20)
"""Messages of all stores of the process, each with the revision under which it was read last. The key begins
with an object of its store.
"""

_id = attrgetter("id")


class RememberedKind(StrEnum):
    """The kinds of remembered values, as `remembered_version` names them."""

    CHANNELS = "channels"
    CONFIGURATION = "configuration"
    GROUPS = "groups"
    ORGANIZATION = "organization"
    HISTORICAL = "own copies"  # the name in databases
    PEOPLE = "people"
    PREFERENCES = "preferences"
    MEMBERSHIPS = "subscriptions"  # and those of conversations; the name in databases


TABLES: Final[Mapping[str, RememberedKind]] = {
    "organization": RememberedKind.ORGANIZATION,
    "account": RememberedKind.PEOPLE,
    "alert_word": RememberedKind.PREFERENCES,
    "muting_period": RememberedKind.PREFERENCES,
    "channel": RememberedKind.CHANNELS,
    "subscription": RememberedKind.MEMBERSHIPS,
    "subscription_period": RememberedKind.MEMBERSHIPS,
    "conversation_member": RememberedKind.MEMBERSHIPS,
    "message_flag": RememberedKind.HISTORICAL,
    "user_group": RememberedKind.GROUPS,
    "user_group_member": RememberedKind.GROUPS,
    "user_group_subgroup": RememberedKind.GROUPS,
    "linkifier": RememberedKind.CONFIGURATION,
    "playground": RememberedKind.CONFIGURATION,
    "custom_emoji": RememberedKind.CONFIGURATION,
    "profile_field": RememberedKind.CONFIGURATION,
    "channel_folder": RememberedKind.CONFIGURATION,
    "default_channel_group": RememberedKind.CONFIGURATION,
    "legal_hold": RememberedKind.CONFIGURATION,
}
"""The tables whose changes draw a new version; the triggers are in the migrations."""

HEAD: Final = "SELECT position, kind, version FROM log_head CROSS JOIN remembered_version"
"""The statement with which every transaction begins: the head of the log, beside each version."""

HeadRows = Sequence[tuple[int, str, int]]
"""The rows of `HEAD`."""


def head_of(head_rows: HeadRows) -> int:
    """Return the head of the log, which each of the rows has."""
    return head_rows[0][0]


_WRITTEN = re.compile(
    r"\b(?:INSERT(?:\s+OR\s+\w+)?\s+INTO|REPLACE\s+INTO|UPDATE(?:\s+OR\s+\w+)?|DELETE\s+FROM)"
    r'\s+(?:ONLY\s+)?(?:"?\w+"?\.)?"?(\w+)',
    re.IGNORECASE,
)


def kinds_changed_by(text: str) -> frozenset[RememberedKind]:
    """Return the kinds of values that a statement changes."""
    return frozenset(TABLES[table] for table in _WRITTEN.findall(text) if table in TABLES)


class _Shelf:
    """The remembered values of one query, all of one version."""

    def __init__(self, version: int) -> None:
        self.version = version
        self.values: dict[Hashable, Any] = {}
        self._weight = 0

    def put(self, values: Mapping[Hashable, Any]) -> None:
        weight = sum(map(_weight, values.values()))
        if weight > MOST:
            return
        if self._weight + weight > MOST:
            self.values = {}  # other threads may still be reading the old one
            self._weight = 0
        self.values.update(values)
        self._weight += weight


def _weight(value: object) -> int:
    return 1 + len(value) if isinstance(value, Collection) else 1


class Memory:
    """The remembered values of one store, those of each query under the version that was seen last."""

    def __init__(self) -> None:
        self._shelves: dict[tuple[RememberedKind, str], _Shelf] = {}
        self.key_of_messages = object()
        """The object with which the keys of the store's messages begin: a new one forgets them."""

    def shelf(self, kind: RememberedKind, query: str, version: int) -> _Shelf:
        """Return the values of a version; those of another version are forgotten."""
        shelf = self._shelves.get((kind, query))
        if shelf is None or shelf.version != version:
            shelf = self._shelves[kind, query] = _Shelf(version)
        return shelf

    def newest(self, kind: RememberedKind, query: str) -> _Shelf | None:
        """Return the values of the version that was seen last."""
        return self._shelves.get((kind, query))

    def forget(self) -> None:
        self._shelves.clear()
        self.key_of_messages = object()


class Recall:
    """The remembered values as one transaction sees them.

    *head_rows* are those that `HEAD` has read in this transaction. A kind of values that the transaction
    itself has changed is read from the store until its end. A *query* is a name for what is read; queries do
    not share values.
    """

    def __init__(self, memory: Memory, head_rows: HeadRows) -> None:
        self._memory = memory
        self._versions = {kind: version for _, kind, version in head_rows}
        self.position = head_of(head_rows) if head_rows else 0
        """The end of the log when the transaction began; 0 outside of transactions."""

    def note_changes(self, kinds: Iterable[RememberedKind]) -> None:
        """Note that the transaction changes values of these kinds."""
        for kind in kinds:
            self._versions.pop(kind, None)

    def require(self, versions: Mapping[RememberedKind, int]) -> None:
        """Check that the transaction sees the versions under which values were recalled.

        :raises Outdated: it sees others
        """
        if any(self._versions.get(kind) != version for kind, version in versions.items()):
            raise Outdated

    def one(self, kind: RememberedKind, query: str, read: Callable[[], T], key: Hashable = None) -> T:
        """Return the value of one key, or the only value of a query; from the memory or by *read*."""
        return self.many(kind, query, [key], lambda _: {key: read()})[key]

    def many(
        self, kind: RememberedKind, query: str, keys: Iterable[K], read: Callable[[list[K]], Mapping[K, T]]
    ) -> dict[K, T]:
        """Return the values of those keys that have one, in the order of the keys; *read* receives the keys
        that are not remembered.
        """
        asked = list(keys)
        version = self._versions.get(kind)
        if version is None:
            return _in_order(asked, read(asked))
        shelf = self._memory.shelf(kind, query, version)
        values = shelf.values
        known = {key: values[key] for key in asked if key in values}
        if len(known) == len(asked):
            return known
        more = dict(read([key for key in asked if key not in known]))
        shelf.put(more)  # type: ignore[arg-type]  # a mapping is invariant in its keys
        return _in_order(asked, {**known, **more})

    def revisions(
        self,
        numbers: Mapping[MessageId, int],
        read_sizes: Callable[[list[MessageId]], Mapping[MessageId, int]],
    ) -> dict[MessageId, Revision]:
        """Return the revisions of these numbers, from the memory or with sizes that *read_sizes* returns."""
        key, revisions, missing = self._memory.key_of_messages, {}, []
        for message_id, number in numbers.items():
            remembered = MESSAGES.get((key, message_id))
            if remembered is not None and remembered.number == number:
                revisions[message_id] = remembered
            else:
                missing.append(message_id)
        for message_id, size in (read_sizes(missing) if missing else {}).items():
            revisions[message_id] = Revision(numbers[message_id], size)
        return revisions

    def of_revisions(
        self,
        revisions: Mapping[MessageId, Revision],
        read: Callable[[list[MessageId]], Iterable[Message]],
    ) -> list[Message]:
        """Return the messages by ascending id; *read* receives those that are not remembered."""
        messages = [revision.message for revision in revisions.values() if revision.message is not None]
        if len(messages) < len(revisions):
            missing = [message_id for message_id, revision in revisions.items() if revision.message is None]
            for message in read(missing):
                self._remember(message, revisions[message.id])
                messages.append(message)
        return sorted(messages, key=_id)

    def _remember(self, message: Message, revision: Revision) -> None:
        size = max(revision.size, size_of_parts(message)) + SIZE_OF_MESSAGE
        MESSAGES.put(
            (self._memory.key_of_messages, message.id),
            Revision(revision.number, revision.size, message),
            size,
        )


class NotRememberedError(Exception):
    """A value is needed that is not in memory."""


class Remembered(Recall):
    """The remembered values without a transaction; `versions` notes under which versions they were read."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(memory, ())
        self.versions: dict[RememberedKind, int] = {}

    def many(
        self, kind: RememberedKind, query: str, keys: Iterable[K], read: Callable[[list[K]], Mapping[K, T]]
    ) -> dict[K, T]:
        """Return the values that are remembered; *read* is never called.

        :raises NotRememberedError: one is not, or is of another version than earlier ones of its kind
        """
        asked = list(keys)
        shelf = self._memory.newest(kind, query)
        if shelf is None or self.versions.setdefault(kind, shelf.version) != shelf.version:
            raise NotRememberedError
        values = shelf.values
        try:
            return {key: values[key] for key in asked}
        except KeyError:
            raise NotRememberedError from None


def _in_order(keys: Iterable[K], values: Mapping[K, T]) -> dict[K, T]:
    """Return those of the values that exist, in the order of the keys."""
    return {key: values[key] for key in keys if key in values}


class ReadAlways(Recall):
    """A recall without memory, for work outside the transactions of a store."""

    def __init__(self) -> None:
        super().__init__(Memory(), ())
