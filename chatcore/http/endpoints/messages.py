"""Sending, fetching and flagging messages."""

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from chatcore.application import fetching, flags, messages
from chatcore.application.services import Services
from chatcore.application.work import Work
from chatcore.domain.errors import BadRequest
from chatcore.domain.flags import wire_flags
from chatcore.domain.ids import MessageId
from chatcore.domain.narrow.terms import Search
from chatcore.domain.narrow.window import read_message_ids
from chatcore.domain.widgets import Widget
from chatcore.events.shapes.messages import MessageForm, MessageShape, message_shape
from chatcore.http.auth import Caller, declared_client
from chatcore.http.endpoints.highlighting import highlighter
from chatcore.http.params import Count, JsonOfAnyIntegers, Params, Text, about, also, ignored_where
from chatcore.http.routing import Answer, encoded
from chatcore.storage.turns import in_slices

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
"""The use cases read it, whose refusals name the term that is meant."""

# -- sending ----------------------------------------------------------------------------------------


class WidgetParam(msgspec.Struct, frozen=True, kw_only=True):
    widget_type: Text
    extra_data: dict[str, Any]


class SendParams(Params, kw_only=True, frozen=True):
    type: Annotated[
        Literal["direct", "channel", "stream", "private"],
        about("Where it goes; 'stream' and 'private' are older names of 'channel' and 'direct'."),
    ]
    to: Annotated[
        int | str | list[int | str] | None,
        about(
            "A channel by name or id; of a direct message the people, a list of ids or of addresses.",
            required=True,
        ),
    ] = None
    content: Annotated[Text, about("The text, in Markdown.")]
    topic: Annotated[
        Text | None,
        also("subject"),
        ignored_where("type", "direct", "private"),
        about("The topic in the channel."),
    ] = None
    queue_id: Annotated[
        Text | None, about("The event queue of a client that has shown the message already.")
    ] = None
    local_id: Annotated[
        Text | None, about("That client's own name of the message, which its queue gets back.")
    ] = None
    read_by_sender: Annotated[
        bool | None, about("Whether it counts as read by oneself; without it, the kind of client decides.")
    ] = None
    client: Annotated[Text, about("The name of the client, where it is not the User-Agent's.")] = ""
    widget_content: Annotated[
        WidgetParam | None,
        about("What clients show in place of the text; without it, '/poll' and '/todo' begin such texts."),
    ] = None


class SendAnswer(Answer, frozen=True, kw_only=True):
    id: int
    automatic_new_visibility_policy: int | UnsetType = UNSET


def send(svc: Services, caller: Caller, p: SendParams) -> SendAnswer:
    """Send a message to a channel or directly to people."""
    rest = {
        "content": p.content,
        "client": declared_client(p.client) or caller.client,
        "read_by_sender": p.read_by_sender,
        "queue_id": p.queue_id,
        "local_id": p.local_id,
        "widget": _widget(p.widget_content),
    }
    cmd: messages.SendToChannel | messages.SendDirect
    if p.type in ("channel", "stream"):
        if p.topic is None:
            raise BadRequest("Missing topic")
        cmd = messages.SendToChannel(channel=_channel(p.to), topic=p.topic, **rest)  # type: ignore[arg-type]
    else:
        cmd = messages.SendDirect(to=_people(p.to), **rest)  # type: ignore[arg-type]
    sent = messages.send(svc, caller.user, cmd)
    policy = sent.automatic_new_visibility_policy
    return SendAnswer(
        id=sent.message_id, automatic_new_visibility_policy=UNSET if policy is None else int(policy)
    )


class RenderParams(Params, kw_only=True, frozen=True):
    content: Annotated[Text, about("The text, in Markdown.")]


class RenderAnswer(Answer, frozen=True, kw_only=True):
    rendered: str


def render(svc: Services, caller: Caller, p: RenderParams) -> RenderAnswer:
    """Render a text as it would look as a message, without sending it."""
    return RenderAnswer(rendered=messages.preview(svc, caller.user, p.content))


def _widget(sent: WidgetParam | None) -> Widget | None:
    return None if sent is None else Widget(sent.widget_type, sent.extra_data)


