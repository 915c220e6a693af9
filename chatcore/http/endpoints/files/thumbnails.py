"""The endpoint that reads thumbnails of uploaded images."""

from typing import Annotated

from chatcore.application.arguments import Id, about
from chatcore.application.files.thumbnails import open_thumbnail
from chatcore.application.services import Services
from chatcore.domain.files.thumbnails import CONTENT_TYPE
from chatcore.http.bodies.incoming import Incoming
from chatcore.http.endpoints.files.uploads import POLICY, SANDBOX
from chatcore.http.parameters.declaring import Params, Text
from chatcore.http.pipeline.auth import Caller
from chatcore.http.response import FilePart, Response


class ThumbnailParams(Params, frozen=True, kw_only=True):
    realm_id: Annotated[Id, about("The organization, as the address of the file has it.")]
    filename: Annotated[Text, about("The rest of the address of the file, and the name of a format.")]


def read(svc: Services, caller: Caller, request: Incoming, p: ThumbnailParams) -> Response:
    """Read a thumbnail of an uploaded image, in one of the formats of `server_thumbnail_formats`."""
    path, _, name = p.filename.rpartition("/")
    opened = open_thumbnail(svc, caller.actor_or_none, f"{p.realm_id}/{path}", name)
    headers = [
        ("Cache-Control", "private, immutable"),
        ("Content-Disposition", "inline"),
        ("Content-Security-Policy", POLICY + SANDBOX),
    ]
    return Response(200, FilePart(opened.file, 0, opened.size), headers, CONTENT_TYPE)
