"""`chatcore message`"""

from datetime import UTC, datetime
from json import dumps
from typing import TYPE_CHECKING, Any

import click

from chatcore.cli.asking import ask, yes_option
from chatcore.cli.opening import opened_organization
from chatcore.cli.options import Failure, database_option, json_option
from chatcore.cli.words import number_of
from chatcore.domain.characters import cleaned_characters
from chatcore.domain.ids import MAX_INTEGER

if TYPE_CHECKING:
    from chatcore.storage import Snapshot

MESSAGE_ID = click.IntRange(1, MAX_INTEGER)


@click.group()
def message() -> None:
    """Show and delete messages, also direct ones."""


@message.command(short_help="Show a message.")
@database_option
@click.argument("message_id", metavar="ID", type=MESSAGE_ID)
@json_option("Print the message as JSON.")
@click.pass_context
def show(ctx: click.Context, database: str, message_id: int, json: bool) -> None:
    """Print the message with the id ID: who has sent it, where, when, its text, and the files that it links
    to. Who can run this command can read every message.
    """
    with opened_organization(ctx, database) as svc:
        facts = svc.storage.read(lambda snapshot: _read_message(snapshot, message_id))
    if json:
        click.echo(dumps(facts))
        return
    place = (
        f"{facts['stream']} > {facts['topic']}" if facts["type"] == "stream" else ", ".join(facts["people"])
    )
    at = datetime.fromtimestamp(facts["timestamp"], UTC).isoformat(" ", "seconds")
    head = [
        f"{facts['id']}  {at}  {facts['sender_email']}",
        f"to: {place}",
        *map("file: {}".format, facts["files"]),
    ]
    for line in [*head, "", *facts["content"].splitlines()]:
        click.echo(cleaned_characters(line))


def _read_message(snapshot: "Snapshot", message_id: int) -> dict[str, Any]:
    """Return what a message is, as JSON has it.

    :raises Failure: there is none
    """
    found = snapshot.messages.find(message_id)
    if found is None:
        raise Failure(f"There is no message {message_id}.")
    people = () if found.conversation is None else sorted(found.conversation.user_ids)
    users = snapshot.users.by_ids([found.sender_id, *people])
    place: dict[str, Any] = {"type": "private", "people": [users[user_id].email for user_id in people]}
    if found.channel_id is not None:
        channel = snapshot.channels.by_ids([found.channel_id])[found.channel_id]
        place = {"type": "stream", "stream_id": channel.id, "stream": channel.name, "topic": found.topic}
    return {
        "id": found.id,
        "sender_id": found.sender_id,
        "sender_email": users[found.sender_id].email,
        **place,
        "timestamp": found.timestamp,
        "last_edit_timestamp": found.last_edit_timestamp,
        "content": found.content,
        "files": [file.path_id for file in snapshot.attachments.of_messages([found.id])],
    }


@message.command(short_help="Delete messages.")
@database_option
@click.argument("message_ids", metavar="ID...", nargs=-1, required=True, type=MESSAGE_ID)
@yes_option
@json_option("Print the result as JSON.")
@click.pass_context
def delete(ctx: click.Context, database: str, message_ids: tuple[int, ...], yes: bool, json: bool) -> None:
    """Delete the messages with these ids for everybody: all of them, or none if one does not exist. Clients
    are notified at once. Files that only these messages link to stay for some weeks.
    """
    from chatcore.application.messages.deleting import delete_messages

    wanted = set(message_ids)
    named = number_of(len(wanted), "message", "messages")
    with opened_organization(ctx, database) as svc:
        ask(f"Delete {named}?", yes=yes)
        delete_messages(svc, wanted)
    click.echo(dumps({"deleted": len(wanted)}) if json else f"{named} deleted.")
