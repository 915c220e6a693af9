"""The method of a request, and which ones there are."""

from typing import TYPE_CHECKING, Final

from chatcore.http.routing import API_PREFIX

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

CHANGE_NOTHING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
PLAIN_METHODS: Final = CHANGE_NOTHING | {"POST", "PUT", "PATCH", "DELETE"}

OVERRIDABLE: Final = API_PREFIX + "/tus"
OVERRIDE: Final = "HTTP_X_HTTP_METHOD_OVERRIDE"


def real_method(path: str, environ: "WSGIEnvironment") -> str:
    """The method that is meant: a protocol of resumable uploads may put it in a header, nothing else may."""
    method: str = environ["REQUEST_METHOD"]
    if OVERRIDE in environ and (path == OVERRIDABLE or path.startswith(OVERRIDABLE + "/")):
        return str(environ[OVERRIDE]).upper()
    return method