def _channel(to: int | str | list[int | str] | None) -> int | str:
    """A channel's id or name, alone or as the one element of a list."""
    if isinstance(to, list):
        if len(to) != 1:
            raise BadRequest("Expected exactly one channel")
        return to[0]
    if to is None or to == "":
        raise BadRequest("Message must have a channel to be sent to")
    return to


def _people(to: int | str | list[int | str] | None) -> list[int] | list[str]:
    """Ids, or addresses from a list or from text in which commas separate them."""
    if isinstance(to, str):
        to = list(to.split(","))
    if to is None or isinstance(to, int):
        raise BadRequest("Message must have recipients")
    if all(isinstance(one, int) for one in to):
        return [one for one in to if isinstance(one, int)]
    if all(isinstance(one, str) for one in to):
        return [email for one in to if isinstance(one, str) and (email := one.strip())]
    raise BadRequest("Recipient lists may contain emails or user IDs, but not both.")


# -- fetching ---------------------------------------------------------------------------------------


FEWER = "How many messages {} the anchor; fewer are given where they are very large, without found ends."


class FetchParams(Params, kw_only=True, frozen=True):
    anchor: Annotated[Text | None, about("A message's id, or 'newest', 'oldest' or 'first_unread'.")] = None
    include_anchor: Annotated[
        bool | None,
        about(
            "Whether the anchor itself is among the messages.", schema={"type": "boolean", "default": True}
        ),
    ] = None
    num_before: Annotated[Count | None, about(FEWER.format("before"))] = None
    num_after: Annotated[Count | None, about(FEWER.format("after"))] = None
    narrow: Annotated[
        JsonOfAnyIntegers,
        about(
            "Which messages: a list of [operator, operand] or of {operator, operand, negated?}.",
            schema={**NARROW, "default": []},
        ),
    ] = None
    client_gravatar: Annotated[
        bool, about("Leave out avatar addresses that the client computes, if the server lets it.")
    ] = True
    apply_markdown: Annotated[bool, about("Content as HTML, else as it was written.")] = True
    use_first_unread_anchor: Annotated[
        bool | None,
        about("An older way to say anchor=first_unread.", schema={"type": "boolean", "default": False}),
    ] = None
    message_ids: Annotated[
        list[int] | None,
        about("Messages by their ids, instead of an anchor and counts; refused where they are very large."),
    ] = None
    allow_empty_topic_name: Annotated[bool, about("Give the empty topic as '', not by its display name.")] = (
        False
    )


class FetchAnswer(Answer, frozen=True, kw_only=True):
    messages: list[MessageShape]
    anchor: int | UnsetType = UNSET
    found_anchor: bool
    found_oldest: bool
    found_newest: bool
    history_limited: bool


def fetch(svc: Services, caller: Caller, p: FetchParams) -> FetchAnswer:
    """Get messages of a narrow: around an anchor, or by their ids."""
    fetched = fetching.fetch(svc, caller.actor, p.narrow, _part(svc, p))
    form = MessageForm(
        apply_markdown=p.apply_markdown,
        client_gravatar=p.client_gravatar and caller.is_authenticated and svc.settings.gravatar,
        empty_topic_name=None if p.allow_empty_topic_name else fetched.empty_topic_name,
    )
    shapes = [_shape(caller, reading, form) for reading in in_slices(fetched.readings)]
    if (search := fetched.narrow.search) is not None:
        # A page of long messages takes a while, in which others should be served.
        svc.run_blocking(partial(_highlight, shapes, fetched.readings, search), Work.TEXTS)
    page = fetched.page
    return FetchAnswer(
        messages=encoded(shapes),
        anchor=UNSET if page.anchor is None else page.anchor,
        found_anchor=page.found_anchor,
        found_oldest=page.found_oldest,
        found_newest=page.found_newest,
        history_limited=page.history_limited,
    )


def _highlight(shapes: Sequence[MessageShape], readings: Sequence[fetching.Reading], search: Search) -> None:
    mark = highlighter(search)
    for shape, reading in zip(shapes, readings, strict=True):
        shape.match_content, shape.match_subject = mark(reading.message.rendered_content, shape.subject)


def _part(svc: Services, p: FetchParams) -> fetching.Range | list[MessageId]:
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


