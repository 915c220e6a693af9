"""Registering event queues, polling and deleting them."""

from typing import Any

import msgspec

from chatcore.application import events
from chatcore.application.server_settings import server_settings, version_fields
from chatcore.application.services import Services
from chatcore.domain.errors import BadRequest
from chatcore.domain.narrow.live import parse_live
from chatcore.events.queue import Capabilities, Registration
from chatcore.http.auth import Caller
from chatcore.http.endpoints.channels import read_include_subscribers
from chatcore.http.longpoll import wait_for_events
from chatcore.http.params import Json, NoParams, Params, Text
from chatcore.http.routing import Answer, Done, Spread


class RegisterParams(Params, kw_only=True, frozen=True):
    apply_markdown: bool = False
    client_gravatar: bool | None = None
    include_subscribers: bool | Text = False
    slim_presence: bool = False
    presence_history_limit_days: int = 14
    event_types: list[str] | None = None
    all_public_streams: bool = False
    client_capabilities: dict[str, Any] | None = None
    fetch_event_types: list[str] | None = None
    narrow: Json = None
    queue_lifespan_secs: int = 0
    idle_queue_timeout: int | Text | None = None


class RegisterAnswer(Spread, frozen=True):
    fields: dict[str, Any]


def register(svc: Services, caller: Caller, p: RegisterParams) -> RegisterAnswer:
    """Register an event queue and get the state it starts from."""
    if not caller.is_authenticated and (p.client_gravatar or p.include_subscribers is True):
        raise BadRequest("Invalid 'client_gravatar' or 'include_subscribers' without authentication")
    lifespan = p.queue_lifespan_secs
    if isinstance(p.idle_queue_timeout, int):
        lifespan = p.idle_queue_timeout
    if lifespan < 0:
        raise BadRequest("queue_lifespan_secs must not be negative")
    registration = Registration(
        event_types=None if p.event_types is None else tuple(p.event_types),
        apply_markdown=p.apply_markdown,
        client_gravatar=caller.is_authenticated if p.client_gravatar is None else p.client_gravatar,
        slim_presence=p.slim_presence,
        include_subscribers=read_include_subscribers(p.include_subscribers),
        all_public_streams=p.all_public_streams,
        narrow=parse_live(p.narrow, limits=svc.limits).pairs,
        capabilities=_capabilities(p.client_capabilities),
        lifespan=min(lifespan, svc.limits.event_queue_max_lifespan) or svc.limits.event_queue_idle,
    )
    done = events.register(svc, caller.actor, registration, p.fetch_event_types)
    fields = {
        "queue_id": done.queue_id,
        "last_event_id": done.last_event_id,
        **version_fields(),
        **done.state,
    }
    return RegisterAnswer(fields)


def _capabilities(given: dict[str, Any] | None) -> Capabilities:
    """The capabilities that are known; newer ones are no error.

    :raises BadRequest: a value that is neither true nor false
    """
    try:
        return msgspec.convert(given or {}, Capabilities)
    except msgspec.ValidationError as error:
        raise BadRequest(f"Invalid client_capabilities: {error}") from error


class PollParams(Params, kw_only=True, frozen=True):
    queue_id: Text
    last_event_id: int | None = None
    dont_block: bool = False


class PollAnswer(Answer, frozen=True, kw_only=True):
    events: list[msgspec.Raw]
    queue_id: str


def poll(svc: Services, caller: Caller, p: PollParams) -> PollAnswer:
    """Get the events of a queue, waiting for the first where there are none."""
    if p.last_event_id is None:
        raise BadRequest("Missing 'last_event_id' argument")
    found = wait_for_events(svc, caller.user, p.queue_id, p.last_event_id, dont_block=p.dont_block)
    return PollAnswer(events=[msgspec.Raw(event) for event in found], queue_id=p.queue_id)


class DeleteParams(Params, kw_only=True, frozen=True):
    queue_id: Text


def delete(svc: Services, caller: Caller, p: DeleteParams) -> Done:
    """Delete an event queue."""
    events.delete_queue(svc, caller.user, p.queue_id)
    return Done()


class SettingsAnswer(Spread, frozen=True):
    fields: dict[str, Any]


def settings(svc: Services, caller: Caller, p: NoParams) -> SettingsAnswer:
    """Get what a client needs to know before anybody is logged in."""
    return SettingsAnswer(server_settings(svc))
