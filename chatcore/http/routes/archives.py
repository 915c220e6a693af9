"""Exports of the organization."""

from collections.abc import Sequence
from typing import Final

from chatcore.application.admission import Lane
from chatcore.http.endpoints.archives import exports
from chatcore.http.endpoints.files import uploads
from chatcore.http.parameters.declaring import NoParams
from chatcore.http.routing import AnyRoute, RawRoute, Route

ROUTES: Final[Sequence[AnyRoute]] = (
    Route("GET", "/export/realm", NoParams, exports.list_exports, of_administrators=True),
    Route("POST", "/export/realm", exports.RequestParams, exports.request, of_administrators=True),
    Route("GET", "/export/realm/consents", NoParams, exports.list_consents, of_administrators=True),
    Route(
        "DELETE",
        "/export/realm/{export_id:int}",
        exports.ExportParams,
        exports.delete,
        of_administrators=True,
    ),
    RawRoute(
        "GET",
        "/user_uploads/exports/{token}/{filename}",
        exports.FileParams,
        exports.download,
        by_cookie=True,
        prefix="",
        answers="*/*",
        lane=Lane.FILES,
        refuse=uploads.refuse,
    ),
)
