"""The organizations of one server: one at every host, or several, each at its own.

Each organization has its own store, secret, hub and files; they share nothing but the process.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

from werkzeug.middleware.proxy_fix import ProxyFix

from chatcore.application.events.restarts import note_start
from chatcore.application.organization.deactivation import require_active
from chatcore.application.people.logins import authenticate
from chatcore.application.services import Services
from chatcore.http.app import Application
from chatcore.http.openapi import recorded_examples
from chatcore.http.pages.public import pages
from chatcore.http.routes import ROUTES
from chatcore.settings import BadSetting, Settings
from chatcore.settings.rules import FORWARDED

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

    from chatcore.http.metrics import Metrics


class Sites:
    """The organizations of a server by host; *elsewhere* is the organization at every other host."""

    def __init__(self, settings: Settings, *, elsewhere: Services | None = None) -> None:
        self._settings = settings
        self._elsewhere = elsewhere
        self._by_host: dict[str, Services] = {}

    def add(self, svc: Services) -> None:
        """Serve an organization at the host of its address; `close` closes it with the others.

        :raises BadSetting: another one has its secret
        """
        others = tuple(self._by_host.items())
        self._by_host[svc.settings.host] = svc
        for host, other in others:
            if other.settings.secret_key == svc.settings.secret_key:
                raise BadSetting(f"{host} and {svc.settings.host} have the same secret; give each its own")

    def __iter__(self) -> Iterator[Services]:
        yield from self._by_host.values()
        if self._elsewhere is not None:
            yield self._elsewhere

    def at(self, host: str) -> Services | None:
        """Return the organization at a host, in the spelling of `settings.host_name`."""
        return self._by_host.get(host, self._elsewhere)

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
            metrics=self._metrics(),
            behind_proxy=bool(proxies),
        )
        if not proxies:
            return application
        honoured = self._settings.forwarded_headers
        trusted = {f"x_{header}": proxies if header in honoured else 0 for header in FORWARDED}
        return ProxyFix(application, **trusted)

    def _metrics(self) -> "Metrics | None":
        if not self._settings.metrics_token:
            return None
        from chatcore.http.metrics import Metrics  # most servers need not load it

        metrics = Metrics(self._settings.metrics_token, lambda: sum(svc.hub.waiting for svc in self))
        for svc in self:
            svc.storage.on_batch(metrics.count_batch)
        return metrics

    @property
    def connections_per_address(self) -> int | None:
        """Return the number of connections to accept from one address; None behind a proxy."""
        settings = self._settings
        limited = settings.rate_limits and not settings.trusted_proxies
        return settings.connections_per_address or None if limited else None

    def check(self) -> None:
        """Check that all stores, and their files, can be read and written.

        :raises StorageNotReady: one cannot
        """
        for svc in self:
            svc.storage.check()
            svc.storage.check_writing()
            svc.files.check()

    def start(self) -> None:
        """Do what is due from now on, such as sending scheduled messages and mails."""
        for svc in self:
            note_start(svc)
            svc.alarms.start()

    def stop(self) -> None:
        """Answer all clients that wait for events, and begin nothing more that is due."""
        with ExitStack() as every:
            for svc in self:
                every.callback(svc.alarms.stop)
                every.callback(svc.hub.stop)

    def close(self) -> None:
        """Close all stores; a failure of one does not keep the others open."""
        with ExitStack() as every:
            for svc in self:
                every.callback(svc.storage.close)
