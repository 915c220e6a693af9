"""Answers of the endpoints that are made from use cases."""

from chatcore.application.people.users import OwnUserShape
from chatcore.events.payloads.users import UserShape
from chatcore.http.pipeline.routing import Answer, Spread


class WordsAnswer(Answer, frozen=True, kw_only=True):
    alert_words: list[str]


class AvatarAnswer(Answer, frozen=True, kw_only=True):
    avatar_url: str


class OwnUserAnswer(Spread, frozen=True):
    fields: OwnUserShape


class UserAnswer(Answer, frozen=True, kw_only=True):
    user: UserShape
