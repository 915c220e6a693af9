"""What pushes to browsers say, as the server's operator has set it."""

from enum import StrEnum


class PushMode(StrEnum):
    TEXT = "text"
    """The beginning of the message."""
    NOTICE = "notice"
    """That there is a new one, of whom and where."""
    OFF = "off"
    """Nothing: none is sent."""
