"""Accounts: what is stored of a user, who may see which address, and the rules for names."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Protocol

from chatcore.domain.characters import check_name, length, look, visible
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.limits import Limits
from chatcore.domain.roles import Role


class EmailVisibility(IntEnum):
    """Who may see a user's real address, as the API numbers it."""

    EVERYONE = 1
    MEMBERS = 2
    ADMINISTRATORS = 3
    NOBODY = 4
    MODERATORS = 5


class BotType(IntEnum):
    GENERIC = 1
    INCOMING_WEBHOOK = 2
    OUTGOING_WEBHOOK = 3
    EMBEDDED = 4


class AvatarSource:
    GRAVATAR = "G"
    UPLOADED = "U"
    UNKNOWN = ""
    """Of somebody whom the reader may not know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """An account. `email` is the real (delivery) address; clients get what `api_email` says."""

    id: UserId
    email: str
    full_name: str
    role: Role = Role.MEMBER
    is_bot: bool = False
    bot_type: int | None = None
    bot_owner_id: UserId | None = None
    is_active: bool = True
    date_joined: int
    timezone: str = ""
    avatar_source: str = AvatarSource.GRAVATAR
    avatar_version: int = 1
    avatar_key: str = ""
    """In the address of an uploaded picture; nobody can guess it."""
    email_visibility: EmailVisibility = EmailVisibility.EVERYONE
    key_version: int = 0
    """Goes into the API key; another one makes another key. The store draws it for a new account."""
    password_hash: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Settings that the user has changed; `chatcore.domain.user_settings` has the others."""
    can_change_user_emails: bool = False
    """A special permission of owners that only the organization's own tools give."""
    can_create_users: bool = False
    """Another one, of administrators."""


def placeholder_email(user_id: UserId, host: str) -> str:
    """The address that stands for a user whose real one is not shown to everybody."""
    return f"user{user_id}@{host}"


MAX_ID_DIGITS = 18


def placeholder_id(email: str, host: str) -> UserId | None:
    """Whose placeholder the address is, letter case ignored; there may be no such user."""
    written = email.strip().lower()
    number = written.partition("@")[0].removeprefix("user")
    if not (number.isascii() and number.isdigit() and len(number) <= MAX_ID_DIGITS):
        return None
    user_id = UserId(int(number))
    return user_id if written == placeholder_email(user_id, host).lower() else None


def api_email(user: User, host: str) -> str:
    """`email` on the wire: the real address only when everybody may see it, the owner included."""
    if user.email_visibility == EmailVisibility.EVERYONE:
        return user.email
    return placeholder_email(user.id, host)


def may_change_addresses(user: User) -> bool:
    """Whether the user may change addresses, the own one too: an owner who was given that permission."""
    return user.role == Role.OWNER and user.can_change_user_emails


class HasEmail(Protocol):
    """An account as far as its address is concerned."""

    @property
    def id(self) -> UserId: ...
    @property
    def is_bot(self) -> bool: ...
    @property
    def email_visibility(self) -> int: ...


def may_see_email(viewer: Actor | None, user: HasEmail) -> bool:
    """Whether the viewer may see the user's real address; of a bot, everybody may."""
    if user.is_bot:
        return True
    if viewer is None:
        return False
    if viewer.user_id == user.id:
        return True
    match EmailVisibility(user.email_visibility):
        case EmailVisibility.EVERYONE:
            return True
        case EmailVisibility.MEMBERS:
            return not viewer.is_guest
        case EmailVisibility.MODERATORS:
            return viewer.role.is_moderator
        case EmailVisibility.ADMINISTRATORS:
            return viewer.role.is_administrator
        case EmailVisibility.NOBODY:
            return False


def manages_bot(actor: Actor, bot: User) -> bool:
    """Whether the actor is told what concerns the bot: its owner, and people who are administrators."""
    return bot.bot_owner_id == actor.user_id or (actor.role.is_administrator and not actor.is_bot)


NOTIFICATION_BOT = "Notification Bot"
"""Who speaks for the organization; nobody else is called like it."""
FORBIDDEN_IN_NAMES = frozenset('*`\\>"@')
MIN_FULL_NAME_LENGTH = 2


def full_name(raw: str, limits: Limits) -> str:
    """The name of a person or bot.

    :raises BadRequest: too short or long, a forbidden character, an end that looks like a mention's id, or
        a name like that of the organization's own bot
    """
    name = raw.strip()
    most = limits.max_full_name_length
    rule = f"A person or bot has a name of {MIN_FULL_NAME_LENGTH} to {most} characters."
    if length(name) > most:
        raise BadRequest(f"Name too long! {rule}")
    if len(visible(name)) < MIN_FULL_NAME_LENGTH:
        raise BadRequest(f"Name too short! {rule}")
    check_name(name, "name")
    if FORBIDDEN_IN_NAMES.intersection(name):
        raise BadRequest(
            f"A name cannot have any of these characters: {' '.join(sorted(FORBIDDEN_IN_NAMES))}"
        )
    head, bar, tail = name.rpartition("|")
    if bar and head and tail.isdecimal():
        raise BadRequest("A name cannot end in '|' and a number: in a mention they are an id.")
    if look(name) == look(NOTIFICATION_BOT):
        raise BadRequest("Name is already in use!")
    return name


def email_address(raw: str, host: str) -> str:
    """An address that an account can have.

    :raises BadRequest: no single ``@`` between two parts without blanks, or a placeholder: somebody's, or of
        somebody who is not there yet
    """
    email = raw.strip()
    local, at, domain = email.partition("@")
    if not (at and local and domain) or "@" in domain or len(email) > 254 or any(map(str.isspace, email)):
        raise BadRequest("Enter a valid email address.")
    check_name(email, "email address")
    if placeholder_id(email, host) is not None:
        raise BadRequest(f"Email '{email}' already in use")
    return email
