"""Settings of gunicorn: `gunicorn -c python:chatcore.gunicorn_conf chatcore.wsgi:application`.

gunicorn reads the names of this module in its parent process, before a worker makes the standard library
cooperative. Until then nothing may be imported that keeps a lock, as the application does.
"""

import time
from logging import Logger
from threading import Thread
from typing import Any, Final, Protocol

worker_class: Final = "gevent"
worker_connections: Final = 2000
timeout: Final = 120
limit_request_line: Final = 0
"""No limit: a request for 5000 messages by their ids is a line of 110,000 bytes."""

_LOOK_SECONDS: Final = 0.5
"""Seconds between two looks whether the worker stops, for which gunicorn has no hook."""


class Worker(Protocol):
    """The part of gunicorn's workers that is used here."""

    alive: bool
    booted: bool
    """Whether this is the process of the worker, and it has started."""
    log: Logger


def post_worker_init(worker: Worker) -> None:
    """Open the organizations before the first request. If that fails, each request tries it again."""
    from chatcore.wsgi import application

    try:
        application.open()
    except Exception:
        worker.log.exception("the organizations cannot be opened yet")
    Thread(target=_stop_with, args=(worker,), daemon=True).start()


def _stop_with(worker: Worker) -> None:
    """Answer waiting polls when the worker stops."""
    from chatcore.wsgi import application

    while worker.alive:
        time.sleep(_LOOK_SECONDS)
    application.stop()


def worker_exit(arbiter: Any, worker: Worker) -> None:
    """Close the stores. A worker without requests is here before its thread has seen that it stops."""
    if worker.booted:
        from chatcore.wsgi import application

        application.stop()
        application.close()
