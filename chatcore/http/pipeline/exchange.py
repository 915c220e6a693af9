"""One request and its answer: the facts that refusals and the access log need."""

import logging
import re
from collections.abc import Mapping
from functools import partial
from time import perf_counter, time  # noqa: TID251 - lines of the log have the machine's time
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from chatcore.domain.errors import ChatError, InvalidParameter, RateLimited
from chatcore.domain.groups.actors import Actor
from chatcore.http.pipeline.auth import client_name
from chatcore.http.pipeline.envelope import error_response
from chatcore.http.pipeline.limiting import RequestLimits
from chatcore.http.pipeline.methods import SUPPORTED_METHODS
from chatcore.http.pipeline.routing import AnyRoute
from chatcore.http.pipeline.sessions import without_basic_challenge
from chatcore.http.response import Response
from chatcore.http.security_log import SecurityEvent, security_event_of
from chatcore.http.security_log import log as security_log
from chatcore.runtime.afterwards import AFTERWARDS

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

access_log = logging.getLogger("chatcore.access")

MAX_LOGGED: Final = 300
"""Characters of a path in the access log."""
MAX_REPEATED: Final = 200
"""Characters of a bad value that its refusal repeats."""
_PATHS_OF_SECRETS: Final = re.compile(
    r"(/(?:user_uploads(?:/temporary|/download)?|user_avatars|tus|join|confirm|reset|unsubscribe))/.+",
    re.DOTALL,
)
"""Paths whose rest is a secret, or a user's name for a file."""


class Exchange:
    """The facts about a request that the access log needs, whatever its outcome."""

    __slots__ = (
        "actor",
        "client",
        "code",
        "environ",
        "id",
        "limit_name",
        "limits",
        "method",
        "path",
        "route",
        "security_event",
        "session",
        "texts",
    )

    def __init__(self, environ: "WSGIEnvironment", request_id: str) -> None:
        self.environ = environ
        self.id = request_id
        self.code: str | None = None
        """The code of a refusal."""
        self.limit_name: object = None
        """The name of the limit, if a limit is the reason."""
        self.security_event: SecurityEvent | None = None
        """The kind of the refusal in the security log, if it belongs there."""
        self.method: str = environ["REQUEST_METHOD"]
        self.path: str = environ.get("PATH_INFO", "")
        self.client = client_name(environ.get("HTTP_USER_AGENT", ""))
        self.actor: Actor | None = None
        self.session = ""
        """The token of the browser's session; empty if the route does not read the cookie."""
        self.route: AnyRoute | None = None
        self.texts: Mapping[str, str] = {}
        self.limits: RequestLimits | None = None

    def refuse(self, error: ChatError) -> Response:
        """Return the answer to a refused request, and note the reason for the log."""
        if isinstance(error, RateLimited) and self.limits is not None:
            self.limits.note_refusal()
        self.limit_name = error.extra.get("limit")
        self.code = error.code
        self.security_event = security_event_of(error, self.environ, self.actor)
        if isinstance(error, InvalidParameter) and (sent := self.texts.get(error.name)) is not None:
            error.extra["bad_value"] = sent[:MAX_REPEATED]
        refusal = None if self.route is None else self.route.refuse(error, self.environ)
        return without_basic_challenge(refusal or error_response(error), self.environ)

    @property
    def line(self) -> str:
        """Return method and path, special characters escaped; without the query, which may hold secrets."""
        return _line(self.method, self._logged_path)

    @property
    def _logged_path(self) -> str:
        """Return the path below the server's root, cut for the log; `_line` hides the secrets in it."""
        mount: str = self.environ.get("SCRIPT_NAME", "")
        return (mount + self.path)[:MAX_LOGGED]

    @property
    def origin(self) -> dict[str, object]:
        """Return address and request id as the `extra` of a line of the log."""
        return {"fields": {"address": self.environ.get("REMOTE_ADDR"), "request": self.id}}

    def log(self, status: int, started: float) -> None:
        """Write the line of the access log about the answer, in a moment if the server can do so, and that of
        the security log, if it has one.
        """
        if access_log.isEnabledFor(logging.INFO):
            fields = {
                "ms": round((perf_counter() - started) * 1000, 1),
                "user": self.actor.user_id if self.actor else None,
                "client": self.client,
                "address": self.environ.get("REMOTE_ADDR"),
                "request": self.id,
                **self._reason_of_refusal,
            }
            write = partial(_log_answer, self.method, self._logged_path, status, fields, time())
            do_later = self.environ.get(AFTERWARDS)
            write() if do_later is None else do_later(write)
        if self.security_event is not None:
            fields = {
                "event": self.security_event.value,
                "address": self.environ.get("REMOTE_ADDR"),
                "client": self.client,
                "request": self.id,
                **self._reason_of_refusal,
            }
            security_log.warning("%s %d", self.line, status, extra={"fields": fields})

    @property
    def _reason_of_refusal(self) -> dict[str, object]:
        """Return the fields that a line has about a refusal; none about a success."""
        reason = {"code": self.code, "limit": self.limit_name}
        return {name: value for name, value in reason.items() if value is not None}


def _line(method: str, path: str) -> str:
    method = method if method in SUPPORTED_METHODS else quote(method[:20])
    shown = _PATHS_OF_SECRETS.sub(r"\1/*", path)
    return f"{method} {quote(shown, safe='/@:+*')}"


def _log_answer(method: str, path: str, status: int, fields: Mapping[str, object], answered: float) -> None:
    """Write a line of the access log, with the time at which the answer was ready."""
    texts = (_line(method, path), status)
    record = access_log.makeRecord(
        access_log.name, logging.INFO, __file__, 0, "%s %d", texts, None, extra={"fields": fields}
    )
    record.created, record.msecs = answered, answered % 1 * 1000
    access_log.handle(record)
