"""Settings, name, address and password of the actor."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Final
from zoneinfo import available_timezones

from chatcore.application.arguments import about
from chatcore.application.mail import confirming
from chatcore.application.people import presence
from chatcore.application.people.credentials import store_password
from chatcore.application.people.identity import change_address, change_visibility, new_address, rename
from chatcore.application.people.logins import own_account, proves_password
from chatcore.application.people.passwords import hash_of_password
from chatcore.application.services import Services
from chatcore.application.units import Unit, unit_of_work
from chatcore.application.visibility.bot_managers import human_administrators
from chatcore.domain.choices import Value, require_one_of
from chatcore.domain.errors import BadRequest, InvalidParameter
from chatcore.domain.groups.actors import Actor
from chatcore.domain.mail.confirmations import Proof
from chatcore.domain.mail_addresses import ascii_address
from chatcore.domain.organization.administration import require_no_bot
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.people.commands import COMMANDS, settings_by_command
from chatcore.domain.people.presence import PRESENCE_ENABLED
from chatcore.domain.people.setting_values import value
from chatcore.domain.people.settings import EXPORT_CONSENT, SETTINGS, LegacyGroup
from chatcore.domain.people.statuses import StatusParts
from chatcore.domain.people.users import EmailVisibility, User, api_email, may_change_addresses
from chatcore.domain.rate_limits import EMAIL_CHANGE_BY_USER
from chatcore.events.audience import Everyone, Users
from chatcore.events.happened import (
    DisplaySettingChanged,
    ExportConsentChanged,
    NotificationSettingChanged,
    PersonChanged,
    SettingChanged,
    StatusChanged,
)
from chatcore.events.payloads.users import UserChanges
from chatcore.storage import Snapshot

timezones = cache(available_timezones)

FIELDS_OF_ACCOUNT: Final = frozenset({"timezone", "email_address_visibility"})
"""Settings that are not stored among the others, but in fields of the account."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnChange:
    """The requested changes; a blank text leaves a part unchanged."""

    full_name: str = ""
    email: str = ""
    old_password: str = ""
    new_password: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)
    """Values by the names of `chatcore.domain.people.settings`, as a client sends them."""


def run_command(
    svc: Services,
    actor: Actor,
    command: Annotated[str, about(f"A slash and one of these: {', '.join(COMMANDS)}.")],
) -> None:
    """Run a command, which sets some of the caller's own settings.

    :raises BadRequest: no command, or a bot
    """
    change_own(svc, actor, OwnChange(settings=settings_by_command(command)))


def change_own(svc: Services, actor: Actor, change: OwnChange, *, session: str = "") -> None:
    """Change the actor's account: all requested changes, or none.

    A new password also replaces the API key, and ends all sessions of browsers but the one with the token
    *session*.

    :raises InvalidParameter: no such setting, or an invalid value
    :raises BadRequest: a bot, an invalid name, address or password, or one that may not be changed
    :raises RateLimited: too many attempts with a wrong password, or too many new addresses
    """
    require_no_bot(actor)
    settings = {name: _read_setting(name, raw) for name, raw in change.settings.items()}
    hashes = _check_and_hash_passwords(svc, actor, change) if change.new_password else None
    _store_changes(svc, actor, change, settings, hashes, session)


@unit_of_work
def _store_changes(
    unit: Unit,
    me: Actor,
    change: OwnChange,
    settings: Mapping[str, Value],
    hashes: "_PasswordHashes | None",
    session: str,
) -> None:
    user = unit.tx.users.get(me.user_id)
    if hashes is not None:
        _change_password(unit, user, hashes, session)
    if change.full_name.strip():
        user = _change_own_name(unit, me, user, change.full_name)
    if change.email.strip():
        user = _change_own_address(unit, me, user, change.email)
    if PRESENCE_ENABLED in change_settings(unit, user, settings):
        # Clients read the setting as a part of the status, too.
        away: StatusParts = {"away": not settings[PRESENCE_ENABLED]}
        unit.tx.announce(StatusChanged(user_id=user.id, changes=away), Everyone())


# -- settings ---------------------------------------------------------------------------------------


def _read_setting(name: str, raw: object) -> Value:
    require_one_of("settings", name, SETTINGS)
    wanted = SETTINGS[name].read(name, raw)
    if name == "timezone" and wanted and wanted not in timezones():
        raise InvalidParameter(name, "Not a recognized time zone")
    return wanted


