"""The organization's icon and logos."""

from typing import Annotated

from chatcore.application.arguments import Id, about
from chatcore.application.organization import pictures as use_cases
from chatcore.application.services import Services
from chatcore.domain.errors import InvalidParameter, MissingParameter
from chatcore.domain.organization.pictures import PictureKind
from chatcore.http.bodies.incoming import Incoming
from chatcore.http.bodies.multipart import file_with_fields, pieces_of_one_file
from chatcore.http.endpoints.files.pictures import picture_response
from chatcore.http.parameters.declaring import REQUIRED, NoParams, Params, Text
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Answer, Done
from chatcore.http.response import Response

_NIGHT = "Whether it is the logo for dark backgrounds."
_BOOLEANS = {"true": True, "false": False}


class IconAnswer(Answer, frozen=True, kw_only=True):
    icon_url: str


class LogoParams(Params, frozen=True, kw_only=True):
    night: Annotated[bool, about(_NIGHT)]


class UploadLogoParams(Params, frozen=True, kw_only=True):
    night: Annotated[bool | None, about(f"{_NIGHT} It can also be in the query."), REQUIRED] = None


def show_icon(svc: Services, caller: Caller, request: Incoming, p: NoParams) -> Response:
    """Redirect to the organization's icon."""
    return _redirect(svc, request, PictureKind.ICON)


def upload_icon(svc: Services, caller: Caller, request: Incoming, p: NoParams) -> IconAnswer:
    """Replace the organization's icon.

    The form has exactly one file, a picture; the name of its part does not matter.
    """
    pieces = pieces_of_one_file(request, PictureKind.ICON.max_bytes(svc.limits))
    return IconAnswer(icon_url=use_cases.set_picture(svc, caller.actor, PictureKind.ICON, pieces))


def remove_icon(svc: Services, caller: Caller, p: NoParams) -> IconAnswer:
    """Replace the organization's icon by a generated one."""
    return IconAnswer(icon_url=use_cases.remove_picture(svc, caller.actor, PictureKind.ICON))


def show_logo(svc: Services, caller: Caller, request: Incoming, p: LogoParams) -> Response:
    """Redirect to a logo of the organization."""
    return _redirect(svc, request, _logo(p.night))


def upload_logo(svc: Services, caller: Caller, request: Incoming, p: UploadLogoParams) -> Done:
    """Replace a logo of the organization.

    The form has exactly one file, a picture; the name of its part does not matter.
    """
    data, fields = file_with_fields(request, PictureKind.LOGO.max_bytes(svc.limits), {"night"})
    night = p.night
    if "night" in fields:
        if fields["night"] not in _BOOLEANS:
            raise InvalidParameter("night", "Expected true or false")
        night = _BOOLEANS[fields["night"]]
    if night is None:
        raise MissingParameter("night")
    use_cases.set_picture(svc, caller.actor, _logo(night), [data])
    return Done()


def remove_logo(svc: Services, caller: Caller, p: LogoParams) -> Done:
    """Remove a logo of the organization."""
    use_cases.remove_picture(svc, caller.actor, _logo(p.night))
    return Done()


class PictureParams(Params, frozen=True, kw_only=True):
    realm_id: Annotated[Id, about("The id of the organization in the address of the picture.")]
    file_name: Annotated[Text, about("The rest of the address of the picture.")]


def picture(svc: Services, caller: Caller, request: Incoming, p: PictureParams) -> Response:
    """Read an uploaded picture of the organization."""
    return picture_response(use_cases.open_picture(svc, p.realm_id, p.file_name), "image/png")


def _logo(night: bool) -> PictureKind:
    return PictureKind.NIGHT_LOGO if night else PictureKind.LOGO


def _redirect(svc: Services, request: Incoming, kind: PictureKind) -> Response:
    return Response(302, b"", [("Location", request.mount + use_cases.url_of_picture(svc, kind))])
