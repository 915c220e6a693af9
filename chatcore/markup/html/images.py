"""Uploaded images in HTML that was rendered before their thumbnails were made."""

from __future__ import annotations

import re
from typing import Final

from chatcore.markup.escaping import escape_address
from chatcore.markup.facts import ImageFact, ImageState
from chatcore.markup.html.previews import render_uploaded_image
from chatcore.markup.options import Options

LOADING: Final = 'class="image-loading-placeholder"'
_PREVIEW = re.compile(
    r'<div class="message_inline_image"><a href="(?P<href>[^"]*)"(?: title="(?P<title>[^"]*)")?>'
    rf"<img [^>]*{LOADING}[^>]*></a></div>"
)


def is_loading(html: str, path_id: str) -> bool:
    """Whether the HTML has a preview of this upload that waits for its thumbnail."""
    return LOADING in html and any(match["href"] == _href(path_id) for match in _PREVIEW.finditer(html))


def with_image(html: str, path_id: str, image: ImageFact) -> str:
    """Return *html* with the thumbnail of an uploaded image in its preview, or without the preview if no
    thumbnail can be made.

    A link that stood alone was replaced by the preview; without a preview, the link is back.
    """

    def replace(match: re.Match[str]) -> str:
        if match["href"] != _href(path_id) or image.state is ImageState.PENDING:
            return match[0]
        title = match["title"] or ""
        if image.state is ImageState.READY:
            return render_uploaded_image(path_id, title, image, Options())
        if html.count(f'user_uploads/{escape_address(path_id)}"') > 1:
            return ""  # the text still has its link, of which this was only the preview
        return f'<p><a href="{match["href"]}">{title or match["href"]}</a></p>'

    return _PREVIEW.sub(replace, html).rstrip("\n")


def _href(path_id: str) -> str:
    return escape_address(f"/user_uploads/{path_id}")
