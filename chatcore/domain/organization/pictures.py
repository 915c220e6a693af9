"""Pictures of the organization: its icon, and its logos for light and for dark backgrounds."""

import re
from dataclasses import replace
from enum import StrEnum
from typing import Any

from chatcore.domain.files.uploads import MIB, ORGANIZATION
from chatcore.domain.limits import Limits
from chatcore.domain.organization.organization import Organization

ICON_SIZE = 100
"""Pixels on each side of the icon."""
LOGO_SIZE = (800, 100)
"""The box, in pixels, that a logo fits into."""

_NAME = re.compile(r"([A-Za-z0-9_-]{24})\.png")


class PictureKind(StrEnum):
    """The pictures, by the names that clients know."""

    ICON = "icon"
    LOGO = "logo"
    NIGHT_LOGO = "night_logo"

    def max_mib(self, limits: Limits) -> int:
        is_icon = self is PictureKind.ICON
        return limits.max_icon_file_size_mib if is_icon else limits.max_logo_file_size_mib

    def max_bytes(self, limits: Limits) -> int:
        return self.max_mib(limits) * MIB

    def key(self, organization: Organization) -> str:
        """Return the unguessable part of the address of the uploaded picture; empty without one."""
        key: str = getattr(organization, f"{self}_key")
        return key

    def source(self, organization: Organization) -> str:
        """Return the letter by which clients tell an uploaded picture from the generated one."""
        if self.key(organization):
            return "U"
        return "G" if self is PictureKind.ICON else "D"

    def with_key(self, organization: Organization, key: str) -> Organization:
        """Return the organization with another uploaded picture, or with an empty *key* without one."""
        changed: dict[str, Any] = {f"{self}_key": key}
        return replace(organization, **changed)


def url_of(key: str) -> str:
    """Return the URL of an uploaded picture."""
    return f"/user_avatars/{ORGANIZATION}/realm/{key}.png"


def file_key(key: str) -> str:
    """Return the storage key of the bytes, which cannot collide with that of any other file."""
    return f"00/organization-{key}"


def file_key_of_name(name: str) -> str | None:
    """Return the storage key for the last part of a URL; None if it is not the name of a picture."""
    match = _NAME.fullmatch(name)
    return None if match is None else file_key(match[1])
