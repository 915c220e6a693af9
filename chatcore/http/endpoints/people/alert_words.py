"""Endpoints for the caller's alert words."""

from typing import Annotated

from chatcore.application.arguments import about
from chatcore.application.people import alert_words as users
from chatcore.application.services import Services
from chatcore.http.auth import Caller
from chatcore.http.parameters.declaring import NoParams, Params
from chatcore.http.routing import Answer


class WordsParams(Params, kw_only=True, frozen=True):
    alert_words: Annotated[list[str], about("Words or phrases.")]


class WordsAnswer(Answer, frozen=True, kw_only=True):
    alert_words: list[str]


def alert_words(svc: Services, caller: Caller, p: NoParams) -> WordsAnswer:
    """List the caller's alert words."""
    return WordsAnswer(alert_words=users.alert_words(svc, caller.actor))


def add(svc: Services, caller: Caller, p: WordsParams) -> WordsAnswer:
    """Add alert words; the answer lists all of them."""
    return WordsAnswer(alert_words=users.add_alert_words(svc, caller.actor, p.alert_words))


def remove(svc: Services, caller: Caller, p: WordsParams) -> WordsAnswer:
    """Remove alert words; the answer lists the remaining ones."""
    return WordsAnswer(alert_words=users.remove_alert_words(svc, caller.actor, p.alert_words))
