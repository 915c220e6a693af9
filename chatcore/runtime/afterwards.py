"""The key of a WSGI environment by which a server does small work after the answers of a moment."""

from typing import Final

AFTERWARDS: Final = "chatcore.afterwards"
"""The server may leave a function here that takes another one without parameters, and calls that in a moment:
work that nobody waits for, which would stand before the answers that are about to go to others.
"""
