"""`chatcore session` and `chatcore queue`: browsers that are logged in, and clients that hear events."""

from datetime import UTC, datetime
from json import dumps

import click

from chatcore.cli.opening import actor_of, opened_organization
from chatcore.cli.options import database_option, json_option
from chatcore.cli.people.accounts import account_of
from chatcore.cli.words import number_of
from chatcore.domain.ids import MAX_INTEGER


@click.group()
def session() -> None:
    """List and end the sessions of browsers."""


@session.command("list", short_help="List the browsers in which an account is logged in.")
@database_option
@click.argument("email")
@json_option("Print the result as JSON.")
@click.pass_context
def list_sessions(ctx: click.Context, database: str, email: str, json: bool) -> None:
    """List the browsers in which the account with the address EMAIL is logged in, the one used last first."""
    from chatcore.application.people.sessions import list_own

    with opened_organization(ctx, database) as svc:
        sessions = list_own(svc, actor_of(svc, account_of(svc, email)))
    if json:
        click.echo(dumps(sessions))
        return
    if not sessions:
        click.echo("The account is not logged in in any browser.")
    for session in sessions:
        used, address = _format_time(session["last_used"]), session["ip_address"]
        click.echo(f"{session['id']:>6}  {used}  {address:<15}  {session['user_agent']}")


@session.command("end", short_help="Log an account out of its browsers.")
@database_option
@click.argument("email")
@click.option(
    "--id", "session_id", type=click.IntRange(1, MAX_INTEGER), help="Only this session, as the list has it."
)
@json_option("Print the result as JSON.")
@click.pass_context
def end_sessions(ctx: click.Context, database: str, email: str, session_id: int | None, json: bool) -> None:
    """Log the account with the address EMAIL out of its browsers. Its event queues end, its key stays."""
    from chatcore.application.people import sessions

    with opened_organization(ctx, database) as svc:
        actor = actor_of(svc, account_of(svc, email))
        before = sessions.list_own(svc, actor)
        if session_id is None:
            sessions.end_others(svc, actor)
        else:
            sessions.end(svc, actor, session_id)
        ended = len(before) - len(sessions.list_own(svc, actor))
    click.echo(dumps({"ended": ended}) if json else f"{number_of(ended, 'session', 'sessions')} ended.")


@click.group()
def queue() -> None:
    """List and end event queues, by which clients hear what happens."""


@queue.command("list")
@database_option
@click.argument("email", required=False)
@json_option("Print the result as JSON.")
@click.pass_context
def list_queues(ctx: click.Context, database: str, email: str | None, json: bool) -> None:
    """List the event queues of all accounts, or of the one with the address EMAIL."""
    with opened_organization(ctx, database) as svc:
        if email is None:
            queues = svc.storage.read(lambda snapshot: snapshot.queues.all())
        else:
            user_id = account_of(svc, email).id
            queues = svc.storage.read(lambda snapshot: snapshot.queues.of_user(user_id))
        owners = svc.storage.read(lambda snapshot: snapshot.users.by_ids([queue.user_id for queue in queues]))
    rows = [
        {
            "queue_id": queue.id,
            "user_id": queue.user_id,
            "email": owners[queue.user_id].email,
            "used_at": int(queue.last_seen),
            "lifespan": queue.registration.lifespan,
        }
        for queue in queues
    ]
    if json:
        click.echo(dumps(rows))
        return
    if not queues:
        click.echo("There are no event queues.")
    for queue in queues:
        click.echo(f"{queue.id}  {_format_time(queue.last_seen)}  {owners[queue.user_id].email}")


@queue.command("end", short_help="End the event queues of an account.")
@database_option
@click.argument("email")
@json_option("Print the result as JSON.")
@click.pass_context
def end_queues(ctx: click.Context, database: str, email: str, json: bool) -> None:
    """End all event queues of the account with the address EMAIL. Its clients register anew."""
    from chatcore.application.events.ending import end_queues

    with opened_organization(ctx, database) as svc:
        ended = end_queues(svc, account_of(svc, email).id)
    click.echo(dumps({"ended": ended}) if json else f"{number_of(ended, 'queue', 'queues')} ended.")


def _format_time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(" ", "seconds")
