"""Changing the name or address of an account, or the visibility of the address: storing and announcing it.

The caller checks permissions before, in the same unit of work.
"""

from collections.abc import Sequence
from dataclasses import replace

from chatcore.application.people.accounts import require_unique_name
from chatcore.application.units import Unit, View
from chatcore.application.visibility.addresses import holder_of
from chatcore.application.visibility.bot_managers import notify_managers
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.people import users as rules
from chatcore.domain.people.erasure import PersonErased
from chatcore.domain.people.users import AvatarSource, EmailVisibility, User, api_email
from chatcore.domain.roles import Role
from chatcore.events.audience import Everyone
from chatcore.events.happened import AddressChanged, AvatarChanged, PersonChanged
from chatcore.events.payloads.users import UserChanges, person
from chatcore.storage import Snapshot, Transaction


def announce_changes(tx: Transaction, user_id: UserId, changes: UserChanges) -> None:
    """Announce changed fields to all users who know the user; they have the same values for all of them."""
    tx.announce(PersonChanged(user_id=user_id, changes=changes), Everyone())


def require_not_erased(snapshot: Snapshot, user: User) -> None:
    """Refuse to change an erased account.

    :raises PersonErased: the account is erased, or is being erased
    """
    if not user.is_active and snapshot.erasures.find(user.id) is not None:
        raise PersonErased


def rename(unit: Unit, user: User, raw: str) -> User:
    """Rename a user.

    :raises BadRequest: an invalid name, or one that is taken where names have to be unique
    """
    name = rules.checked_full_name(raw, unit.limits)
    if name == user.full_name:
        return user
    if unit.tx.organization.get().require_unique_names:
        require_unique_name(unit.tx, name, user_id=user.id)
    if user.is_bot:
        require_name_free_for_bot(unit.tx, user.id, name)
    unit.tx.users.update(user.id, full_name=name)
    unit.record(
        AuditKind.NAME_CHANGED, user.id, before={"full_name": user.full_name}, after={"full_name": name}
    )
    announce_changes(unit.tx, user.id, {"full_name": name})
    notify_managers(unit.tx, user, {"full_name": name})
    return replace(user, full_name=name)


def require_name_free_for_bot(tx: Transaction, bot_id: UserId | None, name: str) -> None:
    """Refuse a name for a bot that another active bot has. *bot_id* is None for a bot that is created.

    :raises BadRequest: another active bot has it
    """
    if any(other.is_bot and other.is_active and other.id != bot_id for other in tx.users.by_names([name])):
        raise rules.name_in_use()


def is_only_owner(snapshot: Snapshot, user: User) -> bool:
    """Whether no other person with an active account is an owner; bots do not count."""
    return [owner.id for owner in _human_owners(snapshot)] == [user.id]


def oldest_owner(view: View) -> Actor:
    """Return the owner whose account is the oldest; there always is one. Programs without an account act as
    this owner where a permission is needed.
    """
    owner = _human_owners(view.snapshot)[0]
    return view.snapshot.users.actors([owner.id], view.now)[owner.id]


def _human_owners(snapshot: Snapshot) -> Sequence[User]:
    """Return the people with active accounts who are owners, the oldest account first."""
    return [user for user in snapshot.users.active_with_roles([Role.OWNER]) if not user.is_bot]


def change_address(unit: Unit, user: User, raw: str) -> User:
    """Change a user's address.

    :raises BadRequest: an invalid address, another user's, or one that the organization refuses
    """
    email = new_address(unit, user, raw)
    if email == user.email:
        return user
    unit.tx.users.update(user.id, email=email)
    unit.record(
        AuditKind.ADDRESS_CHANGED, user.id, before={"email": user.email}, after={"email": email}, by=user.id
    )
    changed = replace(user, email=email)
    who = person(changed, unit.svc.settings.host)
    unit.tx.announce(AddressChanged(person=who), Everyone())
    if changed.email_visibility == EmailVisibility.EVERYONE:
        announce_changes(unit.tx, user.id, {"new_email": email})
    return changed


def new_address(view: View, user: User, raw: str) -> str:
    """Return the address that a user can have instead of the present one; it may be the present one.

    :raises BadRequest: an invalid address, another user's, or one that the organization refuses
    """
    email = rules.checked_email_address(raw, view.svc.settings.host)
    if email == user.email:
        return email
    holder = holder_of(view, email)
    if holder is not None and holder.id != user.id:
        raise rules.email_in_use(email)
    if not user.is_bot:
        view.snapshot.organization.get().require_address(email)
    return email


def change_visibility(unit: Unit, user: User, visibility: EmailVisibility) -> User:
    """Change who can see the real address, and notify everybody of the address that they can see now, also
    those who can no longer see the real one.
    """
    settings = unit.svc.settings
    unit.tx.users.update(user.id, email_visibility=visibility)
    changed = replace(user, email_visibility=visibility)
    who = person(changed, settings.host)
    unit.tx.announce(AddressChanged(person=who, also_hidden=True), Everyone())
    if who.api_email != api_email(user, settings.host):
        announce_changes(unit.tx, user.id, {"new_email": who.api_email})
    if settings.gravatar and user.avatar_source == AvatarSource.GRAVATAR:
        # Clients that derive the picture from the address can no longer do so.
        unit.tx.announce(AvatarChanged(person=who, follows_from_address=True), Everyone())
    return changed
