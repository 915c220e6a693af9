"""Endpoints that change message flags."""

from typing import Annotated

from msgspec import UNSET, UnsetType

from chatcore.application.arguments import about
from chatcore.application.messages import flags
from chatcore.application.services import Services
from chatcore.http.endpoints.messages.fetching import NARROW
from chatcore.http.parameters.declaring import Count, JsonOfAnyIntegers, Params, Text
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Answer


class FlagsParams(Params, kw_only=True, frozen=True):
    messages: Annotated[list[int], about("Ids of the messages.")]
    op: Annotated[Text, about("Set the flag or clear it.", "add", "remove")]
    flag: Annotated[Text, about("One of the flags that people can change: read, starred, collapsed.")]


class FlagsAnswer(Answer, frozen=True, kw_only=True):
    messages: list[int]
    ignored_because_not_subscribed_channels: list[int] | UnsetType = UNSET


def update_flags(svc: Services, caller: Caller, p: FlagsParams) -> FlagsAnswer:
    """Set or clear a flag on messages; the answer lists those that changed."""
    changed = flags.update_flags(svc, caller.actor, p.messages, op=p.op, flag=p.flag)
    return FlagsAnswer(
        messages=list(changed.message_ids), ignored_because_not_subscribed_channels=_ignored_channels(changed)
    )


def _ignored_channels(changed: flags.Changed) -> list[int] | UnsetType:
    return UNSET if changed.ignored_channels is None else list(changed.ignored_channels)


class FlagsInNarrowParams(Params, kw_only=True, frozen=True):
    anchor: Annotated[Text, about("A message's id, or 'newest', 'oldest' or 'first_unread'.")]
    include_anchor: Annotated[bool, about("Whether the anchor itself is among the messages.")] = True
    num_before: Annotated[Count, about("The number of messages before the anchor.")]
    num_after: Annotated[Count, about("The number of messages after the anchor.")]
    narrow: Annotated[
        JsonOfAnyIntegers,
        about(
            "The narrow: a list of [operator, operand] or of {operator, operand, negated?}.",
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
        caller.actor,
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
        ignored_because_not_subscribed_channels=_ignored_channels(done.changed),
    )
