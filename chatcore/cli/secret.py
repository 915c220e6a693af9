"""`chatcore rotate-secret`"""

import secrets
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chatcore.cli.alone import alone_on
from chatcore.cli.opening import opened_services
from chatcore.cli.options import BadSettings, Failure, database_option, secret_file_of, settings_of
from chatcore.disk import open_private, put_in_place, sync
from chatcore.settings import BadSetting, Settings

if TYPE_CHECKING:
    from chatcore.domain.organization.organization import Organization


@click.command("rotate-secret", short_help="Replace the secret, and end all that follows from it.")
@database_option
@click.option(
    "--file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file of the secret, if CHATCORE_SECRET_KEY has it: it is replaced, or made if it is missing.",
)
@click.pass_context
def rotate_secret(ctx: click.Context, database: str, file: Path | None) -> None:
    """Replace the secret of the organization by a new one: all API keys are new, all sessions of browsers and
    all links in mails end, and all clients log in anew. Passwords stay.

    Stop the server first. On SQLite, a running one is noticed and the command refused; on PostgreSQL, running
    servers refuse all requests until they are started anew. After an interruption, run the command again.
    """
    from chatcore.application.events.secret_replacement import SecretReplaced, replace_secret
    from chatcore.data_folder import SECRET_BYTES
    from chatcore.domain.people.api_keys import secret_fingerprint

    settings = settings_of(ctx, database)
    named = secret_file_of(ctx, settings, is_one_of_several=False)
    path = file or named or _own_path(settings)
    advice = "" if path == named or not settings.secret_key else f"name {path} in CHATCORE_SECRET_KEY_FILE, "
    if path.is_symlink():
        path = path.resolve()  # what a link leads to is replaced, not the link
    with alone_on(settings.database_url):
        unfinished = _unfinished_path(path, _read_organization(settings).secret_fingerprint)
        if _read_secret(unfinished) is not None:
            _put_secret_in_place(unfinished, path, advice)
            return
        with opened_services(settings) as svc:
            if _read_secret(path) not in (None, svc.settings.secret_key):
                raise Failure(f"{path} has another secret than the organization; name another file.")
            new = secrets.token_hex(SECRET_BYTES).encode()
            unfinished = _unfinished_path(path, secret_fingerprint(new))
            _write_secret(unfinished, new)
            try:
                replace_secret(svc, new)
            except SecretReplaced as error:
                unfinished.unlink()
                raise Failure(str(error)) from error
        _put_secret_in_place(unfinished, path, advice)


def _own_path(settings: Settings) -> Path:
    """Return the path of the secret in the data folder.

    :raises BadSettings: it is in a setting instead
    """
    from chatcore.data_folder import SECRET_FILE, data_dir

    if settings.secret_key:
        raise BadSettings(
            "CHATCORE_SECRET_KEY has the secret. Name a new file with --file, and then that file in"
            " CHATCORE_SECRET_KEY_FILE instead."
        )
    return data_dir(settings) / SECRET_FILE


def _unfinished_path(path: Path, fingerprint: str) -> Path:
    """Return the file of a new secret until it is in place. Each secret has its own: of two commands at once,
    neither touches that of the other, and whichever the database has at last is in a file.
    """
    return path.with_name(f"{path.name}.{fingerprint}.new")


def _read_organization(settings: Settings) -> "Organization":
    """Return the organization, whatever the secret is.

    :raises StorageNotReady: there is none, or the database cannot be used
    """
    from chatcore.bootstrap import open_store, require_organization

    with closing(open_store(settings)) as storage:
        return require_organization(settings, storage)


def _read_secret(path: Path) -> bytes | None:
    try:
        return path.read_bytes().strip()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadSetting(f"the secret in {path} cannot be read: {error.strerror}") from error


def _write_secret(path: Path, secret: bytes) -> None:
    """Write a file that only its owner can read; it is durable before the database has the secret."""
    try:
        with open_private(path) as file:
            file.write(secret)
        sync(path)
        sync(path.parent)
    except OSError as error:
        raise Failure(f"{path} cannot be written: {error.strerror}") from error


def _put_secret_in_place(unfinished: Path, path: Path, advice: str) -> None:
    """Put the new secret in place, which the database has already. *advice* is what to do before the server
    starts; it ends with a blank.
    """
    try:
        with suppress(FileNotFoundError):  # another command has put it in place
            put_in_place(unfinished, path)
    except OSError as error:
        raise Failure(
            f"{path} cannot be written: {error.strerror}. The new secret is in {unfinished}, and is in force:"
            " run the command again."
        ) from error
    click.echo(
        f"The new secret is in {path}; {advice}start the server, and give people and programs their new keys."
    )
