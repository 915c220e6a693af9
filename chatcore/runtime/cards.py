"""Cards of websites in memory: the known ones, and the messages that wait for some.

Both are lost with the process; the next one looks for messages that need cards among the recent ones
(`chatcore.application.delivery.card_fetching`).
"""

import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from chatcore.domain.ids import MessageId, UserId
from chatcore.domain.messages.cards import Card

MAX_KNOWN: Final = 500
"""Addresses whose cards are remembered."""
REMEMBERED_SECONDS: Final = 3600
"""Seconds for which a card, or that there is none, is remembered."""
MAX_WAITING: Final = 200
"""Messages that may wait; more stay without cards."""
MAX_WAITING_OF_ACCOUNT: Final = 5
MAX_FETCHING_OF_ACCOUNT: Final = 2
"""Messages of one account for which cards are fetched at the same time, so that others have their turn."""


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
    _fetching: Counter[UserId] = field(default_factory=Counter)
    """The messages of each author for which cards are being fetched."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def known_cards(self, urls: Collection[str]) -> Mapping[str, Card | None]:
        """Return those of the cards that are known; None for a page without one."""
        since = self.monotonic() - REMEMBERED_SECONDS
        with self._lock:
            cards = {url: self._known[url] for url in urls if url in self._known}
        return {url: card for url, (at, card) in cards.items() if at > since}

    def remember(self, url: str, card: Card | None) -> None:
        with self._lock:
            self._known.pop(url, None)
            self._known[url] = (self.monotonic(), card)
            if len(self._known) > MAX_KNOWN:
                self._known.popitem(last=False)

    def let_wait(self, waiting: Waiting) -> None:
        """Let a message wait for its cards, unless too many wait."""
        with self._lock:
            of_account = sum(other.author_id == waiting.author_id for other in self._waiting)
            if len(self._waiting) >= MAX_WAITING or of_account >= MAX_WAITING_OF_ACCOUNT:
                return
            self._waiting.append(waiting)

    def count_waiting(self) -> int:
        return len(self._waiting)

    def begin_first(self) -> Waiting | None:
        """Return the message that has waited longest, of an author who has a turn; it waits no more. The
        caller calls `end` after it.
        """
        with self._lock:
            for waiting in self._waiting:
                if self._fetching[waiting.author_id] < MAX_FETCHING_OF_ACCOUNT:
                    self._waiting.remove(waiting)
                    self._fetching[waiting.author_id] += 1
                    return waiting
        return None

    def end(self, waiting: Waiting) -> None:
        with self._lock:
            self._fetching[waiting.author_id] -= 1
            self._fetching += Counter()  # forgets authors without any
