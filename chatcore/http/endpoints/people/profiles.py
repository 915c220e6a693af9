"""Endpoints for the caller's values of custom profile fields."""

from typing import Annotated

import msgspec

from chatcore.application.arguments import about
from chatcore.application.people import profiles
from chatcore.application.people.profiles import Entry
from chatcore.application.services import Services
from chatcore.http.parameters.declaring import Params
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Done


class ProfileEntry(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    value: str | list[int] | None


def read_entries(given: list[ProfileEntry] | None) -> list[Entry]:
    return [Entry(entry.id, entry.value) for entry in given or ()]


class UpdateProfileParams(Params, kw_only=True, frozen=True):
    data: Annotated[list[ProfileEntry], about("Ids of fields with their values, or ids alone to clear them.")]


def update_profile(svc: Services, caller: Caller, p: UpdateProfileParams) -> Done:
    """Change the caller's values of custom profile fields."""
    profiles.update_own(svc, caller.actor, read_entries(p.data))
    return Done()
