"""API keys: the credentials of clients."""

import hashlib
import hmac
from base64 import b32encode
from functools import lru_cache

from chatcore.domain.ids import UserId

API_KEY_LENGTH = 32


@lru_cache(maxsize=4096)  # each request needs the key of its caller
def derive_api_key(secret: bytes, user_id: UserId, key_version: int) -> str:
    """Derive a user's API key of 32 letters and digits. None is stored; a new version changes the key."""
    what = f"api-key:{user_id}:{key_version}".encode()
    digest = hmac.new(secret, what, hashlib.sha256).digest()
    return b32encode(digest).decode().lower()[:API_KEY_LENGTH]


@lru_cache(maxsize=256)
def secret_fingerprint(secret: bytes) -> str:
    """Return the stored form of a secret, sufficient to recognize it."""
    return hmac.new(secret, b"fingerprint", hashlib.sha256).hexdigest()[:32]


def service_token(api_key: str) -> str:
    """Derive the token by which the service of an outgoing webhook recognizes our requests. It changes with
    the bot's key, and says nothing about it.
    """
    return hashlib.sha256(f"service-token:{api_key}".encode()).hexdigest()[:API_KEY_LENGTH]
