"""The parameter that says whether a message goes to a channel or to people."""

from typing import Final, Literal, TypeAlias

from chatcore.http.parameters.declaring import ignored_where

RecipientType: TypeAlias = Literal["direct", "channel", "stream", "private"]
"""'stream' and 'private' are older names of 'channel' and 'direct'."""
DIRECT: Final = ("direct", "private")
IGNORED_FOR_PEOPLE: Final = ignored_where("type", *DIRECT)
