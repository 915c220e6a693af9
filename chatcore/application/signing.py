"""Signed tokens: the organization can verify them later without storing anything."""

import hashlib
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode

from chatcore.application.services import Services

SIGNATURE_BYTES = 32
SHORT_BYTES = 10
LINK_BYTES = 20


def sign(svc: Services, purpose: str, text: str) -> str:
    """Return a token that contains *text* and is valid for one purpose only. The holder of the token can read
    the text.
    """
    what = text.encode()
    return urlsafe_b64encode(_signature(svc, purpose, what) + what).decode().rstrip("=")


def signed_text(svc: Services, purpose: str, token: str) -> str | None:
    """Return the text of a token that `sign` made for this purpose, or None if it is invalid."""
    try:
        given = urlsafe_b64decode(token + "=" * (-len(token) % 4))
    except ValueError:
        return None
    signature, what = given[:SIGNATURE_BYTES], given[SIGNATURE_BYTES:]
    if not hmac.compare_digest(signature, _signature(svc, purpose, what)):
        return None
    return what.decode()


def keyed_hash(svc: Services, purpose: str, text: str) -> str:
    """Return what the store looks *text* up by; without the server's secret nobody can compute it."""
    return _signature(svc, purpose, text.encode("utf-8", "replace")).hex()


def short_mark(svc: Services, purpose: str, text: str) -> str:
    """Return a short signature of *text*, as hexadecimal digits."""
    return _signature(svc, purpose, text.encode())[:SHORT_BYTES].hex()


def link_token(svc: Services, path: str, nonce: str) -> str:
    """Return the token of a link with a nonce, in digits and letters from a to f."""
    return _signature(svc, f"link {path}", nonce.encode())[:LINK_BYTES].hex()


def _signature(svc: Services, purpose: str, what: bytes) -> bytes:
    return hmac.new(svc.settings.secret_key, f"{purpose}:".encode() + what, hashlib.sha256).digest()
