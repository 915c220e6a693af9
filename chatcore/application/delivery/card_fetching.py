"""Cards of the websites that messages link to, fetched after the messages were sent.

The organization wants them or not (`inline_url_embed_preview`); messages of bots have none. Pages are
asked for by a few threads of the process, at public addresses only.
"""

import logging
import threading
from collections.abc import Collection
from math import inf
from typing import Final

from chatcore.application import units
from chatcore.application.asking import fetch
from chatcore.application.delivery.rendering import RenderedText, with_current_images
from chatcore.application.delivery.rerendering import change_html, render_again
from chatcore.application.services import Services
from chatcore.application.units import Unit, View
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import MessageId, UserId
from chatcore.domain.messages.cards import MAX_PER_MESSAGE, Card, card_of_page
from chatcore.domain.messages.messages import Message
from chatcore.markup.html.previews import CARD
from chatcore.runtime.cards import Waiting
from chatcore.runtime.work import Work
from chatcore.storage import StorageNotReady

log = logging.getLogger("chatcore.cards")

MAX_AT_ONCE: Final = 4
"""Messages of one process whose cards are fetched at the same time: a slow website delays few others."""
RECENT: Final = 600
"""Age in seconds of the oldest message whose cards a new process fetches."""
LOOKED_AT: Final = 500
"""Positions of the log at which it looks for such messages."""
MAX_BYTES: Final = 2 * 2**20
USER_AGENT: Final = "chatcore (link preview)"


def want_cards(svc: Services, message_id: MessageId, author: Actor, text: RenderedText) -> None:
    """Fetch the cards of a stored message soon, if some of its links have none that is known."""
    if not text.urls:
        return
    known = svc.cards.known_cards(text.urls)
    urls = sorted(url for url in text.urls if url not in known)[:MAX_PER_MESSAGE]
    if urls:
        svc.cards.let_wait(Waiting(message_id, author.user_id, urls))
        svc.alarms.cards.ring()


def want_lost_cards(svc: Services) -> None:
    """Fetch soon the cards that recent messages lack: the process that was to fetch them may have ended."""
    for message, author in units.read(svc, _find_without_cards):
        want_cards(svc, message.id, author, render_again(svc, author, message))


def _find_without_cards(view: View) -> list[tuple[Message, Actor]]:
    snapshot = view.snapshot
    newest = snapshot.messages.newest_id()
    if newest is None or not snapshot.organization.get().inline_url_embed_preview:
        return []
    ids = [MessageId(number) for number in range(max(1, newest - LOOKED_AT + 1), newest + 1)]
    messages = [message for message in snapshot.messages.by_ids(ids) if _may_lack_cards(message, view.now)]
    actors = snapshot.users.actors({message.sender_id for message in messages}, view.now)
    return [(message, actors[message.sender_id]) for message in messages if message.sender_id in actors]


def _may_lack_cards(message: Message, now: int) -> bool:
    is_recent = message.timestamp > now - RECENT
    return is_recent and "://" in message.content and CARD not in message.rendered_content


class CardFetcher:
    """The threads of one process that fetch cards."""

    def __init__(self, svc: Services) -> None:
        self._svc = svc
        self._lock = threading.Lock()
        self._running = 0
        self._has_looked = False

    def run(self) -> float:
        """Begin to fetch the cards that wait, as far as there are threads; the task of `Services.alarms`."""
        if not self._has_looked:
            want_lost_cards(self._svc)
            self._has_looked = True
        with self._lock:
            more = min(MAX_AT_ONCE - self._running, self._svc.cards.count_waiting())
            self._running += more
        for _ in range(more):
            threading.Thread(target=self._fetch_waiting, name="chatcore-card", daemon=True).start()
        return inf

    def _fetch_waiting(self) -> None:
        """The thread: fetch what waits, then make room for another thread."""
        try:
            fetch_waiting(self._svc)
        except StorageNotReady as error:
            self._svc.alarms.quiet_log.tell_not_ready(log, "a message stays without its cards: %s", error)
        except Exception:
            log.exception("cards could not be fetched")
        finally:
            with self._lock:
                self._running -= 1


def fetch_waiting(svc: Services) -> None:
    """Fetch the cards of the messages that wait, one after another, and show them.

    :raises StorageNotReady: as `units.find_with_secret` does
    """
    while not svc.alarms.cards.stopped and (waiting := svc.cards.begin_first()) is not None:
        try:
            units.read(svc, units.find_with_secret)
            _fetch_missing(svc, waiting.urls, waiting.author_id)
            if any(svc.cards.known_cards(waiting.urls).values()):
                _show_cards(svc, waiting)
        finally:
            svc.cards.end(waiting)


def _fetch_missing(svc: Services, urls: Collection[str], author_id: UserId) -> None:
    known = svc.cards.known_cards(urls)
    for url in urls:
        if url not in known and not svc.alarms.cards.stopped:
            svc.cards.remember(url, _fetch_card(svc, url, author_id))


def _fetch_card(svc: Services, url: str, author_id: UserId) -> Card | None:
    """Fetch a page and return its card, or None if it has none."""
    from chatcore.runtime.outgoing_requests import RequestTimedOut  # loads an HTTP library

    try:
        answer = fetch(
            svc, url, asker=author_id, accept="text/html", user_agent=USER_AGENT, max_bytes=MAX_BYTES
        )
    except RequestTimedOut:
        return None
    if answer is None:
        return None
    content_type = answer.headers.get("content-type", "")
    return svc.run_blocking(lambda: card_of_page(answer.url, content_type, answer.body), Work.TEXTS)


def _show_cards(svc: Services, waiting: Waiting) -> None:
    """Render a message again with its cards, unless it was changed meanwhile."""
    message, author = units.read(svc, _find_message_and_author, waiting)
    if message is not None and author is not None:
        units.write(svc, _store_html, message.id, author, render_again(svc, author, message))


def _find_message_and_author(view: View, waiting: Waiting) -> tuple[Message | None, Actor | None]:
    actors = view.snapshot.users.actors([waiting.author_id], view.now)
    return view.snapshot.messages.find(waiting.message_id), actors.get(waiting.author_id)


def _store_html(unit: Unit, message_id: MessageId, author: Actor, text: RenderedText) -> None:
    message = unit.tx.messages.find(message_id)
    if message is not None and message.content == text.content:
        html = with_current_images(unit, text, author.user_id).html
        change_html(unit, [message], lambda _: html)
