"""Endpoints that fetch messages, and test which of them match a narrow."""

from collections.abc import Sequence
from functools import partial
from typing import Annotated

from msgspec import UNSET, UnsetType

from chatcore.application.arguments import about
from chatcore.application.messages import fetching
from chatcore.application.services import Services
from chatcore.domain.ids import MessageId, UserId
from chatcore.domain.messages.flags import flags_as_sent
from chatcore.domain.narrow.window import read_message_ids
from chatcore.events.payloads.messages import MessageOptions, MessageShape
from chatcore.http.endpoints.messages.encoding import MatchShape, encode_messages, reading_shape
from chatcore.http.endpoints.messages.highlighting import make_highlighter
from chatcore.http.parameters.declaring import Count, JsonOfAnyIntegers, Params, Text
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Answer
from chatcore.runtime.work import Work

NARROW = {
    "type": "array",
    "items": {
        "anyOf": [
            {
                "type": "object",
                "properties": {
                    "operator": {"type": "string"},
                    "operand": {
                        "anyOf": [
                            {"type": "string"},
                            {"type": "integer"},
                            {"type": "array", "items": {"type": "integer"}},
                        ]
                    },
                    "negated": {"type": "boolean", "default": False},
                },
                "required": ["operator", "operand"],
            },
            {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2},
        ]
    },
}
"""The schema of a narrow. The use cases parse the value, because their refusals name the term at fault."""


NUMBER_OF_MESSAGES = (
    "The number of messages {} the anchor; fewer are returned if they are very large, and the ends then"
    " count as not found."
)


class FetchParams(Params, kw_only=True, frozen=True):
    anchor: Annotated[Text | None, about("A message's id, or 'newest', 'oldest' or 'first_unread'.")] = None
    include_anchor: Annotated[
        bool | None,
        about(
            "Whether the anchor itself is among the messages.", schema={"type": "boolean", "default": True}
        ),
    ] = None
    num_before: Annotated[Count | None, about(NUMBER_OF_MESSAGES.format("before"))] = None
    num_after: Annotated[Count | None, about(NUMBER_OF_MESSAGES.format("after"))] = None
    narrow: Annotated[
        JsonOfAnyIntegers,
        about(
            "The narrow: a list of [operator, operand] or of {operator, operand, negated?}.",
            schema={**NARROW, "default": []},
        ),
    ] = None
    client_gravatar: Annotated[
        bool, about("Omit avatar addresses that the client can compute, if the server allows it.")
    ] = True
    apply_markdown: Annotated[bool, about("Whether the content is HTML; if not, it is Markdown.")] = True
    use_first_unread_anchor: Annotated[
        bool | None,
        about("The older form of anchor=first_unread.", schema={"type": "boolean", "default": False}),
    ] = None
    message_ids: Annotated[
        list[int] | None,
        about("Ids of messages, instead of an anchor and numbers; refused if these messages are very large."),
    ] = None
    allow_empty_topic_name: Annotated[
        bool, about("Return the empty topic as '', not by its display name.")
    ] = False


class FetchAnswer(Answer, frozen=True, kw_only=True):
    messages: list[MessageShape]
    anchor: int | UnsetType = UNSET
    found_anchor: bool
    found_oldest: bool
    found_newest: bool
    history_limited: bool


def fetch(svc: Services, caller: Caller, p: FetchParams) -> FetchAnswer:
    """Get messages of a narrow: around an anchor, or by their ids."""
    fetched = fetching.fetch(svc, caller.actor_or_none, p.narrow, _wanted_part(svc, p))
    options = MessageOptions(
        media=svc.settings.foreign_media,
        apply_markdown=p.apply_markdown,
        client_gravatar=p.client_gravatar and caller.is_authenticated and svc.settings.gravatar,
        empty_topic_name=None if p.allow_empty_topic_name else fetched.empty_topic_name,
    )
    hits: Sequence[MatchShape | None] = [None] * len(fetched.readings)
    if fetched.narrow.search is not None:
        # A page of long messages takes a while, during which other requests should run.
        hits = svc.run_blocking(partial(_mark_hits, fetched, options), Work.TEXTS)
    page = fetched.page
    return FetchAnswer(
        messages=encode_messages(fetched.readings, _reader(caller), options, hits),
        anchor=UNSET if page.anchor is None else page.anchor,
        found_anchor=page.found_anchor,
        found_oldest=page.found_oldest,
        found_newest=page.found_newest,
        history_limited=page.history_limited,
    )


