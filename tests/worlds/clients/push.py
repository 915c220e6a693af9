"""A push service that takes what it is sent, and a browser that reads it.

with push_service() as service:
    browser = Browser(service, "laptop")
    browser.subscribes(world["ada"])
    …
    (push,) = service.read(browser)
"""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from chatcore.application.push.gathering import gather_pushes
from chatcore.application.push.sending import claim_push, send_push
from chatcore.application.services import Services
from chatcore.runtime.web_push import from_base64url, new_key, public_text, to_base64url
from tests.worlds.organization import Someone

LAPTOP = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"


@dataclass
class PushService:
    """A service, with what it was sent, and the status with which it answers."""

    port: int = 0
    status: int = 201
    received: list[tuple[str, Mapping[str, str], bytes]] = field(default_factory=list)

    def taken(self) -> list[tuple[str, Mapping[str, str], bytes]]:
        """Return what came since the last call."""
        received, self.received = self.received, []
        return received


@contextmanager
def push_service() -> Iterator[PushService]:
    service = PushService()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            service.received.append((self.path, dict(self.headers), body))
            self.send_response(service.status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def send_waiting(svc: Services) -> None:
    """Gather what people miss, and send all pushes that are due, in this thread."""
    gather_pushes(svc)
    while (push := claim_push(svc)) is not None:
        send_push(svc, push)


class Browser:
    """A browser with a key of its own at a push service."""

    def __init__(self, service: PushService, name: str) -> None:
        self.service = service
        self.path = f"/send/{name}"
        self.key = new_key()
        self.auth = to_base64url(name.encode().ljust(16)[:16])

    @property
    def subscription(self) -> dict[str, str]:
        """Return the parameters with which it subscribes."""
        endpoint = f"http://127.0.0.1:{self.service.port}{self.path}"
        return {"endpoint": endpoint, "p256dh": public_text(self.key), "auth": self.auth}

    def subscribes(self, person: Someone) -> int:
        headers, person.headers = person.headers, {**person.headers, "User-Agent": LAPTOP, "X-Chat-Page": "1"}
        answer = person.post("/web_push/subscriptions", **self.subscription)
        person.headers = headers
        return int(answer["subscription_id"])

    def reads(self, body: bytes) -> dict[str, Any]:
        """Decrypt what the service was sent, by the words of RFC 8291 and RFC 8188."""
        salt, length = body[:16], body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        info = b"WebPush: info\0" + from_base64url(public_text(self.key)) + sender
        both = HKDF(SHA256(), 32, from_base64url(self.auth), info).derive(self.key.exchange(ec.ECDH(), point))
        key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(both)
        nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(both)
        plain = AESGCM(key).decrypt(nonce, sealed, None)
        assert plain.endswith(b"\x02")
        said = json.loads(plain[:-1])
        assert isinstance(said, dict)
        return said
