"""Real browsers, and for each test a served organization of its own: no test finds what another has left."""

import os
import shutil
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from chatcore import open_chat
from chatcore.settings import Settings
from tests import waiting
from tests.http.serving.served import Served
from tests.postgres import PostgresServer

sync_api = pytest.importorskip("playwright.sync_api", reason="no playwright: pip install 'chatcore[test]'")

PROGRAMS = ("chromium-headless-shell", "chromium", "google-chrome", "chrome")
"""Names of programs. The first one, without a user interface, needs half the processor time."""
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage"]
PATIENCE = int(waiting.PATIENCE * 1000)
"""The deadline of all waits in milliseconds, as browsers count."""
SECRET = "s" * 32
PASSWORD = "correct horse battery"
PEOPLE = {"ada": "Ada Fox", "bea": "Bea Lynn"}

CALL = """
async ([method, path, parameters]) => {
  const main = document.querySelector("script[type=module]").src;
  const { call } = await import(new URL("api.js", main));
  return call(method, path, parameters);
}
"""

RENDERED = "() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))"
"""Wait for a rendering and for what follows it, such as moving the focus to the content."""


def browser_program() -> str:
    """Return the path of a browser; without one the test is skipped."""
    named = os.environ.get("CHATCORE_BROWSER")  # noqa: TID251
    found = named or next(filter(None, map(shutil.which, PROGRAMS)), None)
    if found is None:
        pytest.skip("no browser: apt-get install chromium-headless-shell, or name one in CHATCORE_BROWSER")
    return found


@pytest.fixture(scope="session")
def launched() -> Iterator[Callable[[], Any]]:
    """Gives the browser, or a new one after a crash."""
    program = browser_program()
    with sync_api.sync_playwright() as playwright:
        browser: Any = None

        def running() -> Any:
            nonlocal browser
            if browser is None or not browser.is_connected():
                browser = playwright.chromium.launch(
                    executable_path=program, args=ARGUMENTS, timeout=PATIENCE
                )
            return browser

        yield running
        if browser is not None:
            browser.close()


class Server:
    """`chatcore serve` as a process of its own, which can be killed and started again at the same port."""

    def __init__(self, database: str, folder: Path, settings: Mapping[str, str] = {}) -> None:
        self.database, self.folder, self.settings, self.port = database, folder, settings, 0
        self._served: Served | None = None

    def start(self) -> None:
        settings = {
            "CHATCORE_DATABASE_URL": self.database,
            "CHATCORE_DATA_DIR": str(self.folder),
            "CHATCORE_DEVELOPMENT": "on",
            "CHATCORE_MAIL_FOLDER": str(self.folder / "mail"),
            "CHATCORE_RATE_LIMITS": "off",
            "CHATCORE_SECRET_KEY": SECRET,
            **self.settings,
        }
        self._served = Served(
            log=self.folder / "serve.log",
            environment={**os.environ, **settings},  # noqa: TID251
            folder=self.folder,
            port=self.port,
        )
        self.port = self._served.port

    def kill(self) -> None:
        assert self._served is not None
        self._served.end(signal.SIGKILL)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"


