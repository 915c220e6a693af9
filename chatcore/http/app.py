"""The WSGI application: it finds the route, identifies the caller, reads the parameters, calls the handler
and answers.

It can be mounted under a prefix by setting `SCRIPT_NAME`. Endpoints that wait do so in
`chatcore.application.events.long_polls`. This is the only place that turns a `ChatError` into an
answer; `chatcore.http.pipeline.envelope` makes its JSON.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import quote

from chatcore.application.people.logins import authenticate_bot
from chatcore.domain.errors import ChatError, NoSuchOrganization
from chatcore.domain.groups.actors import Actor
from chatcore.domain.network_addresses import plain_address
from chatcore.domain.organization.administration import require_administrator
from chatcore.domain.organization.audit import Origin, OriginKind
from chatcore.http import logs
from chatcore.http.bodies.reading import require_none_in_query, texts_in_query
from chatcore.http.bodies.slow_body import SlowBody
from chatcore.http.openapi import Example, describe
from chatcore.http.pages.fixed import Fixed
from chatcore.http.pages.readiness import Readiness, health
from chatcore.http.pipeline import brand
from chatcore.http.pipeline.answers import (
    NO_SPACE,
    NOT_READY,
    STATUS_LINES,
    UNEXPECTED,
    UNKNOWN_OUTCOME,
    headers_for,
)
from chatcore.http.pipeline.assuming import run_assuming
from chatcore.http.pipeline.auth import Auth, Authenticate, Caller, identify
from chatcore.http.pipeline.encoding import encode
from chatcore.http.pipeline.envelope import Form, reshape, success_body
from chatcore.http.pipeline.exchange import Exchange
from chatcore.http.pipeline.going_first import wait_behind
from chatcore.http.pipeline.limiting import RequestLimits, count_until_sent, is_large
from chatcore.http.pipeline.methods import (
    METHOD_FIELD,
    SUPPORTED_METHODS,
    effective_method,
    method_in_form,
    methods_to_expect,
)
from chatcore.http.pipeline.own_address import asked_host, own_address
from chatcore.http.pipeline.routing import (
    API_PREFIX,
    AnyRoute,
    MethodNotAllowed,
    WithHeaders,
    plain_path,
    router,
)
from chatcore.http.pipeline.sessions import (
    actor_by_cookie,
    is_from_own_script,
    require_no_other_site,
    require_own_page,
    session_in,
)
from chatcore.http.response import Page, Response
from chatcore.runtime.admission import NO_TURN, Lane, Turn
from chatcore.runtime.quiet_log import QuietLog
from chatcore.runtime.suspensions import Suspended, Suspension
from chatcore.storage import OutcomeUnknown, Outdated, StorageClosed, StorageNotReady
from chatcore.storage.files import FilesFull

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

    from chatcore.application.services import Services
    from chatcore.http.metrics import Metrics

log = logging.getLogger("chatcore.http")

METRICS_PATH: Final = "/metrics"
SUSPENSION: Final = "chatcore.suspension"
"""The key of the environment for a `Suspension`, if the server calls again for requests that have to wait."""


class _Target(NamedTuple):
    """The route of a request, with the values in its path."""

    route: AnyRoute
    values: Mapping[str, Any]
    refusal: MethodNotAllowed | None = None
    """The refusal of the request's own method, which stands unless the form names another one."""


