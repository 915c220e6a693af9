"""Message markup: text to tree, names to look up, tree and facts to HTML. Pure: it looks nothing up itself.

tree = parse(text, options)
facts = …                     # the use case looks up what names(tree) holds
rendered = render(tree, facts)
"""

from chatcore.markup.facts import (
    CardFact,
    ChannelFact,
    Effects,
    Facts,
    GroupFact,
    ImageFact,
    ImageState,
    Names,
    Rendered,
    UserFact,
)
from chatcore.markup.html.diff import html_diffs
from chatcore.markup.html.formulas import FormulaRenderer
from chatcore.markup.html.highlight import highlight, highlight_text
from chatcore.markup.html.images import LOADING, is_loading, with_image
from chatcore.markup.html.previews import is_media
from chatcore.markup.html.rendering import render
from chatcore.markup.inline.linkifiers import BadLinkifier, check_linkifier, check_linkifiers, topic_links
from chatcore.markup.inline.mentions import (
    names,
    written_channel,
    written_group,
    written_message,
    written_topic,
)
from chatcore.markup.options import EARLIER, HtmlForms, Linkifier, Options
from chatcore.markup.parse import parse
from chatcore.markup.tree import Tree
from chatcore.markup.urls.templates import BadUrlTemplate, check_url_template

__all__ = [
    "EARLIER",
    "LOADING",
    "BadLinkifier",
    "BadUrlTemplate",
    "CardFact",
    "ChannelFact",
    "Effects",
    "Facts",
    "FormulaRenderer",
    "GroupFact",
    "HtmlForms",
    "ImageFact",
    "ImageState",
    "Linkifier",
    "Names",
    "Options",
    "Rendered",
    "Tree",
    "UserFact",
    "check_linkifier",
    "check_linkifiers",
    "check_url_template",
    "highlight",
    "highlight_text",
    "html_diffs",
    "is_loading",
    "is_media",
    "names",
    "parse",
    "render",
    "topic_links",
    "with_image",
    "written_channel",
    "written_group",
    "written_message",
    "written_topic",
]
