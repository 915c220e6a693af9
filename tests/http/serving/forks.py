"""Processes of the command line, forked from one that has loaded its modules already.

Loading them takes most of a second of the processor, and the tests that kill servers start very many. A fork
is a process like any other; only tests of starting itself need a new interpreter.
"""

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from select import select
from typing import IO, Any, Final

PROJECT: Final = Path(__file__).parents[3]
COMMAND: Final = "chatcore"
LOADED: Final = (
    "chatcore.bootstrap", "chatcore.demo", "storage_backends.postgres", "storage_backends.sqlite"
)  # fmt: skip
ROOM: Final = 1 << 20
"""Bytes of a command with its environment."""


class Fork:
    """`chatcore` with arguments in a process of its own, which is controlled like a `subprocess.Popen`."""

    def __init__(
        self, *arguments: str, stderr: IO[Any], env: Mapping[str, str], cwd: str | os.PathLike[str] = "."
    ) -> None:
        reading, writing = os.pipe()
        self._life, living = os.pipe()
        given = {"argv": [COMMAND, *arguments], "env": dict(env), "cwd": os.path.abspath(cwd)}
        try:
            self.pid = int(_asked(given, [writing, stderr.fileno(), living]))
        finally:
            os.close(writing)
            os.close(living)
        self.stdout = os.fdopen(reading)
        self.returncode: int | None = None

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def poll(self) -> int | None:
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code; the pipe that only the process holds open says when it has ended.

        :raises subprocess.TimeoutExpired: it still runs
        """
        if self.returncode is None:
            if not select([self._life], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(COMMAND, timeout or 0)
            os.close(self._life)
            self.returncode = int(_asked({"ended": self.pid}))
        return self.returncode


@cache
def _parent() -> socket.socket:
    """Start the process that forks; it ends with this one."""
    ours, theirs = socket.socketpair()
    with theirs:
        command = [sys.executable, "-m", __name__, str(theirs.fileno())]
        process = subprocess.Popen(command, pass_fds=[theirs.fileno()], cwd=PROJECT)

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


def _asked(what: Mapping[str, object], files: "list[int] | tuple[()]" = ()) -> bytes:
    parent = _parent()
    socket.send_fds(parent, [json.dumps(what).encode() + b"\n"], files)
    if not (answer := parent.recv(ROOM)):
        raise RuntimeError("the process that forks has ended")
    return answer


# -- the process that forks ---------------------------------------------------------------------------


def main(number: int) -> None:
    """Fork for each line that comes, until the other end is closed."""
    from chatcore import serving

    serving.patch()
    serving.patch = lambda: None  # once is enough, and it would find modules that are loaded too early
    from gevent import monkey

    from chatcore.cli import chatcore

    for name in LOADED:
        import_module(name)
    # What `patch` has replaced would begin an event loop here, which the forks would share.
    plain: Any = monkey.get_original("socket", "socket")
    fork, wait = monkey.get_original("os", "fork"), monkey.get_original("os", "waitpid")
    control = plain(fileno=number)
    while True:
        text, files, *_ = socket.recv_fds(control, ROOM, 3)
        while text and not text.endswith(b"\n"):
            text += control.recv(ROOM)
        if not text:
            return
        what = json.loads(text)
        if "ended" in what:
            control.sendall(b"%d" % os.waitstatus_to_exitcode(wait(what["ended"], 0)[1]))
            continue
        if child := fork():
            for one in files:
                os.close(one)
            control.sendall(b"%d" % child)
            continue
        control.close()
        output, errors, _ = files
        os.dup2(output, 1)
        os.dup2(errors, 2)
        os.close(output)
        os.close(errors)
        os.chdir(what["cwd"])
        os.environ.clear()  # noqa: TID251
        os.environ.update(what["env"])  # noqa: TID251
        chatcore(what["argv"][1:], prog_name=COMMAND)


if __name__ == "__main__":
    main(int(sys.argv[1]))