def change_settings(unit: Unit, user: User, wanted: Mapping[str, Value]) -> set[str]:
    """Store and announce settings of a user; return the names of those that changed."""
    changed = {name: new for name, new in wanted.items() if value(user, name) != new}
    for name, new in changed.items():
        if name == "timezone":
            _change_timezone(unit, user, str(new))
        elif name == "email_address_visibility":
            user = change_visibility(unit, user, EmailVisibility(int(new or 0)))
        elif name == EXPORT_CONSENT:
            consent = ExportConsentChanged(user_id=user.id, consented=bool(new))
            unit.tx.announce(consent, Users(human_administrators(unit.tx)))
            unit.record(AuditKind.EXPORT_CONSENT_CHANGED, user.id, before={name: not new}, after={name: new})
        _announce_setting(unit, user, name, new)
    if others := {name: new for name, new in changed.items() if name not in FIELDS_OF_ACCOUNT}:
        unit.tx.users.update(user.id, settings={**user.settings, **others})
    if changed.get(PRESENCE_ENABLED) is False:
        presence.hide_presence(unit, user)
    return set(changed)


def _change_timezone(unit: Unit, user: User, timezone: str) -> None:
    unit.tx.users.update(user.id, timezone=timezone)
    changes: UserChanges = {"email": api_email(user, unit.svc.settings.host), "timezone": timezone}
    unit.tx.announce(PersonChanged(user_id=user.id, changes=changes), Everyone())


def _announce_setting(unit: Unit, user: User, name: str, new: Value) -> None:
    """Announce a setting, also in the event that older clients know for its group."""
    to = Users((user.id,))
    unit.tx.announce(SettingChanged(name=name, value=new), to)
    email = api_email(user, unit.svc.settings.host)
    match SETTINGS[name].legacy:
        case LegacyGroup.NOTIFICATIONS:
            unit.tx.announce(NotificationSettingChanged(email=email, name=name, value=new), to)
        case LegacyGroup.DISPLAY:
            unit.tx.announce(DisplaySettingChanged(email=email, name=name, value=new), to)


# -- the account ------------------------------------------------------------------------------------


def _change_own_name(unit: Unit, me: Actor, user: User, raw: str) -> User:
    is_another = raw.strip() != user.full_name
    if is_another and unit.tx.organization.get().name_changes_disabled and not me.role.is_administrator:
        raise BadRequest("Name changes are disabled in this organization.")
    return rename(unit, user, raw)


def _change_own_address(unit: Unit, me: Actor, user: User, raw: str) -> User:
    """Change the actor's address, or send a mail to the new one, whose link changes it.

    Without mail, only actors who may change everybody's address may do so.
    """
    if ascii_address(raw.strip()) == ascii_address(user.email):
        return user
    require_may_change_address(unit.tx, me)
    sends_mail = unit.svc.settings.sends_mail
    if not sends_mail and not may_change_addresses(user):
        raise BadRequest("An owner who may change addresses has to change yours.")
    unit.svc.rate_limits.spend(EMAIL_CHANGE_BY_USER, f"account {user.id}")
    if not sends_mail:
        return change_address(unit, user, raw)
    confirming.ask(unit, Proof.ADDRESS, new_address(unit, user, raw), user=user)
    return user


def require_may_change_address(snapshot: Snapshot, actor: Actor) -> None:
    """Check that the organization lets the actor change the own address.

    :raises BadRequest:
    """
    if snapshot.organization.get().email_changes_disabled and not actor.role.is_administrator:
        raise BadRequest("Email address changes are disabled in this organization.")


@dataclass(frozen=True, slots=True)
class _PasswordHashes:
    old: str | None
    new: str


def _check_and_hash_passwords(svc: Services, actor: Actor, change: OwnChange) -> _PasswordHashes:
    """Check the old and the new password, and return their hashes. This comes before the unit of work, as
    hashing is slow.

    :raises BadRequest: the old password is wrong, or the new one invalid
    """
    user = own_account(svc, actor)
    if not proves_password(svc, user, change.old_password):
        raise _wrong_password()
    return _PasswordHashes(user.password_hash, hash_of_password(svc, change.new_password))


def _change_password(unit: Unit, user: User, hashes: _PasswordHashes, session: str) -> None:
    if user.password_hash != hashes.old:  # changed since it was checked
        raise _wrong_password()
    store_password(unit, user, hashes.new, session=session)


def _wrong_password() -> BadRequest:
    return BadRequest("Wrong password!")