def _mark_hits(fetched: fetching.Fetched, options: MessageOptions) -> list[MatchShape]:
    """Return the content and topic of each message with the words of the search marked."""
    mark = make_highlighter(fetched.narrow.search)
    hits = []
    for message in (reading.message for reading in fetched.readings):
        topic = message.topic if message.channel_id is None else options.show_topic(message.topic)
        hits.append(MatchShape(*mark(options.media.shown(message.rendered_content), topic)))
    return hits


def _wanted_part(svc: Services, p: FetchParams) -> fetching.Range | list[MessageId]:
    """Return which part of the narrow is wanted: a range, or the ids of messages."""
    if p.message_ids is not None:
        names = ("anchor", "include_anchor", "use_first_unread_anchor", "num_before", "num_after")
        return read_message_ids(p.message_ids, {name: getattr(p, name) for name in names}, svc.limits)
    return fetching.Range(
        anchor=p.anchor,
        num_before=p.num_before,
        num_after=p.num_after,
        include_anchor=p.include_anchor is not False,
        use_first_unread_anchor=bool(p.use_first_unread_anchor),
    )


def _reader(caller: Caller) -> UserId | None:
    """Return the id of the caller; None for a spectator."""
    return None if caller.actor_or_none is None else caller.actor_or_none.user_id


def _message_shape(caller: Caller, reading: fetching.Reading, options: MessageOptions) -> MessageShape:
    shape = reading_shape(reading, _reader(caller), options)
    shape.flags = flags_as_sent(reading.flags)
    return shape


class GetParams(Params, kw_only=True, frozen=True):
    message_id: Annotated[int, about("The message's id.")]
    apply_markdown: Annotated[bool, about("Whether the content is HTML; if not, it is Markdown.")] = True
    allow_empty_topic_name: Annotated[
        bool, about("Return the empty topic as '', not by its display name.")
    ] = False


class MessageAnswer(Answer, frozen=True, kw_only=True):
    message: MessageShape
    raw_content: str


def get(svc: Services, caller: Caller, p: GetParams) -> MessageAnswer:
    """Get one message."""
    reading, empty_topic_name = fetching.get(svc, caller.actor_or_none, p.message_id)
    options = MessageOptions(
        media=svc.settings.foreign_media,
        apply_markdown=p.apply_markdown,
        client_gravatar=caller.is_authenticated and svc.settings.gravatar,
        empty_topic_name=None if p.allow_empty_topic_name else empty_topic_name,
    )
    return MessageAnswer(
        message=_message_shape(caller, reading, options), raw_content=reading.message.content
    )


class MatchesParams(Params, kw_only=True, frozen=True):
    msg_ids: Annotated[list[int], about("Ids of messages.")]
    narrow: Annotated[JsonOfAnyIntegers, about("The narrow: a list of terms.", schema=NARROW)]


class MatchesAnswer(Answer, frozen=True, kw_only=True):
    messages: dict[str, MatchShape]


def matches(svc: Services, caller: Caller, p: MatchesParams) -> MatchesAnswer:
    """Get those of the caller's messages that match a narrow, with the hits of a search highlighted."""
    message_ids = read_message_ids(p.msg_ids, {}, svc.limits)
    fetched = fetching.fetch_received(svc, caller.actor, p.narrow, message_ids)
    options = MessageOptions(media=svc.settings.foreign_media, empty_topic_name=fetched.empty_topic_name)
    hits = svc.run_blocking(partial(_mark_hits, fetched, options), Work.TEXTS)
    return MatchesAnswer(
        messages={
            str(reading.message.id): match for reading, match in zip(fetched.readings, hits, strict=True)
        }
    )
