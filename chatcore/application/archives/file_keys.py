"""The files that belong to the rows of an archive, by their keys in the file store."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

import msgspec

from chatcore.application.organization.custom_emoji import picture_path_id
from chatcore.domain.files.uploads import file_key
from chatcore.domain.organization import pictures
from chatcore.domain.organization.organization import Organization
from chatcore.domain.people import avatars
from chatcore.storage.archives.tables import Row, cell


def _of_attachment(row: Row) -> Iterator[str]:
    yield file_key(cell(row, "path_id", str))


def _of_account(row: Row) -> Iterator[str]:
    if key := cell(row, "avatar_key", str):
        yield avatars.file_key(key)
        yield avatars.file_key(key, medium=True)


def _of_emoji(row: Row) -> Iterator[str]:
    token = cell(row, "token", str)
    yield file_key(picture_path_id(token))
    if row["is_animated"]:
        yield file_key(picture_path_id(token, still=True))


def _of_organization(row: Row) -> Iterator[str]:
    organization = msgspec.json.decode(cell(row, "data", str), type=Organization)
    for kind in pictures.PictureKind:
        if key := kind.key(organization):
            yield pictures.file_key(key)


_KEYS: Final[Mapping[str, Callable[[Row], Iterator[str]]]] = {
    "attachment": _of_attachment,
    "account": _of_account,
    "custom_emoji": _of_emoji,
    "organization": _of_organization,
}


TABLES_WITH_FILES: Final = frozenset(_KEYS)


def keys_of(table: str, row: Row) -> Iterator[str]:
    """Yield the keys of the files that belong to a row."""
    if (find := _KEYS.get(table)) is not None:
        yield from find(row)
