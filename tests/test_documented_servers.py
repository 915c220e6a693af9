"""The configurations in the pages on deploying, restarting and two machines: each is copied and run.

A test whose program is not installed is skipped, with the program's name as the reason.
"""

import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import sysconfig
import tempfile
import threading
from abc import ABC, abstractmethod
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from tests.http.serving.test_durability import Server, in_background
from tests.ports import free_port
from tests.test_cli import INIT, home, run, serving
from tests.waiting import PATIENCE, until, until_it_listens
from tests.worlds.organization import World, basic

__all__ = ["home"]

ROOT = Path(__file__).parents[1]
PAGE, RESTARTING, TWO_MACHINES = (
    (ROOT / "docs" / f"{name}.md").read_text() for name in ("deploying", "restarting", "two-machines")
)
HOST = "chat.example.com"
SETTINGS = {
    "CHATCORE_EXTERNAL_URL": f"https://{HOST}",
    "CHATCORE_TRUSTED_PROXIES": "1",
    "CHATCORE_RATE_LIMITS": "off",
}
PASSWORD = "correct horse"
TOKEN = "t" * 20
LARGE = 60 * 2**20


def block(kind: str, beginning: str, page: str = PAGE) -> str:
    """The block of the page of this kind that begins so."""
    found: list[str] = re.findall(rf"```{kind}\n({re.escape(beginning)}.*?)```", page, re.DOTALL)
    (text,) = found
    return text


