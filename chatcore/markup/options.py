"""What the realm and the author have settled before a message is parsed. Its names are in facts.py."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Linkifier:
    """Text that matches *pattern* (RE2) becomes a link to the expansion of *url_template* (RFC 6570)."""

    pattern: str
    url_template: str


@dataclass(frozen=True, slots=True)
class ImageProxy:
    """Where images of other sites are fetched through, and the key that signs their addresses."""

    uri: str
    key: str


@dataclass(frozen=True, slots=True)
class Shapes:
    """The shapes of HTML that have changed over the levels of the protocol: the defaults are today's."""

    channel_path: str = "channel"
    """What stands before a channel's id in links: `/#narrow/channel/9-garden`."""
    channel_wildcard_class: bool = True
    """A channel wildcard has the class `channel-wildcard-mention`."""
    links_to_messages: bool = True
    """A topic link leads to its newest message; `#**garden>roses@214**` and `#**garden>**` are links."""
    media: bool = True
    """`![song.mp3](/user_uploads/…)` is audio, and any other `![text](url)` is `!` and a link."""
    silent_system_groups: bool = True
    """A system group can be mentioned silently; else it cannot be mentioned at all."""


EARLIER = Shapes(
    channel_path="stream",
    channel_wildcard_class=False,
    links_to_messages=False,
    media=False,
    silent_system_groups=False,
)
"""The shapes as of feature level 247."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a text is read. Build it once for a realm (and a kind of author) and keep it: two equal ones
    share caches.
    """

    realm_url: str = ""
    linkifiers: tuple[Linkifier, ...] = ()
    default_code_language: str = ""
    translate_emoticons: bool = False
    previews: bool = True
    """Images and videos below the text that links to them. Website cards are there if the facts have them."""
    external_media: bool = True
    """Whether readers' browsers fetch images, videos and audio from other servers; else these stay links."""
    image_proxy: ImageProxy | None = None
    file_links: bool = False
    """Whether a bare `file:///…` is a link."""
    indented_code: bool = True
    """Whether four blanks make a code block (not in e-mails)."""
    empty_topic_name: str = "general chat"
    loading_image: str = "/static/images/loading/loader.svg"
    """Shown in place of an uploaded image until its thumbnail is there."""
    shapes: Shapes = field(default_factory=Shapes)
