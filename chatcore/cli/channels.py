"""`chatcore channel`"""

from json import dumps
from typing import TYPE_CHECKING

import click

from chatcore.cli.opening import acting_owner, opened_organization
from chatcore.cli.options import Failure, Option, database_option, json_option
from chatcore.cli.words import number_of

if TYPE_CHECKING:
    from chatcore.application.services import Services
    from chatcore.domain.channels.channels import Channel


@click.group()
def channel() -> None:
    """List, create and archive channels, also private ones."""


@channel.command("list")
@database_option
@json_option("Print the channels as JSON.")
@click.pass_context
def list_(ctx: click.Context, database: str, json: bool) -> None:
    """List all channels by name, also archived ones."""
    with opened_organization(ctx, database) as svc:
        channels = svc.storage.read(lambda snapshot: snapshot.channels.all())
    if json:
        click.echo(dumps([_as_json(channel) for channel in channels]))
        return
    for channel in channels:
        state = "  (archived)" if channel.is_archived else ""
        click.echo(f"{channel.id:>6}  {_kind_of(channel):<10}  {channel.name}{state}")


@channel.command()
@database_option
@click.argument("name")
@json_option("Print the channel as JSON.")
@click.pass_context
def show(ctx: click.Context, database: str, name: str, json: bool) -> None:
    """Print what the channel NAME is."""
    with opened_organization(ctx, database) as svc:
        _print_channel(channel_of(svc, name), as_json=json)


@channel.command(short_help="Create a channel.")
@database_option
@click.argument("name")
@click.option("--description", cls=Option, default="", help="What it is for, in Markdown.")
@click.option("--private", cls=Option, is_flag=True, help="Only subscribers see it.")
@json_option("Print the channel as JSON.")
@click.pass_context
def create(ctx: click.Context, database: str, name: str, description: str, private: bool, json: bool) -> None:
    """Create the channel NAME, in the name of the owner who has been here longest, its only subscriber."""
    from chatcore.application.channels.creation import Creation
    from chatcore.application.channels.subscribing import subscribe
    from chatcore.application.channels.subscription_plans import Subscribe, WantedChannel

    wanted = Subscribe(
        channels=[WantedChannel(name, description)], creation=Creation(invite_only=private), must_be_new=True
    )
    with opened_organization(ctx, database) as svc:
        (channel_id,) = subscribe(svc, acting_owner(svc), wanted).created
        _print_channel(
            svc.storage.read(lambda snapshot: snapshot.channels.by_ids([channel_id]))[channel_id],
            as_json=json,
        )


@channel.command(short_help="Archive a channel.")
@database_option
@click.argument("name")
@json_option("Print the channel as JSON.")
@click.pass_context
def archive(ctx: click.Context, database: str, name: str, json: bool) -> None:
    """Archive the channel NAME, in the name of the owner who has been here longest. It can still be read."""
    from chatcore.application.channels.archiving import archive_channel

    with opened_organization(ctx, database) as svc:
        archive_channel(svc, acting_owner(svc), channel_of(svc, name).id)
        _print_channel(channel_of(svc, name), as_json=json)


def channel_of(svc: "Services", name: str) -> "Channel":
    """Return the channel with this name.

    :raises Failure: there is none
    """
    found = svc.storage.read(lambda snapshot: snapshot.channels.find_by_name(name))
    if found is None:
        raise Failure(f"There is no channel '{name}'; see 'chatcore channel list'.")
    return found


def _kind_of(channel: "Channel") -> str:
    if channel.is_web_public:
        return "web-public"
    return "private" if channel.invite_only else "public"


def _as_json(channel: "Channel") -> dict[str, object]:
    return {
        "stream_id": channel.id,
        "name": channel.name,
        "description": channel.description,
        "kind": _kind_of(channel),
        "is_archived": channel.is_archived,
        "subscriber_count": channel.subscriber_count,
        "date_created": channel.date_created,
    }


def _print_channel(channel: "Channel", *, as_json: bool) -> None:
    if as_json:
        click.echo(dumps(_as_json(channel)))
        return
    archived = ", archived" if channel.is_archived else ""
    subscribers = number_of(channel.subscriber_count, "subscriber", "subscribers")
    click.echo(f"{channel.name}: {_kind_of(channel)}{archived}, {subscribers}")
    if channel.description:
        click.echo(channel.description)
