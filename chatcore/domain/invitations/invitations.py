"""Invitations to an organization, and the rules for them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from chatcore.domain.errors import BadRequest, ChatError, InsufficientRole
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import MAX_INTEGER, ChannelId, GroupId, InvitationId, UserId
from chatcore.domain.mail_addresses import ascii_address
from chatcore.domain.organization.organization import Organization
from chatcore.domain.roles import Role
from chatcore.domain.times import SECONDS_PER_DAY

NOT_STORED: Final = InvitationId(0)
"""The id before an invitation is stored."""
DEFAULT_MINUTES: Final = 14_400
"""Minutes for which an invitation is valid, if nothing else is wanted."""
MAX_MINUTES: Final = 100 * 366 * 24 * 60
MAX_ADDRESSES: Final = 1000
"""Addresses in one request."""
MAX_LENGTH: Final = 300 * MAX_ADDRESSES
OLD_ENOUGH: Final = 3 * SECONDS_PER_DAY
"""Age of an account that invites people where everybody can join, unless it is an administrator's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """An invitation by address; without an address, a link for any number of people.

    The store holds the hash of its token, and the nonce from which only the server's secret makes the token.
    """

    id: InvitationId = NOT_STORED
    email: str | None
    inviter_id: UserId
    invited_at: int
    expires_at: int | None
    role: Role
    channel_ids: tuple[ChannelId, ...] = ()
    group_ids: tuple[GroupId, ...] = ()
    joins_defaults: bool = False
    """Whether the new person joins the channels that are default channels then."""
    notifies_inviter: bool = False
    welcome_text: str | None = None
    """The end of the message that welcomes the new person; None is that of the organization."""
    nonce: str
    token_hash: str

    @property
    def is_link(self) -> bool:
        return self.email is None

    @property
    def permission(self) -> str:
        """The organization's permission to make such invitations."""
        return "create_multiuse_invite_group" if self.is_link else "can_invite_users_group"

    def is_valid(self, now: int) -> bool:
        return self.expires_at is None or now < self.expires_at

    def may_be_used(self, organization: Organization, inviter: Actor | None) -> bool:
        """Whether the inviter could still make it: else a right would live on in invitations."""
        return (
            inviter is not None
            and organization.permits(self.permission, inviter)
            and may_invite_as(inviter, self.role)
        )


def may_invite_as(actor: Actor, role: Role) -> bool:
    """Whether the actor may invite people to a role: not above the own one."""
    return actor.role <= role


def require_may_invite_as(actor: Actor, role: Role) -> None:
    """Check that a role is not above that of the actor.

    :raises InsufficientRole:
    """
    if not may_invite_as(actor, role):
        raise InsufficientRole("You cannot invite people to a role above your own.")


def may_manage(invitation: Invitation, actor: Actor) -> bool:
    """Whether the actor knows of the invitation, and may send it again or revoke it, if the role allows."""
    return invitation.inviter_id == actor.user_id or actor.role.is_administrator


def expires_at(minutes: int | None, now: int) -> int | None:
    """Return the time at which an invitation for some minutes expires; None is never.

    :raises BadRequest: not a number of minutes that makes sense
    """
    if minutes is None:
        return None
    if not 0 < minutes <= MAX_MINUTES or now + minutes * 60 > MAX_INTEGER:
        raise BadRequest("invite_expires_in_minutes must be a positive number of minutes, or null for never.")
    return now + minutes * 60


# All are bounded, so that very many that are opened and not closed take no long time.
_QUOTED: Final = r'"(?:\\.|[^"\\\r\n]){0,100}"'
_IN_BRACKETS: Final = r"<([^<>\r\n]{0,300})>"
_COMMENT: Final = r"\([^()\r\n]{0,300}\)"
_PIECES: Final = re.compile(rf"(?:{_QUOTED}|{_IN_BRACKETS}|{_COMMENT}|[^,;\r\n，；、])+")
_NAMES: Final = re.compile(f"{_QUOTED}|{_COMMENT}")
_ADDRESSES: Final = re.compile(_IN_BRACKETS)


def addresses_in(text: str) -> Sequence[str]:
    """Return the addresses in a text, each once and with its domain in ASCII, as address books and mail
    programs write them: separated by commas, semicolons, line ends or blanks, with or without a name as in
    `"Fox, Ada" <ada@mail.example>`.

    A piece that is no address is returned as it is: the caller refuses it.

    :raises BadRequest: none, or a text that is too long
    """
    if len(text) > MAX_LENGTH:
        raise _too_many_addresses()
    addresses: dict[str, str] = {}
    for piece in _PIECES.finditer(text):
        for email in map(ascii_address, _addresses_of(piece[0])):
            addresses.setdefault(email.lower(), email)
    if not addresses:
        raise BadRequest("You must specify at least one email address.")
    if len(addresses) > MAX_ADDRESSES:
        raise _too_many_addresses()
    return list(addresses.values())


def _too_many_addresses() -> BadRequest:
    return BadRequest("Too many addresses in one request.")


def _addresses_of(piece: str) -> Iterator[str]:
    """Yield the addresses between two separators."""
    rest = _NAMES.sub(" ", piece)
    words = _ADDRESSES.findall(rest) or rest.split() or [piece.strip(' \t"')]
    if not all("@" in word for word in words):  # a part of an address that has a blank is no address
        words = [piece]
    for word in words:
        if address := word.strip().removeprefix("mailto:"):
            yield address


@dataclass(frozen=True, slots=True)
class Skipped:
    """An address that was not invited, and the reason."""

    email: str
    reason: str
    is_deactivated: bool = False
    """Whether it has an account that is deactivated."""


class InvitationFailed(ChatError):
    """Some or all addresses were not invited; `errors` has a list of address, reason, and whether the account
    of the address is deactivated, for each of them. `sent_invitations` says whether the others were.
    """

    code = "INVITATION_FAILED"

    def __init__(
        self, message: str, skipped: Sequence[Skipped] = (), *, sent: bool = False, daily_limit: bool = False
    ) -> None:
        super().__init__(
            message,
            errors=[[invitee.email, invitee.reason, invitee.is_deactivated] for invitee in skipped],
            sent_invitations=sent,
            daily_limit_reached=daily_limit,
            license_limit_reached=False,
        )


class NoSuchInvitation(BadRequest):
    """There is no such invitation that the actor knows of, or it is expired."""

    def __init__(self) -> None:
        super().__init__("No such invitation")


INVITATION_NEEDED: Final = "One needs an invitation to join this organization."


class InvitationRequired(ChatError):
    """A person whom a login service knows has no account here, and one needs an invitation to join."""

    code = "INVITATION_REQUIRED"
    status = 403

    def __init__(self) -> None:
        super().__init__(INVITATION_NEEDED)


class NoSuchLink(ChatError):
    """A link that is unknown, expired, used or revoked; one text for every cause."""

    code = "NO_SUCH_LINK"
    status = 404

    def __init__(self) -> None:
        super().__init__("This link is not valid, or not any more.")
