"""Answers of the endpoints that are made from use cases; `NewIdAnswer` also of one written by hand."""

from chatcore.events.payloads.organization import AuditEntryObject
from chatcore.http.pipeline.routing import Answer


class AuditAnswer(Answer, frozen=True, kw_only=True):
    entries: list[AuditEntryObject]


class NewIdAnswer(Answer, frozen=True, kw_only=True):
    id: int


class CallAnswer(Answer, frozen=True, kw_only=True):
    url: str
