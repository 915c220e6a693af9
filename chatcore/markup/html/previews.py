"""Previews below a text for the links in it: images, videos and website cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urlsplit

from chatcore.markup.escaping import escape_address, escape_literally
from chatcore.markup.facts import CardFact, Facts, ImageFact, ImageState
from chatcore.markup.options import Options
from chatcore.markup.urls.addresses import is_fetched, relative_to_realm, upload_path_id

MAX_LINKS: Final = 24
"""A message with more distinct links gets no previews."""

_IMAGES = (".bmp", ".gif", ".jpe", ".jpeg", ".jpg", ".png", ".webp")
_VIDEOS = (".mp4", ".webm", ".mov")


@dataclass(frozen=True, slots=True)
class Preview:
    html: str
    is_image: bool = False
    is_media: bool = True
    """Whether the preview is an image or a video, which replaces a link that stands alone, and not a card."""


def preview(url: str, text: str, options: Options, facts: Facts) -> Preview | None:
    """Return the preview of a link; its *text* becomes the title if it says more than the address."""
    if card := facts.cards.get(url):
        return Preview(_render_card(url, card), is_media=False)
    if not options.previews or not is_fetched(url, options):
        return None
    title = "" if relative_to_realm(text, options) in ("", url) else text
    path_id = upload_path_id(url, options)
    path = urlsplit(url).path.lower()
    if path.endswith(_VIDEOS):
        return Preview(_render_video(url, title))
    if path_id is not None and (image := facts.images.get(path_id)):
        if image.state is ImageState.FAILED:
            return None
        return Preview(render_uploaded_image(path_id, title, image, options), is_image=True)
    if path.endswith(_IMAGES):
        return Preview(_render_image(url, title, {"src": url}), is_image=True)
    return None


def is_media(url: str) -> bool:
    """Whether a link leads to an image or a video by its name."""
    return urlsplit(url).path.lower().endswith(_IMAGES + _VIDEOS)


def _attributes(attributes: Mapping[str, str]) -> str:
    return "".join(f' {name}="{escape_address(value)}"' for name, value in attributes.items())


def _render_image(url: str, title: str, image: Mapping[str, str]) -> str:
    return _render_media(url, title, f"<img{_attributes(image)}>")


def _render_video(url: str, title: str) -> str:
    video = f"<video{_attributes({'preload': 'metadata', 'src': url})}></video>"
    return _render_media(url, title, video, " message_inline_video")


def _render_media(url: str, title: str, element: str, more_classes: str = "") -> str:
    """Render an image or video as a link to *url*."""
    link = {"href": url, "title": title} if title else {"href": url}
    return f'<div class="message_inline_image{more_classes}"><a{_attributes(link)}>{element}</a></div>'


def render_uploaded_image(path_id: str, title: str, image: ImageFact, options: Options) -> str:
    """Return the preview of an uploaded image, whose thumbnail may be missing yet."""
    attributes = {
        "data-original-content-type": image.content_type,
        "data-original-dimensions": f"{image.width}x{image.height}",
    }
    if image.transcoded:
        attributes["data-transcoded-image"] = image.transcoded
    if image.is_animated:
        attributes["data-animated"] = "true"
    if image.state is ImageState.PENDING:
        attributes |= {"class": "image-loading-placeholder", "src": options.loading_image}
    else:
        attributes["src"] = f"/user_uploads/thumbnail/{path_id}/{image.thumbnail}"
    return _render_image(f"/user_uploads/{path_id}", title, dict(sorted(attributes.items())))


CARD: Final = '<div class="message_embed">'
"""The beginning of a card."""


def _render_card(url: str, card: CardFact) -> str:
    href, title = escape_address(url), escape_literally(card.title)
    picture = ""
    if card.image_url.startswith(("http://", "https://", "/")):
        # Remove everything that could end the string or the url() of the style.
        image = quote(card.image_url, safe="/:?#@!$&*+,;=%[]~")
        style = escape_literally(f'background-image: url("{image}")')
        picture = f'<a class="message_embed_image" href="{href}" style="{style}"></a>'
    return (
        f'{CARD}{picture}<div class="data-container"><div class="message_embed_title">'
        f'<a href="{href}" title="{title}">{title}</a></div>'
        f'<div class="message_embed_description">{escape_literally(card.description)}</div></div></div>'
    )
