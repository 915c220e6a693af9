"""The key-value storage of a program's account. Its changes have no events."""

from collections.abc import Mapping, Sequence
from typing import Annotated, TypeAlias

from chatcore.application.arguments import about
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, read_only, unit_of_work
from chatcore.domain.groups.actors import Actor
from chatcore.domain.people.bot_storage import (
    keys_asked_for,
    no_such_key,
    require_storable,
    require_within_limits,
)

Keys: TypeAlias = Annotated[Sequence[str] | None, about("The keys; by default all.")]


def get_storage(svc: Services, actor: Actor, keys: Keys = None) -> Mapping[str, str]:
    """Get stored values of the caller's account.

    :param keys: None for all
    :raises BadRequest: one of the keys does not exist
    """
    return _read_values(svc, actor, None if keys is None else keys_asked_for(keys, svc.limits))


@read_only
def _read_values(view: View, me: Actor, wanted_keys: Sequence[str] | None) -> Mapping[str, str]:
    values = view.snapshot.bot_storage.get(me.user_id, wanted_keys)
    if wanted_keys is not None and len(values) < len(wanted_keys):
        raise no_such_key()
    return values


def put_storage(
    svc: Services,
    actor: Actor,
    values: Annotated[Mapping[str, str], about("Values by their keys; other keys stay as they are.")],
) -> None:
    """Store values in the caller's account.

    :raises BadRequest: an invalid key or value, or more than an account may store
    """
    require_within_limits(
        len(values), sum(len(key) + len(value) for key, value in values.items()), svc.limits
    )
    require_storable(values)
    _store_values(svc, actor, values)


@unit_of_work
def _store_values(unit: Unit, me: Actor, values: Mapping[str, str]) -> None:
    unit.tx.bot_storage.put(me.user_id, values)
    require_within_limits(*unit.tx.bot_storage.size(me.user_id), unit.limits)


def remove_storage(svc: Services, actor: Actor, keys: Keys = None) -> None:
    """Remove stored values of the caller's account.

    :param keys: None for all
    :raises BadRequest: one of the keys does not exist; then all stay
    """
    _remove_values(svc, actor, None if keys is None else keys_asked_for(keys, svc.limits))


@unit_of_work
def _remove_values(unit: Unit, me: Actor, wanted_keys: Sequence[str] | None) -> None:
    removed = unit.tx.bot_storage.remove(me.user_id, wanted_keys)
    if wanted_keys is not None and removed < len(wanted_keys):
        raise no_such_key()
