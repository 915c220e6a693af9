"""Providers of OpenID Connect: a real one in a process of its own, and a toy that says what a test wants."""

import json
import subprocess
import sys
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit

import urllib3
from joserfc import jwt
from joserfc.jwk import KeySet, OctKey, RSAKey
from werkzeug.test import Client, TestResponse

from chatcore.domain.sign_on.providers import Provider
from tests.ports import free_port
from tests.waiting import PATIENCE, until_it_listens
from tests.worlds.organization import DAY, FROM, HOST, NOW, World
from tests.worlds.web_services import Answer, Request, Service, serves

ORIGIN: Final = f"https://{HOST}"
LATER: Final = NOW + 4000 * DAY
CLIENT: Final = "chat"
SECRET: Final = "a secret of the client"


def parameters_of(address: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(address).query))


# -- a real one -------------------------------------------------------------------------------------


class RealProvider:
    """A provider that is not ours."""

    def __init__(self, port: int) -> None:
        self.issuer = f"http://127.0.0.1:{port}"

    def settings(self, **more: Any) -> Provider:
        return Provider(
            **{"name": "work", "issuer": self.issuer, "client_id": CLIENT, "client_secret": SECRET, **more}
        )

    def knows(self, subject: str, **claims: Any) -> None:
        """Make a person known to the provider."""
        answer = urllib3.request("PUT", f"{self.issuer}/users/{subject}", json=claims, timeout=PATIENCE)
        assert answer.status == 204, answer.data

    def lets_in(self, address: str, subject: str) -> str:
        """Fill in the provider's form; return the address to which it sends the browser."""
        answer = urllib3.request(
            "POST", address, body=urlencode({"sub": subject}), redirect=False, timeout=PATIENCE,
            headers={"Content-Type": "application/x-www-form-urlencoded"},
        )  # fmt: skip
        assert answer.status == 302, answer.data
        return answer.headers["Location"]


@contextmanager
def real_provider(log: Path) -> Iterator[RealProvider]:
    port = free_port()
    with log.open("wb") as output:
        command = [sys.executable, "-m", "oidc_provider_mock", "--port", str(port)]
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
    try:
        until_it_listens(port, process, log)
        yield RealProvider(port)
    finally:
        process.kill()
        process.wait()


# -- a toy ------------------------------------------------------------------------------------------

KEY: Final = RSAKey.generate_key(2048, {"kid": "first", "use": "sig"}, private=True)
OTHER_KEY: Final = RSAKey.generate_key(2048, {"kid": "other", "use": "sig"}, private=True)


class ToyProvider:
    """A provider whose answers a test changes."""

    def __init__(self, service: Service) -> None:
        self.service = service
        service.answers = self._answer
        self.issuer = service.url.removesuffix("/")
        self.keys = [KEY]
        self.description: dict[str, Any] = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize?tenant=1",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "end_session_endpoint": f"{self.issuer}/logout",
            "userinfo_endpoint": f"{self.issuer}/userinfo",
            "id_token_signing_alg_values_supported": ["RS256", "none", "HS256"],
        }
        self.right_description = self.description
        self.claims: dict[str, Any] = {}
        """Claims of the next token, which differ from those of a right one; None leaves one out."""
        self.sign: Callable[[Mapping[str, Any]], str] = signed
        self.userinfo: dict[str, Any] = {"sub": "1"}
        self.used: set[str] = set()
        """The codes that were exchanged."""

    def settings(self, **more: Any) -> Provider:
        given = {"name": "toy", "issuer": self.issuer, "client_id": CLIENT, "client_secret": SECRET}
        return Provider(**{**given, **more})

    def lets_in(self, address: str) -> str:
        """Return the address to which the provider sends a browser that has come to an address."""
        assert address.startswith(f"{self.issuer}/authorize?tenant=1&")
        return lets_in(address)

    def asked(self, path: str) -> list[Request]:
        return [one for one in self.service.requests if urlsplit(one.path).path == path]

    def _answer(self, request: Request) -> Answer:
        match urlsplit(request.path).path:
            case "/.well-known/openid-configuration":
                return said(self.description)
            case "/keys":
                return said(KeySet(self.keys).as_dict(private=False))
            case "/token":
                return self._exchange(dict(parse_qsl(request.body.decode())))
            case "/userinfo":
                return said(self.userinfo)
        return Answer(404)

    def _exchange(self, given: Mapping[str, str]) -> Answer:
        challenge = urlsafe_b64encode(sha256(given["code_verifier"].encode()).digest()).decode().rstrip("=")
        nonce, _, expected = given["code"].partition(" ")
        if expected != challenge or given["code"] in self.used:
            return Answer(400, b'{"error": "invalid_grant"}')
        self.used.add(given["code"])
        right = {
            "iss": self.issuer, "aud": CLIENT, "sub": "1", "nonce": nonce,
            "iat": NOW, "exp": LATER, "email": "ada@example.org", "email_verified": True, "name": "Ada",
        }  # fmt: skip
        claims = {name: value for name, value in {**right, **self.claims}.items() if value is not None}
        return said({"access_token": "a", "token_type": "Bearer", "id_token": self.sign(claims)})


