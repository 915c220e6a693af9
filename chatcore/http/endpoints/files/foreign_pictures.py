"""The endpoint that shows pictures of other sites."""

from dataclasses import replace
from typing import Annotated, Final

from chatcore.application.arguments import about
from chatcore.application.files.foreign_pictures import foreign_picture
from chatcore.application.services import Services
from chatcore.domain.errors import ChatError
from chatcore.http.bodies.incoming import Incoming
from chatcore.http.endpoints.files import uploads
from chatcore.http.parameters.declaring import Params, Text
from chatcore.http.pipeline.auth import Caller
from chatcore.http.response import Headers, Response

HEADERS: Final[Headers] = [
    ("Cache-Control", "private, max-age=86400"),
    ("Content-Disposition", "inline"),
    ("Content-Security-Policy", "default-src 'none'; sandbox"),
]
HEADERS_OF_REFUSAL: Final[Headers] = [("Cache-Control", "private, max-age=60")]


class ForeignPictureParams(Params, frozen=True, kw_only=True):
    digest: Annotated[Text, about("The server's signature of the address.")]
    encoded: Annotated[Text, about("The address at the other site, in hexadecimal digits.")]


def read(svc: Services, caller: Caller, request: Incoming, p: ForeignPictureParams) -> Response:
    """Read a picture of another site, as the HTML of messages names it."""
    with caller.turn.waiting():
        picture = foreign_picture(svc, p.digest, p.encoded)
    return Response(200, picture.content, HEADERS, picture.content_type)


def refuse(error: ChatError, request: Incoming) -> Response | None:
    """Return a refusal as `uploads.refuse` does, which browsers keep for a while."""
    refusal = uploads.refuse(error, request)
    if refusal is None:
        return None
    return replace(refusal, headers=[*refusal.headers, *HEADERS_OF_REFUSAL])
