"""Fetching messages: a range of a narrow, or single ones."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from chatcore.application.messages.edit_history import readable_edits
from chatcore.application.messages.narrow_names import NamesFor
from chatcore.application.units import View, read_only
from chatcore.application.visibility.users import people_for
from chatcore.application.visibility.viewers import viewer_of, viewer_without_channels, with_flags
from chatcore.domain.channels.channels import Channel, has_content_access
from chatcore.domain.errors import BadRequest, LoginRequired, invalid_message
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ChannelId, MessageId
from chatcore.domain.messages.access import is_in_history, may_read
from chatcore.domain.messages.flags import NEVER_RECEIVED, Flag
from chatcore.domain.messages.messages import Edit, Message
from chatcore.domain.messages.viewer import Viewer
from chatcore.domain.narrow import Narrow, Search
from chatcore.domain.narrow.history import first_unread_in
from chatcore.domain.narrow.parse import parse
from chatcore.domain.narrow.window import (
    Anchor,
    Lookup,
    Page,
    Span,
    anchor_at,
    checked_span,
    page_of,
    read_anchor,
    select,
)
from chatcore.domain.narrow.without_login import parse_without_login
from chatcore.events.payloads.users import Person
from chatcore.runtime.measures import SEARCH_SECONDS
from chatcore.storage import Snapshot
from chatcore.storage.messages.messages import Revision
from chatcore.storage.slices import in_slices

MEASURED_AT_ONCE = 500
"""Number of messages whose sizes are read at once; a store may have to read the texts for that."""


class Reading(NamedTuple):
    """A message as one reader receives it, with the people and the channel shown with it."""

    message: Message
    flags: Flag
    sender: Person
    people: tuple[Person, ...]
    """All participants of a direct message; empty for a channel message."""
    channel_name: str
    """Empty for a direct message."""
    edits: tuple[Edit, ...] = ()
    """The earlier versions that the reader may see, newest first."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A part of a narrow, ascending; `narrow` is the narrow as parsed."""

    page: Page
    readings: tuple[Reading, ...]
    narrow: Narrow
    empty_topic_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """A range around an anchor, as requested by a client (see `domain.narrow.window`)."""

    anchor: str | int | None
    num_before: int | None
    num_after: int | None
    include_anchor: bool = True
    use_first_unread_anchor: bool = False


@read_only
def fetch(view: View, me: Actor | None, raw_narrow: object, part: Range | Collection[MessageId]) -> Fetched:
    """Fetch messages of a narrow: a range around an anchor, or those of the ids that the actor may read.

    Without an actor, only messages that are open to the web are readable.

    If the messages of a range are large, fewer than requested are returned on either side, and the ends count
    as not found: a client continues from there as usual.

    :raises BadRequest, BadNarrow: an invalid range or narrow; or messages selected by ids that are too large
        together
    :raises LoginRequired: no actor, and the request needs more than what is open to the web
    """
    snapshot, limits = view.snapshot, view.limits
    if isinstance(part, Range):
        span = checked_span(
            part.num_before, part.num_after, include_anchor=part.include_anchor, limits=limits
        )
        anchor = read_anchor(part.anchor, use_first_unread_anchor=part.use_first_unread_anchor)
        narrow, viewer, channels = read_narrow(view, me, raw_narrow)
        began_at = view.svc.monotonic()
        whole_page = find_page(snapshot, narrow, viewer, channels, anchor, span)
        if any(isinstance(term, Search) for term in narrow.terms):
            view.svc.measures.add(SEARCH_SECONDS, view.svc.monotonic() - began_at)
        measured = _MeasuredRevisions(snapshot)
        page = whole_page.within(limits.max_fetch_size, measured.sizes(whole_page.outwards))
        messages = snapshot.messages.of_revisions(measured.revisions(page.message_ids))
        viewer = with_flags(snapshot, viewer, messages)
    else:
        narrow, viewer, channels = read_narrow(view, me, raw_narrow)
        messages, viewer = _find_matching(view, narrow, viewer, channels, part)
        page = page_of([message.id for message in messages])
    return _to_fetched(view, page, narrow, viewer, messages)