class Application:
    """A WSGI application that serves the organization `site_for_host` returns for a request's Host.

    `admit` raises if the organization refuses callers without an account; `authenticate` raises if it refuses
    the credentials of a caller. `ready` raises while the organization at a host is not ready. `pages` adds
    public paths outside the API. `examples` returns those of the API's description. `compat_brand` is the
    other spelling of some names; see `chatcore.http.pipeline.brand`. `metrics` counts the answers and shows
    its counts at `/metrics`. With `behind_proxy`, a request has the id that the proxy sends. `forms` gives
    refusals at some paths and below them another form (`envelope.reshape`).
    """

    def __init__(
        self,
        site_for_host: "Callable[[str], Services | None]",
        routes: Sequence[AnyRoute],
        *,
        authenticate: Authenticate,
        admit: "Callable[[Services], object]" = lambda svc: None,
        ready: Callable[[str], object] = lambda host: None,
        pages: Mapping[str, Page] | None = None,
        examples: Callable[[], Mapping[str, Example]] = dict,
        compat_brand: str = "",
        metrics: "Metrics | None" = None,
        behind_proxy: bool = False,
        forms: Mapping[str, Form] = {},
    ) -> None:
        self._site_for_host = site_for_host
        self._router = router(tuple(routes))
        self._authenticate = authenticate
        self._admit = admit
        self._quiet_log = QuietLog(log)
        self._brand = compat_brand
        self._metrics = metrics
        self._behind_proxy = behind_proxy
        self._forms = forms
        self._routes = routes
        self._examples = examples
        self._pages: Mapping[str, Page] = {
            "": _with_slash,
            "/health": health,
            "/ready": Readiness(ready, self._quiet_log),
            f"{API_PREFIX}/openapi.json": Fixed(self._openapi),
            **({METRICS_PATH: metrics.page} if metrics is not None else {}),
            **(pages or {}),
        }

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        exchange = Exchange(environ, logs.request_id(environ, from_proxy=self._behind_proxy))
        return self._send(exchange, partial(self._respond, exchange), start_response)

    def _send(
        self, exchange: Exchange, respond: Callable[[], Response], start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """Send the answer that *respond* returns, or the one for what it raises; write the access log."""
        started = perf_counter()
        try:
            response = respond()
        except ChatError as error:
            response = exchange.refuse(error)
        except FilesFull as error:
            self._quiet_log.warning("files cannot be stored: %s", error)
            response = NO_SPACE
        except OutcomeUnknown as error:
            self._quiet_log.warning("it is unknown whether changes were stored: %s", error)
            response = UNKNOWN_OUTCOME
        except StorageNotReady as error:
            self._quiet_log.warning("requests are refused, as the server is not ready: %s", error)
            response = NOT_READY
        except Exception:
            log.exception("unexpected failure in %s", exchange.line, extra=exchange.origin)
            response = UNEXPECTED
        response = reshape(response, exchange.path, self._forms)
        exchange.log(response.status, started)
        if self._metrics is not None:
            self._metrics.count_answer(exchange.route, response.status, perf_counter() - started)
        start_response(STATUS_LINES[response.status], headers_for(response, exchange))
        # An overriding method does not change how the connection reads the answer.
        has_body = exchange.environ["REQUEST_METHOD"] != "HEAD"
        if isinstance(response.body, bytes):
            return [response.body] if has_body else []
        if has_body:
            return response.body
        response.body.close()
        return []

    def _respond(self, exchange: Exchange) -> Response:
        """Return the answer to a request: the stations of docs/a-request.md, one after another."""
        path = exchange.path = plain_path(exchange.path)
        method = exchange.method = effective_method(path, exchange.environ)
        if (page := self._pages.get(path)) is not None:
            response = _page_response(page, method, exchange.environ)
            return self._count_page(response, exchange) if is_large(response) else response
        if method not in SUPPORTED_METHODS:
            raise MethodNotAllowed(self._router.allowed_methods(path))
        try:
            target = self._find(exchange)
        except MethodNotAllowed as error:
            if method == "OPTIONS":
                return _options_response(error.allowed)
            raise
        environ, route = exchange.environ, target.route
        exchange.route = route
        svc = self._site_for_host(asked_host(environ))
        if svc is None:
            if not route.at_every_host:
                raise NoSuchOrganization
            return self._answer(None, target, exchange, NO_TURN)
        if route.lane is Lane.POLLS and SUSPENSION not in environ:
            wait_behind(svc.hub.let_answers_go_first, environ)
        require_no_other_site(svc, environ)
        look_up = partial(self._identify, svc, route, exchange)
        limits = exchange.limits = _limits(svc, route.lane, environ)
        without_turn = partial(self._without_turn, svc, target, exchange)
        with svc.storage.assuming(), self._last_answer_kept(without_turn, exchange):
            limits.identify_and_count(look_up, takes_long=route.auth is Auth.KEY_IN_QUERY)
            with limits.turn() as turn:

                def check_again() -> None:
                    limits.require_time_left(turn)
                    self._identify_anew(svc, route, exchange)

                body = environ["wsgi.input"]
                environ["wsgi.input"] = SlowBody(body, svc.monotonic, check_again, turn)
                try:
                    response = self._answer(svc, target, exchange, turn)
                    return count_until_sent(response, turn, may_refuse=route.may_repeat)
                finally:
                    environ["wsgi.input"] = body  # a `SlowBody` in it would be a circle of references

    def _count_page(self, response: Response, exchange: Exchange) -> Response:
        """Count a large page as a request without an account, with its bytes. Browsers ask for the compressed
        form of a page, which is not large.

        :raises RateLimited: too many requests of an address, or too many bytes that it does not read
        """
        environ = exchange.environ
        svc = self._site_for_host(asked_host(environ))
        if svc is None:
            raise NoSuchOrganization
        limits = exchange.limits = _limits(svc, Lane.CALLS, environ)
        with self._last_answer_kept(lambda: NOT_READY, exchange):
            limits.identify_and_count(lambda: None)
            with limits.turn() as turn:
                return count_until_sent(response, turn, may_refuse=True)

    @contextmanager
    def _last_answer_kept(self, without_turn: Callable[[], Response], exchange: Exchange) -> Iterator[None]:
        """Keep *without_turn* as the last answer to a request that the block suspends until its turn, for a
        server that stops meanwhile. A request that continues after the store was closed ends with its last
        answer.
        """
        suspension: Suspension | None = exchange.environ.get(SUSPENSION)
        try:
            yield
        except Suspended:
            assert suspension is not None
            if suspension.last_answer is None:
                suspension.last_answer = lambda environ, start: self._send(exchange, without_turn, start)
            raise
        except StorageClosed:
            if suspension is None or suspension.last_answer is None:
                raise
            suspension.end()

    def _without_turn(self, svc: "Services", target: _Target, exchange: Exchange) -> Response:
        """Answer a request whose turn does not come: a poll has no events; all others have done nothing."""
        return self._answer(svc, target, exchange, NO_TURN) if target.route.lane is Lane.POLLS else NOT_READY

    def _find(self, exchange: Exchange) -> _Target:
        """Find the route of a request. If the path has none for POST, the form may name another method: it is
        then read by the rules of that candidate which allows the largest body, as it may contain a file.

        :raises NoSuchPath, MethodNotAllowed:
        """
        try:
            return _Target(*self._router.find(exchange.path, exchange.method))
        except MethodNotAllowed as error:
            expected = methods_to_expect(exchange.environ, error.allowed)
            if not expected:
                raise
            targets = [_Target(*self._router.find(exchange.path, method), error) for method in expected]
            return max(targets, key=lambda candidate: candidate.route.max_body)

    def _answer(self, svc: "Services | None", target: _Target, exchange: Exchange, turn: Turn) -> Response:
        """Read the form and call the endpoint: that of the method which the form names, if it names one.

        :raises MethodNotAllowed: the method has no endpoint, and the form names none
        """
        environ, (route, values, refusal) = exchange.environ, target
        exchange.texts = texts = brand.neutral_texts(route.texts(environ), self._brand)
        if exchange.method == "POST" and (named := method_in_form(environ, texts)) is not None:
            del texts[METHOD_FIELD]
            exchange.method = named
            route, values = self._router.find(exchange.path, named)
            exchange.route = route
            if svc is not None:
                self._identify_anew(svc, route, exchange)
        elif refusal is not None:
            raise refusal
        call = partial(self._call, svc, route, exchange, values, turn)
        if svc is None:
            return call()
        return run_assuming(svc.storage, call, partial(self._identify, svc, route, exchange))

    def _call(
        self,
        svc: "Services | None",
        route: AnyRoute,
        exchange: Exchange,
        values: Mapping[str, Any],
        turn: Turn,
    ) -> Response:
        """Read the parameters and call the handler."""
        environ = exchange.environ
        if route.of_administrators and exchange.actor is not None:
            require_administrator(exchange.actor)
        require_none_in_query(environ, route.declaration.secrets)
        params, unused = route.declaration.parse(exchange.texts, values, route.repeated)
        address = plain_address(environ.get("REMOTE_ADDR", ""))
        url = None
        if svc is not None:
            url = own_address(svc.settings, environ)
            svc = svc.asked_by(Origin(OriginKind.REQUEST, exchange.client, address))
        caller = Caller(
            exchange.actor,
            exchange.client,
            address,
            turn,
            user_agent=environ.get("HTTP_USER_AGENT", ""),
            session=exchange.session,
            organization_url=url,
            suspension=environ.get(SUSPENSION),
        )

        def call_route(caller: Caller) -> Response:
            answer, passed_over = route.call(svc, caller, params, environ)
            if isinstance(answer, Response):
                return answer
            headers = answer.headers if isinstance(answer, WithHeaders) else ()
            return Response(200, success_body(answer, sorted({*unused, *passed_over}), self._brand), headers)

        try:
            return call_route(caller)
        except Suspended:
            assert caller.suspension is not None
            respond = partial(call_route, replace(caller, turn=NO_TURN))
            caller.suspension.last_answer = lambda environ, start: self._send(exchange, respond, start)
            raise

    def _identify_anew(self, svc: "Services", route: AnyRoute, exchange: Exchange) -> None:
        """Identify the caller as the store has it now, not as it is remembered."""
        with suppress(Outdated):  # no harm: the remembered caller is not used from here on
            svc.storage.confirm()
        self._identify(svc, route, exchange)

    def _identify(self, svc: "Services", route: AnyRoute, exchange: Exchange) -> Actor | None:
        """Identify the caller, and note its account and the session of its browser. If there is an
        Authorization header, cookies are ignored.
        """
        environ = exchange.environ
        header = environ.get("HTTP_AUTHORIZATION")
        by_cookie = None
        if route.auth is Auth.KEY_IN_QUERY:
            exchange.actor = authenticate_bot(svc, texts_in_query(environ).get("api_key", ""))
            return exchange.actor
        if route.auth is Auth.OWN_PAGE:
            require_own_page(svc, environ)
            exchange.session = session_in(svc, environ)
        elif header is None and (route.by_cookie or is_from_own_script(svc, environ)):
            exchange.session = session_in(svc, environ)
            by_cookie = actor_by_cookie(svc, environ, exchange.method, exchange.session)
        actor = identify(svc, self._authenticate, route.auth, header, by_cookie)
        if actor is None and not route.at_every_host:
            self._admit(svc)
        exchange.actor = actor
        return actor

    def _openapi(self) -> Response:
        description = encode(describe(self._routes, self._examples()))
        return Response(200, description, [("Cache-Control", "no-cache")])


def _page_response(page: Page, method: str, environ: "WSGIEnvironment") -> Response:
    allowed = ("GET", "HEAD", "OPTIONS")
    if method == "OPTIONS":
        return _options_response(allowed)
    if method not in allowed:
        raise MethodNotAllowed(allowed)
    return page(environ)


def _with_slash(environ: "WSGIEnvironment") -> Response:
    """Redirect from the address of the mount to the page there, whose links are relative to a slash."""
    mount = environ.get("SCRIPT_NAME", "").encode("latin-1").strip(b"/")
    return Response(308, b"", [("Location", f"/{quote(mount)}/" if mount else "/")])


def _options_response(allowed: Sequence[str]) -> Response:
    return Response(204, b"", [("Allow", ", ".join(allowed))])


def _limits(svc: "Services", lane: Lane, environ: "WSGIEnvironment") -> RequestLimits:
    return RequestLimits(svc, lane, environ.get("REMOTE_ADDR", ""), environ.get(SUSPENSION))
