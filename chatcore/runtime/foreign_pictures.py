"""Pictures of other sites in memory, and the bounds for fetching them.

Each picture is fetched by one request at a time, and others that want it wait for that one. A site that is
slow has few slots, and then none for a while, so that it delays no others.
"""

import threading
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from chatcore.runtime.work import FOREIGN_AT_A_TIME

MAX_AT_ONCE_OF_SITE: Final = 3
WAIT_SECONDS: Final = 5
"""Seconds for which a request waits for its slot, or for the same picture."""
MAX_BYTES: Final = 16 * 2**20
"""Bytes of all pictures that are remembered."""
REMEMBERED_SECONDS: Final = 3600
FAILED_SECONDS: Final = 60
"""Seconds for which a picture that could not be fetched, and a site that was slow, is not asked for."""
MAX_FAILURES: Final = 5000


class SiteIsSlow(Exception):
    """The site has not answered in time."""


@dataclass(frozen=True, slots=True)
class Picture:
    content_type: str
    content: bytes


@dataclass(slots=True)
class ForeignPictures:
    monotonic: Callable[[], float]
    _known: OrderedDict[str, tuple[float, Picture]] = field(default_factory=OrderedDict)
    """The pictures and the times of their ends; the one that was used last is last."""
    _failed: OrderedDict[str, float] = field(default_factory=OrderedDict)
    """The ends of failures, by addresses and by sites; the oldest is first."""
    _bytes: int = 0
    _fetching: set[str] = field(default_factory=set)
    """The addresses of the pictures that are being fetched."""
    _of_site: Counter[str] = field(default_factory=Counter)
    """The number of pictures that are being fetched from each site."""
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def get(self, url: str, site: str, fetch: Callable[[], Picture | None]) -> Picture | None:
        """Return a picture, fetched if it is not known; None if there is none, or no slot for it in time.

        *fetch* returns None if there is no picture, and raises SiteIsSlow.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: self._may_go_on(url, site), WAIT_SECONDS):
                return None
            if url in self._known or self._has_failed(url, site):
                return self._find_known(url)
            self._fetching.add(url)
            self._of_site[site] += 1
        picture, slow = None, False
        try:
            picture = fetch()
        except SiteIsSlow:
            slow = True
        finally:
            with self._changed:
                self._fetching.remove(url)
                self._of_site[site] -= 1
                self._of_site += Counter()  # forgets sites without any
                self._remember_picture(url, picture)
                if slow:
                    self._note_failure(site)
                self._changed.notify_all()
        return picture

    # -- called with the lock held -------------------------------------------------------------------

    def _may_go_on(self, url: str, site: str) -> bool:
        """Whether the picture is known, or could be fetched now."""
        self._forget_outdated(url)
        if url in self._known or self._has_failed(url, site):
            return True
        has_slot = len(self._fetching) < FOREIGN_AT_A_TIME and self._of_site[site] < MAX_AT_ONCE_OF_SITE
        return has_slot and url not in self._fetching

    def _forget_outdated(self, url: str) -> None:
        now = self.monotonic()
        if url in self._known and self._known[url][0] <= now:
            self._bytes -= len(self._known.pop(url)[1].content)
        while self._failed and next(iter(self._failed.values())) <= now:
            self._failed.popitem(last=False)

    def _has_failed(self, url: str, site: str) -> bool:
        return url in self._failed or site in self._failed

    def _find_known(self, url: str) -> Picture | None:
        if url not in self._known:
            return None
        self._known.move_to_end(url)
        return self._known[url][1]

    def _remember_picture(self, url: str, picture: Picture | None) -> None:
        if picture is None:
            self._note_failure(url)
            return
        self._known[url] = self.monotonic() + REMEMBERED_SECONDS, picture
        self._bytes += len(picture.content)
        while self._bytes > MAX_BYTES:
            _, (_, oldest) = self._known.popitem(last=False)
            self._bytes -= len(oldest.content)

    def _note_failure(self, what: str) -> None:
        """Note that an address or a site is not to be asked again for a while."""
        self._failed.pop(what, None)
        self._failed[what] = self.monotonic() + FAILED_SECONDS
        if len(self._failed) > MAX_FAILURES:
            self._failed.popitem(last=False)
