"""Pictures of people: their addresses, and changing the actor's own picture.

Every picture has an address that nobody can guess, as browsers load it without a login.
"""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from typing import BinaryIO

from chatcore.application.files import listed_files, pictures, uploads
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, read_only, unit_of_work
from chatcore.application.visibility.addresses import find_user
from chatcore.application.visibility.bot_managers import notify_managers
from chatcore.application.visibility.users import people_for
from chatcore.domain.errors import LoginRequired
from chatcore.domain.files.uploads import ORGANIZATION, NoSuchFile
from chatcore.domain.groups.actors import Actor
from chatcore.domain.people.avatars import (
    AvatarChangesDisabled,
    file_key,
    file_key_of_name,
    generated_picture,
    unknown_url,
)
from chatcore.domain.people.users import AvatarSource, User
from chatcore.events.audience import Everyone
from chatcore.events.happened import AvatarChanged
from chatcore.events.payloads.users import avatar_url, person
from chatcore.storage import Transaction
from chatcore.storage.files import FileMissing
from chatcore.storage.people.users import UserFields

# -- reading ----------------------------------------------------------------------------------------


@read_only
def picture_of(view: View, me: Actor | None, target: int | str, *, medium: bool = False) -> str:
    """Return the address of the picture of the user with an id or address.

    A user whom the actor may not know of has the same picture as an unknown user.

    :raises LoginRequired: no actor, and *target* is an address, or the organization is not open to the web
    """
    snapshot = view.snapshot
    if me is None and (isinstance(target, str) or not snapshot.organization.get().enable_spectator_access):
        raise LoginRequired
    user = find_user(view, me, target)
    if user is None:
        return unknown_url()
    return avatar_url(people_for(snapshot, me, [user], view.svc.settings.host)[user.id], medium=medium)


def open_picture(svc: Services, organization: int, name: str) -> BinaryIO:
    """Open a picture, uploaded or generated, by the parts of its address; the caller closes it.

    :raises NoSuchFile: another *organization* than the one of this server, or no such picture
    """
    if organization != ORGANIZATION:
        raise NoSuchFile
    if (generated := generated_picture(name, svc.settings.host)) is not None:
        return BytesIO(generated)
    if (key := file_key_of_name(name)) is None:
        raise NoSuchFile
    try:
        return svc.files.open(key)
    except FileMissing as error:
        raise NoSuchFile from error


# -- changing ---------------------------------------------------------------------------------------


def set_own_picture(svc: Services, actor: Actor, pieces: Iterable[bytes]) -> str:
    """Set another picture of the actor, and return its address.

    :raises FileTooLarge, BadImage, QuotaExceeded, AvatarChangesDisabled, UploadsDisabled:
    :raises RateLimited: another picture of the actor is being processed
    """
    _require_may_change_picture(svc, actor)
    with stored_picture(svc, actor, pieces) as key:
        return _change_own_picture(svc, actor, AvatarSource.UPLOADED, key)


@contextmanager
def stored_picture(svc: Services, actor: Actor, pieces: Iterable[bytes]) -> Iterator[str]:
    """Store a picture that the actor sends, and give its key, for a unit of work that calls `change_picture`
    or `keep_picture`. It is removed if the context fails.

    :raises FileTooLarge, BadImage, QuotaExceeded, RateLimited: as `set_own_picture` does
    """
    picture = pictures.avatar(svc, actor, pieces)
    key = secrets.token_urlsafe(18)
    files = dict(zip(_file_keys(key), (picture.small, picture.medium), strict=True))
    with listed_files.storing(svc, actor, files):
        yield key


def remove_own_picture(svc: Services, actor: Actor) -> str:
    """Replace the caller's picture by a generated one.

    :returns: the address of the generated picture
    :raises AvatarChangesDisabled:
    """
    return _change_own_picture(svc, actor, AvatarSource.GRAVATAR, "")


@read_only
def _require_may_change_picture(view: View, me: Actor) -> None:
    if view.snapshot.organization.get().avatar_changes_disabled and not me.role.is_administrator:
        raise AvatarChangesDisabled


def _file_keys(key: str) -> Sequence[str]:
    """Return the keys of the two files of a picture, the small one first."""
    return [file_key(key, medium=medium) for medium in (False, True)]


def keep_picture(tx: Transaction, key: str) -> None:
    """Keep the files of a picture that an account has from now on."""
    listed_files.keep(tx, _file_keys(key))


def _change_own_picture(svc: Services, actor: Actor, source: str, key: str) -> str:
    """Change the picture and remove the files of the previous one; return the new address."""
    url = _store_change(svc, actor, source, key)
    uploads.sweep(svc)
    return url


@unit_of_work
def _store_change(unit: Unit, me: Actor, source: str, key: str) -> str:
    """Store and announce the new picture, and release the previous one."""
    _require_may_change_picture.within(unit, me)
    user = unit.tx.users.get(me.user_id)
    if (user.avatar_source, user.avatar_key) != (source, key):
        user = change_picture(unit, user, source, key)
    return avatar_url(person(user, unit.svc.settings.host))


def change_picture(unit: Unit, old: User, source: str, key: str) -> User:
    """Store and announce another picture of an account. `uploads.sweep` removes the previous one."""
    if key:
        keep_picture(unit.tx, key)
    if old.avatar_key:
        listed_files.release(unit.tx, old.id, _file_keys(old.avatar_key))
    changes: UserFields = {
        "avatar_source": source,
        "avatar_key": key,
        "avatar_version": old.avatar_version + 1,
    }
    unit.tx.users.update(old.id, **changes)
    user = replace(old, **changes)
    who = person(user, unit.svc.settings.host)
    unit.tx.announce(AvatarChanged(person=who), Everyone())
    notify_managers(unit.tx, user, {"avatar_url": avatar_url(who)})
    return user
