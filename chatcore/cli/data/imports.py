"""`chatcore import`"""

from pathlib import Path

import click

from chatcore.cli.opening import opened_organization, opened_services
from chatcore.cli.options import Failure, Option, database_option, settings_of
from chatcore.cli.words import number_of
from chatcore.domain.characters import cleaned_characters


@click.group("import", short_help="Import messages, or an organization.")
def import_() -> None:
    """Import messages from other systems, or a whole organization from an archive."""


@import_.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False, readable=True))
@database_option
@click.option(
    "--subscribe-everybody", cls=Option, is_flag=True, help="Subscribe all people to all of its channels."
)
@click.pass_context
def corpus(ctx: click.Context, file: Path, database: str, subscribe_everybody: bool) -> None:
    """Import FILE into an organization: a message a line, plain or .gz, like

    \b
    {"timestamp": 1700000000, "channel": "lunch", "topic": "soup", "sender": "User 7", "content": "Hi"}

    Missing accounts of senders and missing channels are created; "sender_email" names a sender by the
    address of an account. No message is imported twice: an import that was interrupted continues when it is
    run again, and of a file that has grown only the new messages are imported. Afterwards all messages count
    as read.
    """
    from chatcore.application.imports.corpus import read_corpus
    from chatcore.application.imports.importing import import_corpus

    with opened_organization(ctx, database) as svc:
        click.echo(f"Reading {file} …", err=True)
        contents = read_corpus(file, svc.limits, now=svc.now, host=svc.settings.host)
        try:
            with ProgressBar(contents.size) as progress:
                done = import_corpus(
                    svc, contents, subscribe_everybody=subscribe_everybody, progress=progress.reach
                )
        except KeyboardInterrupt:
            raise Failure("Interrupted; run the command again to continue from there.") from None
    if done.already == done.messages:
        click.echo(f"{file} has been imported before; there is nothing to do.")
        return
    users, channels = number_of(done.users, "user", "users"), number_of(done.channels, "channel", "channels")
    again = f", {done.already:,} of them by an earlier run" if done.already else ""
    files = f" {number_of(done.without_files, 'message links', 'messages link')} to files that are not there."
    messages = number_of(done.messages, "message", "messages")
    click.echo(f"{messages}{again}; {users}, {channels}.{files if done.without_files else ''}")
    click.echo("Next: chatcore serve; 'chatcore user list' shows the accounts")


@import_.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False, readable=True))
@database_option
@click.pass_context
def archive(ctx: click.Context, file: Path, database: str) -> None:
    """Restore an organization from FILE, which 'chatcore export' has written, into an empty database.

    Everything is restored, or nothing. People keep their addresses and get new API keys; nobody has a
    password until 'chatcore user password' sets one. Restore only archives of servers that you trust:
    messages are shown to browsers as the archive has them.
    """
    from chatcore.application.archives.format import BadArchive
    from chatcore.application.archives.restoring import restore_archive
    from chatcore.application.organization.founding import is_initialized

    try:
        with opened_services(settings_of(ctx, database), is_new=True) as svc:
            if is_initialized(svc):
                raise Failure("The database has an organization already; an archive needs an empty database.")
            with ProgressBar(None, "Restoring") as progress:
                done = restore_archive(svc, file, progress=progress.step)
    except BadArchive as error:
        raise Failure(f"{file} cannot be restored: {error}.") from error
    except KeyboardInterrupt:
        raise Failure("Interrupted; nothing was restored.") from None
    people = number_of(done.users, "account", "accounts")
    channels = number_of(done.channels, "channel", "channels")
    messages = number_of(done.messages, "message", "messages")
    files = number_of(done.files, "file", "files")
    click.echo(f"'{cleaned_characters(done.organization)}': {people}, {channels}, {messages}, {files}.")
    click.echo("Next: chatcore user password EMAIL; chatcore serve")


class ProgressBar:
    """A bar with rate and remaining time; nothing without a terminal."""

    def __init__(self, total: int | None, title: str = "Importing") -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            TextColumn("left"),
            console=console,
            auto_refresh=False,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task(title, total=total, rate="")
        self._first: int | None = None
        self._step = ""

    def reach(self, done: int) -> None:
        """Set the number of stored messages. The rate counts only messages after the first call."""
        if self._first is None:
            self._first = done
            self._bar.reset(self._task)
        seconds = self._bar.tasks[0].elapsed or 0.0
        rate = f"{(done - self._first) / seconds:,.0f}/s" if seconds else ""
        self._bar.update(self._task, completed=done, rate=rate, refresh=True)

    def step(self, name: str, done: int) -> None:
        """Set the number of messages of a step, which begins anew with another name."""
        if self._step != name:
            self._step, self._first = name, None
        self.reach(done)

    def __enter__(self) -> "ProgressBar":
        self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.stop()
