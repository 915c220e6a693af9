"""Pages outside the API that anybody may read."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from chatcore.application.register_organization import EMOJI_DATA_PATH
from chatcore.http.app import encode
from chatcore.http.response import Response
from chatcore.http.routing import API_PREFIX
from chatcore.markup.emoji import NAMES_OF


@cache
def emoji_data() -> Response:
    """Every emoji with its names, by its code; clients read it once and keep it."""
    headers = (("Cache-Control", "public, max-age=86400"), ("Access-Control-Allow-Origin", "*"))
    return Response(200, encode({"code_to_names": dict(NAMES_OF)}), headers)


def front() -> Response:
    """For whoever opens the server's address: there is nothing to look at but the API."""
    where = {"api": API_PREFIX, "openapi": f"{API_PREFIX}/openapi.json"}
    return Response(200, encode({"result": "success", "msg": "", **where}))


PAGES: Final[Mapping[str, Callable[[], Response]]] = {"/": front, EMOJI_DATA_PATH: emoji_data}
