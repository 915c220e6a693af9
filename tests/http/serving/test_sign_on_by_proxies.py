"""The proxies that log people in as documented: each is copied and run."""

import os
import re
import socket
import subprocess
import sys
import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.ports import free_port
from tests.test_cli import home, run, serving
from tests.test_documented_servers import (
    HOST,
    PASSWORD,
    ROOT,
    Visitor,
    block,
    certificate,
    does_everything,
    found,
    nginx_of,
    place,
    program,
    running,
)
from tests.test_documented_servers import SETTINGS as BEHIND_PROXY
from tests.waiting import PATIENCE, until

__all__ = ["home", "place"]

PAGE = (ROOT / "docs" / "single-sign-on-by-a-proxy.md").read_text()
SETTINGS = {
    **BEHIND_PROXY,
    "CHATCORE_REMOTE_USER_HEADER": "Remote-User",
    "CHATCORE_REMOTE_USER_PROXIES": "127.0.0.1",
    "CHATCORE_REMOTE_USER_DOMAIN": "example.com",
}
SSO = "/accounts/login/sso"
SPELLINGS = ("Remote-User", "remote-user", "REMOTE-USER", "Remote_User", "remote_user")


def basic(name: str, password: str) -> dict[str, str]:
    return {"Authorization": f"Basic {b64encode(f'{name}:{password}'.encode()).decode()}"}


def who(visitor: Visitor, **headers: str) -> str:
    """Log in by the proxy; return the address of the account."""
    answer, body = visitor.open("GET", SSO, headers=headers)
    assert answer.status == 302, body
    assert answer.headers["Location"] == f"https://{HOST}/"
    cookie = (answer.headers["Set-Cookie"] or "").partition(";")[0]
    answer, body = visitor.open("GET", "/api/v1/users/me", headers={"Cookie": cookie, "X-Chat-Page": "1"})
    assert answer.status == 200, body
    (email,) = re.findall(rb'"delivery_email":"([^"]*)"', body)
    return str(email.decode())


def is_strict(visitor: Visitor, login: dict[str, str]) -> None:
    """No header of a client counts: where nobody has logged in, or besides a login as gus."""
    for name in SPELLINGS:
        for path in (f"{SSO}/", "//accounts/login/sso", "/accounts/login/SSO", f"{SSO}?x=1"):
            answer, _ = visitor.open("GET", path, headers={name: "ada"})
            assert answer.status in (302, 400, 401, 404), path
            assert answer.headers["Set-Cookie"] is None, (path, name)
        assert who(visitor, **login, **{name: "ada"}) == "gus@example.com"
        assert who(visitor, **login, **{name: "ada,gus"}) == "gus@example.com"


@pytest.fixture
def organization(home: Path) -> None:
    """An organization with ada and gus, who log in by a proxy or a password."""
    found(home)
    made = run("user", "create", "--email", "gus@example.com", "--name", "Gus Ray", env=SETTINGS)
    assert made.exit_code == 0, made.output


class Service(BaseHTTPRequestHandler):
    """A service that knows people by a cookie, and nothing of passwords."""

    def do_GET(self) -> None:
        found = re.search("login=(\\w+)", self.headers["Cookie"] or "")
        is_auth = self.path == "/oauth2/auth"
        self.send_response(401 if is_auth and found is None else 200)
        if found is not None:
            self.send_header("X-Auth-Request-User", found[1])
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@contextmanager
def login_service() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.usefixtures("organization")
def test_nginx_asks_a_service_who_has_logged_in(place: Path) -> None:
    program("nginx", "nginx-light")
    text = block("nginx", "server {", PAGE)
    with login_service() as service, serving(environment=SETTINGS) as server:
        places = (
            (f"/etc/ssl/{HOST}", str(place)),
            ("http://127.0.0.1:9991", server.url),
            ("127.0.0.1:4180", service),
        )
        with nginx_of(place, text, *places) as port:
            visitor = Visitor(port, tls=True)
            answer, _ = visitor.open("GET", SSO)
            assert answer.status == 302
            assert answer.headers["Location"].endswith(f"/oauth2/start?rd={SSO}")
            assert visitor.open("GET", "/oauth2/start")[0].status == 200
            assert who(visitor, Cookie="login=ada") == "ada@example.com"
            is_strict(visitor, {"Cookie": "login=gus"})
            does_everything(visitor)


@pytest.mark.usefixtures("organization")
def test_nginx_knows_people_by_a_file(place: Path) -> None:
    program("nginx", "nginx-light")
    people = passwords(place)
    text = block("nginx", "server {", PAGE)
    first = text.index("    location = /accounts/login/sso")
    text = f"{text[:first]}{block('nginx', '    set $person', PAGE)}}}\n"
    with serving(environment=SETTINGS) as server:
        places = (
            (f"/etc/ssl/{HOST}", str(place)),
            ("http://127.0.0.1:9991", server.url),
            ("/etc/nginx/chat.htpasswd", str(people)),
        )
        with nginx_of(place, text, *places) as port:
            asks_for_passwords(Visitor(port, tls=True))


