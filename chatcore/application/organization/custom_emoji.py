"""The organization's own emoji: listing, adding and deactivating them."""

import secrets
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Annotated, BinaryIO

from chatcore.application.arguments import about
from chatcore.application.daily_use import count_daily_use
from chatcore.application.files import listed_files, pictures
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, read_only, unit_of_work
from chatcore.domain.errors import BadRequest
from chatcore.domain.files.uploads import MIB, NoSuchFile, file_key, path_id_of
from chatcore.domain.groups.actors import Actor
from chatcore.domain.organization import custom_emoji as rules
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.organization.custom_emoji import CustomEmoji, NoSuchEmoji
from chatcore.domain.people.daily_use import Daily
from chatcore.events.audience import Everyone
from chatcore.events.happened import CustomEmojiChanged
from chatcore.events.payloads.emoji import EmojiShape, emoji_shapes
from chatcore.markup.emoji import CODE_OF
from chatcore.storage import Snapshot, Transaction
from chatcore.storage.files import FileMissing

if TYPE_CHECKING:
    from chatcore.application.files.picture_making import EmojiPicture


def list_emoji(svc: Services) -> dict[str, EmojiShape]:
    """Return all emoji of the organization by id, including deactivated ones."""
    return svc.storage.read(custom_emoji_shapes)


def custom_emoji_shapes(snapshot: Snapshot) -> dict[str, EmojiShape]:
    """Return all emoji of the organization as they are sent."""
    return emoji_shapes(snapshot.emoji.all())


def max_picture_bytes(svc: Services) -> int:
    return svc.limits.max_emoji_file_size_mib * MIB


def add_emoji(svc: Services, actor: Actor, name: str, pieces: Iterable[bytes]) -> None:
    """Add an emoji with a picture (PNG, GIF, JPEG or WebP), which is read in pieces.

    :raises BadRequest: no permission, an invalid or taken name, or too many emoji
    :raises FileTooLarge, BadImage, QuotaExceeded, UploadsDisabled:
    :raises RateLimited: another picture of the actor is being processed, or too many emoji on one day
    """
    name = rules.checked_emoji_name(name)
    _require_may_add(svc, actor, name)
    picture = pictures.emoji(svc, actor, pieces)
    token = secrets.token_hex(1) + secrets.token_urlsafe(18)
    files = {file_key(picture_path_id(token)): picture.data}
    if picture.still is not None:
        files[file_key(picture_path_id(token, still=True))] = picture.still
    with listed_files.storing(svc, actor, files):
        _store_emoji(svc, actor, name, token, picture, files.keys())


@unit_of_work
def _store_emoji(
    unit: Unit, me: Actor, name: str, token: str, picture: "EmojiPicture", file_keys: Collection[str]
) -> None:
    _require_may_add.within(unit, me, name)
    count_daily_use(unit, me, Daily.EMOJI)
    listed_files.keep(unit.tx, file_keys)
    emoji = unit.tx.emoji.add(
        CustomEmoji(
            id=rules.NOT_STORED,
            name=name,
            author_id=me.user_id,
            token=token,
            content_type=picture.content_type,
            is_animated=picture.still is not None,
        )
    )
    unit.record(AuditKind.EMOJI_ADDED, emoji.id, after={"name": name})
    _announce(unit.tx)


@unit_of_work
def deactivate_emoji(unit: Unit, me: Actor, name: Annotated[str, about("The emoji's name.")]) -> None:
    """Deactivate an emoji of the organization.

    :effect: the emoji stays where it was used
    :raises NoSuchEmoji: no active emoji of this name
    :raises BadRequest: the actor is neither an administrator nor its author
    """
    emoji = unit.tx.emoji.active([name]).get(name)
    if emoji is None:
        raise NoSuchEmoji(name)
    rules.require_may_remove(emoji, me)
    unit.tx.emoji.deactivate(emoji)  # nobody can choose it any more, and it stays where it was used
    unit.record(AuditKind.EMOJI_DEACTIVATED, emoji.id, before={"name": name})
    _announce(unit.tx)


def open_picture(svc: Services, file_name: str, *, still: bool = False) -> tuple[str, BinaryIO]:
    """Return the media type of an emoji's file and the open file, which the caller closes; with *still*, of
    the first frame of an animation.

    :raises NoSuchFile: no such emoji, or no such file of it
    """
    token = file_name.partition(".")[0]
    emoji = svc.storage.read(lambda snapshot: snapshot.emoji.find(token))
    if emoji is None or file_name != (emoji.still_name if still else emoji.file_name):
        raise NoSuchFile
    try:
        file = svc.files.open(file_key(picture_path_id(token, still=still)))
    except FileMissing as error:
        raise NoSuchFile from error
    return "image/png" if still else emoji.content_type, file


@read_only
def _require_may_add(view: View, me: Actor, name: str) -> None:
    rules.require_may_add(view.snapshot.organization.get(), me)
    if view.snapshot.emoji.active([name]):
        raise BadRequest("A custom emoji with this name already exists.")
    if name in CODE_OF or name == view.svc.settings.extra_emoji:
        rules.require_may_replace_built_in(me)
    if view.snapshot.emoji.count() >= view.limits.max_custom_emoji:
        raise BadRequest(f"There can be {view.limits.max_custom_emoji} custom emoji at most.")


def picture_path_id(token: str, *, still: bool = False) -> str:
    """Return the path of the picture, in the form of the paths of uploads."""
    return path_id_of(token[:2], token[2:] + ("-still" if still else ""), "emoji")


def _announce(tx: Transaction) -> None:
    tx.announce(CustomEmojiChanged(), Everyone())
