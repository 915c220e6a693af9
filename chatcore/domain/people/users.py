"""Accounts: the stored data of a user, visibility of addresses, and rules for names."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, Protocol

from chatcore.domain.characters import check_name, length, look_key, visible
from chatcore.domain.choices import Value
from chatcore.domain.errors import BadRequest, shorten
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.system import system_groups_of
from chatcore.domain.ids import GroupId, UserId
from chatcore.domain.limits import Limits
from chatcore.domain.mail_addresses import ascii_address, is_ascii_domain
from chatcore.domain.roles import Role, is_full_member


class EmailVisibility(IntEnum):
    """Visibility of a user's real address, as the API numbers it."""

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
    """The source of an account that the reader may not see."""


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """An account. `email` is the real (delivery) address; clients receive the result of `api_email`."""

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
    """Unguessable part of the URL of an uploaded picture."""
    email_visibility: EmailVisibility = EmailVisibility.EVERYONE
    key_version: int = 0
    """Input to the derivation of the API key: changing it rotates the key. New accounts get a random one."""
    password_hash: str | None = None
    settings: Mapping[str, Value] = field(default_factory=dict)
    """Settings that the user has changed; `domain.people.settings` defines the defaults of the others."""
    can_change_user_emails: bool = False
    """A special permission of owners, granted only by the organization's own tools."""
    can_create_users: bool = False
    """A special permission of administrators, granted in the same way."""
    key_holder_id: UserId | None = None
    """The administrator who asked for the present key of a bot of somebody else, or of the organization."""


def placeholder_email(user_id: UserId, host: str) -> str:
    """Return the address that stands for a user whose real address is not visible to everybody."""
    return f"user{user_id}@{host}"


MAX_ID_DIGITS = 18


def placeholder_id(email: str, host: str) -> UserId | None:
    """Return the user id in a placeholder address, ignoring case; such a user need not exist."""
    written = email.strip().lower()
    number = written.partition("@")[0].removeprefix("user")
    if not (number.isascii() and number.isdigit() and len(number) <= MAX_ID_DIGITS):
        return None
    user_id = UserId(int(number))
    return user_id if written == placeholder_email(user_id, host).lower() else None


def api_email(user: User, host: str) -> str:
    """Return the address of a user that clients receive as `email`, the same for all readers and for the
    user: the real address if everybody may see it, otherwise the placeholder.
    """
    if user.email_visibility == EmailVisibility.EVERYONE:
        return user.email
    return placeholder_email(user.id, host)


def may_change_addresses(user: User) -> bool:
    """Whether the user may change addresses, including their own: an owner with that special permission."""
    return user.role == Role.OWNER and user.can_change_user_emails


class HasEmail(Protocol):
    """The fields of an account, or of its form in events, that decide who may see its address."""

    @property
    def id(self) -> UserId: ...
    @property
    def is_bot(self) -> bool: ...
    @property
    def email_visibility(self) -> int: ...


def may_see_email(viewer: Actor | None, user: HasEmail) -> bool:
    """Whether the viewer may see the user's real address. Everybody may see the address of a bot."""
    if user.is_bot:
        return True
    if viewer is None:
        return False
    return viewer.user_id == user.id or user.email_visibility in visibilities_shown_to(viewer)


def visibilities_shown_to(viewer: Actor) -> frozenset[EmailVisibility]:
    """Return the visibilities of the addresses that the viewer may see."""
    return _SHOWN_TO_ROLE[viewer.role]


_LOWEST_ROLE_SHOWN: Final[Mapping[EmailVisibility, Role]] = {
    EmailVisibility.EVERYONE: Role.GUEST,
    EmailVisibility.MEMBERS: Role.MEMBER,
    EmailVisibility.MODERATORS: Role.MODERATOR,
    EmailVisibility.ADMINISTRATORS: Role.ADMINISTRATOR,
}
_SHOWN_TO_ROLE: Final[Mapping[Role, frozenset[EmailVisibility]]] = {
    role: frozenset(visibility for visibility, lowest in _LOWEST_ROLE_SHOWN.items() if role <= lowest)
    for role in Role
}


def manages_bot(actor: Actor, bot: User) -> bool:
    """Whether clients of the actor receive the bot's settings: its owner, and human administrators."""
    return bot.bot_owner_id == actor.user_id or (actor.role.is_administrator and not actor.is_bot)


NOTIFICATION_BOT = "Notification Bot"
"""Name of the bot that posts for the organization; no other account may have a similar name."""
FORBIDDEN_IN_NAMES = frozenset('*`\\>"@')
MIN_FULL_NAME_LENGTH = 2


def checked_full_name(raw: str, limits: Limits) -> str:
    """Check the name of a person or bot and return it stripped.

    :raises BadRequest: too short or too long, a forbidden character, an ending that looks like the id in a
        mention, or a name that looks like that of the organization's own bot
    """
    name = raw.strip()
    max_length = limits.max_full_name_length
    rule = f"A person or bot has a name of {MIN_FULL_NAME_LENGTH} to {max_length} characters."
    if length(name) > max_length:
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
    if look_key(name) == look_key(NOTIFICATION_BOT):
        raise name_in_use()
    return name


def checked_email_address(raw: str, host: str) -> str:
    """Check an address for an account and return it stripped, with its domain in ASCII.

    :raises BadRequest: no single ``@`` between two parts without white space, a domain that nobody can have,
        or a placeholder address, whether or not its user exists
    """
    email = ascii_address(raw.strip())
    local, _, domain = email.partition("@")
    # Bots have addresses at the host of the server, which is no domain if it is an IPv6 address, for example.
    is_address = local and domain and (is_ascii_domain(domain) or domain.lower() == host)
    if not is_address or len(email) > 254 or any(map(str.isspace, email)):
        raise BadRequest(f"Enter a valid email address; '{shorten(email)}' is none.")
    check_name(email, "email address")
    if placeholder_id(email, host) is not None:
        raise email_in_use(email)
    return email


def name_in_use() -> BadRequest:
    """Return the error for a name that others would take for that of another account."""
    return BadRequest("Name is already in use!")


def email_in_use(email: str) -> BadRequest:
    """Return the error for an address that another account has, or could have."""
    return BadRequest(f"Email '{email}' already in use")


def no_active_account(account: str | int) -> BadRequest:
    """Return the error for an address or an id that no active account has."""
    return BadRequest(f"There is no active account '{account}'")


def actors_of(
    accounts: Iterable[User],
    groups_of: Callable[[UserId, frozenset[GroupId]], frozenset[GroupId]],
    *,
    owners: Mapping[UserId, Actor],
    waiting_period_days: int,
    now: int,
) -> dict[UserId, Actor]:
    """Return active accounts as actors. A bot's owner is one of them or of *owners*; otherwise it has none.

    *groups_of* adds user-created groups to the system groups that follow from the role.
    """
    actors: dict[UserId, Actor] = {}
    owners_first = sorted(accounts, key=lambda account: account.bot_owner_id is not None)
    for account in owners_first:
        full_member = is_full_member(account.role, account.date_joined, waiting_period_days, now)
        owner = None
        if account.bot_owner_id is not None:
            owner = actors.get(account.bot_owner_id) or owners.get(account.bot_owner_id)
        actors[account.id] = Actor(
            user_id=account.id,
            role=account.role,
            group_ids=groups_of(account.id, system_groups_of(account.role, full_member=full_member)),
            is_bot=account.is_bot,
            bot_type=account.bot_type,
            owner=owner,
        )
    return actors
