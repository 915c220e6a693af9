"""The socket that a service manager, such as systemd, passes to the server, and the news that it is told.

See the manuals of `sd_listen_fds` and `sd_notify`.
"""

import logging
import os
import socket
from contextlib import suppress
from typing import Final

from gevent import monkey

from chatcore.serving.listeners import Listener
from chatcore.serving.program import CannotServe

log = logging.getLogger("chatcore.serving")

FIRST_PASSED: Final = 3
"""The descriptor of the first socket that is passed."""
_environment: Final = os.environ  # noqa: TID251 - these variables are no settings: they are for one process


def passed_listener() -> Listener | None:
    """Return the listening socket that this process was started with; None if there is none.

    :raises CannotServe: there are several, or it is another kind of socket
    """
    number = _environment.get("LISTEN_FDS", "")
    if number in ("", "0") or not _is_for_this_process():
        return None
    if number != "1":
        raise CannotServe(f"The service manager has passed {number} sockets; the server listens on one.")
    plain_socket = monkey.get_original("socket", "socket")
    try:
        listener: socket.socket = plain_socket(fileno=FIRST_PASSED)
    except OSError as error:
        raise CannotServe(f"The passed socket cannot be used: {error.strerror}.") from error
    is_tcp = listener.family in (socket.AF_INET, socket.AF_INET6) and listener.type == socket.SOCK_STREAM
    if not is_tcp or not listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
        raise CannotServe("The passed socket is no TCP socket that listens.")
    listener.set_inheritable(False)
    listener.setblocking(False)
    return Listener(listener, is_passed=True)


def warn_of_other_socket() -> None:
    """Log that the environment has a socket which was passed to another process, if it has one: a shell or a
    program between the service manager and the server does that.
    """
    if _environment.get("LISTEN_FDS", "") in ("", "0") or _is_for_this_process():
        return
    if pid := _environment.get("LISTEN_PID"):
        why = f"it was passed to process {pid}, and this is process {os.getpid()}"
    else:
        why = "LISTEN_PID does not say to which process it was passed"
    log.warning("the socket in LISTEN_FDS is not used: %s", why)


def _is_for_this_process() -> bool:
    return _environment.get("LISTEN_PID") == str(os.getpid())


def notify(news: str) -> None:
    """Tell the service manager news of the process, if it wants to hear any."""
    if not (address := _environment.get("NOTIFY_SOCKET")):
        return
    if address.startswith("@"):  # an abstract one
        address = f"\0{address[1:]}"
    plain_socket = monkey.get_original("socket", "socket")
    with suppress(OSError), plain_socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.setblocking(False)
        manager.sendto(news.encode(), address)
