"""Pictures of people: their sizes, where they are, and who may not change them."""

import re

from chatcore.domain.errors import BadRequest
from chatcore.domain.limits import Limits
from chatcore.domain.uploads import MIB, ORGANIZATION

SIZE = 100
MEDIUM_SIZE = 500
"""Pixels on each side of the square."""

_NAME = re.compile(r"([A-Za-z0-9_-]{24})(-medium)?\.png")


class AvatarChangesDisabled(BadRequest):
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
