"""The key-value storage of a program's account. Its changes have no events."""

from collections.abc import Mapping, Sequence
from typing import Annotated, TypeAlias

from chatcore.application.arguments import about
from chatcore.application.units import Unit, View, read_only, unit_of_work
from chatcore.domain.groups.actors import Actor
from chatcore.domain.people.bot_storage import keys_asked_for, no_such_key, require_room, require_storable

Keys: TypeAlias = Annotated[Sequence[str] | None, about("The keys; by default all.")]


@read_only
def get_storage(view: View, me: Actor, keys: Keys = None) -> Mapping[str, str]:
    """Get stored values of the caller's account.

    :param keys: None for all
    :raises BadRequest: one of the keys does not exist
    """
    asked = None if keys is None else keys_asked_for(keys, view.limits)
    values = view.snapshot.bot_storage.get(me.user_id, asked)
    if asked is not None and len(values) < len(asked):
        raise no_such_key()
    return values


@unit_of_work
def put_storage(
    unit: Unit,
    me: Actor,
    values: Annotated[Mapping[str, str], about("Values by their keys; other keys stay as they are.")],
) -> None:
    """Store values in the caller's account.

    :raises BadRequest: an invalid key or value, or more than an account may store
    """
    require_storable(values)
    require_room(len(values), sum(len(key) + len(value) for key, value in values.items()), unit.limits)
    unit.tx.bot_storage.put(me.user_id, values)
    require_room(*unit.tx.bot_storage.size(me.user_id), unit.limits)


@unit_of_work
def remove_storage(unit: Unit, me: Actor, keys: Keys = None) -> None:
    """Remove stored values of the caller's account.

    :param keys: None for all
    :raises BadRequest: one of the keys does not exist; then all stay
    """
    asked = None if keys is None else keys_asked_for(keys, unit.limits)
    removed = unit.tx.bot_storage.remove(me.user_id, asked)
    if asked is not None and removed < len(asked):
        raise no_such_key()
