"""Pictures from users: read, re-encoded and stored, one at a time for each account."""

from collections.abc import Callable, Iterable
from contextlib import closing
from typing import TYPE_CHECKING, TypeVar

from chatcore.application.services import Services
from chatcore.domain.files.uploads import MIB, FileTooLarge
from chatcore.domain.groups.actors import Actor
from chatcore.runtime.work import Work

if TYPE_CHECKING:
    from chatcore.application.files.picture_making import Avatar, EmojiPicture

T = TypeVar("T")


def avatar(svc: Services, actor: Actor, pieces: Iterable[bytes]) -> "Avatar":
    """Make an avatar from a file.

    :raises RateLimited: another picture of the actor is being processed
    :raises FileTooLarge, BadImage:
    """

    def make(data: bytes) -> "Avatar":
        from chatcore.application.files import (
            picture_making,  # loads much, so import it only for a picture
        )

        return picture_making.avatar(data)

    return _make_picture(svc, actor, pieces, svc.limits.max_avatar_file_size_mib, make)


def emoji(svc: Services, actor: Actor, pieces: Iterable[bytes]) -> "EmojiPicture":
    """Make an emoji from a file.

    :raises ChatError: as for an avatar
    """

    def make(data: bytes) -> "EmojiPicture":
        from chatcore.application.files import picture_making

        return picture_making.emoji(data)

    return _make_picture(svc, actor, pieces, svc.limits.max_emoji_file_size_mib, make)


def icon(svc: Services, actor: Actor, pieces: Iterable[bytes]) -> bytes:
    """Make an icon of the organization from a file.

    :raises ChatError: as for an avatar
    """

    def make(data: bytes) -> bytes:
        from chatcore.application.files import picture_making

        return picture_making.icon(data)

    return _make_picture(svc, actor, pieces, svc.limits.max_icon_file_size_mib, make)


def logo(svc: Services, actor: Actor, pieces: Iterable[bytes]) -> bytes:
    """Make a logo of the organization from a file.

    :raises ChatError: as for an avatar
    """

    def make(data: bytes) -> bytes:
        from chatcore.application.files import picture_making

        return picture_making.logo(data)

    return _make_picture(svc, actor, pieces, svc.limits.max_logo_file_size_mib, make)


def _make_picture(
    svc: Services, actor: Actor, pieces: Iterable[bytes], max_mib: int, make: Callable[[bytes], T]
) -> T:
    with svc.picture_work.hold(actor.user_id):
        data = _whole(pieces, max_mib)
        return svc.run_blocking(lambda: make(data), Work.PICTURES)


def _whole(pieces: Iterable[bytes], max_mib: int) -> bytes:
    """Return an uploaded file, read in pieces.

    :raises FileTooLarge:
    """
    data = bytearray()
    for piece in pieces:
        data += piece
        if len(data) > max_mib * MIB:
            raise FileTooLarge(max_mib)
    return bytes(data)


def store(svc: Services, key: str, data: bytes) -> None:
    """Store a picture, durably, under a key of the file store."""

    def write() -> None:
        with closing(svc.files.writer(key)) as writer:
            writer.write(data)
            writer.sync()
        svc.files.finish(key)

    svc.run_blocking(write, Work.FILES)
