"""One endpoint is one `Route`; a `Router` finds it by path and method.

A path has typed placeholders: `/messages/{message_id:int}`, `/users/{email}`. Their values are fields of the
parameter class.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, cached_property
from inspect import cleandoc
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Final,
    Generic,
    Literal,
    TypeAlias,
    cast,
    get_type_hints,
)

import msgspec
from werkzeug.exceptions import MethodNotAllowed as WerkzeugMethodNotAllowed
from werkzeug.exceptions import NotFound as WerkzeugNotFound
from werkzeug.routing import BaseConverter, Map, Rule

from chatcore.domain.errors import ChatError, NotFound
from chatcore.http.bodies.incoming import Header, Incoming
from chatcore.http.bodies.reading import texts_and_file, texts_in_query, texts_in_request
from chatcore.http.parameters.declaring import ALWAYS_ACCEPTED, Declaration, P, declaration_of
from chatcore.http.pipeline.auth import Auth, Caller
from chatcore.http.response import Headers, Response
from chatcore.runtime.admission import Lane

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

    from chatcore.application.services import Services

API_PREFIX: Final = "/api/v1"
MAX_BODY: Final = 2**20
"""Maximal bytes of a request's body, unless its route sets another limit."""

FILE: Final = "chatcore.file"
"""The key of the environment under which a request keeps the file of its form."""

NAMES_CLIENTS_REPEAT: Final = frozenset({"message_id", "stream_id", "group_id", "stream"})
"""Names that client libraries send as parameters although they occur in the path."""