def _shape(caller: Caller, reading: fetching.Reading, form: MessageForm) -> MessageShape:
    shape = message_shape(
        reading.message,
        sender=reading.sender,
        people=reading.people,
        channel_name=reading.channel_name,
        reader=None if caller.actor is None else caller.actor.user_id,
        form=form,
        edits=reading.edits,
    )
    shape.flags = wire_flags(reading.flags)
    return shape


class GetParams(Params, kw_only=True, frozen=True):
    message_id: Annotated[int, about("The message's id.")]
    apply_markdown: Annotated[bool, about("Content as HTML, else as it was written.")] = True
    allow_empty_topic_name: Annotated[bool, about("Give the empty topic as '', not by its display name.")] = (
        False
    )


class GetAnswer(Answer, frozen=True, kw_only=True):
    message: MessageShape
    raw_content: str


def get(svc: Services, caller: Caller, p: GetParams) -> GetAnswer:
    """Get one message."""
    reading, empty_topic_name = fetching.get(svc, caller.actor, p.message_id)
    form = MessageForm(
        apply_markdown=p.apply_markdown,
        client_gravatar=caller.is_authenticated and svc.settings.gravatar,
        empty_topic_name=None if p.allow_empty_topic_name else empty_topic_name,
    )
    return GetAnswer(message=_shape(caller, reading, form), raw_content=reading.message.content)


# -- flags ------------------------------------------------------------------------------------------


class FlagsParams(Params, kw_only=True, frozen=True):
    messages: Annotated[list[int], about("Ids of the messages.")]
    op: Annotated[Text, about("Set the flag or clear it.", "add", "remove")]
    flag: Annotated[Text, about("One of the flags that people can change: read, starred, collapsed.")]


class FlagsAnswer(Answer, frozen=True, kw_only=True):
    messages: list[int]
    ignored_because_not_subscribed_channels: list[int] | UnsetType = UNSET


def update_flags(svc: Services, caller: Caller, p: FlagsParams) -> FlagsAnswer:
    """Set or clear a flag on messages; the answer lists those that really changed."""
    changed = flags.update_flags(svc, caller.user, p.messages, op=p.op, flag=p.flag)
    return FlagsAnswer(
        messages=list(changed.message_ids), ignored_because_not_subscribed_channels=_ignored(changed)
    )


def _ignored(changed: flags.Changed) -> list[int] | UnsetType:
    return UNSET if changed.ignored_channels is None else list(changed.ignored_channels)


class FlagsInNarrowParams(Params, kw_only=True, frozen=True):
    anchor: Annotated[Text, about("A message's id, or 'newest', 'oldest' or 'first_unread'.")]
    include_anchor: Annotated[bool, about("Whether the anchor itself is among the messages.")] = True
    num_before: Annotated[Count, about("How many messages before the anchor.")]
    num_after: Annotated[Count, about("How many messages after the anchor.")]
    narrow: Annotated[
        JsonOfAnyIntegers,
        about(
            "Which messages: a list of [operator, operand] or of {operator, operand, negated?}.",
            schema=NARROW,
        ),
    ]
    op: Annotated[Text, about("Set the flag or clear it.", "add", "remove")]
    flag: Annotated[Text, about("One of the flags that people can change: read, starred, collapsed.")]


class FlagsInNarrowAnswer(Answer, frozen=True, kw_only=True):
    processed_count: int
    updated_count: int
    first_processed_id: int | None
    last_processed_id: int | None
    found_oldest: bool
    found_newest: bool
    ignored_because_not_subscribed_channels: list[int] | UnsetType = UNSET


def update_flags_in_narrow(svc: Services, caller: Caller, p: FlagsInNarrowParams) -> FlagsInNarrowAnswer:
    """Set or clear a flag on a range of a narrow."""
    done = flags.update_flags_in_narrow(
        svc,
        caller.user,
        p.narrow,
        anchor=p.anchor,
        num_before=p.num_before,
        num_after=p.num_after,
        include_anchor=p.include_anchor,
        op=p.op,
        flag=p.flag,
    )
    ids = done.page.message_ids
    return FlagsInNarrowAnswer(
        processed_count=len(ids),
        updated_count=len(done.changed.message_ids),
        first_processed_id=ids[0] if ids else None,
        last_processed_id=ids[-1] if ids else None,
        found_oldest=done.page.found_oldest,
        found_newest=done.page.found_newest,
        ignored_because_not_subscribed_channels=_ignored(done.changed),
    )
