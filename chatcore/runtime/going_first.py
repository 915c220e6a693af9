"""Keys of a WSGI environment by which a server lets a request wait before it reads the request's head."""

from typing import Final

LETS_GO_FIRST: Final = "chatcore.lets_go_first"
"""The application leaves the function here by which a request waits until others have gone first. A server
may call it when the connection's next request with the same method, path and Host begins.
"""
HAS_LET_GO_FIRST: Final = "chatcore.has_let_go_first"
"""The server leaves the function here that it has called before it read the request; or None."""
