"""The secret in a backup: only the passphrase opens it."""

from base64 import urlsafe_b64encode
from hashlib import scrypt

import pytest
from cryptography.fernet import Fernet
from msgspec import json

from chatcore.backups.manifest import BadBackup
from chatcore.backups.sealing import Sealed, seal, unseal

CONTENT = Sealed(b"s" * 40, "trusted_proxies = 1\n")


def test_the_passphrase_opens_what_it_has_sealed() -> None:
    first, second = seal(CONTENT, b"correct horse"), seal(CONTENT, b"correct horse")
    assert first != second
    assert unseal(first, b"correct horse") == unseal(second, b"correct horse") == CONTENT
    assert CONTENT.secret not in first


@pytest.mark.parametrize("at", [0, 20, -1])
def test_nothing_else_opens_it(at: int) -> None:
    data = bytearray(seal(CONTENT, b"correct horse"))
    with pytest.raises(BadBackup, match="cannot be opened with this passphrase"):
        unseal(bytes(data), b"another horse")
    data[at] ^= 1
    with pytest.raises(BadBackup, match="cannot be opened with this passphrase"):
        unseal(bytes(data), b"correct horse")


@pytest.mark.parametrize("length", [0, 5, 16, 30])
def test_a_part_of_it_cannot_be_opened(length: int) -> None:
    data = seal(CONTENT, b"correct horse")[:length]
    with pytest.raises(BadBackup, match="cannot be opened with this passphrase"):
        unseal(data, b"correct horse")


def test_each_attempt_at_a_passphrase_costs_much() -> None:
    """The key is what scrypt derives with 128 MiB of memory, from the first 16 bytes."""
    data = seal(CONTENT, b"correct horse")
    cost = {"n": 2**17, "r": 8, "p": 1, "maxmem": 2**28}
    key = urlsafe_b64encode(scrypt(b"correct horse", salt=data[:16], dklen=32, **cost))
    assert json.decode(Fernet(key).decrypt(data[16:]), type=Sealed) == CONTENT
