"""The closed set of terms of a narrow, with names already resolved to ids.

A narrow has three readings, held equal by property tests: `matches` and `compile_narrow` in Python, and
`all_of` in SQL (`storage_backends.sql.narrow.terms`). Each ends in `assert_never`, so a missing reading of a
new term is a type error.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import cached_property
from typing import Final

from chatcore.domain.ids import ChannelId, MessageId, UserId
from chatcore.domain.messages.flags import Flag


@dataclass(frozen=True, slots=True)
class InChannel:
    channel_id: ChannelId


@dataclass(frozen=True, slots=True)
class InPublicChannels:
    """`channels:public` (not private, history shared), or only the web-public ones."""

    web_public: bool = False


@dataclass(frozen=True, slots=True)
class InTopic:
    """A topic name in any channel; never matches a direct message."""

    topic_key: str


@dataclass(frozen=True, slots=True)
class SentBy:
    user_id: UserId


@dataclass(frozen=True, slots=True)
class InConversation:
    """One direct-message conversation that includes the reader. The empty set matches nothing."""

    user_ids: frozenset[UserId]


@dataclass(frozen=True, slots=True)
class DirectWith:
    """Direct messages that include the user as participant;
    *groups_only* excludes one-to-one conversations.
    """

    user_id: UserId
    groups_only: bool = False


@dataclass(frozen=True, slots=True)
class IsDirect:
    pass


@dataclass(frozen=True, slots=True)
class HasFlag:
    """At least one of the flags in *any_of* is set for the reader."""

    any_of: Flag


@dataclass(frozen=True, slots=True)
class IsResolved:
    pass


@dataclass(frozen=True, slots=True)
class IsFollowed:
    pass


@dataclass(frozen=True, slots=True)
class IsMuted:
    """Topics that the reader has muted, directly or (unless *topics_only*) by muting their channel."""

    topics_only: bool = False


class Content(StrEnum):
    LINK = "link"
    IMAGE = "image"
    ATTACHMENT = "attachment"
    REACTION = "reaction"


@dataclass(frozen=True, slots=True)
class Has:
    content: Content


@dataclass(frozen=True, slots=True)
class WithId:
    message_id: MessageId


@dataclass(frozen=True, slots=True)
class Search:
    """All *words* (stems, see `domain.narrow.words`) occur, and each of *phrases* (folded) literally.

    Without words nothing matches: a query of stop words finds nothing.
    """

    words: tuple[str, ...]
    phrases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Not:
    term: "PositiveTerm"


PositiveTerm = (
    InChannel
    | InPublicChannels
    | InTopic
    | SentBy
    | InConversation
    | DirectWith
    | IsDirect
    | HasFlag
    | IsResolved
    | IsFollowed
    | IsMuted
    | Has
    | WithId
    | Search
)
Term = PositiveTerm | Not


class PlaceKind(Enum):
    CHANNELS = "channels"
    DIRECT_MESSAGES = "direct messages"


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """Properties of a kind of term."""

    only_in: PlaceKind | None = None
    """The kind of place of every message that fulfils the term; None if there are several."""
    names_its_place: bool = False
    """Whether the term asks for its place: a client that combines it with such a term for the other place has
    made a mistake.
    """
    is_rare: bool = False
    """Whether few messages fulfil the term, so that its own index, or that of a recipient, is the best start
    of a search.
    """


TRAITS: Final[Mapping[type[PositiveTerm], Traits]] = {
    InChannel: Traits(only_in=PlaceKind.CHANNELS, names_its_place=True),
    InPublicChannels: Traits(only_in=PlaceKind.CHANNELS, names_its_place=True),
    InTopic: Traits(only_in=PlaceKind.CHANNELS, names_its_place=True, is_rare=True),
    SentBy: Traits(is_rare=True),
    InConversation: Traits(only_in=PlaceKind.DIRECT_MESSAGES, names_its_place=True, is_rare=True),
    DirectWith: Traits(only_in=PlaceKind.DIRECT_MESSAGES, names_its_place=True, is_rare=True),
    IsDirect: Traits(only_in=PlaceKind.DIRECT_MESSAGES, names_its_place=True),
    HasFlag: Traits(is_rare=True),
    IsResolved: Traits(only_in=PlaceKind.CHANNELS, is_rare=True),
    IsFollowed: Traits(only_in=PlaceKind.CHANNELS, is_rare=True),
    IsMuted: Traits(only_in=PlaceKind.CHANNELS, is_rare=True),
    Has: Traits(is_rare=True),
    WithId: Traits(is_rare=True),
    Search: Traits(is_rare=True),
}
"""The traits of all kinds of terms."""


def traits(term: Term) -> Traits:
    """Return the traits of a term; a negated term has none."""
    return _NEGATED if isinstance(term, Not) else TRAITS[type(term)]


_NEGATED: Final = Traits()


@dataclass(frozen=True)
class Narrow:
    """A conjunction of terms. Without terms, it matches everything."""

    terms: tuple[Term, ...] = ()
    personal: bool = False
    """Whether an `is:` term other than `is:resolved` is used, negated or not:
    only received messages count.
    """

    @cached_property
    def channel_ids(self) -> frozenset[ChannelId]:
        """The channels of the terms that are not negated; two different ones match nothing."""
        return frozenset(term.channel_id for term in self.terms if isinstance(term, InChannel))

    @cached_property
    def public_channels(self) -> InPublicChannels | None:
        """The strictest of the terms for public channels that are not negated; None if there are none."""
        terms = [term for term in self.terms if isinstance(term, InPublicChannels)]
        return max(terms, key=lambda term: term.web_public, default=None)

    @cached_property
    def search(self) -> Search | None:
        """All search terms combined, or None if there are none."""
        terms = [term for term in self.terms if isinstance(term, Search)]
        if not terms:
            return None
        words = tuple(dict.fromkeys(word for term in terms for word in term.words))
        return Search(words, tuple(phrase for term in terms for phrase in term.phrases))

    def __bool__(self) -> bool:
        return bool(self.terms)
