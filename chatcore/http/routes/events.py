"""Registering event queues, and polling them."""

from collections.abc import Sequence
from typing import Final

from chatcore.application.events.queues import delete_queue
from chatcore.http.endpoints.events import queues
from chatcore.http.operations import operation
from chatcore.http.pipeline.auth import Auth
from chatcore.http.pipeline.routing import AnyRoute, Route
from chatcore.runtime.admission import Lane

ROUTES: Final[Sequence[AnyRoute]] = (
    Route("POST", "/register", queues.RegisterParams, queues.register, auth=Auth.OPTIONAL, may_repeat=True),
    Route("GET", "/events", queues.PollParams, queues.poll, lane=Lane.POLLS),
    operation("DELETE", "/events", delete_queue),
)
