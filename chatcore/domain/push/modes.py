"""The setting of the server's operator for pushes to browsers."""

from enum import StrEnum


class PushMode(StrEnum):
    TEXT = "text"
    """The beginning of the message."""
    NOTICE = "notice"
    """Only the sender and the place of the message."""
    OFF = "off"
    """No pushes."""
