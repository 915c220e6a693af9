"""Public pages outside the API."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from chatcore.application.delivery.emoji import extra_emoji_path
from chatcore.application.registration.organization import EMOJI_DATA_PATH
from chatcore.domain.files.foreign_media import ForeignMode
from chatcore.http.pages.fixed import Fixed
from chatcore.http.pages.web import CLIENT, REFERENCE
from chatcore.http.pipeline.encoding import encode
from chatcore.http.response import Response
from chatcore.markup import Options
from chatcore.markup.emoji import GROUPS, NAMES_OF
from chatcore.settings import Settings

FOR_A_DAY: Final = ("Cache-Control", "public, max-age=86400")


def _emoji_data() -> Response:
    """Return every emoji with its names, by its code, and the groups; clients read it once and cache it."""
    headers = (FOR_A_DAY, ("Access-Control-Allow-Origin", "*"))
    return Response(200, encode({"code_to_names": dict(NAMES_OF), "groups": dict(GROUPS)}), headers)


EXTRA_EMOJI_FILE: Final = Path(__file__).with_name("extra_emoji.png")


def _extra_emoji() -> Response:
    """Return the picture of the server's own emoji, a speech bubble."""
    return Response(200, EXTRA_EMOJI_FILE.read_bytes(), (FOR_A_DAY,), "image/png")


LOADING_IMAGE: Final = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100" viewBox="0 0 100 100">'
    b'<circle cx="50" cy="50" r="20" fill="none" stroke="#888" stroke-width="6" stroke-dasharray="90 36">'
    b'<animateTransform attributeName="transform" type="rotate" from="0 50 50" to="360 50 50" dur="1s"'
    b' repeatCount="indefinite"/></circle></svg>'
)


def _loading_image() -> Response:
    """Return the picture that is shown in place of an image until its thumbnail exists."""
    return Response(200, LOADING_IMAGE, (FOR_A_DAY,), "image/svg+xml")


EMOJI_DATA: Final = Fixed(_emoji_data)
EXTRA_EMOJI: Final = Fixed(_extra_emoji)
SPINNER: Final = Fixed(_loading_image)


def pages(settings: Settings) -> Mapping[str, Fixed]:
    """Return the pages by their paths."""
    shows_foreign = any(
        site.foreign_media.mode is ForeignMode.DIRECT for site in (settings, *settings.organizations)
    )
    return {
        **CLIENT.pages(settings.frame_ancestors, foreign_media=shows_foreign),
        **REFERENCE.pages(),
        EMOJI_DATA_PATH: EMOJI_DATA,
        extra_emoji_path(settings.extra_emoji): EXTRA_EMOJI,
        Options().loading_image: SPINNER,
    }
