"""The cryptography of Web Push: content that only a browser can read (RFC 8291, RFC 8188), and the token by
which a push service knows the server (VAPID, RFC 8292).

It needs the extra `push`; each function loads its library when it is called.
"""

import hashlib
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey, EllipticCurvePublicKey

POINT_BYTES: Final = 65
"""The length of a public key: a point of the curve P-256, not compressed."""
AUTH_BYTES: Final = 16
SALT_BYTES: Final = 16
MAX_PLAINTEXT: Final = 3000
"""The most bytes of a content: push services take 4096, with what encryption adds."""
RECORD_SIZE: Final = 4096
TOKEN_SECONDS: Final = 12 * 3600
"""The time for which a token is valid; services refuse more than a day."""
ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The number of points of P-256."""


class BadKey(ValueError):
    """The key of a browser is not a point of the curve, or no secret of the right length."""


def is_available() -> bool:
    """Whether the library is installed that encrypts pushes."""
    return find_spec("cryptography") is not None


def server_key(secret: bytes) -> "EllipticCurvePrivateKey":
    """Return the key of the server, which follows from its secret."""
    from cryptography.hazmat.primitives.asymmetric import ec

    number = int.from_bytes(hmac.new(secret, b"web push:", hashlib.sha512).digest())
    return ec.derive_private_key(number % (ORDER - 1) + 1, ec.SECP256R1())


def public_text(key: "EllipticCurvePrivateKey") -> str:
    """Return the public part of a key as browsers take it, in base64url."""
    return to_base64url(_point(key.public_key()))


def new_key() -> "EllipticCurvePrivateKey":
    """Return a key for one content."""
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.generate_private_key(ec.SECP256R1())


def require_keys(p256dh: str, auth: str) -> None:
    """Check the keys of a browser, in base64url.

    :raises BadKey: one is not valid
    """
    _public_key(p256dh)
    if len(from_base64url(auth)) != AUTH_BYTES:
        raise BadKey


def authorization_header(key: "EllipticCurvePrivateKey", endpoint: str, subject: str, now: int) -> str:
    """Return the header `Authorization` of a push to an endpoint; *subject* is the address of whom the push
    service can ask.
    """
    import jwt

    parts = urlsplit(endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": now + TOKEN_SECONDS, "sub": subject}
    return f"vapid t={jwt.encode(claims, key, algorithm='ES256')}, k={public_text(key)}"


def encrypt(
    plaintext: bytes, p256dh: str, auth: str, *, key: "EllipticCurvePrivateKey", salt: bytes
) -> bytes:
    """Return the body of a push for the browser with these keys: one record of `aes128gcm`. Nobody else can
    read it, also not with the server's keys. *key* and *salt* are new for each body.

    :raises BadKey: as `require_keys` does
    """
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    browser, own = _public_key(p256dh), _point(key.public_key())
    shared_secret = key.exchange(ec.ECDH(), browser)
    input_key = _expand(from_base64url(auth), shared_secret, b"WebPush: info\0" + _point(browser) + own, 32)
    content_key = _expand(salt, input_key, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _expand(salt, input_key, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD_SIZE.to_bytes(4) + bytes([len(own)]) + own
    last = b"\x02"  # the end of the last record; padding could follow
    return head + AESGCM(content_key).encrypt(nonce, plaintext + last, None)


def _expand(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    """Return one block of HKDF with SHA-256 (RFC 5869)."""
    pseudorandom_key = hmac.new(salt, secret, hashlib.sha256).digest()
    return hmac.new(pseudorandom_key, info + b"\x01", hashlib.sha256).digest()[:length]


def _public_key(p256dh: str) -> "EllipticCurvePublicKey":
    from cryptography.hazmat.primitives.asymmetric import ec

    point = from_base64url(p256dh)
    try:
        if len(point) != POINT_BYTES:
            raise BadKey
        return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError as error:
        raise BadKey from error


def _point(key: "EllipticCurvePublicKey") -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def to_base64url(data: bytes) -> str:
    """Return bytes as base64url without padding."""
    return urlsafe_b64encode(data).decode().rstrip("=")


def from_base64url(text: str) -> bytes:
    """Return the bytes of a text in base64url, with padding or without.

    :raises BadKey: it is none
    """
    try:
        return urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))
    except ValueError as error:
        raise BadKey from error
