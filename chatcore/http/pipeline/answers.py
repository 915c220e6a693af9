"""The status line and the headers of an answer, and the answers that do not depend on the request."""

from http import HTTPStatus
from typing import Final

from chatcore.http.pipeline.envelope import failure
from chatcore.http.pipeline.exchange import Exchange
from chatcore.http.pipeline.limiting import headers_of
from chatcore.http.response import JSON, Headers, Response

ALWAYS: Final = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",  # other sites must not learn the addresses of our pages
}
"""Headers of every answer that does not set them itself."""

OF_JSON: Final = {"Cross-Origin-Resource-Policy": "same-origin"}
"""Headers of answers in JSON: no page of another site loads them as a picture or script, to measure them or
to have them in its process. Pictures and files may be shown elsewhere.
"""

STATUS_LINES: Final = {
    **{status.value: f"{status.value} {status.phrase}" for status in HTTPStatus},
    460: "460 Checksum Mismatch",
}
WITHOUT_BODY: Final = frozenset({204, 304})

NOT_READY: Final = failure(503, "The server is not ready", "SERVER_NOT_READY")
UNKNOWN_OUTCOME: Final = failure(
    503, "The change may have been made or not: look before you repeat it", "OUTCOME_UNKNOWN"
)
NO_SPACE: Final = failure(507, "There is no space for files just now", "INSUFFICIENT_STORAGE")
UNEXPECTED: Final = failure(500, "Internal server error", "INTERNAL_SERVER_ERROR")


def headers_for(response: Response, exchange: Exchange) -> Headers:
    """Return all headers of an answer: its own, those of every answer, and the state of the limits."""
    of_type = OF_JSON if response.content_type == JSON else {}
    own = dict(response.headers)
    headers = {**ALWAYS, **of_type, "X-Request-Id": exchange.id, **own}
    if exchange.limits is not None and exchange.limits.limit_state is not None:
        headers.update(headers_of(exchange.limits.limit_state))
    if response.status not in WITHOUT_BODY:
        if response.body != b"":  # an empty file has a type, an empty body has none
            headers["Content-Type"] = response.content_type
        headers["Content-Length"] = str(response.length)
    if len(own) == len(response.headers):
        return list(headers.items())
    cookies = [pair for pair in response.headers if pair[0] == "Set-Cookie"]  # the only one of which are many
    return [*((name, value) for name, value in headers.items() if name != "Set-Cookie"), *cookies]
