"""Providers of OpenID Connect as the operator sets them, and the refusals of a login by one of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from chatcore.domain.errors import ChatError, NotFound
from chatcore.domain.roles import Role

PATH: Final = "/login/oidc"
"""The beginning of the paths of logins by these providers."""
ANY_OTHER: Final = "*"
"""The value of a claim that stands for all values without a role."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """A provider of OpenID Connect, and the meaning of its claims here."""

    name: str
    """Its name in addresses and settings: lower-case letters and digits. People are known by it."""
    issuer: str
    """The address of the provider, exactly as it writes it itself."""
    client_id: str
    client_secret: str = field(default="", repr=False)
    """Empty for a public client, which proves itself by PKCE alone."""
    scopes: str = "openid profile email"
    display_name: str = ""
    icon: str = ""
    """The address of a picture for its button."""
    trust_email: bool = False
    """Whether an address counts that the provider does not call verified."""
    name_claim: str = "name"
    email_claim: str = "email"
    role_claim: str = ""
    """The claim with values that have roles here; empty if roles are changed here alone."""
    roles: Mapping[str, Role] = field(default_factory=dict)
    """The role of each value; `*` is any other one."""
    groups_claim: str = ""
    groups: Mapping[str, str] = field(default_factory=dict)
    """The group of this organization for each value."""
    log_out: bool = False
    """Whether logging out here leads to the provider's page for logging out."""

    @property
    def shown_name(self) -> str:
        return self.display_name or self.name.title()

    @property
    def voucher_name(self) -> str:
        """Return its name among all that vouch for people, with which identities are stored."""
        return f"oidc:{self.name}"

    @property
    def path(self) -> str:
        """Return the path of a login by this provider."""
        return f"{PATH}/{self.name}"


class Logout(NamedTuple):
    """A logout at a provider, as its signed token describes it."""

    subject: str
    at: float
    """The moment by the provider's clock, in seconds since 1970."""


class NoSuchProvider(NotFound):
    """There is no login service of this name."""

    def __init__(self) -> None:
        super().__init__("There is no such login service.")


class LoginRefused(ChatError):
    """A login service has not let a person in, or what it says of the person does not hold."""

    code = "EXTERNAL_LOGIN_FAILED"


class ProviderUnavailable(ChatError):
    """A login service cannot be reached, or answers what it should not. Try again later."""

    code = "LOGIN_SERVICE_UNAVAILABLE"
    status = 503

    def __init__(self, reason: str = "") -> None:
        super().__init__("The login service cannot be reached at present. Try again in a moment.")
        self.reason = reason
        """The fault as the operator should know it; people do not see it."""
