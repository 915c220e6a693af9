"""Options of the realm and the author, set before a message is parsed. The facts about names are in
facts.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Linkifier:
    """A link from text that matches *pattern* (RE2) to the expansion of *url_template* (RFC 6570)."""

    pattern: str
    url_template: str


@dataclass(frozen=True, slots=True)
class HtmlForms:
    """The forms of HTML that have changed over the levels of the protocol: the defaults are today's."""

    channel_path: str = "channel"
    """The path before a channel's id in links: `/#narrow/channel/9-garden`."""
    channel_wildcard_class: bool = True
    """Whether a channel wildcard has the class `channel-wildcard-mention`."""
    links_to_messages: bool = True
    """Whether a topic link leads to its newest message, and `#**garden>roses@214**` and `#**garden>**` are
    links.
    """
    media: bool = True
    """Whether `![song.mp3](/user_uploads/…)` is audio, and any other `![text](url)` is `!` and a link."""
    silent_system_groups: bool = True
    """Whether a system group can be mentioned silently; if not, it cannot be mentioned at all."""


EARLIER = HtmlForms(
    channel_path="stream",
    channel_wildcard_class=False,
    links_to_messages=False,
    media=False,
    silent_system_groups=False,
)
"""The forms as of feature level 247."""


@dataclass(frozen=True, slots=True)
class Options:
    """Options for reading a text. Build them once for a realm (and a kind of author) and keep them: equal
    ones share caches.
    """

    realm_url: str = ""
    linkifiers: tuple[Linkifier, ...] = ()
    default_code_language: str = ""
    translate_emoticons: bool = False
    previews: bool = True
    """Whether images and videos appear below the text that links to them, and audio of other sites in it.
    Website cards appear if the facts have them.
    """
    file_links: bool = False
    """Whether a bare `file:///…` is a link."""
    indented_code: bool = True
    """Whether four blanks make a code block (not in e-mails)."""
    empty_topic_name: str = "general chat"
    loading_image: str = "/static/images/loading/loader.svg"
    """The image shown in place of an uploaded one until its thumbnail exists."""
    forms: HtmlForms = field(default_factory=HtmlForms)
