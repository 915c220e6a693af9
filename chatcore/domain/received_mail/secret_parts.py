"""Parts of mails of this server that give rights to whoever reads them: people pass them on, mostly without
knowing it, as their mail programs repeat the headers of a mail above what they quote.
"""

import re
from typing import Final

LEFT_OUT: Final = "left-out"

_DIGITS: Final = "[0-9a-f]+"
_HYPHEN: Final = "(?:-|%(?:25)*2d)"
_SECRET_PARTS: Final = re.compile(
    rf"(reply(?:\.|%(?:25)*2e)){_DIGITS}(?:{_HYPHEN}{_DIGITS}){{3}}"
    r"|(unsubscribe(?:/|%(?:25)*2f))[\w-]{50,}",
    re.IGNORECASE | re.ASCII,
)
"""What follows the beginning of an address for answers, and of a link that unsubscribes; also as it stands in
another link, once or several times percent-encoded. A token of such a link has at least 54 characters.
"""


def without_secret_parts(text: str) -> str:
    """Return a text in which addresses for answers and links that unsubscribe have no power."""
    return _SECRET_PARTS.sub(lambda match: f"{match[1] or match[2]}{LEFT_OUT}", text)


def without_secret_parts_in_file(content: bytes) -> bytes:
    """Return a file in which they have none, as far as they stand there in ASCII."""
    return without_secret_parts(content.decode("latin-1")).encode("latin-1")
