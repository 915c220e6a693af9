"""Accounts, their logins and their use of limited resources."""

from peewee import BigIntegerField, BooleanField, CompositeKey, DoubleField, TextField

from chatcore.domain.roles import Role
from storage_backends.sql.schema.table import DEFAULT_EMPTY, DEFAULT_FALSE, UNIQUE, Serial, Table


class Account(Table):
    id = BigIntegerField(primary_key=True)
    email = TextField()
    email_key = TextField(constraints=UNIQUE)
    full_name = TextField()
    name_key = TextField()
    role = BigIntegerField()
    is_bot = BooleanField()
    bot_type = BigIntegerField(null=True)
    bot_owner_id = BigIntegerField(null=True)
    is_active = BooleanField()
    date_joined = BigIntegerField()
    timezone = TextField()
    avatar_source = TextField()
    avatar_version = BigIntegerField()
    avatar_key = TextField(constraints=DEFAULT_EMPTY)
    email_visibility = BigIntegerField()
    key_version = BigIntegerField()
    password_hash = TextField(null=True)
    settings = TextField()
    """The personal settings that differ from their defaults, as JSON."""
    can_change_user_emails = BooleanField(constraints=DEFAULT_FALSE)
    can_create_users = BooleanField(constraints=DEFAULT_FALSE)
    key_holder_id = BigIntegerField(null=True)

    class Meta:
        table_name = "account"


Account.indexed("account_name", Account.name_key)
Account.indexed("account_inactive", Account.id, where=~Account.is_active)
Account.indexed(
    "account_joined", Account.date_joined, where=(Account.role == int(Role.MEMBER)) & Account.is_active
)


class BrowserSession(Table):
    id = Serial()
    token_hash = TextField(constraints=UNIQUE)
    user_id = BigIntegerField()
    began_at = BigIntegerField()
    used_at = BigIntegerField()
    user_agent = TextField()
    address = TextField()

    class Meta:
        table_name = "browser_session"


BrowserSession.indexed(
    "browser_session_user", BrowserSession.user_id, BrowserSession.used_at, BrowserSession.id
)
BrowserSession.indexed("browser_session_used", BrowserSession.used_at)


class LoginFailure(Table):
    name_key = TextField()
    failed_at = DoubleField()

    class Meta:
        table_name = "login_failure"
        primary_key = False


LoginFailure.indexed("login_failure_name", LoginFailure.name_key, LoginFailure.failed_at)
LoginFailure.indexed("login_failure_time", LoginFailure.failed_at)


class KnownNetwork(Table):
    """A network from which an account has logged in."""

    user_id = BigIntegerField()
    network = TextField()
    seen_at = BigIntegerField()

    class Meta:
        table_name = "known_network"
        primary_key = CompositeKey("user_id", "network")
        without_rowid = True


class DailyUse(Table):
    """An account's use of a resource with a daily limit, on the last day of its use."""

    user_id = BigIntegerField()
    what = TextField()
    day = BigIntegerField()
    amount = BigIntegerField()

    class Meta:
        table_name = "daily_use"
        primary_key = CompositeKey("user_id", "what")
        without_rowid = True


class RequestCount(Table):
    """A count of requests under a name up to a time; not logged on PostgreSQL: a crash may lose it."""

    name = TextField()
    until = BigIntegerField()
    amount = BigIntegerField()

    class Meta:
        table_name = "request_count"
        primary_key = CompositeKey("name", "until")
        without_rowid = True


RequestCount.indexed("request_count_until", RequestCount.until)
