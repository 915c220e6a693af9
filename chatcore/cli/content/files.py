"""`chatcore file`"""

from datetime import UTC, datetime
from itertools import islice
from json import dumps
from typing import TYPE_CHECKING

import click

from chatcore.cli.asking import ask, yes_option
from chatcore.cli.opening import opened_organization
from chatcore.cli.options import Number, Option, database_option, json_option
from chatcore.cli.people.accounts import account_of
from chatcore.cli.words import number_of
from chatcore.domain.characters import cleaned_characters
from chatcore.domain.times import SECONDS_PER_DAY

if TYPE_CHECKING:
    from chatcore.application.files.upkeep import ListedFile
    from chatcore.domain.people.users import User

UPLOADS_PATH = "/user_uploads/"

days_option = click.option(
    "--days",
    cls=Option,
    type=Number(1, 36_500),
    default=7,
    show_default=True,
    help="Unused for so many days: a new file may be in a message that somebody is writing.",
)


@click.group()
def file() -> None:
    """List and delete uploaded files."""


@file.command("list", short_help="List uploaded files.")
@database_option
@click.option("--unused", cls=Option, is_flag=True, help="Only files that nothing names.")
@days_option
@click.option("--person", cls=Option, metavar="EMAIL", help="Only files of the account with this address.")
@click.option("--limit", cls=Option, type=Number(min=1), help="The number of files at most.")
@json_option("Print each file as JSON, in a line.")
@click.pass_context
def list_(
    ctx: click.Context,
    database: str,
    unused: bool,
    days: int,
    person: str | None,
    limit: int | None,
    json: bool,
) -> None:
    """List uploaded files, the oldest first, each with its owner and the newest message that links to it.

    A file is unused if no message links to it, nor a draft, scheduled message, reminder or saved snippet of
    its owner. Pictures of people and emoji are not among these files.
    """
    from chatcore.application.files.upkeep import list_files

    with opened_organization(ctx, database) as svc:
        owner_id = None if person is None else account_of(svc, person).id
        users = {user.id: user for user in svc.storage.read(lambda snapshot: snapshot.users.all())}
        unused_for = days * SECONDS_PER_DAY if unused else None
        for listed in islice(list_files(svc, owner_id=owner_id, unused_for=unused_for), limit):
            owner = users[listed.attachment.owner_id]
            click.echo(dumps(_as_json(listed, owner)) if json else _format_file(listed, owner))


def _as_json(listed: "ListedFile", owner: "User") -> dict[str, object]:
    attachment = listed.attachment
    return {
        "path_id": attachment.path_id,
        "name": attachment.name,
        "content_type": attachment.content_type,
        "size": attachment.size,
        "uploaded_at": attachment.created // 1000,
        "owner_id": owner.id,
        "owner_email": owner.email,
        "message_id": listed.message_id,
    }


def _format_file(listed: "ListedFile", owner: "User") -> str:
    attachment = listed.attachment
    at = datetime.fromtimestamp(attachment.created // 1000, UTC).date().isoformat()
    place = "no message" if listed.message_id is None else f"message {listed.message_id}"
    return cleaned_characters(f"{at}  {attachment.size:>13,}  {owner.email}  {place}  {attachment.path_id}")


@file.command(short_help="Delete uploaded files.")
@database_option
@click.argument("path_ids", metavar="PATH_ID...", nargs=-1)
@click.option(
    "--unused", cls=Option, is_flag=True, help="All files that nothing names, as the list has them."
)
@days_option
@yes_option
@json_option("Print the result as JSON.")
@click.pass_context
def delete(
    ctx: click.Context,
    database: str,
    path_ids: tuple[str, ...],
    unused: bool,
    days: int,
    yes: bool,
    json: bool,
) -> None:
    """Delete the files with these paths, as in the list and in addresses of files, or all unused ones.

    Of several files, none is deleted if one does not exist. Messages that link to a file stay as they are.
    """
    from chatcore.application.files import upkeep

    if bool(path_ids) == unused:
        raise click.UsageError("Name either files or --unused.")
    with opened_organization(ctx, database) as svc:
        if unused:
            unused_for = days * SECONDS_PER_DAY
            sizes = [listed.attachment.size for listed in upkeep.list_files(svc, unused_for=unused_for)]
            if sizes:
                ask(f"Delete {_describe_files(len(sizes), sum(sizes))}?", yes=yes)
                sizes = [attachment.size for attachment in upkeep.delete_unused(svc, unused_for)]
        else:
            wanted = {path_id.rpartition(UPLOADS_PATH)[2].strip("/") for path_id in path_ids}
            ask(f"Delete {number_of(len(wanted), 'file', 'files')}?", yes=yes)
            sizes = [attachment.size for attachment in upkeep.delete_files(svc, wanted)]
    if json:
        click.echo(dumps({"deleted": len(sizes), "bytes": sum(sizes)}))
    else:
        click.echo(f"{_describe_files(len(sizes), sum(sizes))} deleted.")


def _describe_files(files: int, size: int) -> str:
    return f"{number_of(files, 'file', 'files')} ({number_of(size, 'byte', 'bytes')})"
