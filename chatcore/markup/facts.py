"""The values between the use case and the two steps: the names in a tree, the facts about them, the result.

Nothing here looks anything up. Everything in `Facts` is optional: what is missing counts as nonexistent.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import Enum


@dataclass(frozen=True, slots=True)
class Names:
    """The names in a tree, as typed. They are candidates: the facts say which exist."""

    user_names: frozenset[str] = frozenset()
    """Full names, to be compared without regard to case."""
    user_ids: frozenset[int] = frozenset()
    group_names: frozenset[str] = frozenset()
    channel_names: frozenset[str] = frozenset()
    """Every channel that is linked to, also by a topic or a message in it. Case matters."""
    topics: frozenset[tuple[str, str]] = frozenset()
    """(channel name, topic) of every topic link."""
    emoji_names: frozenset[str] = frozenset()
    upload_path_ids: frozenset[str] = frozenset()
    urls: frozenset[str] = frozenset()
    """Links to other sites that may get a website card."""


@dataclass(frozen=True, slots=True)
class UserFact:
    """A user who is visible to the author."""

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
    """The text that a mention shows, if it is not the name."""


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
    """The full-size copy for browsers, if they cannot show the original."""
    is_animated: bool = False


@dataclass(frozen=True, slots=True)
class CardFact:
    """The description that a linked website has of itself."""

    title: str
    description: str = ""
    image_url: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts about the names of a tree. Anything that the author cannot see must not be in here."""

    users: Collection[UserFact] = ()
    groups: Collection[GroupFact] = ()
    channels: Collection[ChannelFact] = ()
    newest_messages: Mapping[tuple[int, str], int] = field(default_factory=dict)
    """(channel id, topic as in `Names.topics`) -> the newest message there that the author can access."""
    custom_emoji: Mapping[str, str] = field(default_factory=dict)
    """Name of an active custom emoji, or of the built-in extra one -> the address of its image."""
    images: Mapping[str, ImageFact] = field(default_factory=dict)
    """Path id of an uploaded image -> its thumbnail; other images are shown directly."""
    cards: Mapping[str, CardFact] = field(default_factory=dict)
    """Url -> the website's card; none for messages of bots, and none when cards are off."""
    today: date | None = None
    """The date to which `<time:10:30>` and `<time:5 June>` are relative; without it they are not times."""


@dataclass(frozen=True, slots=True)
class Effects:
    """The effects of a message besides its display.

    Alert words are not among them: their owners may change until the message is stored, and they apply to the
    text as typed (`domain.people.alert_words`).
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
