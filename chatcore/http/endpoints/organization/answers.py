"""Answers shared by several endpoints of the organization."""

from chatcore.http.routing import Answer


class NewIdAnswer(Answer, frozen=True, kw_only=True):
    id: int


class CallAnswer(Answer, frozen=True, kw_only=True):
    url: str
