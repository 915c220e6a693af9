"""Serving with gevent: one process per worker, a greenlet per connection.

Call `patch` first, before any import that keeps a thread, a lock or a connection; `serve` then runs until
SIGTERM or SIGINT. The rest of the package only needs the standard library's `threading`.
"""

import select
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import metadata

from gevent import monkey
from gevent.socket import wait_read, wait_readwrite, wait_write

from chatcore.serving.listeners import Listener, listen
from chatcore.serving.program import CannotServe, Program
from chatcore.serving.service_manager import notify, passed_listener, warn_of_other_socket
from chatcore.serving.streams import written_by_threads
from chatcore.serving.threads import run_in_threadpool
from chatcore.serving.workers import Supervisor, run

__all__ = [
    "CannotServe",
    "Listener",
    "Program",
    "passed_listener",
    "patch",
    "run_in_threadpool",
    "serve",
    "wait_for_socket",
]


def patch() -> None:
    """Make the standard library cooperative.

    :raises RuntimeError: something has been imported that has kept what would have to be replaced
    """
    if too_early := {"peewee", "psycopg"} & sys.modules.keys():
        raise RuntimeError(f"patch() must come before the import of {', '.join(sorted(too_early))}")
    with _entry_points_read_once():
        monkey.patch_all()


@contextmanager
def _entry_points_read_once() -> Iterator[None]:
    """Read the entry points of the installed packages once in this context: gevent asks for them before and
    after each of a dozen modules, and each time all packages were read anew.
    """
    read = metadata.entry_points
    known = read()
    metadata.entry_points = known.select
    try:
        yield
    finally:
        metadata.entry_points = read


def wait_for_socket(number: int, *, reading: bool, writing: bool, seconds: float) -> bool:
    """Let other greenlets run until a socket, given by its file number, is ready for one of these, or for so
    many seconds; return whether it is ready.

    Drivers that wait by `select.poll`, as `patch` replaces it, spend twice the time of the processor.
    """
    try:
        if not writing:
            wait_read(number, seconds, TimeoutError)
        elif not reading:
            wait_write(number, seconds, TimeoutError)
        elif not _is_ready(number):  # it nearly always is, for writing: this saves a turn of the loop
            wait_readwrite(number, seconds, TimeoutError)
    except TimeoutError:  # perhaps this process was frozen, and both are true
        return _is_ready(number, reading=reading, writing=writing)
    return True


def _is_ready(number: int, *, reading: bool = True, writing: bool = True) -> bool:
    """Whether a socket can be read or written at once."""
    poll = monkey.get_original("select", "poll")()
    poll.register(number, select.POLLIN * reading | select.POLLOUT * writing)
    return bool(poll.poll(0))


def serve(
    make_program: Callable[[], Program],
    host: str,
    port: int,
    *,
    passed: Listener | None = None,
    workers: int = 1,
    on_listening: Callable[[str, int], object] = lambda host, port: None,
    on_worker_ended: Callable[[int], object] = lambda pid: None,
) -> None:
    """Serve until SIGTERM or SIGINT; a second signal ends the requests that still run.

    *make_program* is called in each worker. *passed* is used in place of host and port. *on_listening*
    receives host and port, also the port chosen for 0; from then on no connection is refused.
    *on_worker_ended* receives the process id of one of several workers after its end. A service manager is
    told when requests are answered, and when the server stops.

    :raises CannotServe: wrong host, port taken, or workers that cannot start
    """
    if not monkey.is_module_patched("socket"):
        raise RuntimeError("patch() must be called before serve()")
    warn_of_other_socket()
    listener = passed or listen(host, port)
    address = listener.address

    def begin() -> None:
        if workers == 1:
            on_listening(*address)
        notify("READY=1")

    def stop() -> None:
        notify("STOPPING=1")
        listener.close_to_new()

    _allow_many_files()
    try:
        if workers == 1:
            # Set the signal handlers first: the caller of *on_listening* may stop the server at once.
            with written_by_threads():
                run(make_program(), listener, on_started=begin, on_stopping=stop)
        else:
            on_listening(*address)
            Supervisor(make_program, listener, workers, begin, stop, on_worker_ended).run()
    finally:
        listener.socket.close()


def _allow_many_files() -> None:
    """Raise the limit of open files: each connection is one, and the usual limit of 1,024 is not meant for
    servers.
    """
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = min(hard, 65_536) if hard != resource.RLIM_INFINITY else 65_536
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
