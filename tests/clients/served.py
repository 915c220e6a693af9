"""A server process with an organization, for programs of other people."""

import json
import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from chatcore.cli import chatcore
from tests.clients import installed
from tests.http.serving.served import Served as Process

PASSWORD = "correct horse"
PEOPLE = {
    "ada": ("init", "--name", "Our team", "--owner-email", "ada@example.com", "--owner-name", "Ada"),
    "bea": ("user", "create", "--email", "bea@example.com", "--name", "Bea"),
    "robo": ("user", "create", "--email", "robo-bot@example.com", "--name", "Robo", "--bot"),
}


@dataclass
class Served:
    """`chatcore serve`, and the accounts of its organization."""

    folder: Path
    database: str
    brand: str
    port: int = 0
    url: str = ""
    accounts: dict[str, dict[str, Any]] = field(default_factory=dict)
    _clients: list[Any] = field(default_factory=list)
    _process: Process | None = None

    @property
    def environment(self) -> Mapping[str, str]:
        return {
            "CHATCORE_DATABASE_URL": self.database,
            "CHATCORE_DATA_DIR": str(self.folder / "data"),
            "CHATCORE_COMPAT_BRAND": self.brand,
            "CHATCORE_RATE_LIMITS": "off",
        }

    def found(self) -> None:
        """Found the organization with its people."""
        for name, command in PEOPLE.items():
            options = [] if "--bot" in command else ["--password-stdin"]
            done = CliRunner().invoke(
                chatcore, [*command, *options, "--json"], input=f"{PASSWORD}\n", env=self.environment
            )
            assert done.exit_code == 0, done.output
            self.accounts[name] = json.loads(done.stdout)

    def start(self) -> None:
        self._process = Process(
            log=self.folder / "serve.log",
            environment={**os.environ, **self.environment},  # noqa: TID251
            folder=self.folder,
            port=self.port,
        )
        self.url, self.port = self._process.url, self._process.port

    def stop(self) -> None:
        if self._process is not None:
            self._process.end(signal.SIGTERM)
            self._process = None

    def client(self, name: str, **options: Any) -> Any:
        """A client of the Python library, logged in as an account."""
        account = self.accounts[name]
        made = installed.client(account["email"], account["api_key"], self.url, **options)
        self._clients.append(made)
        return made

    def forget_clients(self) -> None:
        for client in self._clients:
            if client.session is not None:
                client.session.close()
        self._clients.clear()

    @property
    def log(self) -> str:
        return (self.folder / "serve.log").read_text()

    def configuration(self, name: str) -> Path:
        """The file in which clients of this family find an account."""
        account = self.accounts[name]
        path = self.folder / f"{name}.rc"
        path.write_text(
            f"[api]\nemail={account['email']}\nkey={account['api_key']}\nsite={self.url}\n", encoding="utf-8"
        )
        return path


@contextmanager
def serving(folder: Path, database: str, brand: str) -> Iterator[Served]:
    served = Served(folder, database, brand)
    served.found()
    try:
        served.start()
        yield served
    finally:
        served.forget_clients()
        served.stop()
