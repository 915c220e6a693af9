"""`application` for any WSGI server, configured by the environment and the settings file; run as a script, it
serves with gevent.

Nothing is opened before the first request, so that a server may fork after importing this module.
"""

import os
import sys
from collections.abc import Iterable
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

    from chatcore.runtime.work import RunBlocking
    from chatcore.serving import Program
    from chatcore.settings import Settings
    from chatcore.sites import Sites
    from chatcore.storage.slices import WaitForSocket


class LazyApplication:
    """An application that is opened at its first call, unless `open` comes before."""

    def __init__(self) -> None:
        self._sites: Sites | None = None
        self._application: WSGIApplication | None = None
        self._lock = Lock()

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        return self.open()(environ, start_response)

    def open(self) -> "WSGIApplication":
        """Open the organizations, if they are not open, and begin what is due."""
        if self._application is None:
            with self._lock:
                if self._application is None:
                    self._sites = _open_sites()
                    self._application = self._sites.application()
        return self._application

    def stop(self) -> None:
        """Answer all clients that wait for events, now and from now on."""
        if self._sites is not None:
            self._sites.stop()

    def close(self) -> None:
        """Close the stores, after the last answer."""
        if self._sites is not None:
            self._sites.close()


def _read_settings() -> "Settings":
    from chatcore.configuration import SETTINGS_FILE, Given, from_file

    environment = dict(os.environ)  # noqa: TID251 - this is an entry point
    return Given(SETTINGS_FILE, from_file(), environment).settings()


def _open_sites() -> "Sites":
    """Open the organizations, and begin what is due."""
    from chatcore.bootstrap import open_sites
    from chatcore.http import logs

    settings = _read_settings()
    logs.set_up(settings)
    sites = open_sites(settings, run_blocking=choose_run_blocking(), wait_for_socket=choose_wait_for_socket())
    sites.start()
    return sites


def choose_run_blocking() -> "RunBlocking":
    """Return threads for slow work if the server has made the standard library cooperative with gevent."""
    if not _has_greenlets("threading"):
        from chatcore.runtime.work import run_here

        return run_here
    from chatcore import serving

    return serving.run_in_threadpool


def choose_wait_for_socket() -> "WaitForSocket | None":
    """Return gevent's function for waiting if the server has made the standard library cooperative."""
    if not _has_greenlets("select"):
        return None
    from chatcore import serving

    return serving.wait_for_socket


def _has_greenlets(module: str) -> bool:
    """Whether gevent has replaced a module of the standard library."""
    monkey = sys.modules.get("gevent.monkey")
    return monkey is not None and bool(monkey.is_module_patched(module))


def _program() -> "Program":
    """Return the program that `main` serves, with gevent's threads for slow work."""
    from chatcore import serving
    from chatcore.storage.slices import give_way

    sites = _open_sites()
    return serving.Program(
        sites.application(), sites.stop, sites.close, sites.connections_per_address, give_way
    )


def main() -> int:
    """Serve on `CHATCORE_HOST` and `CHATCORE_PORT`, or on a socket that a service manager passes."""
    from chatcore import serving

    serving.patch()
    environment = os.environ  # noqa: TID251 - this is an entry point
    host, port = environment.get("CHATCORE_HOST", "127.0.0.1"), environment.get("CHATCORE_PORT", "9991")
    try:
        if not port.isdecimal():
            raise serving.CannotServe(f"CHATCORE_PORT is '{port}'; use a number.")
        serving.serve(_program, host, int(port), passed=serving.passed_listener())
    except (serving.CannotServe, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


application = LazyApplication()

if __name__ == "__main__":
    sys.exit(main())
