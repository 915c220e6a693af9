"""The organizations of one server: one at every host, or several, each at its own.

Each organization has its own store, secret, hub and files; they share nothing but the process. One that
cannot be used stops no other (`reopening`).
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from threading import Lock
from typing import TYPE_CHECKING

from werkzeug.middleware.proxy_fix import ProxyFix

from chatcore.application import units
from chatcore.application.events.restarts import note_start
from chatcore.application.organization.deactivation import require_active
from chatcore.application.organization.notification_bot import follow_address
from chatcore.application.people.logins import authenticate
from chatcore.application.services import Services
from chatcore.application.units import is_open
from chatcore.http.app import Application
from chatcore.http.openapi import recorded_examples
from chatcore.http.pages.public import pages
from chatcore.http.routes import FORMS, ROUTES
from chatcore.settings import BadSetting, Settings
from chatcore.settings.rules import FORWARDED
from chatcore.sites.reopening import Reopening
from chatcore.storage import StorageClosed, StorageNotReady

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

    from chatcore.http.metrics import Metrics


class Sites:
    """The organizations of a server by host; *elsewhere* is the organization at every other host.

    Those that `open` opens, by *open_one*, may be out of order, unless the server is *strict*: the others are
    served meanwhile.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        elsewhere: Services | None = None,
        open_one: Callable[[Settings], Services] | None = None,
        strict: bool = False,
    ) -> None:
        self._settings = settings
        self._elsewhere = elsewhere
        self._open_one = open_one
        self._tries_again = open_one is not None and not strict
        self._by_host: dict[str, Services] = {}
        self._reopening = Reopening(self.open)
        self._metrics: Metrics | None = None
        self._lock = Lock()
        self._is_started = False
        self._is_closed = False

    def add(self, svc: Services) -> None:
        """Serve an organization at the host of its address; `close` closes it with the others.

        :raises BadSetting: another one has its secret
        :raises StorageClosed: `close` was called
        """
        with self._lock:
            if self._is_closed:
                raise StorageClosed
            for host, other in self._by_host.items():
                if other.settings.secret_key == svc.settings.secret_key:
                    raise BadSetting(
                        f"{host} and {svc.settings.host} have the same secret; give each its own"
                    )
            self._by_host[svc.settings.host] = svc
        if self._metrics is not None:
            self._metrics.follow(svc)

    def open(self, settings: Settings) -> None:
        """Open an organization and serve it; one that cannot be opened is tried again after `start`.

        :raises StorageNotReady, BadDatabaseUrl, BadSetting: it cannot be opened, and the server is strict
        """
        try:
            self._open_site(settings)
        except Exception as error:
            if self._tries_again:
                self._reopening.note(settings, error)
                return
            if isinstance(error, StorageNotReady):
                raise StorageNotReady(f"{settings.host}: {error}") from error
            raise
        self._reopening.forget(settings.host)

    def _open_site(self, settings: Settings) -> None:
        assert self._open_one is not None
        svc = self._open_one(settings)
        try:
            self.add(svc)
        except BaseException:
            svc.storage.close()
            raise
        if self._is_started:
            self._start_one(svc)

    def _start_one(self, svc: Services) -> None:
        """Begin what is due in an organization; if that fails, remove the organization again."""
        try:
            _start_services(svc)
        except BaseException:
            with self._lock:
                del self._by_host[svc.settings.host]
            svc.storage.close()
            raise

    def __iter__(self) -> Iterator[Services]:
        """Return the organizations that are open."""
        yield from tuple(self._by_host.values())
        if self._elsewhere is not None:
            yield self._elsewhere

    def at(self, host: str) -> Services | None:
        """Return the organization at a host, in the spelling of `settings.host_name`.

        :raises StorageNotReady: it cannot be used now
        """
        svc = self._by_host.get(host, self._elsewhere)
        if svc is None and (reason := self.problem_at(host)) is not None:
            raise StorageNotReady(f"{host}: {reason}")
        return svc

    def problem_at(self, host: str) -> str | None:
        """Return why the organization at a host could not be opened; None if it was, or if there is none."""
        return self._reopening.reason(host)

    def application(self) -> "WSGIApplication":
        """Return the WSGI application of all organizations."""
        proxies = self._settings.trusted_proxies
        application = Application(
            self.at,
            ROUTES,
            authenticate=authenticate,
            admit=require_active,
            ready=self.check,
            pages=pages(self._settings),
            examples=recorded_examples,
            compat_brand=self._settings.compat_brand,
            metrics=self._make_metrics(),
            behind_proxy=bool(proxies),
            forms=FORMS,
        )
        if not proxies:
            return application
        honoured = self._settings.forwarded_headers
        trusted = {f"x_{header}": proxies if header in honoured else 0 for header in FORWARDED}
        return ProxyFix(application, **trusted)

    def _make_metrics(self) -> "Metrics | None":
        if not self._settings.metrics_token:
            return None
        from chatcore.http.metrics import Metrics  # most servers need not load it

        self._metrics = Metrics(self._settings.metrics_token, lambda: self)
        for svc in self:
            self._metrics.follow(svc)
        return self._metrics

    @property
    def connections_per_address(self) -> int | None:
        """Return the number of connections to accept from one address; None for any number."""
        settings = self._settings
        if not settings.rate_limits or settings.trusted_proxies:
            return None
        return settings.connections_per_address or None

    def check(self, host: str) -> None:
        """Check that the organization at a host, and its files, can be read and written; at a host without an
        organization, that this holds for any of them.

        :raises StorageNotReady: it cannot, or none can
        """
        svc = self.at(host)
        if svc is not None:
            _check_services(svc)
            return
        problem: StorageNotReady = StorageNotReady("no organization can be used")
        for svc in self:
            try:
                _check_services(svc)
            except StorageNotReady as error:
                problem = error
            else:
                return
        raise problem

    def start(self) -> None:
        """Do what is due from now on, such as sending scheduled messages and mails."""
        self._is_started = True
        for svc in self:
            if not self._tries_again:
                _start_services(svc)
                continue
            try:
                self._start_one(svc)
            except Exception as error:
                self._reopening.note(svc.settings, error)
        self.keep_opening()

    def keep_opening(self) -> None:
        """Try again from now on to open those that could not be opened."""
        self._reopening.start()

    def stop(self) -> None:
        """Answer all clients that wait for events, and begin nothing more that is due."""
        with ExitStack() as every:
            for svc in self:
                every.callback(svc.alarms.stop)
                every.callback(svc.hub.stop)
            every.callback(self._reopening.stop)

    def close(self) -> None:
        """Close all stores; a failure of one does not keep the others open."""
        with self._lock:
            self._is_closed = True
        with ExitStack() as every:
            for svc in self:
                every.callback(svc.storage.close)


def _start_services(svc: Services) -> None:
    note_start(svc)
    follow_address(svc)
    svc.alarms.start()


def _check_services(svc: Services) -> None:
    units.read(svc, is_open)
    svc.storage.check()
    svc.storage.check_writing()
    svc.files.check()
