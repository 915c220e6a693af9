"""The data folder of an organization, and the secret in it, from which API keys are derived."""

import secrets
from pathlib import Path
from typing import Final

from chatcore.disk import open_private
from chatcore.domain.organization.organization import Organization
from chatcore.domain.people.api_keys import secret_fingerprint
from chatcore.settings import DATA_DIR, BadSetting, Settings, sqlite_file

IN_MEMORY: Final = "sqlite:///:memory:"
"""The address of a database that ends with its process, as its secret does."""
SECRET_BYTES: Final = 32
SECRET_FILE: Final = "secret_key"
_WHERE_TO: Final = "name its folder with CHATCORE_DATA_DIR, or its file with CHATCORE_SECRET_KEY_FILE"


def data_dir(settings: Settings) -> Path:
    """Return the folder of uploads and the secret: beside the database file, or in the working directory."""
    if settings.data_dir is not None:
        return settings.data_dir
    file = sqlite_file(settings.database_url)
    return Path(DATA_DIR) if file is None else file.parent / DATA_DIR


def secret_for(settings: Settings, organization: Organization | None) -> bytes:
    """Return the secret from which API keys are derived.

    It is created only for an organization that does not exist yet: a new secret would invalidate every key.

    :raises BadSetting: the secret is missing, another one, too short, or others can read it
    """
    secret = settings.secret_key
    if not secret and settings.database_url == IN_MEMORY:
        secret = secrets.token_bytes(SECRET_BYTES)
    if not secret:
        path = data_dir(settings) / SECRET_FILE
        if organization is None:
            _make_secret(path)
        secret = _read_secret(path)
    if organization is not None and organization.secret_fingerprint not in ("", secret_fingerprint(secret)):
        raise BadSetting(
            "the secret differs from that of this organization, so that all API keys would be invalid;"
            f" {_WHERE_TO}"
        )
    return secret


def _make_secret(path: Path) -> None:
    """Create a secret in a file that only its owner can read; keep an existing one."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open_private(path) as file:
            file.write(secrets.token_hex(SECRET_BYTES).encode())
    except FileExistsError:
        return
    except OSError as error:
        raise BadSetting(f"the secret cannot be written to {path}: {error.strerror}; {_WHERE_TO}") from error


def require_private(path: Path) -> None:
    """Check that only its owner can read a file with a secret.

    :raises BadSetting: others can
    :raises OSError: there is no such file
    """
    if path.stat().st_mode & 0o077:
        raise BadSetting(f"others can read the secret in {path}; run: chmod 600 {path}")


def _read_secret(path: Path) -> bytes:
    try:
        require_private(path)
        secret = path.read_bytes().strip()
    except FileNotFoundError as error:
        raise BadSetting(f"the secret of this organization is not in {path}; {_WHERE_TO}") from error
    except OSError as error:
        raise BadSetting(f"the secret in {path} cannot be read: {error.strerror}") from error
    if len(secret) < SECRET_BYTES:
        raise BadSetting(f"the secret in {path} is too short; restore it from a backup")
    return secret
