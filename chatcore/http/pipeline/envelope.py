"""The envelopes of JSON answers, for successes and for refusals."""

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Final, TypeAlias

from chatcore.domain.errors import ChatError, RateLimited
from chatcore.http.pipeline import brand
from chatcore.http.pipeline.encoding import encode, encode_items
from chatcore.http.pipeline.routing import Answer, MethodNotAllowed, Spread
from chatcore.http.response import JSON, Headers, Response

REALM: Final = 'Basic realm="chat"'


def success_body(answer: Answer, unused: Sequence[str] = (), compat_brand: str = "") -> bytes:
    """Return the fields of *answer* in the envelope of a success."""
    parts: list[bytes | memoryview] = [b'{"result":"success","msg":""']
    if unused:
        parts += b',"ignored_parameters_unsupported":', encode(unused)
    content = answer.fields if isinstance(answer, Spread) else answer
    if compat_brand and (others := brand.respelled_fields(content, compat_brand)):
        parts += b",", encode(others)[1:-1]
    if isinstance(content, dict):
        content = {name: encode_items(value) for name, value in content.items()}
    fields = brand.respell_nested(encode(content), compat_brand)
    parts += (b"}",) if fields == b"{}" else (b",", memoryview(fields)[1:])
    return b"".join(parts)


def error_response(error: ChatError) -> Response:
    """Return the envelope of an error, with the headers for its status."""
    content = {"result": "error", "msg": error.message, "code": error.code, **error.extra}
    headers: Headers = []
    if error.status == 401:
        headers.append(("WWW-Authenticate", REALM))
    if isinstance(error, RateLimited):
        headers.append(("Retry-After", str(ceil(error.retry_after))))
    if isinstance(error, MethodNotAllowed):
        headers.append(("Allow", ", ".join(error.allowed)))
    return Response(error.status, encode(content), headers)


Form: TypeAlias = Callable[[Response], Response]
"""Another form of refusals than the envelope."""


def reshape(response: Response, path: str, forms: Mapping[str, Form]) -> Response:
    """Return an answer; a refusal in the form that *forms* has for its path or for one above it, if any."""
    if response.status < 400 or response.content_type != JSON:
        return response
    for root, form in forms.items():
        if path == root or path.startswith(f"{root}/"):
            return form(response)
    return response


def failure(status: int, message: str, code: str) -> Response:
    """Return the envelope of a refusal that no `ChatError` stands for."""
    return Response(status, encode({"result": "error", "msg": message, "code": code}))
