"""The endpoints that take or give files: rows of `chatcore.http.routes`."""

from collections.abc import Sequence
from typing import Final

from chatcore.http.auth import Auth
from chatcore.http.endpoints import avatars, emoji, tus, uploads
from chatcore.http.multipart import FORM
from chatcore.http.params import NoParams
from chatcore.http.routing import AnyRoute, RawRoute, Route

_JSON = "application/json"
_ANY = "*/*"
_UPLOAD = "/tus/{upload_id:path}"
_BYTES = tus.OFFSET_TYPE

FILE_ROUTES: Final[Sequence[AnyRoute]] = (
    RawRoute("POST", "/user_uploads", NoParams, uploads.upload, body=FORM),
    Route(
        "GET",
        "/user_uploads/{realm_id_str:int}/{filename:path}",
        uploads.TemporaryUrlParams,
        uploads.temporary_url,
    ),
    Route("GET", "/attachments", NoParams, uploads.list_own),
    Route("DELETE", "/attachments/{attachment_id:int}", uploads.DeleteParams, uploads.delete),
    RawRoute(
        "GET",
        "/user_uploads/{realm_id:int}/{filename:path}",
        uploads.FileParams,
        uploads.read,
        auth=Auth.OPTIONAL,
        prefix="",
        answers=_ANY,
        refuse=uploads.refuse,
    ),
    RawRoute(
        "GET",
        "/user_uploads/download/{realm_id:int}/{filename:path}",
        uploads.FileParams,
        uploads.download,
        auth=Auth.OPTIONAL,
        prefix="",
        answers=_ANY,
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
        refuse=uploads.refuse,
    ),
    RawRoute(
        "GET",
        "/avatar/{email_or_id}",
        avatars.WhoseParams,
        avatars.show,
        auth=Auth.OPTIONAL,
        prefix="",
        answers=_ANY,
    ),
    RawRoute(
        "GET",
        "/avatar/{email_or_id}/medium",
        avatars.WhoseParams,
        avatars.show_medium,
        auth=Auth.OPTIONAL,
        prefix="",
        answers=_ANY,
    ),
    RawRoute(
        "GET",
        "/user_avatars/{realm_id:int}/{name}",
        avatars.PictureParams,
        avatars.picture,
        auth=Auth.NONE,
        prefix="",
        answers="image/png",
        refuse=uploads.refuse,
    ),
    RawRoute("POST", "/users/me/avatar", NoParams, avatars.upload, body=FORM),
    Route("DELETE", "/users/me/avatar", NoParams, avatars.remove),
    Route("GET", "/realm/emoji", NoParams, emoji.list_emoji),
    RawRoute("POST", "/realm/emoji/{emoji_name}", emoji.NameParams, emoji.add, body=FORM),
    Route("DELETE", "/realm/emoji/{emoji_name}", emoji.NameParams, emoji.deactivate),
    RawRoute(
        "GET",
        "/user_avatars/{realm_id:int}/emoji/images/{file_name}",
        emoji.PictureParams,
        emoji.picture,
        auth=Auth.NONE,
        prefix="",
        answers=_ANY,
        refuse=uploads.refuse,
    ),
    RawRoute(
        "GET",
        "/user_avatars/{realm_id:int}/emoji/images/still/{file_name}",
        emoji.PictureParams,
        emoji.still,
        auth=Auth.NONE,
        prefix="",
        answers=_ANY,
        refuse=uploads.refuse,
    ),
    RawRoute("OPTIONS", "/tus", NoParams, tus.describe, auth=Auth.NONE, answers=_JSON, refuse=tus.refuse),
    RawRoute(
        "POST",
        "/tus",
        NoParams,
        tus.create,
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
        answers=_JSON,
        headers=tus.OF_ALL,
        refuse=tus.refuse,
    ),
    RawRoute(
        "PATCH",
        _UPLOAD,
        tus.UploadParams,
        tus.receive,
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
        answers=_JSON,
        headers=tus.OF_ALL,
        refuse=tus.refuse,
    ),
)
