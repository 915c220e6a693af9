"""Files and their uploads."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from chatcore.application.files.uploads import delete_file
from chatcore.domain.files.foreign_media import PATH
from chatcore.http.bodies.reading import MULTIPART
from chatcore.http.endpoints.files import foreign_pictures, thumbnails, tus, uploads
from chatcore.http.operations import operation
from chatcore.http.parameters.declaring import NoParams
from chatcore.http.pipeline.auth import Auth
from chatcore.http.pipeline.routing import AnyRoute, RawRoute, Route
from chatcore.http.response import ANY, JSON
from chatcore.runtime.admission import Lane

_UPLOAD = "/tus/{upload_id:path}"

_tus_route = partial(RawRoute[Any], answers=JSON, refuse=tus.refuse)
file_route = partial(RawRoute[Any], "GET", prefix="", answers=ANY, lane=Lane.FILES, refuse=uploads.refuse)
"""Return the route of the bytes of a file, at an address outside the API."""
_shown_file_route = partial(file_route, auth=Auth.OPTIONAL, by_cookie=True)

ROUTES: Final[Sequence[AnyRoute]] = (
    RawRoute("POST", "/user_uploads", NoParams, uploads.upload, body=MULTIPART, by_cookie=True),
    Route(
        "GET",
        "/user_uploads/{realm_id_str:int}/{filename:path}",
        uploads.TemporaryUrlParams,
        uploads.temporary_url,
    ),
    Route("GET", "/attachments", NoParams, uploads.list_own),
    operation("DELETE", "/attachments/{attachment_id:int}", delete_file),
    _shown_file_route("/user_uploads/{realm_id:int}/{filename:path}", uploads.FileParams, uploads.read),
    _shown_file_route(
        "/user_uploads/download/{realm_id:int}/{filename:path}", uploads.FileParams, uploads.download
    ),
    file_route(
        "/user_uploads/temporary/{token}/{filename}",
        uploads.TemporaryParams,
        uploads.read_temporary,
        auth=Auth.NONE,
    ),
    _shown_file_route(
        "/user_uploads/thumbnail/{realm_id:int}/{filename:path}",
        thumbnails.ThumbnailParams,
        thumbnails.read,
    ),
    RawRoute(
        "GET",
        PATH + "/{digest}/{encoded}",
        foreign_pictures.ForeignPictureParams,
        foreign_pictures.read,
        auth=Auth.NONE,
        prefix="",
        answers="image/*",
        lane=Lane.FOREIGN,
        refuse=foreign_pictures.refuse,
    ),
    _tus_route("OPTIONS", "/tus", NoParams, tus.describe, auth=Auth.NONE),
    _tus_route(
        "POST",
        "/tus",
        NoParams,
        tus.create,
        by_cookie=True,
        body=tus.OFFSET_TYPE,
        headers=tus.HEADERS_OF_CREATING,
    ),
    _tus_route("OPTIONS", _UPLOAD, tus.UploadParams, tus.describe_one, auth=Auth.NONE),
    _tus_route("HEAD", _UPLOAD, tus.UploadParams, tus.status, by_cookie=True, headers=tus.HEADERS_OF_ALL),
    _tus_route(
        "PATCH",
        _UPLOAD,
        tus.UploadParams,
        tus.receive,
        by_cookie=True,
        body=tus.OFFSET_TYPE,
        headers=tus.HEADERS_OF_RECEIVING,
    ),
    _tus_route(
        "DELETE", _UPLOAD, tus.UploadParams, tus.terminate, by_cookie=True, headers=tus.HEADERS_OF_ALL
    ),
)
