"""Files and their uploads."""

from collections.abc import Sequence
from typing import Final

from chatcore.application.files.uploads import delete_file
from chatcore.domain.files.foreign_media import PATH
from chatcore.http.bodies.multipart import FORM
from chatcore.http.endpoints.files import foreign_pictures, thumbnails, tus, uploads
from chatcore.http.operations import operation
from chatcore.http.parameters.declaring import NoParams
from chatcore.http.pipeline.auth import Auth
from chatcore.http.pipeline.routing import AnyRoute, RawRoute, Route
from chatcore.runtime.admission import Lane

_JSON = "application/json"
_ANY = "*/*"
_UPLOAD = "/tus/{upload_id:path}"
_BYTES = tus.OFFSET_TYPE

ROUTES: Final[Sequence[AnyRoute]] = (
    RawRoute("POST", "/user_uploads", NoParams, uploads.upload, body=FORM, by_cookie=True),
    Route(
        "GET",
        "/user_uploads/{realm_id_str:int}/{filename:path}",
        uploads.TemporaryUrlParams,
        uploads.temporary_url,
    ),
    Route("GET", "/attachments", NoParams, uploads.list_own),
    operation("DELETE", "/attachments/{attachment_id:int}", delete_file),
    RawRoute(
        "GET",
        "/user_uploads/{realm_id:int}/{filename:path}",
        uploads.FileParams,
        uploads.read,
        auth=Auth.OPTIONAL,
        by_cookie=True,
        prefix="",
        answers=_ANY,
        lane=Lane.FILES,
        refuse=uploads.refuse,
    ),
    RawRoute(
        "GET",
        "/user_uploads/download/{realm_id:int}/{filename:path}",
        uploads.FileParams,
        uploads.download,
        auth=Auth.OPTIONAL,
        by_cookie=True,
        prefix="",
        answers=_ANY,
        lane=Lane.FILES,
        refuse=uploads.refuse,
    ),
    RawRoute(
        "GET",
        "/user_uploads/temporary/{token}/{filename}",
        uploads.TemporaryParams,
        uploads.read_temporary,
        auth=Auth.NONE,
        prefix="",
        answers=_ANY,
        lane=Lane.FILES,
        refuse=uploads.refuse,
    ),
    RawRoute(
        "GET",
        "/user_uploads/thumbnail/{realm_id:int}/{filename:path}",
        thumbnails.ThumbnailParams,
        thumbnails.read,
        auth=Auth.OPTIONAL,
        by_cookie=True,
        prefix="",
        answers=_ANY,
        lane=Lane.FILES,
        refuse=uploads.refuse,
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
    RawRoute("OPTIONS", "/tus", NoParams, tus.describe, auth=Auth.NONE, answers=_JSON, refuse=tus.refuse),
    RawRoute(
        "POST",
        "/tus",
        NoParams,
        tus.create,
        by_cookie=True,
        body=_BYTES,
        answers=_JSON,
        headers=tus.OF_CREATING,
        refuse=tus.refuse,
    ),
    RawRoute(
        "OPTIONS",
        _UPLOAD,
        tus.UploadParams,
        tus.describe_one,
        auth=Auth.NONE,
        answers=_JSON,
        refuse=tus.refuse,
    ),
    RawRoute(
        "HEAD",
        _UPLOAD,
        tus.UploadParams,
        tus.status,
        by_cookie=True,
        answers=_JSON,
        headers=tus.OF_ALL,
        refuse=tus.refuse,
    ),
    RawRoute(
        "PATCH",
        _UPLOAD,
        tus.UploadParams,
        tus.receive,
        by_cookie=True,
        body=_BYTES,
        answers=_JSON,
        headers=tus.OF_RECEIVING,
        refuse=tus.refuse,
    ),
    RawRoute(
        "DELETE",
        _UPLOAD,
        tus.UploadParams,
        tus.terminate,
        by_cookie=True,
        answers=_JSON,
        headers=tus.OF_ALL,
        refuse=tus.refuse,
    ),
)
