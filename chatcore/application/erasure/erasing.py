"""Erasing a person: the account is deactivated and loses its name at once; the rest goes in steps."""

from dataclasses import replace
from typing import Annotated

from chatcore.application.arguments import UserNumber, about
from chatcore.application.people import login_attempts
from chatcore.application.people.avatars import change_picture
from chatcore.application.people.deactivation import deactivate_with_bots
from chatcore.application.people.identity import announce_changes, is_only_owner, require_not_erased
from chatcore.application.services import Services
from chatcore.application.units import Unit, unit_of_work
from chatcore.application.visibility.bot_managers import notify_managers
from chatcore.application.visibility.users import announce_value, no_such_user
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.organization.administration import require_owner
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.people.erasure import (
    Erasure,
    MessagesOfErased,
    address_of_erased,
    name_of_erased,
    require_may_be_erased,
)
from chatcore.domain.people.statuses import Status, changed_parts
from chatcore.domain.people.users import AvatarSource, EmailVisibility, User
from chatcore.domain.retention.holds import MustBeKept
from chatcore.events.audience import Everyone
from chatcore.events.happened import AddressChanged, StatusChanged
from chatcore.events.payloads.users import person
from chatcore.storage.people.users import UserFields


def erase_person(
    svc: Services,
    actor: Actor | None,
    user_id: UserNumber,
    *,
    messages: Annotated[
        str, about("What becomes of the person's messages.", *(choice.value for choice in MessagesOfErased))
    ] = MessagesOfErased.KEEP.value,
) -> None:
    """Erase a person, as an owner: the account is deactivated for ever, and everything that says who it was
    goes, or is replaced. This cannot be undone. The person's bots are erased, too.

    The name, the address and the key are gone when this returns; a server removes the rest soon after.

    :param actor: None for the organization's own tools, which need no permission
    :param messages: `keep` leaves them, as those of a deleted person; `delete` deletes them for everybody
    :raises InsufficientRole: the actor is not an owner
    :raises PersonErased: the person is erased already
    :raises MustBeKept: a legal hold is on the person, or on a bot of the person
    :raises BadRequest: no such person, a bot, the only owner, or another value of *messages*
    """
    try:
        choice = MessagesOfErased(messages)
    except ValueError as error:
        raise BadRequest("Invalid messages") from error
    _begin_erasure(svc, actor, user_id, deletes_messages=choice is MessagesOfErased.DELETE)
    svc.alarms.erasures.ring()


@unit_of_work
def _begin_erasure(unit: Unit, me: Actor | None, user_id: int, *, deletes_messages: bool) -> None:
    if me is not None:
        require_owner(me)
    user = _find_erasable(unit, user_id)
    bots = [account for account in unit.tx.users.all() if account.bot_owner_id == user.id]
    if not unit.tx.holds.present().people.isdisjoint({account.id for account in (user, *bots)}):
        raise MustBeKept
    still_active = [user] if user.is_active else [bot for bot in bots if bot.is_active]
    for account in still_active:  # the bots of an active person are deactivated with the person
        deactivate_with_bots(unit, account)
    for account in (*bots, user):
        _take_identity(unit, account)
    facts = {"messages": "delete" if deletes_messages else "keep", "bots": len(bots)}
    unit.record(AuditKind.ACCOUNT_ERASED, user.id, after=facts)
    for account in (*bots, user):
        erasure = Erasure(
            user_id=account.id,
            deletes_messages=deletes_messages,
            begun_at=unit.now,
            position=unit.tx.log.head(),
            email=account.email,
            full_name=account.full_name,
        )
        unit.tx.erasures.put(erasure)


def _find_erasable(unit: Unit, user_id: int) -> User:
    """Return a person who can be erased.

    :raises PersonErased, BadRequest: as `erase_person` does
    """
    user = unit.tx.users.find(user_id)
    if user is None or user.id == unit.tx.organization.get().notification_bot_id:
        raise no_such_user()
    require_not_erased(unit.tx, user)
    require_may_be_erased(user, is_only_owner=is_only_owner(unit.tx, user))
    return user


def _take_identity(unit: Unit, user: User) -> None:
    """Replace what says whose account it is, and announce that."""
    tx = unit.tx
    fields: UserFields = {
        "email": address_of_erased(user),
        "full_name": name_of_erased(user),
        "timezone": "",
        "email_visibility": EmailVisibility.EVERYONE,
        "key_version": user.key_version + 1,
        "password_hash": None,
        "settings": {},
        "can_change_user_emails": False,
        "can_create_users": False,
        "key_holder_id": None,
    }
    tx.users.update(user.id, **fields)
    erased = replace(user, **fields)
    announce_changes(tx, user.id, {"full_name": erased.full_name})
    notify_managers(tx, user, {"full_name": erased.full_name})
    who = person(erased, unit.svc.settings.host)
    tx.announce(AddressChanged(person=who, also_hidden=True), Everyone())
    announce_changes(tx, user.id, {"new_email": erased.email})
    change_picture(unit, erased, AvatarSource.GRAVATAR, "")
    _clear_profile(unit, user)
    tx.erasures.forget_addresses([user.email])
    login_attempts.forgive(tx, user.email)


def _clear_profile(unit: Unit, user: User) -> None:
    values = unit.tx.profile_values.of_users([user.id]).get(user.id, {})
    for definition in unit.tx.profile_fields.all():
        if definition.id in values:
            unit.tx.profile_values.remove([user.id], definition.id)
            announce_value(unit.tx, user.id, definition, None)
    status = unit.tx.statuses.find(user.id)
    if status.is_set:
        unit.tx.statuses.put(user.id, Status())
        unit.tx.announce(StatusChanged(user_id=user.id, changes=changed_parts(status, Status())), Everyone())