@read_only
def fetch_received(view: View, me: Actor, raw_narrow: object, message_ids: Collection[MessageId]) -> Fetched:
    """Fetch those of the messages that are in the actor's history and match the narrow.

    :raises BadRequest, BadNarrow: an invalid narrow, or messages too large together
    """
    narrow, viewer, channels = read_narrow(view, me, raw_narrow)
    messages, viewer = _find_matching(view, narrow, viewer, channels, message_ids, received_only=True)
    return _to_fetched(view, page_of([message.id for message in messages]), narrow, viewer, messages)


@read_only
def get(view: View, me: Actor | None, message_id: int) -> tuple[Reading, str]:
    """Return one message, and the organization's display name of the empty topic.

    :raises BadRequest: no such message, or the actor may not read it; one answer for both
    :raises LoginRequired: no actor, and the message is not open to the web
    """
    snapshot, organization = view.snapshot, view.snapshot.organization.get()
    viewer = viewer_without_channels(snapshot, me)
    if me is None and not organization.enable_spectator_access:
        raise LoginRequired
    messages, viewer = _readable_messages(snapshot, snapshot.messages.by_ids([MessageId(message_id)]), viewer)
    if not messages:
        raise invalid_message() if me is not None else LoginRequired()
    (reading,) = _build_readings(view, viewer, messages)
    return reading, organization.empty_topic_display_name


def read_narrow(
    view: View, actor: Actor | None, raw_narrow: object
) -> tuple[Narrow, Viewer, Mapping[ChannelId, Channel]]:
    """Parse a client's narrow; return it with the reader and the channels that the reader may look into.

    :raises BadNarrow: an invalid narrow
    :raises LoginRequired: no actor, and the narrow needs more than what is open to the web
    """
    snapshot, limits = view.snapshot, view.limits
    organization = snapshot.organization.get()
    names = NamesFor(view, actor)
    empty_topic_name = organization.empty_topic_display_name
    if actor is not None:
        narrow = parse(raw_narrow, names, me=actor.user_id, limits=limits, empty_topic_name=empty_topic_name)
    elif not organization.enable_spectator_access:
        raise LoginRequired
    else:
        public = snapshot.channels.public()
        allowed = parse_without_login(
            raw_narrow, names, public, limits=limits, empty_topic_name=empty_topic_name
        )
        if allowed is None:
            raise LoginRequired
        narrow = allowed
    viewer, channels = viewer_of(
        snapshot, actor, also=narrow.channel_ids, all_public=narrow.public_channels is not None
    )
    return narrow, viewer, channels


def find_page(
    snapshot: Snapshot,
    narrow: Narrow,
    viewer: Viewer,
    channels: Mapping[ChannelId, Channel],
    requested_anchor: Anchor,
    span: Span,
) -> Page:
    """Return the ids of a range of the narrow, which is empty if the narrow names a closed channel."""
    if requested_anchor is Lookup.FIRST_UNREAD:
        first = _first_unread(snapshot, narrow, viewer, channels)
        anchor = anchor_at(first)
        span = span.without_unread() if first is None else span
    else:
        anchor = requested_anchor
    window = span.around(anchor)
    if _names_closed_channel(narrow, viewer, channels):
        return Page(anchor, (), found_anchor=False, found_oldest=True, found_newest=True)
    page = snapshot.search.around(
        narrow,
        viewer,
        channels,
        anchor=window.anchor,
        before=window.before,
        after=window.after,
        with_anchor=window.wants_anchor,
    )
    return select(window, page.before, anchor if page.at_anchor else None, page.after)


def _first_unread(
    snapshot: Snapshot, narrow: Narrow, viewer: Viewer, channels: Mapping[ChannelId, Channel]
) -> MessageId | None:
    """Return the first unread message of the narrow; without an account, nothing is unread."""
    if viewer.actor is None:
        return None
    unread = snapshot.search.around(
        first_unread_in(narrow), viewer, channels, anchor=0, before=0, after=1, with_anchor=False
    )
    return next(iter(unread.after), None)


def _names_closed_channel(narrow: Narrow, viewer: Viewer, channels: Mapping[ChannelId, Channel]) -> bool:
    """Whether the narrow names a channel that the reader cannot look into; such a narrow appears empty."""
    return any(
        not has_content_access(
            channels[channel_id], viewer.actor, subscribed=viewer.is_subscribed_to(channel_id)
        )
        for channel_id in narrow.channel_ids
    )


