"""The JSON in a body that another program posts, however it is wrapped."""

from codecs import BOM_UTF8
from typing import Final

from werkzeug.http import parse_options_header

from chatcore.http.bodies.reading import MULTIPART, URLENCODED, multipart_fields
from chatcore.http.bodies.urlencoded import decode_field

FIELD: Final = "payload"
"""The field of a form that has the data."""


def payload(body: bytes, content_type: str) -> bytes:
    """Return the data in a body: the field `payload` of a form, or the whole body, whatever its media type.

    Many programs declare a form and send JSON. Only one field is read: so a form may have any number of
    others, and its bytes need not be text.

    :raises BadRequest, UnsupportedBody: a multipart form that is malformed
    """
    body = body.removeprefix(BOM_UTF8)
    media_type, options = parse_options_header(content_type)
    if media_type == MULTIPART:
        in_order = multipart_fields(body, options.get("boundary", ""))
        fields = dict(reversed(in_order))  # so that the first value of a name counts
        return fields.get(FIELD, "").encode()
    if media_type != URLENCODED or body.lstrip().startswith((b"{", b"[")):
        return body
    beginning = f"{FIELD}=".encode()
    payloads = (field for field in body.split(b"&") if field.startswith(beginning))
    encoded = next(payloads, body).removeprefix(beginning)  # without the field, the whole body is the data
    return decode_field(encoded).removeprefix(BOM_UTF8)
