"""People and groups as a login service provisions them, and the refusals of what it wants."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from chatcore.domain.errors import ChatError, NotFound
from chatcore.domain.ids import UserId
from chatcore.domain.people.users import MAX_ID_DIGITS
from chatcore.domain.roles import Role

PROVISIONER: Final = "scim/v2"
"""The provisioning service as a provider of identities: a person's subject is the id that it has given. No
provider of logins can have this name, which is of letters and digits.
"""

MAX_COUNT: Final = 100
"""People or groups in one answer."""
MAX_OPERATIONS: Final = 100
"""Operations of one message that changes a person or group."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvisionedPerson:
    """The account of a person, as the service reads and changes it."""

    id: int = 0
    """0 for one that is to be made."""
    email: str = ""
    full_name: str = ""
    role: Role = Role.MEMBER
    is_active: bool = True
    external_id: str = ""
    """The id of the person at the service; empty if it has given none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvisionedGroup:
    """A group, as the service reads and changes it."""

    id: int = 0
    name: str = ""
    members: frozenset[UserId] = frozenset()
    """People with active accounts who are in it themselves, not by a subgroup."""


ChangePerson: TypeAlias = Callable[[ProvisionedPerson], ProvisionedPerson]
ChangeGroup: TypeAlias = Callable[[ProvisionedGroup], ProvisionedGroup]


def id_in(text: str) -> int | None:
    """Return the id of a person or group in a text of nothing else; None if there is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MAX_ID_DIGITS else None


class ProvisioningOff(NotFound):
    """The server does not let a login service provision accounts."""

    def __init__(self) -> None:
        super().__init__("No login service provisions accounts here.")


class NoSuchResource(NotFound):
    """There is no such person or group."""

    def __init__(self) -> None:
        super().__init__("There is no such person or group.")


class AlreadyTaken(ChatError):
    """An address, name or id that is to be unique belongs to another person or group."""

    status = 409

    def __init__(self, what: str) -> None:
        super().__init__(f"Another person or group has this {what}, perhaps a deactivated one.")


class OwnersAreKept(ChatError):
    """Role and address of owners are changed by people only."""

    status = 403

    def __init__(self) -> None:
        super().__init__("A login service neither makes owners nor changes their role or address.")


class Unfit(ChatError):
    """A message that is not one of SCIM, or not one that this server understands; *scim_type* is SCIM's own
    word for the reason.
    """

    def __init__(self, message: str, scim_type: str | None) -> None:
        super().__init__(message, scimType=scim_type)
