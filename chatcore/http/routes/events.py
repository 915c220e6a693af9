"""Registering event queues, and polling them."""

from collections.abc import Sequence
from typing import Final

from chatcore.application.admission import Lane
from chatcore.http.auth import Auth
from chatcore.http.endpoints.events import queues
from chatcore.http.routing import AnyRoute, Route

ROUTES: Final[Sequence[AnyRoute]] = (
    Route("POST", "/register", queues.RegisterParams, queues.register, auth=Auth.OPTIONAL, may_repeat=True),
    Route("GET", "/events", queues.PollParams, queues.poll, lane=Lane.POLLS),
    Route("DELETE", "/events", queues.DeleteParams, queues.delete),
)