def lets_in(address: str) -> str:
    """Return the address to which a toy sends a browser back; its code says what a right token has."""
    given = parameters_of(address)
    assert (given["response_type"], given["client_id"]) == ("code", CLIENT)
    assert given["code_challenge_method"] == "S256"
    code = f"{given['nonce']} {given['code_challenge']}"
    return f"{given['redirect_uri']}?{urlencode({'code': code, 'state': given['state']})}"


def logout_claims(issuer: str, **changes: Any) -> dict[str, Any]:
    """Claims by which a provider ends sessions, with changes; None leaves one out."""
    events = {"http://schemas.openid.net/event/backchannel-logout": {}}
    right = {
        "iss": issuer, "aud": CLIENT, "sub": "1", "iat": NOW, "exp": LATER, "jti": "1", "events": events,
    }  # fmt: skip
    return {name: value for name, value in {**right, **changes}.items() if value is not None}


def logs_out(client: Client, token: str, **more: Any) -> TestResponse:
    """Send the token of a toy's logout."""
    path = "/login/oidc/toy/backchannel-logout"
    given = {"data": {"logout_token": token}, "environ_base": FROM, **more}
    return client.post(path, base_url=ORIGIN, **given)


def said(content: object) -> Answer:
    return Answer(body=json.dumps(content).encode())


def signed(claims: Mapping[str, Any], key: RSAKey = KEY, **header: str) -> str:
    return jwt.encode({"alg": "RS256", "kid": "first", **header}, dict(claims), key)


def unsigned(claims: Mapping[str, Any]) -> str:
    """A token of the algorithm `none`."""
    parts = ({"alg": "none"}, dict(claims))
    return (
        ".".join([urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts]) + "."
    )


def with_secret(claims: Mapping[str, Any]) -> str:
    """A token signed with what the provider and the client both know."""
    return jwt.encode({"alg": "HS256"}, dict(claims), OctKey.import_key(SECRET))


@contextmanager
def toy_provider() -> Iterator[ToyProvider]:
    with serves() as service:
        yield ToyProvider(service)


# -- browsers ---------------------------------------------------------------------------------------


def browser(world: World) -> Client:
    return Client(world.answers)


def visits(client: Client, address: str, **more: Any) -> TestResponse:
    """Open an address of the organization."""
    path = address.removeprefix(ORIGIN)
    assert path.startswith("/"), address
    return client.get(path, base_url=ORIGIN, environ_base=FROM, **more)


def begins(client: Client, name: str, **parameters: str) -> str:
    """Begin a login; return the address of the provider."""
    response = visits(client, f"/login/oidc/{name}", query_string=parameters)
    assert response.status_code == 302, response.text
    return response.headers["Location"]


def refused(response: TestResponse, code: str, status: int = 400) -> dict[str, Any]:
    answer: dict[str, Any] = response.get_json()
    assert (response.status_code, answer["code"]) == (status, code), answer
    return answer


def account_of(world: World, client: Client) -> str | None:
    """The name of the account of a browser's session."""
    headers = {"X-Chat-Page": "1", "Sec-Fetch-Site": "same-origin"}
    response = client.get("/api/v1/users/me", base_url=ORIGIN, environ_base=FROM, headers=headers)
    if response.status_code == 401:
        return None
    email: str = response.get_json()["email"]
    return email.partition("@")[0]


def sets_clock(world: World) -> None:
    """Set the world's clock to that of other programs."""
    world.clock.now = time.time()  # noqa: TID251 - the provider has this clock
