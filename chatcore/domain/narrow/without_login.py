"""Narrows that spectators may use."""

from collections.abc import Mapping

from chatcore.domain.channels.channels import Channel
from chatcore.domain.errors import BadNarrow
from chatcore.domain.ids import ChannelId
from chatcore.domain.limits import Limits
from chatcore.domain.narrow.directory import Directory
from chatcore.domain.narrow.parse import (
    DEFAULT_LIMITS,
    EMPTY_TOPIC_NAME,
    OPERATORS,
    OperandContext,
    build,
    is_personal,
    read_checked_terms,
)
from chatcore.domain.narrow.raw import RawTerm
from chatcore.domain.narrow.terms import InChannel, Narrow, Not


def parse_without_login(
    raw: object,
    directory: Directory,
    channels: Mapping[ChannelId, Channel],
    *,
    limits: Limits = DEFAULT_LIMITS,
    empty_topic_name: str = EMPTY_TOPIC_NAME,
) -> Narrow | None:
    """Parse a spectator's narrow; return None if it requires a login.

    It must ask for the web-public channels and use no personal terms. The caller checks whether the
    organization is open to the web.

    :raises BadRequest: as `parse` does
    :raises BadNarrow: as `parse` does, and for a channel that is not web-public
    """
    try:
        terms = read_checked_terms(raw, limits)
    except BadNarrow:  # an unknown operator is not one of those allowed
        return None
    # Clients add this one to every narrow.
    terms = [term for term in terms if term != RawTerm("in", "home")]
    if RawTerm("channels", "web-public") not in terms:
        return None
    if not all(map(_is_open, terms)):
        return None
    narrow = build(terms, OperandContext(directory, None, limits, empty_topic_name))
    for term in narrow.terms:
        _require_web_public(term.term if isinstance(term, Not) else term, channels)
    return narrow


def _is_open(term: RawTerm) -> bool:
    return OPERATORS[term.operator].open_to_web or (term.operator == "is" and not is_personal(term))


def _require_web_public(term: object, channels: Mapping[ChannelId, Channel]) -> None:
    if isinstance(term, InChannel):
        channel = channels.get(term.channel_id)
        if channel is None or not channel.is_web_public:
            raise BadNarrow("unknown channel")
