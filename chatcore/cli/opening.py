"""The organization that a command works on."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import click

from chatcore.cli.options import Failure, settings_of
from chatcore.settings import Settings

if TYPE_CHECKING:
    from chatcore.application.services import Services
    from chatcore.domain.groups.actors import Actor
    from chatcore.domain.people.users import User


@contextmanager
def opened_organization(ctx: click.Context, database: str) -> "Iterator[Services]":
    """Return the services of the organization in the database, without creating or migrating anything."""
    with opened_services(settings_of(ctx, database)) as svc:
        yield svc


@contextmanager
def opened_services(settings: Settings, *, is_new: bool = False) -> "Iterator[Services]":
    """Return the services for a command: the audit log has its changes as those of the console. A database
    that *is new* is migrated, and may be empty.
    """
    from chatcore.bootstrap import open_services
    from chatcore.domain.organization.audit import Origin, OriginKind

    svc = open_services(settings, migrate=is_new, may_be_empty=is_new)
    with closing(svc.storage):
        yield svc.asked_by(Origin(OriginKind.CONSOLE))


def acting_owner(svc: "Services") -> "Actor":
    """Return the owner as whom commands do what needs an account."""
    from chatcore.application import units
    from chatcore.application.people.identity import oldest_owner

    return units.read(svc, oldest_owner)


def actor_of(svc: "Services", account: "User") -> "Actor":
    """Return an account as the actor of a use case.

    :raises Failure: it is deactivated
    """
    actors = svc.storage.read(lambda snapshot: snapshot.users.actors([account.id], svc.now))
    if account.id not in actors:
        raise Failure(f"The account of '{account.email}' is deactivated; reactivate it first.")
    return actors[account.id]
