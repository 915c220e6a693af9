"""The status line and the headers of an answer, and the answers that do not depend on the request."""

from http import HTTPStatus
from typing import Final

from chatcore.http.pipeline.envelope import failure
from chatcore.http.pipeline.exchange import Exchange
from chatcore.http.pipeline.limiting import limit_headers
from chatcore.http.response import JSON, Headers, Response

DEFAULT_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",  # other sites must not learn the addresses of our pages
}
"""Headers of every answer that does not set them itself."""

JSON_HEADERS: Final = {"Cross-Origin-Resource-Policy": "same-origin"}
"""Headers of answers in JSON: no page of another site loads them as a picture or script, to measure them or
to have them in its process. Pictures and files may be shown elsewhere.
"""

STATUS_LINES: Final = {
    **{status.value: f"{status.value} {status.phrase}" for status in HTTPStatus},
    460: "460 Checksum Mismatch",
}
STATUSES_WITHOUT_BODY: Final = frozenset({204, 304})

NOT_READY: Final = failure(503, "The server is not ready", "SERVER_NOT_READY")
UNKNOWN_OUTCOME: Final = failure(
    503, "The change may have been made or not: look before you repeat it", "OUTCOME_UNKNOWN"
)
NO_SPACE: Final = failure(507, "There is no space for files just now", "INSUFFICIENT_STORAGE")
UNEXPECTED: Final = failure(500, "Internal server error", "INTERNAL_SERVER_ERROR")


def headers_for(response: Response, exchange: Exchange) -> Headers:
    """Return all headers of an answer: its own, those of every answer, and the state of the limits."""
    for_json = JSON_HEADERS if response.content_type == JSON else {}
    own = dict(response.headers)
    headers = {**DEFAULT_HEADERS, **for_json, "X-Request-Id": exchange.id, **own}
    if exchange.limits is not None and exchange.limits.limit_state is not None:
        headers.update(limit_headers(exchange.limits.limit_state))
    if response.status not in STATUSES_WITHOUT_BODY:
        if response.body != b"":  # an empty file has a type, an empty body has none
            headers["Content-Type"] = response.content_type
        headers["Content-Length"] = str(response.length)
    if len(own) == len(response.headers):
        return list(headers.items())
    # A name occurs twice, which is always Set-Cookie: the dictionary has lost all values but the last.
    cookies = [pair for pair in response.headers if pair[0] == "Set-Cookie"]
    return [*(pair for pair in headers.items() if pair[0] != "Set-Cookie"), *cookies]