def program(name: str, package: str) -> str:
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")  # noqa: TID251
    if found is None:
        pytest.skip(f"{name} is not installed, to try its configuration; Debian: apt-get install {package}")
    return found


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that servers with a user of their own can get to."""
    folder = Path(tempfile.mkdtemp(prefix="chatcore-docs-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@contextmanager
def running(command: list[str], log: Path, port: int, **options: Any) -> "Iterator[subprocess.Popen[bytes]]":
    """A server that runs until the block ends."""
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, **options)
    try:
        until_it_listens(port, process, log)
        yield process
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE)
        finally:
            process.kill()


class Visitor:
    """Somebody who comes from outside, over TLS or not."""

    def __init__(self, port: int, *, tls: bool = False, login: str = "") -> None:
        self._port = port
        self._tls = ssl._create_unverified_context() if tls else None
        self._login = login

    def open(
        self, method: str, path: str, data: Any = None, headers: Mapping[str, str] | None = None
    ) -> tuple[HTTPResponse, bytes]:
        connection: HTTPConnection
        if self._tls is not None:
            connection = HTTPSConnection("127.0.0.1", self._port, timeout=PATIENCE, context=self._tls)
        else:
            connection = HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
        given = {"Host": HOST, **({"Authorization": self._login} if self._login else {}), **(headers or {})}
        try:
            connection.request(method, path, data, given)
            answer = connection.getresponse()
            return answer, answer.read()
        finally:
            connection.close()

    def call(self, method: str, path: str, **form: str) -> dict[str, Any]:
        data = urlencode(form).encode() if form else None
        kind = {"Content-Type": "application/x-www-form-urlencoded"} if form else {}
        answer, body = self.open(method, f"/api/v1{path}", data, kind)
        assert answer.status == 200, body[:500]
        found: dict[str, Any] = json.loads(body)
        return found

    def logs_in(self) -> None:
        login = self.call("POST", "/fetch_api_key", username="ada@example.com", password=PASSWORD)
        pair = f"{login['email']}:{login['api_key']}".encode()
        self._login = f"Basic {b64encode(pair).decode()}"


def found(home: Path) -> None:
    """An organization in the working directory, whose owner has a password."""
    made = run(*INIT, "--password-stdin", input=f"{PASSWORD}\n", env=SETTINGS)
    assert made.exit_code == 0, made.output


def does_everything(ada: Visitor) -> None:
    """Log in, send, wait for events, upload, upload in pieces, and ask for many messages by their ids."""
    ada.logs_in()
    to = json.dumps([ada.call("GET", "/users/me")["user_id"]])
    queue = ada.call("POST", "/register", event_types='["message"]')["queue_id"]
    soon = threading.Timer(
        0.3, ada.call, ("POST", "/messages"), {"type": "direct", "to": to, "content": "soup"}
    )
    soon.start()
    (event,) = ada.call("GET", f"/events?queue_id={quote(queue)}&last_event_id=-1")["events"]
    soon.join()
    assert event["message"]["content"] == "soup"
    uploads_what_is_large(ada)
    uploads_in_pieces(ada)
    ids = quote(json.dumps([event["message"]["id"], *range(10**15, 10**15 + 4999)]))
    messages = ada.call("GET", f"/messages?message_ids={ids}")["messages"]
    assert [message["id"] for message in messages] == [event["message"]["id"]]


def uploads_what_is_large(ada: Visitor) -> None:
    head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="film.bin"\r\n\r\n'
    form = head + bytes(LARGE) + b"\r\n--b--\r\n"
    kind = {"Content-Type": "multipart/form-data; boundary=b"}
    answer, body = ada.open("POST", "/api/v1/user_uploads", form, kind)
    assert answer.status == 200, body[:500]
    answer, body = ada.open("GET", json.loads(body)["url"])
    assert (answer.status, len(body)) == (200, LARGE)


def uploads_in_pieces(ada: Visitor) -> None:
    size = 2**21
    begin = {"Tus-Resumable": "1.0.0", "Upload-Length": str(2 * size)}
    answer, body = ada.open("POST", "/api/v1/tus", b"", begin)
    assert answer.status == 201, body[:500]
    path = f"/api{answer.headers['Location'].partition('/api')[2]}"
    for offset in (0, size):
        piece = {
            "Tus-Resumable": "1.0.0",
            "Upload-Offset": str(offset),
            "Content-Type": "application/offset+octet-stream",
        }
        answer, body = ada.open("PATCH", path, bytes(size), piece)
        assert answer.status in (200, 204), body[:500]
        assert answer.headers["Upload-Offset"] == str(offset + size)


# -- nginx ------------------------------------------------------------------------------------------

AROUND_NGINX = """
daemon off;
pid {place}/nginx.pid;
error_log stderr;
{user}
events {{ worker_connections 64; }}
http {{
    access_log off;
    client_body_temp_path {place}/body;
    proxy_temp_path {place}/proxy;
    fastcgi_temp_path {place}/fastcgi;
    uwsgi_temp_path {place}/uwsgi;
    scgi_temp_path {place}/scgi;
{block}
}}
"""


def certificate(place: Path) -> None:
    openssl = program("openssl", "openssl")
    files = ["-keyout", place / "privkey.pem", "-out", place / "fullchain.pem"]
    kind = ["-x509", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={HOST}"]
    subprocess.run([openssl, "req", *kind, *files], check=True, capture_output=True)


NGINX = {
    "page": (block("nginx", "server {"), f"/etc/ssl/{HOST}", "http://127.0.0.1:9991"),
    "compose": (
        (ROOT / "contrib" / "compose" / "nginx.conf.template").read_text(),
        f"/etc/nginx/certificates/live/{HOST}",
        "http://chat:9991",
    ),
}
"""Configurations, each with the places of the certificate and of the server, which tests have elsewhere."""


@contextmanager
def nginx_of(place: Path, text: str, *more: tuple[str, str]) -> Iterator[int]:
    """nginx with documented blocks, some of whose text is replaced; yield its port."""
    nginx, port = program("nginx", "nginx-light"), free_port()
    certificate(place)
    for documented, ours in (
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        *more,
    ):
        assert documented in text
        text = text.replace(documented, ours)
    user = "user root;" if os.geteuid() == 0 else ""
    configuration = place / "nginx.conf"
    configuration.write_text(AROUND_NGINX.format(place=place, user=user, block=text))
    with running([nginx, "-c", str(configuration), "-p", str(place)], place / "log", port):
        yield port


@pytest.mark.parametrize("configured", NGINX)
def test_the_documented_nginx_works(home: Path, place: Path, configured: str) -> None:
    program("nginx", "nginx-light")
    found(home)
    with serving(environment=SETTINGS) as server:
        text, certificates, documented = NGINX[configured]
        for there, here in (
            ("listen 80;", f"listen 127.0.0.1:{free_port()};"),
            ("${CHAT_HOST}", HOST),
            ("${NGINX_LOCAL_RESOLVERS}", "127.0.0.1"),
        ):
            text = text.replace(there, here)
        with nginx_of(place, text, (certificates, str(place)), (documented, server.url)) as port:
            ada = Visitor(port, tls=True)
            does_everything(ada)
            answer, _ = ada.open(
                "GET", "/health", headers={"X-Request-Id": "a-strangers", "X-Forwarded-For": "::9"}
            )
            large, body = ada.open("GET", "/api/v1/openapi.json", headers={"Accept-Encoding": "gzip"})
        assert (large.headers["Content-Encoding"], body[:2]) == ("gzip", b"\x1f\x8b")
        assert server.stop() == 0
    (line,) = [one for one in server.log.splitlines() if "GET /health " in one]
    assert re.fullmatch("[0-9a-f]{32}", answer.headers["X-Request-Id"])
    assert line.endswith(f"address=127.0.0.1 request={answer.headers['X-Request-Id']}")


@pytest.mark.parametrize("first", ["", block("nginx", "    hash ", TWO_MACHINES)], ids=["any", "hashed"])
def test_two_instances_behind_nginx_are_restarted_in_turn_without_a_lost_request(
    postgres_url: str, place: Path, first: str
) -> None:
    """People write and wait for events meanwhile."""
    program("nginx", "nginx-light")
    world = World(postgres_url)
    world.close()
    upstream, passing = (block("nginx", one, RESTARTING) for one in ("upstream chat", "        proxy_pass"))
    upstream = upstream.replace("{\n", f"{{\n{first}", 1)
    text = upstream + block("nginx", "server {").replace(
        "        proxy_pass http://127.0.0.1:9991;\n", passing
    )
    ports = free_port(), free_port()
    servers = [Server(postgres_url, place, port=port) for port in ports]
    replaced = {f"/etc/ssl/{HOST}": str(place), ":9991": f":{ports[0]}", ":9992": f":{ports[1]}"}
    with nginx_of(place, text, *replaced.items()) as port:
        writers = [Writing(world, name, port) for name in ("ada", "gus")]
        listener = Listening(world, "bea", port)
        for index in (0, 1):
            wait_for_messages(writers, 30)
            servers[index].stop()
            servers[index] = Server(postgres_url, place, port=ports[index])
        wait_for_messages(writers, 30)
        sent = Counter(content for writer in writers for content in writer.end())
        received = listener.end(sent.total())
    for server in servers:
        server.stop()
    assert Counter(received) == sent, "each once"


class Working(threading.Thread, ABC):
    """Somebody whose requests go through nginx, over connections that nginx keeps or not."""

    def __init__(self, world: World, name: str, port: int) -> None:
        super().__init__()
        self.name = name
        self.visitor = Visitor(port, tls=True, login=basic(world.users[name].email, world.keys[name]))
        self.done: list[str] = []
        self.failures: list[BaseException] = []
        self.start()

    def run(self) -> None:
        try:
            self.work()
        except BaseException as error:
            self.failures.append(error)

    @abstractmethod
    def work(self) -> None:
        """Do what it is for, until it has done enough."""

    def join_well(self) -> None:
        self.join(PATIENCE)
        assert self.failures == []
        assert not self.is_alive(), "it hangs"


class Writing(Working):
    """One message after another."""

    enough = False

    def work(self) -> None:
        while not self.enough:
            content = f"{self.name} {len(self.done)}"
            self.visitor.call("POST", "/messages", type="channel", to="lunch", topic="today", content=content)
            self.done.append(content)

    def end(self) -> list[str]:
        self.enough = True
        self.join_well()
        return self.done


class Listening(Working):
    """One poll after another."""

    wanted = sys.maxsize

    def work(self) -> None:
        queue = self.visitor.call("POST", "/register", event_types='["message"]', apply_markdown="false")
        place = f"/events?queue_id={quote(queue['queue_id'])}&last_event_id="
        last = queue["last_event_id"]
        while len(self.done) < self.wanted:
            wait = "&dont_block=true" if self.wanted < sys.maxsize else ""
            for event in self.visitor.call("GET", f"{place}{last}{wait}")["events"]:
                last = event["id"]
                if event["type"] == "message":
                    self.done.append(event["message"]["content"])

    def end(self, number: int) -> list[str]:
        self.wanted = number
        self.join_well()
        return self.done


def wait_for_messages(writers: list[Writing], more: int) -> None:
    """Wait until everybody has sent so many more messages."""
    goals = [len(writer.done) + more for writer in writers]

    def are_sent() -> bool:
        assert [failure for writer in writers for failure in writer.failures] == []
        return all(len(writer.done) >= goal for writer, goal in zip(writers, goals, strict=True))

    until(are_sent)


# -- other WSGI servers -----------------------------------------------------------------------------


def test_the_documented_gunicorn_works(home: Path, place: Path) -> None:
    pytest.importorskip("gunicorn", reason="gunicorn is not installed; run: pip install gunicorn")
    found(home)
    port = free_port()
    command = re.findall(r"^gunicorn (.*)$", RESTARTING, re.MULTILINE)[0].split()
    environment = {**os.environ, **SETTINGS, "PYTHONPATH": str(ROOT), "CHATCORE_METRICS_TOKEN": TOKEN}  # noqa: TID251
    with running(
        [sys.executable, "-m", "gunicorn", "--bind", f"127.0.0.1:{port}", *command],
        place / "log", port, env=environment,
    ) as process:  # fmt: skip
        until(lambda: any(has_open(pid, home / "chat.db") for pid in children_of(process.pid)))
        ada = Visitor(port)
        does_everything(ada)
        ada.open("GET", "/health", headers={"X-Request-Id": "mine"})
        queue = ada.call("POST", "/register", event_types='["message"]')["queue_id"]
        poll = in_background(lambda: ada.call("GET", f"/events?queue_id={quote(queue)}&last_event_id=-1"))
        asked = {"Authorization": f"Bearer {TOKEN}"}
        until(lambda: b"\nchatcore_waiting_polls 1.0\n" in ada.open("GET", "/metrics", headers=asked)[1])
        process.terminate()
        assert poll()["events"] == []
        assert process.wait(PATIENCE) == 0
    text = (place / "log").read_text()
    (line,) = [one for one in text.splitlines() if "/health" in one]
    assert " INFO chatcore.access: GET /health 200 " in line
    assert line.endswith(" request=mine")
    assert "graceful timeout" not in text


def children_of(pid: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def has_open(pid: int, file: Path) -> bool:
    """Whether a process has a file open; a descriptor may be closed meanwhile."""
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            if os.readlink(link) == str(file):
                return True
    return False


APACHE = """
ServerRoot {place}
ServerName {host}
PidFile {place}/pid
DefaultRuntimeDir {place}
Mutex file:{place}
Listen 127.0.0.1:{port}
LoadModule mpm_event_module {modules}/mod_mpm_event.so
LoadModule authz_core_module {modules}/mod_authz_core.so
LoadModule wsgi_module {modules}/mod_wsgi.so
ErrorLog {place}/error.log
{user}
<Directory />
    Require all denied
