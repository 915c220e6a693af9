"""The organization's icon and logos: their addresses, and changing them.

Like pictures of people, each has an address that nobody can guess, and is shown without a login.
"""

import secrets
from collections.abc import Iterable
from typing import BinaryIO

from chatcore.application.files import listed_files, pictures, uploads
from chatcore.application.organization_changes import put_organization
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, read_only, read_organization, unit_of_work
from chatcore.domain.files.uploads import ORGANIZATION, NoSuchFile
from chatcore.domain.groups.actors import Actor
from chatcore.domain.organization.administration import require_administrator
from chatcore.domain.organization.organization import Organization
from chatcore.domain.organization.pictures import PictureKind, file_key, file_key_of_name, url_of
from chatcore.domain.people.avatars import organization_url
from chatcore.events.audience import Everyone
from chatcore.events.happened import OrganizationPictureChanged
from chatcore.storage.files import FileMissing

# -- reading ----------------------------------------------------------------------------------------


def picture_url(organization: Organization, kind: PictureKind) -> str:
    """Return the address of a picture; if none is uploaded, the address of the generated one."""
    key = kind.key(organization)
    return url_of(key) if key else organization_url()


def url_of_picture(svc: Services, kind: PictureKind) -> str:
    """Return the address of a picture now."""
    return picture_url(read_organization(svc), kind)


def open_picture(svc: Services, organization: int, name: str) -> BinaryIO:
    """Open an uploaded picture by the parts of its address; the caller closes it.

    :raises NoSuchFile:
    """
    key = file_key_of_name(name)
    if organization != ORGANIZATION or key is None:
        raise NoSuchFile
    try:
        return svc.files.open(key)
    except FileMissing as error:
        raise NoSuchFile from error


# -- changing ---------------------------------------------------------------------------------------


def set_picture(svc: Services, actor: Actor, kind: PictureKind, pieces: Iterable[bytes]) -> str:
    """Upload a picture of the organization, and return its address.

    :raises InsufficientRole: the actor is not an administrator
    :raises FileTooLarge, BadImage, QuotaExceeded, UploadsDisabled:
    :raises RateLimited: another picture of the actor is being processed
    """
    _require_may_change(svc, actor)
    make = pictures.icon if kind is PictureKind.ICON else pictures.logo
    picture = make(svc, actor, pieces)
    key = secrets.token_urlsafe(18)
    with listed_files.storing(svc, actor, {file_key(key): picture}):
        return _change_picture(svc, actor, kind, key)


def remove_picture(svc: Services, actor: Actor, kind: PictureKind) -> str:
    """Restore the generated picture, and return its address.

    :raises InsufficientRole: the actor is not an administrator
    """
    return _change_picture(svc, actor, kind, "")


def _change_picture(svc: Services, actor: Actor, kind: PictureKind, key: str) -> str:
    """Change the picture and remove the files of the previous one; return the new address."""
    url = _put_key(svc, actor, kind, key)
    uploads.sweep(svc)
    return url


@unit_of_work
def _put_key(unit: Unit, me: Actor, kind: PictureKind, key: str) -> str:
    """Store and announce the new picture, and release the previous one."""
    require_administrator(me)
    before = unit.tx.organization.get()
    after = kind.with_key(before, key)
    url = picture_url(after, kind)
    if after != before:
        put_organization(unit, after)
        if key:
            listed_files.keep(unit.tx, [file_key(key)])
        if old_key := kind.key(before):
            listed_files.release(unit.tx, me.user_id, [file_key(old_key)])
        changed = OrganizationPictureChanged(name=str(kind), source=kind.source(after), url=url)
        unit.tx.announce(changed, Everyone())
    return url


@read_only
def _require_may_change(view: View, me: Actor) -> None:
    require_administrator(me)
