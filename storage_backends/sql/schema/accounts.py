"""Accounts, their logins and their use of limited resources."""

import secrets
from typing import Final

from peewee import CompositeKey, DoubleField

from chatcore.domain.roles import Role
from storage_backends.sql.schema.archives import Exported, Secret, Transient, made_of
from storage_backends.sql.schema.columns import Boolean, Integer, Serial, Text
from storage_backends.sql.schema.table import DEFAULT_EMPTY, DEFAULT_FALSE, UNIQUE, Table

KEY_VERSION_BITS: Final = 53


def email_key(email: str) -> str:
    """Return the key of an address as an account has it."""
    return email.strip().lower()


def name_key(full_name: str) -> str:
    return full_name.strip().lower()


class Account(Table):
    archive = Exported(person_of="id")

    id = Integer(primary_key=True, refers="recipient")
    email = Text()
    email_key = Text(constraints=UNIQUE, anew=made_of("email", email_key))
    full_name = Text()
    name_key = Text(anew=made_of("full_name", name_key))
    role = Integer()
    is_bot = Boolean()
    bot_type = Integer(null=True)
    bot_owner_id = Integer(null=True, refers="account")
    is_active = Boolean()
    date_joined = Integer()
    timezone = Text()
    avatar_source = Text()
    avatar_version = Integer()
    avatar_key = Text(constraints=DEFAULT_EMPTY, exported=True)
    email_visibility = Integer()
    key_version = Integer(anew=lambda row: secrets.randbits(KEY_VERSION_BITS))
    password_hash = Text(null=True, anew=lambda row: None)
    settings = Text(personal="{}")
    """The personal settings that differ from their defaults, as JSON."""
    can_change_user_emails = Boolean(constraints=DEFAULT_FALSE)
    can_create_users = Boolean(constraints=DEFAULT_FALSE)
    key_holder_id = Integer(null=True, anew=lambda row: None)

    class Meta:
        table_name = "account"


Account.declare_index("account_name", Account.name_key)
Account.declare_index("account_inactive", Account.id, where=~Account.is_active)
Account.declare_index(
    "account_joined", Account.date_joined, where=(Account.role == int(Role.MEMBER)) & Account.is_active
)


class BrowserSession(Table):
    archive = Secret()

    id = Serial()
    token_hash = Text(constraints=UNIQUE)
    user_id = Integer()
    began_at = Integer()
    used_at = Integer()
    user_agent = Text()
    address = Text()

    class Meta:
        table_name = "browser_session"


BrowserSession.declare_index(
    "browser_session_user", BrowserSession.user_id, BrowserSession.used_at, BrowserSession.id
)
BrowserSession.declare_index("browser_session_used", BrowserSession.used_at)


class LoginFailure(Table):
    archive = Secret()

    name_key = Text()
    failed_at = DoubleField()

    class Meta:
        table_name = "login_failure"
        primary_key = False


LoginFailure.declare_index("login_failure_name", LoginFailure.name_key, LoginFailure.failed_at)
LoginFailure.declare_index("login_failure_time", LoginFailure.failed_at)


class KnownNetwork(Table):
    """A network from which an account has logged in."""

    archive = Secret()

    user_id = Integer()
    network = Text()
    seen_at = Integer()

    class Meta:
        table_name = "known_network"
        primary_key = CompositeKey("user_id", "network")
        without_rowid = True


class ExternalIdentity(Table):
    """The subject by which a provider names the person whose account it is."""

    archive = Exported(is_of_everything_only=True)

    provider = Text()
    subject = Text()
    user_id = Integer(refers="account")

    class Meta:
        table_name = "external_identity"
        primary_key = CompositeKey("provider", "subject")
        without_rowid = True


ExternalIdentity.declare_index(
    "external_identity_user", ExternalIdentity.user_id, ExternalIdentity.provider, unique=True
)


class KnownDevice(Table):
    """A kind of device, with its kind of browser or program, from which an account has logged in."""

    archive = Secret()

    user_id = Integer()
    device = Text()
    seen_at = Integer()

    class Meta:
        table_name = "known_device"
        primary_key = CompositeKey("user_id", "device")
        without_rowid = True


class DailyUse(Table):
    """An account's use of a resource with a daily limit, on the last day of its use."""

    archive = Transient()

    user_id = Integer()
    what = Text()
    day = Integer()
    amount = Integer()

    class Meta:
        table_name = "daily_use"
        primary_key = CompositeKey("user_id", "what")
        without_rowid = True


class RequestCount(Table):
    """A count of requests under a name up to a time; not logged on PostgreSQL: a crash may lose it."""

    archive = Transient()

    name = Text()
    until = Integer()
    amount = Integer()

    class Meta:
        table_name = "request_count"
        primary_key = CompositeKey("name", "until")
        without_rowid = True


RequestCount.declare_index("request_count_until", RequestCount.until)
