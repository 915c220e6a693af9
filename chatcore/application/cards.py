"""Cards of websites in memory: the known ones, and the messages that wait for some.

Both are lost with the process: such a message stays without its card.
"""

import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from chatcore.domain.ids import MessageId, UserId
from chatcore.domain.messages.cards import Card

KNOWN: Final = 500
"""Addresses whose cards are remembered."""
SECONDS: Final = 3600
"""Seconds for which a card, or that there is none, is remembered."""
WAITING: Final = 200
"""Messages that may wait; more stay without cards."""
WAITING_OF_ACCOUNT: Final = 5


@dataclass(frozen=True, slots=True)
class Waiting:
    message_id: MessageId
    author_id: UserId
    urls: Collection[str]


@dataclass(slots=True)
class Cards:
    monotonic: Callable[[], float]
    _known: OrderedDict[str, tuple[float, Card | None]] = field(default_factory=OrderedDict)
    _waiting: deque[Waiting] = field(default_factory=deque)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def known(self, urls: Collection[str]) -> Mapping[str, Card | None]:
        """Return those of the cards that are known; None for a page without one."""
        since = self.monotonic() - SECONDS
        with self._lock:
            found = {url: self._known[url] for url in urls if url in self._known}
        return {url: card for url, (at, card) in found.items() if at > since}

    def remember(self, url: str, card: Card | None) -> None:
        with self._lock:
            self._known.pop(url, None)
            self._known[url] = (self.monotonic(), card)
            if len(self._known) > KNOWN:
                self._known.popitem(last=False)

    def wait(self, waiting: Waiting) -> None:
        """Let a message wait for its cards, unless too many wait."""
        with self._lock:
            of_account = Counter(one.author_id for one in self._waiting)[waiting.author_id]
            if len(self._waiting) >= WAITING or of_account >= WAITING_OF_ACCOUNT:
                return
            self._waiting.append(waiting)

    def count_waiting(self) -> int:
        return len(self._waiting)

    def first(self) -> Waiting | None:
        """Return the message that has waited longest, which waits no more."""
        with self._lock:
            return self._waiting.popleft() if self._waiting else None
