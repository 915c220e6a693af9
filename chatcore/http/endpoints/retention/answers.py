"""Answers of the endpoints that are made from use cases."""

from chatcore.events.payloads.organization import HoldObject
from chatcore.http.pipeline.routing import Answer


class HoldsAnswer(Answer, frozen=True, kw_only=True):
    legal_holds: list[HoldObject]


class NewHoldAnswer(Answer, frozen=True, kw_only=True):
    legal_hold_id: int
