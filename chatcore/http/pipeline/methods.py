"""The method of a request, and the supported methods."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Final

from chatcore.http.bodies.reading import texts_in_query
from chatcore.http.pipeline.routing import API_PREFIX

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

CHANGE_NOTHING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
PLAIN_METHODS: Final = CHANGE_NOTHING | {"POST", "PUT", "PATCH", "DELETE"}

OVERRIDABLE: Final = API_PREFIX + "/tus"
OVERRIDE: Final = "HTTP_X_HTTP_METHOD_OVERRIDE"
OVERRIDING: Final = frozenset({"PATCH", "DELETE"})
"""Methods that some clients cannot send. None of them decides whether an answer has a body."""


def real_method(path: str, environ: "WSGIEnvironment") -> str:
    """Return the method of a request. In the protocol for resumable uploads, a POST may name PATCH or DELETE
    in a header; for all other requests such a header is ignored.
    """
    method: str = environ["REQUEST_METHOD"]
    if method == "POST" and (path == OVERRIDABLE or path.startswith(OVERRIDABLE + "/")):
        meant = str(environ.get(OVERRIDE, "")).upper()
        return meant if meant in OVERRIDING else method
    return method


FORM_FIELD: Final = "method"
NAMED_IN_FORMS: Final = ("DELETE", "PATCH", "PUT")
"""Methods that a form sent by POST can ask for, for clients that send only GET and POST."""


def methods_to_expect(environ: "WSGIEnvironment", allowed: Collection[str]) -> list[str]:
    """Return the methods of this path that the form may name, for a POST to a path without a POST
    endpoint.
    """
    if environ["REQUEST_METHOD"] != "POST" or not environ.get("CONTENT_TYPE"):
        return []
    return [method for method in NAMED_IN_FORMS if method in allowed]


def method_in_form(environ: "WSGIEnvironment", texts: Mapping[str, str]) -> str | None:
    """Return the method that the form of a POST names, from all texts of the request; the query cannot name
    one.
    """
    named = texts.get(FORM_FIELD, "").upper()
    if named not in NAMED_IN_FORMS or FORM_FIELD in texts_in_query(environ):
        return None
    return named
