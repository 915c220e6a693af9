"""The method of a request, and which ones there are."""

from typing import TYPE_CHECKING, Final

from chatcore.http.routing import API_PREFIX

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

CHANGE_NOTHING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
PLAIN_METHODS: Final = CHANGE_NOTHING | {"POST", "PUT", "PATCH", "DELETE"}

OVERRIDABLE: Final = API_PREFIX + "/tus"
OVERRIDE: Final = "HTTP_X_HTTP_METHOD_OVERRIDE"
OVERRIDING: Final = frozenset({"PATCH", "DELETE"})
"""The methods that some clients cannot send. None of them decides whether an answer has a body."""


def real_method(path: str, environ: "WSGIEnvironment") -> str:
    """The method that is meant: a POST of the protocol for resumable uploads may name PATCH or DELETE in a
    header. Any other overriding is ignored.
    """
    method: str = environ["REQUEST_METHOD"]
    if method == "POST" and (path == OVERRIDABLE or path.startswith(OVERRIDABLE + "/")):
        meant = str(environ.get(OVERRIDE, "")).upper()
        return meant if meant in OVERRIDING else method
    return method
