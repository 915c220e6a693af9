"""Creating the organization of an empty store, and operations of its own tools."""

from dataclasses import dataclass, replace

from chatcore.application import units
from chatcore.application.organization.settings import change_organization
from chatcore.application.people import welcome
from chatcore.application.people.logins import Login, login_of
from chatcore.application.people.passwords import hash_of_password
from chatcore.application.services import Services
from chatcore.application.units import Unit
from chatcore.domain.errors import BadRequest
from chatcore.domain.ids import UserId
from chatcore.domain.limits import Limits
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.organization.organization import Organization
from chatcore.domain.organization.settings import checked_organization_name
from chatcore.domain.people import users as rules
from chatcore.domain.people.api_keys import secret_fingerprint
from chatcore.domain.people.users import BotType
from chatcore.domain.roles import Role
from chatcore.storage.people.users import NewUser

BOT_ADDRESS = "notification-bot"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewOrganization:
    name: str
    owner_email: str
    owner_name: str
    owner_password: str | None = None
    first_messages: bool = True
    """Whether to create a first channel, with messages for its new subscribers, and a message to the
    owner.
    """

    def as_stored(self, host: str, limits: Limits) -> "NewOrganization":
        """Return a copy with the values as they are stored.

        :raises BadRequest: an invalid name or address
        """
        return replace(
            self,
            name=checked_organization_name(self.name),
            owner_email=rules.checked_email_address(self.owner_email, host),
            owner_name=rules.checked_full_name(self.owner_name, limits),
        )


def is_initialized(svc: Services) -> bool:
    return units.find_organization(svc.storage) is not None


def initialize(svc: Services, new: NewOrganization) -> Login:
    """Create the organization, its owner, its notification bot and its first messages; return the owner's
    key.

    :raises BadRequest: the organization exists already, or a name or address is invalid
    """
    new = new.as_stored(svc.settings.host, svc.limits)
    owner: NewUser = {
        "email": new.owner_email,
        "full_name": new.owner_name,
        "role": Role.OWNER,
        "date_joined": svc.now,
    }
    if new.owner_password is not None:
        owner["password_hash"] = hash_of_password(svc, new.owner_password)
    bot: NewUser = {
        "email": f"{BOT_ADDRESS}@{svc.settings.host}",
        "full_name": rules.NOTIFICATION_BOT,
        "is_bot": True,
        "bot_type": int(BotType.GENERIC),
        "date_joined": svc.now,
    }
    return login_of(svc, units.write(svc, _store_organization, new, owner, bot))


def _store_organization(unit: Unit, new: NewOrganization, owner: NewUser, bot: NewUser) -> UserId:
    """Store the organization with its first accounts; return the owner."""
    svc, tx = unit.svc, unit.tx
    if tx.organization.find() is not None:
        raise BadRequest("The database has an organization already.")
    owner_id, bot_id = tx.users.add_many([owner, bot])
    tx.organization.put(
        Organization(
            name=new.name,
            date_created=unit.now,
            notification_bot_id=bot_id,
            secret_fingerprint=secret_fingerprint(svc.settings.secret_key),
        )
    )
    unit.record(AuditKind.ORGANIZATION_FOUNDED, after={"name": new.name, "owner_id": owner_id})
    tx.groups.note_full_members_announced(unit.now)
    if new.first_messages:
        welcome.open_first_channel(unit, tx.users.get(owner_id))
        welcome.greet(unit, tx.users.get(owner_id))
    return owner_id


def allow_public_access(svc: Services, *, allowed: bool = True) -> None:
    """Allow or forbid callers without an account to read the channels that are open to the web; for the
    organization's own tools.
    """
    change_organization(svc, {"enable_spectator_access": allowed})
