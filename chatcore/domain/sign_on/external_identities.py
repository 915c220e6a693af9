"""People as a provider outside knows them, and the refusals of what it says."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from chatcore.domain.characters import is_storable
from chatcore.domain.errors import BadRequest, ChatError
from chatcore.domain.mail_addresses import is_unmistakable
from chatcore.domain.roles import Role

MAX_SUBJECT_LENGTH: Final = 255
"""Characters of a subject; OpenID Connect permits as many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalIdentity:
    """A person for whom a provider vouches. What is None or empty, the provider does not say."""

    provider: str
    """The name of the provider in this server's settings."""
    subject: str
    """The name of the person at the provider, which is never somebody else's."""
    email: str = ""
    """An address of which the caller trusts that it is the person's; empty if the provider has not verified
    any.
    """
    full_name: str = ""
    role: Role | None = None
    groups: Sequence[str] | None = None
    """Names of this organization's groups in which the person is."""
    managed_groups: Collection[str] = ()
    """Names of the groups of which the provider decides who is in them: the person leaves those that are not
    in `groups`, and stays in all others.
    """

    @property
    def has_subject(self) -> bool:
        return is_subject(self.subject)


def is_subject(text: str) -> bool:
    """Whether a text can be the name of a person at a provider."""
    return 0 < len(text) <= MAX_SUBJECT_LENGTH and is_storable(text)


def require_unmistakable(email: str) -> None:
    """Check an address of which another service says whose it is.

    :raises BadRequest: it can be mistaken for another one
    """
    if not is_unmistakable(email):
        raise BadRequest(f"The email address {email!a} can be mistaken for another one.")


class BadIdentity(ChatError):
    """A provider does not say who a person is, or not in a form that this server can store."""

    code = "BAD_EXTERNAL_IDENTITY"

    def __init__(self) -> None:
        super().__init__("The login service does not say who you are.")


class AddressNotVerified(ChatError):
    """A person is new here, and the provider has not verified an address of theirs."""

    code = "EMAIL_NOT_VERIFIED"
    status = 403

    def __init__(self) -> None:
        super().__init__("The login service has not verified your email address.")


class IdentityConflict(ChatError):
    """The account with the person's address is somebody else's at this provider, or a bot's."""

    code = "EXTERNAL_IDENTITY_CONFLICT"
    status = 403

    def __init__(self) -> None:
        super().__init__("The account with your email address belongs to somebody else at the login service.")