@dataclass
class Person:
    """Somebody with a browser."""

    page: Any
    url: str
    errors: list[str] = field(default_factory=list)
    """Refusals by the page's policy, and failures of its scripts."""

    def comes(self, name: str) -> None:
        """Log in by one click, as on a demo."""
        self.page.goto(self.url)
        self.page.get_by_role("button", name=PEOPLE[name]).click()
        self.page.locator(".topbar").wait_for()

    def goes_to(self, address: str) -> None:
        self.page.goto(f"{self.url}#{address}")
        self.page.evaluate(RENDERED)

    def goes_to_topic(self, name: str) -> None:
        """Go to a topic of the channel that each new organization has: its list shows only the newest."""
        link = self.page.locator(".place a", has_text="general").first.get_attribute("href")
        channel_id = link.split("/")[2].split("-")[0]
        self.goes_to(f"narrow/channel/{channel_id}/topic/{name}")

    def calls(self, method: str, path: str, **parameters: Any) -> Any:
        """Call the API as the page does."""
        answer = self.page.evaluate(CALL, [method, path, parameters])
        assert answer["result"] == "success", answer
        return answer

    def says(self, text: str) -> None:
        self.page.get_by_label("Message", exact=True).fill(text)
        self.page.keyboard.press("Enter")

    def searches(self, text: str) -> None:
        """Search from where the person is, in the palette."""
        self.page.locator("button.search").click()
        self.page.get_by_role("combobox", name="Search").fill(text)
        self.page.keyboard.press("Enter")
        self.page.get_by_role("dialog").wait_for(state="detached")

    def agrees(self, name: str) -> None:
        """Answer the question before something that cannot be undone."""
        self.page.get_by_role("dialog").get_by_role("button", name=name, exact=True).click()

    def sees(self, text: str) -> Any:
        """Wait for a message with a text; return its article."""
        article = self.page.locator("article", has_text=text).last
        article.wait_for()
        return article


def found(database: str) -> None:
    """Found an organization of two people."""
    settings = Settings(secret_key=SECRET.encode())
    owner = {"owner_email": "ada@example.com", "owner_name": PEOPLE["ada"]}
    with open_chat(database, settings=settings, **owner) as chat:
        chat.users.create("bea@example.com", PEOPLE["bea"], password=PASSWORD)


@contextmanager
def served(database: str, folder: Path, settings: Mapping[str, str] = {}) -> Iterator[Server]:
    server = Server(database, folder, settings)
    try:
        server.start()
        yield server
    finally:
        server.kill()


@pytest.fixture(scope="session")
def founded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a new organization, to be copied."""
    browser_program()
    path = tmp_path_factory.mktemp("founded") / "chat.db"
    found(f"sqlite:///{path}")
    return path


@pytest.fixture
def server(founded: Path, tmp_path: Path) -> Iterator[Server]:
    """A served organization; on SQLite, as the client knows the API only."""
    database = f"sqlite:///{shutil.copy(founded, tmp_path / 'chat.db')}"
    with served(database, tmp_path) as server:
        yield server


@pytest.fixture
def server_of_each_kind(request: pytest.FixtureRequest, store_kind: str, tmp_path: Path) -> Iterator[Server]:
    """The same on each kind of store."""
    if store_kind == "sqlite":
        yield request.getfixturevalue("server")
        return
    postgres: PostgresServer = request.getfixturevalue("postgres")
    with postgres.database() as database:
        found(database)
        with served(database, tmp_path) as server:
            yield server


@pytest.fixture
def opens(launched: Callable[[], Any]) -> Iterator[Callable[..., Person]]:
    """Open a browser for somebody at an address; at the end no page may have had an error."""
    people: list[Person] = []
    with ExitStack() as stack:

        def open_browser(url: str, name: str | None = None, **options: Any) -> Person:
            # Only tests of the worker have one: it stores all files of the client.
            # Nor does anything slide in: what is measured stands where it stays.
            usual = {"service_workers": "block", "reduced_motion": "reduce"}
            context = launched().new_context(**{**usual, **options})
            stack.callback(context.close)
            context.set_default_timeout(PATIENCE)
            person = Person(context.new_page(), url)
            person.page.on("pageerror", lambda error: person.errors.append(str(error)))
            person.page.on(
                "console", lambda said: person.errors.append(said.text) if "Policy" in said.text else None
            )
            people.append(person)
            if name is not None:
                person.comes(name)
            return person

        yield open_browser
    assert [error for person in people for error in person.errors] == []


@pytest.fixture
def somebody(server: Server, opens: Callable[..., Person]) -> Callable[..., Person]:
    """Open a browser for somebody on the server."""
    return partial(opens, server.url)
