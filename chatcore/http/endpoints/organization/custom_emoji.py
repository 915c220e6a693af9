"""The organization's own emoji and their pictures."""

from typing import Annotated

from chatcore.application.arguments import Id, about
from chatcore.application.organization import custom_emoji as use_cases
from chatcore.application.services import Services
from chatcore.domain.files.uploads import ORGANIZATION, NoSuchFile
from chatcore.events.payloads.emoji import EmojiShape
from chatcore.http.bodies.incoming import Incoming
from chatcore.http.bodies.multipart import pieces_of_one_file
from chatcore.http.endpoints.files.pictures import picture_response
from chatcore.http.parameters.declaring import NoParams, Params, Text
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Answer, Done
from chatcore.http.response import Response


class CustomEmojiAnswer(Answer, frozen=True, kw_only=True):
    emoji: dict[str, EmojiShape]


def list_emoji(svc: Services, caller: Caller, p: NoParams) -> CustomEmojiAnswer:
    """List the organization's own emoji, by id."""
    return CustomEmojiAnswer(emoji=use_cases.list_emoji(svc))


class NameParams(Params, frozen=True, kw_only=True):
    emoji_name: Annotated[Text, about("The emoji's name.")]


def add(svc: Services, caller: Caller, request: Incoming, p: NameParams) -> Done:
    """Add an emoji with a picture: PNG, GIF, JPEG or WebP.

    The form has exactly one file; the name of its part does not matter.
    """
    pieces = pieces_of_one_file(request, use_cases.max_picture_bytes(svc))
    use_cases.add_emoji(svc, caller.actor, p.emoji_name, pieces)
    return Done()


class PictureParams(Params, frozen=True, kw_only=True):
    realm_id: Annotated[Id, about("The id of the organization in the address of the picture.")]
    file_name: Annotated[Text, about("The rest of the address of the picture.")]


def picture(svc: Services, caller: Caller, request: Incoming, p: PictureParams) -> Response:
    """Read the picture of an emoji."""
    return _answer_picture(svc, p, still=False)


def still(svc: Services, caller: Caller, request: Incoming, p: PictureParams) -> Response:
    """Read the first frame of an animated emoji."""
    return _answer_picture(svc, p, still=True)


def _answer_picture(svc: Services, p: PictureParams, *, still: bool) -> Response:
    """:raises NoSuchFile: another organization, or no such picture"""
    if p.realm_id != ORGANIZATION:
        raise NoSuchFile
    content_type, file = use_cases.open_picture(svc, p.file_name, still=still)
    return picture_response(file, content_type)