def passwords(place: Path) -> Path:
    people = place / "chat.htpasswd"
    for name in ("ada", "gus"):
        command = ["openssl", "passwd", "-apr1", f"{name}'s"]
        hashed = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
        with people.open("a") as file:
            file.write(f"{name}:{hashed}\n")
    people.chmod(0o644)
    return people


def asks_for_passwords(visitor: Visitor) -> None:
    for login in ({}, basic("ada", "wrong"), basic("ada@example.com", PASSWORD)):
        answer, _ = visitor.open("GET", SSO, headers=login)
        assert answer.status == 401
        assert answer.headers["WWW-Authenticate"].startswith('Basic realm="Our team"')
    assert who(visitor, **basic("ada", "ada's")) == "ada@example.com"
    is_strict(visitor, basic("gus", "gus's"))
    does_everything(visitor)


APACHE = """
ServerRoot {place}
ServerName {host}
PidFile {place}/pid
DefaultRuntimeDir {place}
Mutex file:{place}
Listen 127.0.0.1:{port}
{modules}
ErrorLog {place}/error.log
{user}
<Directory />
    Require all denied
</Directory>
{block}
"""
MODULES = (
    "mpm_event", "authz_core", "authn_core", "auth_basic", "authn_file", "authz_user", "headers", "proxy",
    "proxy_http", "ssl", "socache_shmcb",
)  # fmt: skip


@pytest.mark.usefixtures("organization")
def test_apache_knows_people_by_a_file(place: Path) -> None:
    apache, port = program("apache2", "apache2"), free_port()
    folder = Path("/usr/lib/apache2/modules")
    certificate(place)
    people = passwords(place)
    with serving(environment=SETTINGS) as server:
        text = block("apache", "<VirtualHost", PAGE)
        for documented, ours in (
            ("*:443", f"127.0.0.1:{port}"),
            (f"/etc/ssl/{HOST}", str(place)),
            ("http://127.0.0.1:9991", server.url),
            ("/etc/apache2/chat.htpasswd", str(people)),
        ):
            assert documented in text
            text = text.replace(documented, ours)
        configuration = place / "apache.conf"
        modules = "\n".join(f"LoadModule {name}_module {folder}/mod_{name}.so" for name in MODULES)
        user = "User www-data\nGroup www-data" if os.geteuid() == 0 else ""
        configuration.write_text(
            APACHE.format(place=place, host=HOST, port=port, modules=modules, user=user, block=text)
        )
        with running([apache, "-f", str(configuration), "-DFOREGROUND"], place / "log", port):
            asks_for_passwords(Visitor(port, tls=True))


@pytest.mark.usefixtures("organization")
def test_sec_two_headers_of_a_proxy_name_nobody() -> None:
    """As from a proxy that adds its header to that of the client."""
    with serving(environment=SETTINGS) as server:
        for first, second in (("ada", "gus"), ("ada", "ada"), ("", "gus")):
            connection = HTTPConnection(server.url.removeprefix("http://"))
            connection.putrequest("GET", SSO)
            connection.putheader("Remote-User", first)
            connection.putheader("remote-user", second)
            connection.endheaders()
            answer = connection.getresponse()
            assert (answer.status, answer.headers["Set-Cookie"]) == (400, None)
            connection.close()


def asked_by_socket(path: Path, *headers: str) -> str:
    """The status and headers of an answer over a UNIX socket."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(PATIENCE)
        connection.connect(str(path))
        lines = [f"GET {SSO} HTTP/1.1", f"Host: {HOST}", "Connection: close", *headers, "", ""]
        connection.sendall("\r\n".join(lines).encode())
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    return answer.partition(b"\r\n\r\n")[0].decode()


def takes_connections(path: Path) -> bool:
    """Whether a server listens at the socket, which is there a moment before."""
    with socket.socket(socket.AF_UNIX) as connection:
        return connection.connect_ex(str(path)) == 0


@pytest.mark.usefixtures("organization")
def test_whoever_may_open_the_socket_of_gunicorn_is_the_proxy(place: Path) -> None:
    pytest.importorskip("gunicorn", reason="gunicorn is not installed; run: pip install gunicorn")
    path = place / "socket"
    settings = {**SETTINGS, "CHATCORE_REMOTE_USER_PROXIES": "unix", "PYTHONPATH": str(ROOT)}
    command = ["-m", "gunicorn", "--bind", f"unix:{path}", "-c", "python:chatcore.gunicorn_conf"]
    with (place / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, *command, "chatcore.wsgi:application"],
            stdout=log, stderr=log, env={**os.environ, **settings},  # noqa: TID251
        )  # fmt: skip
    try:
        until(lambda: takes_connections(path))
        answer = asked_by_socket(path, "Remote-User: ada")
        assert answer.startswith("HTTP/1.1 302 "), answer
        assert "Set-Cookie: " in answer
        for headers in (("Remote_User: ada",), ("Remote-User: gus", "Remote-User: ada"), ()):
            answer = asked_by_socket(path, *headers)
            assert answer.startswith("HTTP/1.1 400 "), answer
            assert "Set-Cookie" not in answer
        process.terminate()
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.wait()