class _MeasuredRevisions:
    """The revisions of messages, with their sizes, each looked up once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._known: dict[MessageId, Revision] = {}

    def sizes(self, message_ids: Sequence[MessageId]) -> Iterator[int]:
        """Yield the size of each message, looked up only as far as the caller iterates."""
        for start in range(0, len(message_ids), MEASURED_AT_ONCE):
            part = message_ids[start : start + MEASURED_AT_ONCE]
            revisions = self._snapshot.messages.revisions(part)
            self._known |= revisions
            yield from [revisions[message_id].size for message_id in part]

    def revisions(self, message_ids: Sequence[MessageId]) -> Mapping[MessageId, Revision]:
        """Return the revision of each message."""
        if missing := [message_id for message_id in message_ids if message_id not in self._known]:
            self._known |= self._snapshot.messages.revisions(missing)
        if len(message_ids) == len(self._known):  # the usual case: no copy
            return self._known
        return {message_id: self._known[message_id] for message_id in message_ids}


def _readable_messages(
    snapshot: Snapshot, messages: Sequence[Message], viewer: Viewer
) -> tuple[Sequence[Message], Viewer]:
    """Return those of the messages that the reader may read individually, and the reader with the flags of
    all of the messages.
    """
    channels = snapshot.channels.by_ids({m.channel_id for m in messages if m.channel_id is not None})
    viewer = with_flags(snapshot, viewer, messages)
    return [message for message in messages if may_read(message, viewer, channels)], viewer


def _find_matching(
    view: View,
    narrow: Narrow,
    viewer: Viewer,
    channels: Mapping[ChannelId, Channel],
    message_ids: Collection[MessageId],
    *,
    received_only: bool = False,
) -> tuple[Sequence[Message], Viewer]:
    """Return the readable ones of the messages that match the narrow; with *received_only*, only those in the
    reader's history.

    :raises BadRequest: they are too large together
    """
    snapshot = view.snapshot
    outlines, viewer = _readable_messages(snapshot, snapshot.messages.outlines(message_ids), viewer)
    if received_only:
        outlines = [message for message in outlines if is_in_history(message, viewer)]
    kept = snapshot.search.among(narrow, viewer, channels, [m.id for m in outlines])
    # Refuse, since leaving some out would suggest that they do not exist or may not be read.
    measured = _MeasuredRevisions(snapshot)
    totals = accumulate(measured.sizes(kept))
    if len(kept) > 1 and any(total > view.limits.max_fetch_size for total in totals):
        raise BadRequest("These messages are too large together; ask for fewer at a time.")
    return snapshot.messages.of_revisions(measured.revisions(kept)), viewer


def _to_fetched(
    view: View, page: Page, narrow: Narrow, viewer: Viewer, messages: Sequence[Message]
) -> Fetched:
    empty_topic_name = view.snapshot.organization.get().empty_topic_display_name
    return Fetched(page, tuple(_build_readings(view, viewer, messages)), narrow, empty_topic_name)


def _build_readings(view: View, viewer: Viewer, messages: Sequence[Message]) -> list[Reading]:
    """Combine the messages with everything shown beside them; *viewer* has the flags of the messages."""
    snapshot = view.snapshot
    default_flags = NEVER_RECEIVED if viewer.user_id is not None else Flag.READ
    conversations = {message.conversation for message in messages if message.conversation is not None}
    sender_ids = {message.sender_id for message in messages}
    people_ids = sender_ids.union(*(conversation.user_ids for conversation in conversations))
    users = snapshot.users.by_ids(people_ids).values()
    people = people_for(snapshot, viewer.actor, users, view.svc.settings.host)
    edits = readable_edits(snapshot, viewer, messages)
    channel_names = snapshot.channels.names({m.channel_id for m in messages if m.channel_id is not None})
    members = {
        conversation: tuple(people[user_id] for user_id in conversation.user_ids)
        for conversation in conversations
    }
    return [
        Reading(
            message,
            viewer.flags.get(message.id, default_flags),
            people[message.sender_id],
            () if message.conversation is None else members[message.conversation],
            "" if message.channel_id is None else channel_names[message.channel_id],
            edits.get(message.id, ()),
        )
        for message in in_slices(messages)
    ]
