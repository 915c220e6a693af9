"""`chatcore user export` and `erase`"""

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chatcore.cli.asking import ask, yes_option
from chatcore.cli.data.archives import export_with_progress
from chatcore.cli.opening import opened_organization
from chatcore.cli.options import Option, database_option
from chatcore.cli.people.accounts import account_of, user
from chatcore.cli.words import number_of

if TYPE_CHECKING:
    from chatcore.application.services import Services
    from chatcore.domain.ids import UserId

PATIENCE = 20.0
"""Seconds for which the command waits for steps that begin when requests from before have ended."""


@user.command(short_help="Write the data of one person to an archive.")
@database_option
@click.argument("email")
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_context
def export(ctx: click.Context, database: str, email: str, file: Path) -> None:
    """Write the data of the person with the address EMAIL to the new FILE, which only its owner can read. A
    server may be running.

    The archive is for the person: it has no private data of others, no passwords and no keys.
    """
    with opened_organization(ctx, database) as svc:
        account = account_of(svc, email)
        done = export_with_progress(svc, file, person=account.id)
    messages = number_of(done.messages, "message", "messages")
    click.echo(f"{file} contains {messages} and what else is known of {account.email}")


@user.command(short_help="Erase a person.")
@database_option
@click.argument("email")
@click.option(
    "--messages",
    cls=Option,
    type=click.Choice(["keep", "delete"]),
    default="keep",
    show_default=True,
    help="Keep the messages as those of a deleted person, or delete them for everybody.",
)
@yes_option
@click.pass_context
def erase(ctx: click.Context, database: str, email: str, messages: str, yes: bool) -> None:
    """Erase the person with the address EMAIL, and the person's bots. This cannot be undone.

    The account is deactivated for ever, and everything that says whose it was goes, or is replaced. A server
    may be running; if this command is interrupted, the server goes on.
    """
    from chatcore.application.erasure.erasing import erase_person

    with opened_organization(ctx, database) as svc:
        account = account_of(svc, email)
        kept = "kept under another name" if messages == "keep" else "deleted"
        who = f"{account.full_name} ({account.email})"
        ask(f"Erase {who}? The messages are {kept}. This cannot be undone.", yes=yes)
        erase_person(svc, None, account.id, messages=messages)
        is_done = _finish_erasure(svc, account.id)
    click.echo(f"{email} is erased; the account {account.id} is that of a deleted person.")
    if not is_done:
        click.echo(
            "Some clients have still to be told. Then the server that is running, or the next one, removes"
            " what it kept for them."
        )


def _finish_erasure(svc: "Services", user_id: "UserId") -> bool:
    """Do all steps of an erasure that can be done now; return whether they were all."""
    from chatcore.application import units
    from chatcore.application.erasure.steps import continue_erasure, erasures_of

    deadline = time.monotonic() + PATIENCE
    while left := units.read(svc, erasures_of, user_id):
        for erasure in left:
            continue_erasure(svc, erasure.user_id)
        if time.monotonic() > deadline:
            return False
        time.sleep(0.2)
    return True
