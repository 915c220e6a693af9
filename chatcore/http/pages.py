"""Pages outside the API that anybody may read."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from chatcore.application.emoji import EXTRA_EMOJI_PATH
from chatcore.application.register_organization import EMOJI_DATA_PATH
from chatcore.http.response import Response
from chatcore.http.routing import API_PREFIX, encode
from chatcore.markup.emoji import NAMES_OF


@cache
def emoji_data() -> Response:
    """Every emoji with its names, by its code; clients read it once and keep it."""
    headers = (("Cache-Control", "public, max-age=86400"), ("Access-Control-Allow-Origin", "*"))
    return Response(200, encode({"code_to_names": dict(NAMES_OF)}), headers)


EXTRA_EMOJI: Final = b"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">\
<path fill="#2a9d8f" d="M12 8h40q8 0 8 8v24q0 8-8 8H32L16 60V48h-4q-8 0-8-8V16q0-8 8-8z"/>\
<path stroke="#fff" stroke-width="5" stroke-linecap="round" d="M17 22h30M17 34h18"/>\
</svg>
"""


def extra_emoji() -> Response:
    """The server's own emoji: what somebody says."""
    return Response(200, EXTRA_EMOJI, (("Cache-Control", "public, max-age=86400"),), "image/svg+xml")


def front() -> Response:
    """For whoever opens the server's address: there is nothing to look at but the API."""
    where = {"api": API_PREFIX, "openapi": f"{API_PREFIX}/openapi.json"}
    return Response(200, encode({"result": "success", "msg": "", **where}))


PAGES: Final[Mapping[str, Callable[[], Response]]] = {
    "/": front,
    EMOJI_DATA_PATH: emoji_data,
    EXTRA_EMOJI_PATH: extra_emoji,
}
