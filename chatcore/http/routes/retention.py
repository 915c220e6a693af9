"""Legal holds."""

from collections.abc import Sequence
from typing import Final

from chatcore.application.retention.holds import add_hold, lift_hold, list_holds
from chatcore.http.endpoints.retention.answers import HoldsAnswer, NewHoldAnswer
from chatcore.http.operations import operation
from chatcore.http.pipeline.routing import AnyRoute

ROUTES: Final[Sequence[AnyRoute]] = (
    operation("GET", "/legal_holds", list_holds, HoldsAnswer, of_administrators=True),
    operation("POST", "/legal_holds", add_hold, NewHoldAnswer, of_administrators=True),
    operation("DELETE", "/legal_holds/{hold_id:int}", lift_hold, of_administrators=True),
)
