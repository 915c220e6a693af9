"""Endpoints for pictures of users."""

from typing import Annotated

from chatcore.application.arguments import Id, about
from chatcore.application.people import avatars
from chatcore.application.services import Services
from chatcore.domain.people.avatars import max_bytes
from chatcore.http.bodies.incoming import Incoming
from chatcore.http.bodies.multipart import pieces_of_one_file
from chatcore.http.endpoints.files.pictures import picture_response
from chatcore.http.endpoints.people.answers import AvatarAnswer
from chatcore.http.endpoints.people.presence import id_or_email
from chatcore.http.parameters.declaring import NoParams, Params, Text
from chatcore.http.pipeline.auth import Caller
from chatcore.http.response import Response


class UserPictureParams(Params, frozen=True, kw_only=True):
    email_or_id: Annotated[Text, about("The user's id or address.")]


def show(svc: Services, caller: Caller, request: Incoming, p: UserPictureParams) -> Response:
    """Redirect to the picture of a user."""
    return _redirect_to_picture(svc, caller, request, p, medium=False)


def show_medium(svc: Services, caller: Caller, request: Incoming, p: UserPictureParams) -> Response:
    """Redirect to the larger picture of a user."""
    return _redirect_to_picture(svc, caller, request, p, medium=True)


def _redirect_to_picture(
    svc: Services, caller: Caller, request: Incoming, p: UserPictureParams, *, medium: bool
) -> Response:
    """Redirect to the picture; the query of the request is added to its address."""
    url = avatars.picture_of(svc, caller.actor_or_none, id_or_email(p.email_or_id), medium=medium)
    if url.startswith("/"):
        url = request.mount + url
    query: str = request.environ.get("QUERY_STRING", "")
    if query and query.isascii() and query.isprintable():
        url = f"{url}&{query}"
    return Response(302, b"", [("Location", url)])


class PictureParams(Params, frozen=True, kw_only=True):
    realm_id: Annotated[Id, about("The id of the organization in the address of the picture.")]
    name: Annotated[Text, about("The rest of the address of the picture.")]


def picture(svc: Services, caller: Caller, request: Incoming, p: PictureParams) -> Response:
    """Read a picture of a user, uploaded or generated."""
    return picture_response(avatars.open_picture(svc, p.realm_id, p.name), "image/png")


def upload(svc: Services, caller: Caller, request: Incoming, p: NoParams) -> AvatarAnswer:
    """Replace the caller's picture.

    The form has exactly one file, a picture; the name of its part does not matter.
    """
    pieces = pieces_of_one_file(request, max_bytes(svc.limits))
    return AvatarAnswer(avatar_url=avatars.set_own_picture(svc, caller.actor, pieces))
