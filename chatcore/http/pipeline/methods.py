"""The method of a request, and the supported methods."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Final

from chatcore.http.bodies.reading import texts_in_query
from chatcore.http.pipeline.routing import API_PREFIX

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
SUPPORTED_METHODS: Final = SAFE_METHODS | {"POST", "PUT", "PATCH", "DELETE"}

OVERRIDABLE_PATH: Final = API_PREFIX + "/tus"
"""The root of the paths at which a header can override the method POST."""
OVERRIDE_HEADER: Final = "HTTP_X_HTTP_METHOD_OVERRIDE"
OVERRIDING_METHODS: Final = frozenset({"PATCH", "DELETE"})
"""Methods that some clients cannot send. None of them decides whether an answer has a body."""


def effective_method(path: str, environ: "WSGIEnvironment") -> str:
    """Return the method of a request. In the protocol for resumable uploads, a POST may name PATCH or DELETE
    in a header; for all other requests such a header is ignored.
    """
    method: str = environ["REQUEST_METHOD"]
    if method == "POST" and (path == OVERRIDABLE_PATH or path.startswith(OVERRIDABLE_PATH + "/")):
        overriding = str(environ.get(OVERRIDE_HEADER, "")).upper()
        return overriding if overriding in OVERRIDING_METHODS else method
    return method


METHOD_FIELD: Final = "method"
METHODS_IN_FORMS: Final = ("DELETE", "PATCH", "PUT")
"""Methods that a form sent by POST can ask for, for clients that send only GET and POST."""


def methods_to_expect(environ: "WSGIEnvironment", allowed: Collection[str]) -> list[str]:
    """Return those *allowed* methods of a path without POST that the form of a POST to it may name."""
    if environ["REQUEST_METHOD"] != "POST" or not environ.get("CONTENT_TYPE"):
        return []
    return [method for method in METHODS_IN_FORMS if method in allowed]


def method_in_form(environ: "WSGIEnvironment", texts: Mapping[str, str]) -> str | None:
    """Return the method that the form of a POST names; the query, which *texts* has too, cannot name one."""
    named = texts.get(METHOD_FIELD, "").upper()
    if named not in METHODS_IN_FORMS or METHOD_FIELD in texts_in_query(environ):
        return None
    return named
