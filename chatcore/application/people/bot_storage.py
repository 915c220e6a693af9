"""The key-value storage of a program's account. Its changes have no events."""

from collections.abc import Mapping, Sequence

from chatcore.application.services import Services
from chatcore.application.units import refresh_actor
from chatcore.domain.groups.actors import Actor
from chatcore.domain.people.bot_storage import keys_asked_for, no_such_key, require_room, require_storable
from chatcore.storage import Snapshot, Transaction


def get_storage(svc: Services, actor: Actor, keys: Sequence[str] | None = None) -> Mapping[str, str]:
    """Return the values of keys, or of all keys.

    :raises BadRequest: one of the keys does not exist
    """
    asked = None if keys is None else keys_asked_for(keys, svc.limits)

    def read(snapshot: Snapshot) -> Mapping[str, str]:
        found = snapshot.bot_storage.get(actor.user_id, asked)
        if asked is not None and len(found) < len(asked):
            raise no_such_key()
        return found

    return svc.storage.read(read)


def put_storage(svc: Services, actor: Actor, values: Mapping[str, str]) -> None:
    """Store values, replacing those of the same keys; other keys stay.

    :raises BadRequest: an invalid key or value, or more than an account may store
    """
    require_storable(values)
    require_room(len(values), sum(len(key) + len(value) for key, value in values.items()), svc.limits)

    def write(tx: Transaction) -> None:
        user_id = refresh_actor(tx, actor, svc.now).user_id
        tx.bot_storage.put(user_id, values)
        require_room(*tx.bot_storage.size(user_id), svc.limits)

    svc.storage.write(write)


def remove_storage(svc: Services, actor: Actor, keys: Sequence[str] | None = None) -> None:
    """Remove keys with their values, or all keys.

    :raises BadRequest: one of the keys does not exist; then all stay
    """
    asked = None if keys is None else keys_asked_for(keys, svc.limits)

    def write(tx: Transaction) -> None:
        removed = tx.bot_storage.remove(refresh_actor(tx, actor, svc.now).user_id, asked)
        if asked is not None and removed < len(asked):
            raise no_such_key()

    svc.storage.write(write)
