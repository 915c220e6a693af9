"""Endpoints that register, poll and delete event queues."""

from typing import Annotated, Any

import msgspec

from chatcore.application.arguments import about
from chatcore.application.events import queues
from chatcore.application.events.long_polls import wait_for_events
from chatcore.application.services import Services
from chatcore.domain.errors import BadRequest
from chatcore.domain.narrow.live import parse_live
from chatcore.domain.people.presence import HISTORY_DAYS
from chatcore.events.queue import Capabilities, Registration
from chatcore.http.endpoints.channels.listing import read_include_subscribers
from chatcore.http.endpoints.events.known_fields import without_known
from chatcore.http.parameters.declaring import REQUIRED, Count, Json, Params, Text
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Answer, Spread


class RegisterParams(Params, kw_only=True, frozen=True):
    apply_markdown: Annotated[
        bool, about("Whether the content of messages is HTML; if not, it is Markdown.")
    ] = False
    client_gravatar: Annotated[
        bool | None,
        about(
            "Whether to omit avatar addresses that the client can compute; by default for callers"
            " with an account."
        ),
    ] = None
    include_subscribers: Annotated[
        bool | Text, about("List the subscribers of each channel: true, false or 'partial'.")
    ] = False
    slim_presence: Annotated[bool, about("Return presences by user id, in the newer form.")] = False
    presence_history_limit_days: Annotated[
        Count, about("Omit users who were last online more than this number of days ago.")
    ] = HISTORY_DAYS
    event_types: Annotated[list[str] | None, about("Types of events for the queue; by default all.")] = None
    all_public_streams: Annotated[
        bool | None,
        about(
            "Include messages of public channels to which the caller is not subscribed. Bots may have another"
            " default.",
            schema={"type": "boolean", "default": False},
        ),
    ] = None
    client_capabilities: Annotated[
        dict[str, Any] | None,
        about(
            "The capabilities of the client: an object of names and booleans.",
            schema={
                "type": "object",
                "properties": {name: {"type": "boolean"} for name in Capabilities.__struct_fields__},
            },
        ),
    ] = None
    fetch_event_types: Annotated[
        list[str] | None,
        about("Types of events whose state is in the answer; by default those of event_types."),
    ] = None
    narrow: Annotated[
        Json,
        about(
            "Pairs of operator and operand; the queue receives only messages that match.",
            schema={
                "type": "array",
                "items": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2},
                "default": [],
            },
        ),
    ] = None
    queue_lifespan_secs: Annotated[
        int, about("Seconds that the queue lives after its last poll, if longer than usual.")
    ] = 0
    idle_queue_timeout: Annotated[
        int | Text | None, about("Another name of queue_lifespan_secs, which it overrides.")
    ] = None
    digests: Annotated[
        dict[str, str] | None,
        about(
            "Fields of the state, each with the digest that an earlier answer had for it, or an empty text:"
            " the answer has their digests, and leaves out the fields that are still the same."
        ),
    ] = None


class RegisterAnswer(Spread, frozen=True):
    fields: dict[str, Any]


def register(svc: Services, caller: Caller, p: RegisterParams) -> RegisterAnswer:
    """Register an event queue and get its initial state."""
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
        presence_history_limit_days=p.presence_history_limit_days,
        include_subscribers=read_include_subscribers(p.include_subscribers),
        all_public_streams=bool(p.all_public_streams),
        narrow=parse_live(p.narrow, limits=svc.limits).pairs,
        capabilities=_read_capabilities(p.client_capabilities),
        lifespan=lifespan,
        has_keys=not caller.session,
    )
    done = queues.register(
        svc,
        caller.actor_or_none,
        registration,
        p.fetch_event_types,
        organization_url=caller.organization_url,
        omitted=[name for name in ("all_public_streams", "narrow") if getattr(p, name) is None],
    )
    state = done.state if p.digests is None else without_known(done.state, p.digests)
    return RegisterAnswer({"queue_id": done.queue_id, "last_event_id": done.last_event_id, **state})


OLDEST_CAPABILITY = "notification_settings_null"
"""The oldest capability: every client that names any capabilities states whether it has this one."""


def _read_capabilities(given: dict[str, Any] | None) -> Capabilities:
    """Return the known capabilities; newer ones are no error.

    :raises BadRequest: a value that is neither true nor false, or the oldest capability is missing
    """
    if given is not None and OLDEST_CAPABILITY not in given:
        raise BadRequest(f"Invalid client_capabilities: '{OLDEST_CAPABILITY}' is missing")
    try:
        return msgspec.convert(given or {}, Capabilities)
    except msgspec.ValidationError as error:
        raise BadRequest(f"Invalid client_capabilities: {error}") from error


class PollParams(Params, kw_only=True, frozen=True):
    queue_id: Annotated[Text | None, about("The id of the queue, from the answer of register."), REQUIRED] = (
        None
    )
    last_event_id: Annotated[
        int | None,
        about("The id of the newest event that the client has; the queue drops this event and older ones."),
        REQUIRED,
    ] = None
    dont_block: Annotated[bool, about("Answer at once, even if there are no events.")] = False


class PollAnswer(Answer, frozen=True, kw_only=True):
    events: list[msgspec.Raw]
    queue_id: str


def poll(svc: Services, caller: Caller, p: PollParams) -> PollAnswer:
    """Get the events of a queue; wait for the first if there are none."""
    if p.queue_id is None or p.last_event_id is None:
        raise BadRequest(f"Missing '{'queue_id' if p.queue_id is None else 'last_event_id'}' argument")
    events = wait_for_events(
        svc,
        caller.actor,
        p.queue_id,
        p.last_event_id,
        dont_block=p.dont_block,
        turn=caller.turn,
        suspension=caller.suspension,
    )
    return PollAnswer(events=[msgspec.Raw(event) for event in events], queue_id=p.queue_id)
