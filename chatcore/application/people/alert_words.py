"""The alert words of a user: messages that contain one are flagged."""

from collections.abc import Collection, Sequence
from typing import Annotated

from chatcore.application.arguments import about
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, read_only, unit_of_work
from chatcore.domain.characters import check_characters
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.people.alert_words import read_words
from chatcore.events.audience import Users
from chatcore.events.happened import AlertWordsChanged

MAX_ALERT_WORDS = 1000

Words = Annotated[Sequence[str], about("Words or phrases.")]


@read_only
def alert_words(view: View, me: Actor) -> list[str]:
    """List the caller's alert words.

    :returns: the words in the order in which they were added
    """
    return list(view.snapshot.alert_words.of_user(me.user_id))


def add_alert_words(svc: Services, actor: Actor, words: Words) -> list[str]:
    """Add alert words; the answer lists all of them.

    :returns: all words; one that exists in another spelling keeps its spelling
    :raises BadRequest: a word that is too long or has control characters, or too many words
    """
    _require_within_maximum(len(words))
    wanted = read_words(list(words), svc.limits)
    for word in wanted:
        check_characters(word, "alert word")
    return _store_words(svc, actor, wanted)


@unit_of_work
def _store_words(unit: Unit, me: Actor, wanted: Sequence[str]) -> list[str]:
    before = list(unit.tx.alert_words.of_user(me.user_id))
    known = {word.lower() for word in before}
    new = [word for word in wanted if word.lower() not in known]
    _require_within_maximum(len(before) + len(new))
    if not new:
        return before
    unit.tx.alert_words.add(me.user_id, new)
    unit.tx.announce(AlertWordsChanged(), Users((me.user_id,)))
    return list(unit.tx.alert_words.of_user(me.user_id))


def remove_alert_words(svc: Services, actor: Actor, words: Words) -> list[str]:
    """Remove alert words; the answer lists the remaining ones.

    :param words: in any case
    :returns: the other words
    :raises BadRequest: more words than an account can have
    """
    _require_within_maximum(len(words))
    return _remove_words(svc, actor, {word.strip().lower() for word in words})


@unit_of_work
def _remove_words(unit: Unit, me: Actor, unwanted: Collection[str]) -> list[str]:
    before = list(unit.tx.alert_words.of_user(me.user_id))
    removed = [word for word in before if word.lower() in unwanted]
    if not removed:
        return before
    unit.tx.alert_words.remove(me.user_id, removed)
    unit.tx.announce(AlertWordsChanged(), Users((me.user_id,)))
    return list(unit.tx.alert_words.of_user(me.user_id))


def _require_within_maximum(number: int) -> None:
    if number > MAX_ALERT_WORDS:
        raise BadRequest(f"You cannot have more than {MAX_ALERT_WORDS} alert words.")