</Directory>
{block}
"""


def test_the_documented_apache_works(home: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    apache, port = program("apache2", "apache2"), free_port()
    modules = Path("/usr/lib/apache2/modules")
    if not (modules / "mod_wsgi.so").exists():
        pytest.skip("mod_wsgi is not installed; Debian: apt-get install libapache2-mod-wsgi-py3")
    built_for = re.search(rb"libpython(3\.\d+)", (modules / "mod_wsgi.so").read_bytes())
    if built_for is None or built_for[1].decode() != f"{sys.version_info.major}.{sys.version_info.minor}":
        pytest.skip(f"mod_wsgi on this machine is for Python {built_for and built_for[1].decode()}")
    state = place / "state"
    state.mkdir()
    monkeypatch.chdir(state)
    found(state)
    settings = {name.removeprefix("CHATCORE_").lower(): value for name, value in SETTINGS.items()}
    (state / "chatcore.toml").write_text("".join(f'{name} = "{value}"\n' for name, value in settings.items()))
    text = block("apache", "WSGIDaemonProcess")
    user = ""
    if os.geteuid() == 0:
        user = "User www-data\nGroup www-data"
        for path in (state, *state.rglob("*")):
            shutil.chown(path, "www-data", "www-data")
    for documented, ours in (
        ("user=chat group=chat", "user=www-data group=www-data" if user else ""),
        ("/var/lib/chat", str(state)),
        # The interpreter of the tests may be where others cannot run it; what it has installed must do.
        ("python-home=/opt/chat/venv", f"python-path={sysconfig.get_path('purelib')}:{ROOT}"),
        ("/path/to/this/checkout", str(ROOT)),
    ):
        assert documented in text
        text = text.replace(documented, ours)
    configuration = place / "apache.conf"
    configuration.write_text(
        APACHE.format(place=place, host=HOST, port=port, modules=modules, user=user, block=text)
    )
    with running([apache, "-f", str(configuration), "-DFOREGROUND"], place / "log", port):
        ada = Visitor(port)
        answer, body = ada.open("GET", "/health")
        assert answer.status == 200, body.decode() + (place / "error.log").read_text()
        does_everything(ada)
    lines = (place / "error.log").read_text().splitlines()
    assert len([one for one in lines if "chatcore.access: GET /health 200 " in one]) == 1
