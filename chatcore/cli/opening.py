"""The organization that a command works on."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from chatcore.settings import Settings

if TYPE_CHECKING:
    from chatcore.application.services import Services


@contextmanager
def opened_organization(settings: Settings) -> "Iterator[Services]":
    """Return the services of the organization in the database, without creating or migrating anything."""
    from dataclasses import replace

    from chatcore.bootstrap import open_services
    from chatcore.domain.organization.audit import Origin, OriginKind

    svc = open_services(settings)
    try:
        yield replace(svc, origin=Origin(OriginKind.CONSOLE))
    finally:
        svc.storage.close()


def number_of(number: int, singular: str, plural: str) -> str:
    """Return a number with its noun."""
    return f"{number:,} {singular if number == 1 else plural}"
