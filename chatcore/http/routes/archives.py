"""Exports of the organization."""

from collections.abc import Sequence
from typing import Final

from chatcore.application.archives.exports import delete_export, list_consents, list_exports
from chatcore.application.archives.one_person import list_data_exports, request_data_of, request_own_data
from chatcore.http.endpoints.archives import exports
from chatcore.http.endpoints.archives.answers import ConsentsAnswer, DataExportsAnswer, ExportsAnswer
from chatcore.http.operations import operation
from chatcore.http.pipeline.routing import AnyRoute, Route
from chatcore.http.routes.files import file_route

ROUTES: Final[Sequence[AnyRoute]] = (
    operation("GET", "/export/realm", list_exports, ExportsAnswer, of_administrators=True),
    Route("POST", "/export/realm", exports.RequestParams, exports.request, of_administrators=True),
    operation("GET", "/export/realm/consents", list_consents, ConsentsAnswer, of_administrators=True),
    operation("DELETE", "/export/realm/{export_id:int}", delete_export, of_administrators=True),
    operation("GET", "/users/me/exports", list_data_exports, DataExportsAnswer),
    operation("POST", "/users/me/exports", request_own_data, exports.NewExportAnswer),
    operation(
        "POST",
        "/users/{user_id:int}/exports",
        request_data_of,
        exports.NewExportAnswer,
        of_administrators=True,
    ),
    file_route(
        "/user_uploads/exports/{token}/{filename}", exports.FileParams, exports.download, by_cookie=True
    ),
)
