"""Files that belong to a row which is no upload, such as pictures of people.

Until that row is stored, and when it has gone, a row of the unfinished uploads lists the file: so
`uploads.sweep` removes what a process that is killed leaves.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress

from chatcore.application import units
from chatcore.application.files import pictures, uploads
from chatcore.application.services import Services
from chatcore.application.units import Unit
from chatcore.domain.files.uploads import UnfinishedUpload, path_id_of, require_disk
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.storage import StorageNotReady, Transaction

NAME = "file"


@contextmanager
def storing(svc: Services, actor: Actor, files: Mapping[str, bytes]) -> Iterator[None]:
    """Store files by their keys, for a unit of work in the context that calls `keep`. They are removed if the
    context fails.

    :raises QuotaExceeded: too little disk space, or no room beside the uploads of the actor or of all
    """
    size = sum(map(len, files.values()))
    require_disk(size, svc.files.free_space(), svc.limits)
    expires_at = svc.now + svc.limits.unfinished_upload_lifetime
    begun = [_upload_of(key, actor.user_id, expires_at) for key in files]
    units.write(svc, _list_files, begun, actor.user_id, size)
    try:
        for key, data in files.items():
            pictures.store(svc, key, data)
        yield
    except BaseException:
        with suppress(StorageNotReady):  # `sweep` removes them later
            for upload in begun:
                uploads.discard(svc, upload)
        raise


def _list_files(unit: Unit, begun: Iterable[UnfinishedUpload], owner_id: UserId, size: int) -> None:
    uploads.require_space(unit, owner_id, size)
    for upload in begun:
        unit.tx.uploads.add(upload)


def keep(tx: Transaction, keys: Collection[str]) -> None:
    """Keep files that `storing` has stored: from now on a row refers to them."""
    tx.uploads.remove([_path_id(key) for key in keys])


def release(tx: Transaction, owner_id: UserId, keys: Collection[str]) -> None:
    """Let `uploads.sweep` remove files to which no row refers any more."""
    for key in keys:
        tx.uploads.add(_upload_of(key, owner_id, expires_at=0))


def _upload_of(key: str, owner_id: UserId, expires_at: int) -> UnfinishedUpload:
    return UnfinishedUpload(path_id=_path_id(key), owner_id=owner_id, name=NAME, expires_at=expires_at)


def _path_id(key: str) -> str:
    folder, _, rest = key.partition("/")
    return path_id_of(folder, rest, NAME)
