"""The alert words of a user: messages that contain one are flagged."""

from collections.abc import Sequence
from typing import Annotated

from chatcore.application.arguments import about
from chatcore.application.units import Unit, View, read_only, unit_of_work
from chatcore.domain.characters import check_characters
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.people.alert_words import read_words
from chatcore.events.audience import Users
from chatcore.events.types import AlertWordsChanged

MAX_ALERT_WORDS = 1000
"""Maximum number of alert words of one user."""

Words = Annotated[Sequence[str], about("Words or phrases.")]


@read_only
def alert_words(view: View, me: Actor) -> list[str]:
    """List the caller's alert words.

    :returns: the words in the order in which they were added
    """
    # They are in the order in which they were added.
    return list(view.snapshot.alert_words.of_user(me.user_id))


@unit_of_work
def add_alert_words(unit: Unit, me: Actor, words: Words) -> list[str]:
    """Add alert words; the answer lists all of them.

    :returns: all words; one that exists in another spelling keeps its spelling
    :raises BadRequest: a word that is too long or has control characters, or too many words
    """
    wanted = read_words(list(words), unit.limits)
    for word in wanted:
        check_characters(word, "alert word")
    before = list(unit.tx.alert_words.of_user(me.user_id))
    known = {word.lower() for word in before}  # a word that exists keeps its spelling
    new = [word for word in wanted if word.lower() not in known]
    if len(before) + len(new) > MAX_ALERT_WORDS:
        raise BadRequest(f"You cannot have more than {MAX_ALERT_WORDS} alert words.")
    if not new:
        return before
    unit.tx.alert_words.add(me.user_id, new)
    return _announce(unit, me)


@unit_of_work
def remove_alert_words(unit: Unit, me: Actor, words: Words) -> list[str]:
    """Remove alert words; the answer lists the remaining ones.

    :param words: in any case
    :returns: the other words
    """
    unwanted = {word.strip().lower() for word in words}
    before = list(unit.tx.alert_words.of_user(me.user_id))
    gone = [word for word in before if word.lower() in unwanted]
    if not gone:
        return before
    unit.tx.alert_words.remove(me.user_id, gone)
    return _announce(unit, me)


def _announce(unit: Unit, me: Actor) -> list[str]:
    words = list(unit.tx.alert_words.of_user(me.user_id))
    unit.tx.announce(AlertWordsChanged(), Users((me.user_id,)))
    return words
