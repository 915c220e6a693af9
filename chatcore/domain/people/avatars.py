"""Pictures of users: sizes, URLs, and permission to change them.

Users without an uploaded picture have a generated one, derived from their id: it reveals neither the address
nor anything else of the account.
"""

import re

from chatcore.domain.errors import BadRequest
from chatcore.domain.files.uploads import MIB, ORGANIZATION
from chatcore.domain.ids import UserId
from chatcore.domain.limits import Limits
from chatcore.domain.people.identicons import identicon, nobody

SIZE = 100
MEDIUM_SIZE = 500
"""Pixels on each side of the square."""

_NAME = re.compile(r"([A-Za-z0-9_-]{24})(-medium)?\.png")
_GENERATED = re.compile(r"(user-[1-9][0-9]{0,14}|organization|nobody)(-medium)?\.png")


class AvatarChangesDisabled(BadRequest):
    """The organization does not let users change their pictures."""

    def __init__(self) -> None:
        super().__init__("Avatar changes are disabled in this organization.")


def max_bytes(limits: Limits) -> int:
    return limits.max_avatar_file_size_mib * MIB


def url_of(avatar_key: str, *, medium: bool = False) -> str:
    """Return the URL of an uploaded picture; anybody who knows it can see the picture."""
    return f"/user_avatars/{ORGANIZATION}/{avatar_key}{'-medium' if medium else ''}.png"


def file_key(avatar_key: str, *, medium: bool = False) -> str:
    """Return the storage key of the bytes, which cannot collide with that of any other file."""
    return f"00/avatar-{'medium-' if medium else ''}{avatar_key}"


def file_key_of_name(name: str) -> str | None:
    """Return the storage key for the last part of a URL; None if it is not the name of a picture."""
    match = _NAME.fullmatch(name)
    return None if match is None else file_key(match[1], medium=match[2] is not None)


def generated_url(user_id: UserId, version: int, *, medium: bool = False) -> str:
    """Return the URL of a user's generated picture."""
    return _generated_url(f"user-{user_id}", medium=medium, version=version)


def unknown_url() -> str:
    """Return the URL of the picture for users who do not exist or are not visible to the reader."""
    return _generated_url("nobody")


def organization_url() -> str:
    """Return the URL of the organization's generated picture."""
    return _generated_url("organization")


def _generated_url(name: str, *, medium: bool = False, version: int = 1) -> str:
    return f"/user_avatars/{ORGANIZATION}/{name}{'-medium' if medium else ''}.png?version={version}"


def generated_picture(name: str, host: str) -> bytes | None:
    """Return the generated picture for the last part of its URL; None if it is not such a name.

    The pictures differ by *host*.
    """
    match = _GENERATED.fullmatch(name)
    if match is None:
        return None
    size = SIZE if match[2] is None else MEDIUM_SIZE
    return nobody(size) if match[1] == "nobody" else identicon(f"{host} {match[1]}", size)