Method: TypeAlias = Literal["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]


class Answer(msgspec.Struct, frozen=True):
    """The fields of a successful answer; `result` and `msg` are added on sending."""


class Done(Answer, frozen=True):
    """An answer without fields: success only."""


class Spread(Answer, frozen=True):
    """An answer whose fields are those of its one field `fields`, a Struct or a dictionary."""

    fields: Any


class WithHeaders(Spread, frozen=True):
    """An answer like `Spread`, with its own headers."""

    headers: Headers


class Route(Generic[P]):
    """One endpoint.

    *at_every_host*: the endpoint exists even where there is no organization; its handler then receives None
    for the services. *of_administrators*: other callers are refused before a parameter is read; the use case
    checks again within its unit of work. *lane*: the class of requests with which this one is counted.
    *may_repeat*: if the answer is replaced by a refusal, the client can send the request again, as for any
    GET.

    The handler's declared return type gives encoding and documentation of the answer; its docstring documents
    the endpoint.
    """

    by_cookie = False

    def __init__(
        self,
        method: Method,
        path: str,
        params: type[P],
        handler: "Callable[[Services, Caller, P], Answer]",
        *,
        auth: Auth = Auth.REQUIRED,
        max_body: int = MAX_BODY,
        prefix: str = API_PREFIX,
        at_every_host: bool = False,
        lane: Lane = Lane.CALLS,
        may_repeat: bool = False,
        of_administrators: bool = False,
    ) -> None:
        self.method: Method = method
        self.path = path
        self.handler: Callable[..., Answer | Response] = handler
        self.auth = auth
        self.max_body = max_body
        self.prefix = prefix
        self.at_every_host = at_every_host
        self.lane = lane
        self.may_repeat = may_repeat or method == "GET"
        self.of_administrators = of_administrators
        self.answer_content = self._answer_content()
        self.params = params
        self.path_names = frozenset(name for name, _ in path_placeholders(path))
        if missing := self.path_names - set(params.__struct_fields__):
            raise TypeError(f"{method} {path}: {params.__name__} has no field {', '.join(sorted(missing))}")
        self.repeated = self.path_names | NAMES_CLIENTS_REPEAT if self.path_names else frozenset()
        """Names of parameters that are not reported as unused, as the path has their values."""

    @cached_property
    def declaration(self) -> Declaration[P]:
        """Return the parameters, analyzed on first use: a server starts earlier, and commands need none."""
        return declaration_of(self.params)

    def texts(self, environ: "WSGIEnvironment") -> dict[str, str]:
        """Return the texts of the parameters in a request."""
        return texts_in_request(environ, self.max_body)

    def call(
        self, svc: "Services | None", caller: Caller, params: P, environ: "WSGIEnvironment"
    ) -> tuple[Answer | Response, Collection[str]]:
        """Return the answer, and the names of unused fields in a body that the handler has read;
        `Declaration.parse` returns the other unused names.
        """
        return self.handler(svc, caller, params), ()

    def refuse(self, error: ChatError, environ: "WSGIEnvironment") -> Response | None:
        """Return the answer to a refused request; None stands for the envelope."""
        return None

    def _answer_content(self) -> Any:
        """Return the type whose fields an answer has in JSON."""
        answer = getattr(self.handler, "__annotations__", {}).get("return")
        if not (isinstance(answer, type) and issubclass(answer, Answer)):
            raise TypeError(f"{self.handler!r} must declare a subclass of Answer as its return type")
        return get_type_hints(answer)["fields"] if issubclass(answer, Spread) else answer

    @property
    def full_path(self) -> str:
        return self.prefix + self.path

    @property
    def summary(self) -> str:
        """Return the first paragraph of the handler's docstring."""
        return " ".join(self._documentation.partition("\n\n")[0].split()).rstrip(".")

    @property
    def description(self) -> str:
        """Return the handler's docstring after its first paragraph."""
        return self._documentation.partition("\n\n")[2]

    @property
    def _documentation(self) -> str:
        return cleandoc(self.handler.__doc__ or "")

    def __repr__(self) -> str:
        return f"<Route {self.method} {self.full_path}>"


def _in_the_envelope(error: ChatError, request: Incoming) -> None:
    """Leave the refusal to the envelope."""


class RawRoute(Route[P]):
    """An endpoint that reads the body itself, piece by piece, and may answer with more than JSON.

    Its parameters are in the path and the query. *body* is the media type of the request, *answers* that of
    an answer without the envelope, *headers* are those that the handler reads; they are for the
    documentation. *refuse* gives refusals another form. With *by_cookie*, the cookie of a browser's session
    is accepted if there is no Authorization header.
    """

    def __init__(
        self,
        method: Method,
        path: str,
        params: type[P],
        handler: "Callable[[Services, Caller, Incoming, P], Answer | Response]",
        *,
        auth: Auth = Auth.REQUIRED,
        prefix: str = API_PREFIX,
        body: str = "",
        answers: str = "",
        headers: Sequence[Header] = (),
        by_cookie: bool = False,
        lane: Lane = Lane.CALLS,
        of_administrators: bool = False,
        refuse: "Callable[[ChatError, Incoming], Response | None]" = _in_the_envelope,
    ) -> None:
        self.body = body
        self.answers = answers
        self.headers = headers
        self.by_cookie = by_cookie
        self._raw_handler: Callable[..., Answer | Response] = handler
        self._refuse = refuse
        super().__init__(
            method,
            path,
            params,
            cast(Any, handler),
            auth=auth,
            prefix=prefix,
            lane=lane,
            of_administrators=of_administrators,
        )

    def texts(self, environ: "WSGIEnvironment") -> dict[str, str]:
        return texts_in_query(environ)

    def call(
        self, svc: "Services | None", caller: Caller, params: P, environ: "WSGIEnvironment"
    ) -> tuple[Answer | Response, Collection[str]]:
        if svc is not None:
            svc.storage.confirm()  # now, as a body can be read only once
        request = Incoming(environ)
        answer = self._raw_handler(svc, caller, request, params)
        return answer, request.passed_over - self.repeated - ALWAYS_ACCEPTED

    def refuse(self, error: ChatError, environ: "WSGIEnvironment") -> Response | None:
        return self._refuse(error, Incoming(environ))

    def _answer_content(self) -> Any:
        return Done if self.answers else super()._answer_content()


class FileRoute(Route[P]):
    """An endpoint whose form may have one small file, under any name, which the handler gets as well."""

    def __init__(
        self,
        method: Method,
        path: str,
        params: type[P],
        handler: "Callable[[Services, Caller, P, bytes | None], Answer]",
        *,
        max_body: int,
    ) -> None:
        self._file_handler: Callable[..., Answer] = handler
        super().__init__(method, path, params, cast(Any, handler), max_body=max_body)

    def texts(self, environ: "WSGIEnvironment") -> dict[str, str]:
        texts, environ[FILE] = texts_and_file(environ, self.max_body)
        return texts

    def call(
        self, svc: "Services | None", caller: Caller, params: P, environ: "WSGIEnvironment"
    ) -> tuple[Answer | Response, Collection[str]]:
        return self._file_handler(svc, caller, params, environ[FILE]), ()


AnyRoute: TypeAlias = Route[Any]


_PLACEHOLDER = re.compile(r"\{(\w+)(?::(\w+))?\}")


def path_placeholders(path: str) -> list[tuple[str, str]]:
    """Return names and kinds (`int`, `str`, `path`) of the placeholders in a route's path."""
    return [(name, kind or "str") for name, kind in _PLACEHOLDER.findall(path)]


def path_template(path: str) -> str:
    """Return a route's path with its placeholders named but not typed."""
    return _PLACEHOLDER.sub(r"{\1}", path)


class NoSuchPath(NotFound):
    """There is nothing at this address."""

    def __init__(self) -> None:
        super().__init__("There is nothing at this address")


class MethodNotAllowed(ChatError):
    """The address does not support this method; `allowed` lists the supported ones."""

    status = 405

    def __init__(self, allowed: Sequence[str]) -> None:
        super().__init__("Method not allowed", allowed_methods=list(allowed))
        self.allowed = allowed


class Integer(BaseConverter):
    """An id in the range of the store, in its only spelling."""

    regex = "(?:0|[1-9][0-9]{0,17})"
    weight = 50  # less than that of text, so a path of digits goes to the route with an id

    def to_python(self, value: str) -> int:
        return int(value)


class Router:
    """Finds the route for a path and a method.

    A slash at the end is ignored. HEAD uses the route of GET.
    """

    converters: ClassVar[Mapping[str, type[BaseConverter]]] = {"int": Integer}

    def __init__(self, routes: Sequence[AnyRoute]) -> None:
        plain = [r for r in routes if not r.path_names]
        self._plain: Mapping[tuple[str, str], AnyRoute] = {(r.full_path, r.method): r for r in plain}
        self._map = Map(
            [Rule(_werkzeug_rule(r.full_path), endpoint=r, methods=[r.method]) for r in routes],
            converters=self.converters,
            strict_slashes=False,
            merge_slashes=False,
            redirect_defaults=False,
        )
        adapter = self._map.bind("chat")
        self._match = adapter.match
        self._methods = adapter.allowed_methods

    def find(self, path: str, method: str) -> tuple[AnyRoute, Mapping[str, Any]]:
        """Return the route and the values of the path's placeholders.

        :raises NoSuchPath, MethodNotAllowed:
        """
        plain = self._plain.get((path, method))
        if plain is not None:  # most requests; it saves the time of the map
            return plain, {}
        try:
            return self._match(path, method)
        except WerkzeugMethodNotAllowed as error:
            raise MethodNotAllowed(_allowed_methods(error.valid_methods or ())) from None
        except WerkzeugNotFound:
            raise NoSuchPath from None

    def allowed_methods(self, path: str) -> Sequence[str]:
        """Return the methods of a path.

        :raises NoSuchPath:
        """
        methods = list(self._methods(path))
        if not methods:
            raise NoSuchPath
        return _allowed_methods(methods)


@cache
def router(routes: tuple[AnyRoute, ...]) -> Router:
    """Return the router of these routes. It is cached, because making it costs as much as ten requests, and a
    program may have many applications.
    """
    return Router(routes)


def plain_path(path_info: str) -> str:
    """Return WSGI's path, UTF-8 as Latin-1, as text; doubled slashes after the API's prefix count as one.

    :raises NoSuchPath: the text cannot be a path of the API
    """
    path = path_info
    if not path.isascii():
        try:
            path = path.encode("latin-1").decode()
        except ValueError as error:
            raise NoSuchPath from error
    if path.startswith(API_PREFIX + "//"):
        path = API_PREFIX + "/" + path[len(API_PREFIX) :].lstrip("/")
    if path.startswith("//") or not path.isprintable():
        raise NoSuchPath
    return path


def _werkzeug_rule(path: str) -> str:
    """Return a route's path in the notation of Werkzeug: `<int:id>` for `{id:int}`."""
    return re.sub(r"<:", "<", _PLACEHOLDER.sub(r"<\2:\1>", path))


def _allowed_methods(methods: Iterable[str]) -> list[str]:
    return sorted({*methods, "OPTIONS"})
