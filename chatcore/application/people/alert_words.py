"""The alert words of a user: messages that contain one are flagged."""

from collections.abc import Sequence

from chatcore.application.services import Services
from chatcore.application.units import refresh_actor
from chatcore.domain.characters import check_characters
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.people.alert_words import read_words
from chatcore.events.audience import Users
from chatcore.events.types import AlertWordsChanged
from chatcore.storage import Transaction

MAX_ALERT_WORDS = 1000
"""Maximum number of alert words of one user."""


def alert_words(svc: Services, actor: Actor) -> list[str]:
    """Return the actor's alert words, in the order in which they were added."""
    return svc.storage.read(lambda snapshot: list(snapshot.alert_words.of_user(actor.user_id)))


def add_alert_words(svc: Services, actor: Actor, words: Sequence[str]) -> list[str]:
    """Add alert words and return all; a word that exists in another spelling keeps its spelling.

    :raises BadRequest: a word that is too long or has control characters, or too many words
    """
    wanted = read_words(list(words), svc.limits)
    for word in wanted:
        check_characters(word, "alert word")

    def write(tx: Transaction) -> list[str]:
        user_id = refresh_actor(tx, actor, svc.now).user_id
        before = list(tx.alert_words.of_user(user_id))
        known = {word.lower() for word in before}
        new = [word for word in wanted if word.lower() not in known]
        if len(before) + len(new) > MAX_ALERT_WORDS:
            raise BadRequest(f"You cannot have more than {MAX_ALERT_WORDS} alert words.")
        if not new:
            return before
        tx.alert_words.add(user_id, new)
        return _announce(tx, user_id)

    return svc.storage.write(write)


def remove_alert_words(svc: Services, actor: Actor, words: Sequence[str]) -> list[str]:
    """Remove alert words, ignoring case, and return the rest."""
    unwanted = {word.strip().lower() for word in words}

    def write(tx: Transaction) -> list[str]:
        user_id = refresh_actor(tx, actor, svc.now).user_id
        before = list(tx.alert_words.of_user(user_id))
        gone = [word for word in before if word.lower() in unwanted]
        if not gone:
            return before
        tx.alert_words.remove(user_id, gone)
        return _announce(tx, user_id)

    return svc.storage.write(write)


def _announce(tx: Transaction, user_id: UserId) -> list[str]:
    words = list(tx.alert_words.of_user(user_id))
    tx.announce(AlertWordsChanged(), Users((user_id,)))
    return words
