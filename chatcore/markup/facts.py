"""The values between the use case and the two steps: what a tree mentions, what is known of it, the result.

Nothing here looks anything up. Everything in `Facts` may be left out: what is not in it does not exist.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import Enum


@dataclass(frozen=True, slots=True)
class Names:
    """What a tree mentions, as typed. Names are candidates: that they exist is for the facts to say."""

    user_names: frozenset[str] = frozenset()
    """Full names, to be compared without regard to case."""
    user_ids: frozenset[int] = frozenset()
    group_names: frozenset[str] = frozenset()
    channel_names: frozenset[str] = frozenset()
    """Every channel that is linked to, also by a topic or a message in it. Case counts."""
    topics: frozenset[tuple[str, str]] = frozenset()
    """(channel name, topic) of every topic link."""
    emoji_names: frozenset[str] = frozenset()
    upload_path_ids: frozenset[str] = frozenset()
    urls: frozenset[str] = frozenset()
    """Links to other sites that may get a website card."""


@dataclass(frozen=True, slots=True)
class UserFact:
    """A user whom the author can see."""

    id: int
    full_name: str
    is_active: bool = True


@dataclass(frozen=True, slots=True)
class GroupFact:
    id: int
    name: str
    is_system: bool = False
    is_active: bool = True
    shown_as: str = ""
    """What a mention says for people, where that is not the name."""


@dataclass(frozen=True, slots=True)
class ChannelFact:
    id: int
    name: str


class ImageState(Enum):
    PENDING = "pending"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class ImageFact:
    """An uploaded image: its size and type, and the names of the files made from it."""

    width: int = 0
    height: int = 0
    content_type: str = "image/png"
    state: ImageState = ImageState.READY
    thumbnail: str = "840x560.webp"
    transcoded: str = ""
    """The full-size copy that browsers can show, where they cannot show the original."""
    is_animated: bool = False


@dataclass(frozen=True, slots=True)
class CardFact:
    """What a linked website says of itself."""

    title: str
    description: str = ""
    image_url: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of the names of a tree. Whatever the author cannot see must not be in here."""

    users: Collection[UserFact] = ()
    groups: Collection[GroupFact] = ()
    channels: Collection[ChannelFact] = ()
    newest_messages: Mapping[tuple[int, str], int] = field(default_factory=dict)
    """(channel id, topic as in `Names.topics`) -> the newest message there that the author can access."""
    custom_emoji: Mapping[str, str] = field(default_factory=dict)
    """Name of an active custom emoji, or of the built-in extra one -> the address of its image."""
    images: Mapping[str, ImageFact] = field(default_factory=dict)
    """Path id of an uploaded image -> its thumbnail; the others are shown as they are."""
    cards: Mapping[str, CardFact] = field(default_factory=dict)
    """Url -> the website's card; none for messages of bots, and none when cards are off."""
    today: date | None = None
    """What `<time:10:30>` and `<time:5 June>` are counted from; without it they are no times."""


@dataclass(frozen=True, slots=True)
class Effects:
    """What a message does besides being shown.

    Alert words are no part of it: whose they are changes until the message is stored, and they stand in the
    text as it was typed (`domain.alert_words`).
    """

    user_ids: frozenset[int] = frozenset()
    group_ids: frozenset[int] = frozenset()
    channel_wildcard: bool = False
    topic_wildcard: bool = False
    has_link: bool = False
    has_image: bool = False
    attachments: frozenset[str] = frozenset()
    """Path ids of linked uploads: the use case claims those that the author may access."""


@dataclass(frozen=True, slots=True)
class Rendered:
    html: str
    effects: Effects
