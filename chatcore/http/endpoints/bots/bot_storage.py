"""Endpoints for the storage of bots, which lasts between their runs."""

from typing import Annotated

from chatcore.application.arguments import about
from chatcore.application.people import bot_storage
from chatcore.application.services import Services
from chatcore.http.auth import Caller
from chatcore.http.parameters.declaring import Params
from chatcore.http.routing import Answer, Done


class KeysParams(Params, kw_only=True, frozen=True):
    keys: Annotated[list[str] | None, about("The keys; by default all.")] = None


class StorageAnswer(Answer, frozen=True, kw_only=True):
    storage: dict[str, str]


def get(svc: Services, caller: Caller, p: KeysParams) -> StorageAnswer:
    """Get stored values of the caller's account."""
    return StorageAnswer(storage=dict(bot_storage.get_storage(svc, caller.actor, p.keys)))


class PutParams(Params, kw_only=True, frozen=True):
    storage: Annotated[dict[str, str], about("Values by their keys; other keys stay as they are.")]


def put(svc: Services, caller: Caller, p: PutParams) -> Done:
    """Store values in the caller's account."""
    bot_storage.put_storage(svc, caller.actor, p.storage)
    return Done()


def remove(svc: Services, caller: Caller, p: KeysParams) -> Done:
    """Remove stored values of the caller's account."""
    bot_storage.remove_storage(svc, caller.actor, p.keys)
    return Done()
