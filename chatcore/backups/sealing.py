"""The secret and the settings file of an organization, sealed with a passphrase."""

import base64
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import msgspec

from chatcore.backups.manifest import BadBackup
from chatcore.settings import BadSetting

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

MIN_PASSPHRASE: Final = 12
SALT_BYTES: Final = 16
"""Bytes of a salt."""
COST: Final = {"n": 2**17, "r": 8, "p": 1}
"""The parameters of scrypt: 128 MiB, and a few tenths of a second for each attempt."""


class Sealed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content, before it is sealed."""

    secret: Annotated[bytes, msgspec.Meta(min_length=1)]
    """The secret from which API keys are derived."""
    settings: str
    """The text of the settings file, empty if there is none."""


def read_passphrase(file: Path) -> bytes:
    """Read a passphrase, the first line of a file.

    :raises BadSetting: the file cannot be read, or the passphrase is too short
    """
    try:
        passphrase = file.read_bytes().partition(b"\n")[0].strip()
    except OSError as error:
        raise BadSetting(f"the passphrase file {file} cannot be read: {error.strerror}") from error
    if len(passphrase) < MIN_PASSPHRASE:
        raise BadSetting(f"the passphrase in {file} has fewer than {MIN_PASSPHRASE} characters")
    return passphrase


def seal(content: Sealed, passphrase: bytes) -> bytes:
    """Encrypt the content: a salt, and a Fernet token with the key that scrypt derives.

    :raises BadSetting: the library is not installed
    """
    salt = os.urandom(SALT_BYTES)
    return salt + _make_fernet(passphrase, salt).encrypt(msgspec.json.encode(content))


def unseal(data: bytes, passphrase: bytes) -> Sealed:
    """Decrypt what `seal` has made.

    :raises BadBackup: another passphrase, or damaged
    :raises BadSetting: the library is not installed
    """
    fernet = _make_fernet(passphrase, data[:SALT_BYTES])
    from cryptography.fernet import InvalidToken

    try:
        return msgspec.json.decode(fernet.decrypt(data[SALT_BYTES:]), type=Sealed)
    except (InvalidToken, msgspec.MsgspecError) as error:
        raise BadBackup("the secret in the backup cannot be opened with this passphrase") from error


def _make_fernet(passphrase: bytes, salt: bytes) -> "Fernet":
    try:
        from cryptography.fernet import Fernet
        from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
    except ModuleNotFoundError as error:
        if error.name != "cryptography":
            raise
        raise BadSetting(
            "a passphrase needs a library; run in the folder of this project: pip install '.[backup]'"
        ) from error
    return Fernet(base64.urlsafe_b64encode(Scrypt(salt=salt, length=32, **COST).derive(passphrase)))
