"""The audit log: who changed what of the organization, from where and when.

An entry never changes. Apart in it are the values that name the person it is about, and the network address
of the actor, so that both can be hidden or emptied.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from chatcore.domain.ids import AuditId, UserId
from chatcore.domain.mail_addresses import address_key
from chatcore.domain.organization.audit_values import ADDRESS, AuditValues

MAX_FAILED_LOGINS: Final = 100
"""Failed logins to one account that are noted in a day: whoever guesses passwords must not fill the log."""
MAX_LOGINS_OF_NOBODY: Final = 1000
"""Failed logins under unknown names that are noted in a day; counted apart, as anybody can make them."""
NOT_STORED: Final = AuditId(0)
"""The id of an entry that has none yet."""


class AuditTarget(StrEnum):
    """The kinds of things that an entry is about."""

    ORGANIZATION = "organization"
    USER = "user"
    CHANNEL = "channel"
    DEFAULT_CHANNEL_GROUP = "default_channel_group"
    GROUP = "group"
    MESSAGE = "message"
    INVITATION = "invitation"
    EXPORT = "export"
    EMOJI = "emoji"
    HOLD = "hold"
    """Only owners see what is about holds."""


class AuditKind(StrEnum):
    """The kinds of changes that are noted, each with the kind of thing that it is about."""

    target: AuditTarget

    def __new__(cls, name: str, target: AuditTarget) -> "AuditKind":
        kind = str.__new__(cls, name)
        kind._value_ = name
        kind.target = target
        return kind

    ACCOUNT_CREATED = "account_created", AuditTarget.USER
    ACCOUNT_DEACTIVATED = "account_deactivated", AuditTarget.USER
    ACCOUNT_REACTIVATED = "account_reactivated", AuditTarget.USER
    ACCOUNT_ERASED = "account_erased", AuditTarget.USER
    DATA_EXPORTED = "data_exported", AuditTarget.USER
    NAME_CHANGED = "name_changed", AuditTarget.USER
    ADDRESS_CHANGED = "address_changed", AuditTarget.USER
    PROFILE_CHANGED = "profile_changed", AuditTarget.USER
    STATUS_CHANGED = "status_changed", AuditTarget.USER
    ROLE_CHANGED = "role_changed", AuditTarget.USER
    SPECIAL_PERMISSION_CHANGED = "special_permission_changed", AuditTarget.USER
    EXPORT_CONSENT_CHANGED = "export_consent_changed", AuditTarget.USER
    PASSWORD_SET = "password_set", AuditTarget.USER
    KEY_RENEWED = "key_renewed", AuditTarget.USER
    LOGGED_IN = "logged_in", AuditTarget.USER
    LOGIN_FAILED = "login_failed", AuditTarget.USER
    IDENTITY_LINKED = "identity_linked", AuditTarget.USER
    IDENTITIES_FORGOTTEN = "identities_forgotten", AuditTarget.USER
    SESSION_ENDED = "session_ended", AuditTarget.USER
    QUEUES_ENDED = "queues_ended", AuditTarget.USER
    BOT_OWNER_CHANGED = "bot_owner_changed", AuditTarget.USER
    BOT_CHANGED = "bot_changed", AuditTarget.USER

    ORGANIZATION_FOUNDED = "organization_founded", AuditTarget.ORGANIZATION
    ORGANIZATION_CHANGED = "organization_changed", AuditTarget.ORGANIZATION
    SECRET_REPLACED = "secret_replaced", AuditTarget.ORGANIZATION
    RESTORE_DECLARED = "restore_declared", AuditTarget.ORGANIZATION
    LINKIFIERS_CHANGED = "linkifiers_changed", AuditTarget.ORGANIZATION
    PLAYGROUNDS_CHANGED = "playgrounds_changed", AuditTarget.ORGANIZATION
    PROFILE_FIELDS_CHANGED = "profile_fields_changed", AuditTarget.ORGANIZATION
    ARCHIVE_IMPORTED = "archive_imported", AuditTarget.ORGANIZATION
    MESSAGES_IMPORTED = "messages_imported", AuditTarget.ORGANIZATION
    FILES_DELETED = "files_deleted", AuditTarget.ORGANIZATION
    EMOJI_ADDED = "emoji_added", AuditTarget.EMOJI
    EMOJI_DEACTIVATED = "emoji_deactivated", AuditTarget.EMOJI
    EXPORT_REQUESTED = "export_requested", AuditTarget.EXPORT
    EXPORT_DELETED = "export_deleted", AuditTarget.EXPORT

    CHANNEL_CREATED = "channel_created", AuditTarget.CHANNEL
    CHANNEL_CHANGED = "channel_changed", AuditTarget.CHANNEL
    CHANNEL_ARCHIVED = "channel_archived", AuditTarget.CHANNEL
    CHANNEL_RESTORED = "channel_restored", AuditTarget.CHANNEL
    CHANNEL_ADDRESSES_REPLACED = "channel_addresses_replaced", AuditTarget.CHANNEL
    OTHERS_SUBSCRIBED = "others_subscribed", AuditTarget.CHANNEL
    OTHERS_UNSUBSCRIBED = "others_unsubscribed", AuditTarget.CHANNEL
    DEFAULT_CHANNEL_GROUPS_CHANGED = "default_channel_groups_changed", AuditTarget.DEFAULT_CHANNEL_GROUP

    GROUP_CREATED = "group_created", AuditTarget.GROUP
    GROUP_CHANGED = "group_changed", AuditTarget.GROUP
    GROUP_MEMBERS_CHANGED = "group_members_changed", AuditTarget.GROUP
    GROUP_DEACTIVATED = "group_deactivated", AuditTarget.GROUP
    GROUP_REACTIVATED = "group_reactivated", AuditTarget.GROUP

    INVITATION_SENT = "invitation_sent", AuditTarget.INVITATION
    INVITATION_SENT_AGAIN = "invitation_sent_again", AuditTarget.INVITATION
    INVITATION_REVOKED = "invitation_revoked", AuditTarget.INVITATION

    HOLD_SET = "hold_set", AuditTarget.HOLD
    HOLD_LIFTED = "hold_lifted", AuditTarget.HOLD

    MESSAGES_MOVED = "messages_moved", AuditTarget.MESSAGE
    MESSAGE_DELETED = "message_deleted", AuditTarget.MESSAGE
    MESSAGES_OF_TOPIC_DELETED = "messages_of_topic_deleted", AuditTarget.CHANNEL


class OriginKind(StrEnum):
    """The kinds of callers that ask for a change."""

    REQUEST = "request"
    CONSOLE = "console"
    """A command, by whoever runs the server."""
    PROGRAM = "program"
    """A program in which the server is embedded, or work that the server does by itself."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of a change: the caller that asked for it."""

    kind: OriginKind = OriginKind.PROGRAM
    client: str = ""
    """The name that the client of a request gave itself."""
    address: str = ""
    """The network address of a request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One change, with the values that differ, before and after it."""

    id: AuditId
    at: int
    kind: AuditKind
    actor_id: UserId | None
    """The account that acted; None for commands, and for people who are not logged in."""
    origin: OriginKind
    client: str
    address: str
    target_type: AuditTarget
    target_id: int | None
    before: AuditValues
    after: AuditValues
    personal: Mapping[str, AuditValues]
    """The values that name the person the entry is about, by `before` and `after`."""


def has_address(entry: AuditEntry) -> bool:
    """Whether an entry has e-mail addresses of who it is about."""
    return any(ADDRESS in values for values in entry.personal.values())


def addresses_in(entry: AuditEntry) -> set[str]:
    """Return the e-mail addresses of who an entry is about, each as the key that all its spellings share."""
    return {address_key(str(values[ADDRESS])) for values in entry.personal.values() if ADDRESS in values}


def without_address(entry: AuditEntry) -> AuditEntry:
    """Return an entry without the e-mail addresses of who it is about."""
    personal = {
        moment: {name: value for name, value in values.items() if name != ADDRESS}
        for moment, values in entry.personal.items()
    }
    return replace(entry, personal=personal)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFilter:
    """The conditions for wanted entries; all that are given must hold."""

    kind: AuditKind | None = None
    actor_id: int | None = None
    origin: OriginKind | None = None
    target_type: AuditTarget | None = None
    without_target: AuditTarget | None = None
    """The kind of thing that no wanted entry is about."""
    target_id: int | None = None
    since: int | None = None
    until: int | None = None
    """The time before which the entries were made."""
