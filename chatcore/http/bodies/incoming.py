"""A request that its endpoint reads itself: headers, and a body that may be larger than memory."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

import msgspec

from chatcore.http.bodies import reading

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment


class Incoming:
    """An incoming request."""

    def __init__(self, environ: "WSGIEnvironment") -> None:
        self.environ = environ
        self.passed_over: set[str] = set()
        """Names of fields in the body that have no meaning here, as far as it has been read."""

    @property
    def mount(self) -> str:
        """Return the prefix under which the application is mounted."""
        mount: str = self.environ.get("SCRIPT_NAME", "")
        return mount

    @property
    def content_type(self) -> str:
        content_type: str = self.environ.get("CONTENT_TYPE", "")
        return content_type

    def header(self, name: str) -> str | None:
        """Return the value of a header other than Content-Type and Content-Length."""
        value: str | None = self.environ.get("HTTP_" + name.upper().replace("-", "_"))
        return value

    def pieces(self, limit: int) -> Iterator[bytes]:
        """Yield the body piece by piece.

        :raises BodyTooLarge: more than *limit* bytes, declared or sent
        :raises BadRequest: the body ended early
        """
        return reading.body_pieces(self.environ, limit)


class Header(msgspec.Struct, frozen=True):
    """A header of requests to an endpoint, for the documentation."""

    name: str
    description: str
    type: Literal["string", "integer"] = "string"
    required: bool = False
