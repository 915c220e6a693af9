"""Pictures of people: their sizes, where they are, and who may not change them.

Users who have uploaded none have a generated one, which follows from their id: neither the address nor
anything else of the account is in it.
"""

import re

from chatcore.domain.errors import BadRequest
from chatcore.domain.identicons import identicon, nobody
from chatcore.domain.ids import UserId
from chatcore.domain.limits import Limits
from chatcore.domain.uploads import MIB, ORGANIZATION

SIZE = 100
MEDIUM_SIZE = 500
"""Pixels on each side of the square."""

_NAME = re.compile(r"([A-Za-z0-9_-]{24})(-medium)?\.png")
_GENERATED = re.compile(r"(user-[1-9][0-9]{0,14}|organization|nobody)(-medium)?\.png")


class AvatarChangesDisabled(BadRequest):
    """The organization does not let people change their pictures."""

    def __init__(self) -> None:
        super().__init__("Avatar changes are disabled in this organization.")


def max_bytes(limits: Limits) -> int:
    return limits.max_avatar_file_size_mib * MIB


def url_of(avatar_key: str, *, medium: bool = False) -> str:
    """Where anybody who knows the address can see the picture."""
    return f"/user_avatars/{ORGANIZATION}/{avatar_key}{'-medium' if medium else ''}.png"


def file_key(avatar_key: str, *, medium: bool = False) -> str:
    """Under which the bytes are stored: a place where no other file can be."""
    return f"00/avatar-{'medium-' if medium else ''}{avatar_key}"


def file_key_of_name(name: str) -> str | None:
    """The same by the last part of the address; None where no picture is called so."""
    match = _NAME.fullmatch(name)
    return None if match is None else file_key(match[1], medium=match[2] is not None)


def generated_url(user_id: UserId, version: int, *, medium: bool = False) -> str:
    """Where the generated picture of a user is."""
    return _generated(f"user-{user_id}", medium=medium, version=version)


def unknown_url() -> str:
    """Where the picture is of somebody who is not there, or of whom the reader may not know."""
    return _generated("nobody")


def organization_url() -> str:
    """Where the generated picture of the organization is."""
    return _generated("organization")


def _generated(name: str, *, medium: bool = False, version: int = 1) -> str:
    return f"/user_avatars/{ORGANIZATION}/{name}{'-medium' if medium else ''}.png?version={version}"


def generated_picture(name: str, host: str) -> bytes | None:
    """The generated picture by the last part of its address; None where none is called so.

    Each *host* has others.
    """
    match = _GENERATED.fullmatch(name)
    if match is None:
        return None
    size = SIZE if match[2] is None else MEDIUM_SIZE
    return nobody(size) if match[1] == "nobody" else identicon(f"{host} {match[1]}", size)
