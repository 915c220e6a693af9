"""`chatcore serve` as a process of its own."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from tests.http.serving.forks import Fork
from tests.http.serving.managed import Manager
from tests.waiting import PATIENCE

PLACE = re.compile(r"^(?:Serving .* at|Open) (http://[^\s,]+)")


class Served:
    """A server that has started: it has said where it answers. *log* takes its standard error; *is_new*: it
    loads its modules itself, as it always does with a *manager*.
    """

    def __init__(
        self,
        *arguments: str,
        log: Path,
        environment: Mapping[str, str],
        folder: str | os.PathLike[str] = ".",
        port: int = 0,
        is_new: bool = False,
        manager: Manager | None = None,
    ) -> None:
        command = ("serve", "--port", str(port), *arguments)
        launcher = manager.launcher if manager else [sys.executable]
        with log.open("ab") as errors:
            self.process: Fork | subprocess.Popen[str] = (
                subprocess.Popen(
                    [*launcher, "-m", "chatcore.cli", *command],
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    text=True,
                    env={**environment, **(manager.environment if manager else {})},
                    cwd=folder,
                    pass_fds=manager.passed if manager else (),
                )
                if is_new or manager
                else Fork(*command, stderr=errors, env=environment, cwd=folder)
            )
        self.said = ""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            if found := PLACE.search(line):
                self.url = found[1]
                return
        raise AssertionError(f"the server did not start: {log.read_text()}")

    @property
    def port(self) -> int:
        port = urlsplit(self.url).port
        assert port is not None
        return port

    def end(self, how: signal.Signals) -> int:
        """Send a signal, and return the exit code; a server that goes on is killed."""
        self.process.send_signal(how)
        try:
            return self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            self.process.wait()
            assert self.process.stdout is not None
            self.process.stdout.close()
