"""Requesting exports and downloading them."""

from typing import Annotated, Literal

from chatcore.application.archives import exports
from chatcore.application.arguments import about
from chatcore.application.services import Services
from chatcore.http.bodies.incoming import Incoming
from chatcore.http.endpoints.files.uploads import serve
from chatcore.http.parameters.declaring import Params, Text
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Answer
from chatcore.http.response import Response


class RequestParams(Params, frozen=True, kw_only=True):
    export_type: Annotated[
        Literal[1, 2],
        about("1: public data only; 2: also the private data of people who have consented."),
    ] = 1


class NewExportAnswer(Answer, frozen=True, kw_only=True):
    id: int


def request(svc: Services, caller: Caller, p: RequestParams) -> NewExportAnswer:
    """Request an export of the organization.

    It is written in the background; an event tells that it is complete.
    """
    return NewExportAnswer(id=exports.request_export(svc, caller.actor, p.export_type))


class FileParams(Params, frozen=True, kw_only=True):
    token: Annotated[Text, about("The part of the archive's address that nobody can guess.")]
    filename: Annotated[Text, about("The name of the archive.")]


def download(svc: Services, caller: Caller, request: Incoming, p: FileParams) -> Response:
    """Download the archive of an export."""
    opened = exports.open_export(svc, caller.actor, p.token, p.filename)
    return serve(opened, request.environ, download=True, cache="private, no-store")
