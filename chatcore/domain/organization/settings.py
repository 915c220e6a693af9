"""Settings of the organization that have an effect, and the values they accept.

Permissions are in `groups`. The other fields of `Organization` are only reported to clients and
keep their initial values.
"""

from collections.abc import Collection, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Final

from chatcore.domain.characters import check_characters, check_name, length, visible
from chatcore.domain.choices import MAX_INT, Value, explained, read_value
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.organization.administration import require_administrator, require_owner
from chatcore.domain.organization.organization import EditHistoryVisibility
from chatcore.domain.topics import TopicsPolicy

MAX_NAME_LENGTH = 40
MAX_DESCRIPTION_LENGTH = 1000
MAX_LANGUAGE_LENGTH = 40
MAX_WELCOME_LENGTH = 8000
UNLIMITED: Final = "unlimited"
NO_CHANNEL: Final = -1
"""Representations of None: for a limit and for a channel."""


@dataclass(frozen=True, slots=True)
class OrganizationSetting:
    """One setting. `bounds` limit a number, or the length of a text in characters."""

    about: str
    kind: type[bool] | type[int] | type[str]
    _: KW_ONLY
    allowed: Collection[int | str] = ()
    bounds: tuple[int, int] = (0, MAX_INT)
    nothing: int | str | None = None
    """The client's value for "none" (no limit, no channel); it is read as None."""
    of_owners: bool = False
    """Whether only owners, not other administrators, can change it."""

    @property
    def explained(self) -> str:
        text = explained(self.about, self.kind, self.allowed, self.bounds)
        if self.nothing is not None:
            text = f"{text[:-1]}, or {self.nothing} for none."
        return f"{text} Owners only." if self.of_owners else text

    def read(self, name: str, raw: object) -> Value:
        """Return the setting's value for client input.

        :raises BadRequest, InvalidParameter: a value that the setting does not accept
        """
        if self.nothing is not None and (raw is None or raw == self.nothing):
            return None
        if self.kind is str and isinstance(raw, str):
            raw = _CLEANED.get(name, _as_it_is)(raw)
        otherwise = "" if self.nothing is None else f" or {self.nothing!r}"
        return read_value(name, raw, self.kind, allowed=self.allowed, bounds=self.bounds, otherwise=otherwise)

    def require_may_change(self, actor: Actor) -> None:
        """Check that the actor may change the setting.

        :raises InsufficientRole: not an administrator, or not an owner where one is required
        """
        (require_owner if self.of_owners else require_administrator)(actor)


def organization_name(raw: str) -> str:
    """Check the name of an organization and return it stripped.

    :raises BadRequest: empty, too long, or with characters that a name cannot have
    """
    name = raw.strip()
    if not visible(name):
        raise BadRequest("The name of the organization can't be empty.")
    if length(name) > MAX_NAME_LENGTH:
        raise BadRequest(f"The name of the organization is too long (limit: {MAX_NAME_LENGTH} characters).")
    check_name(name, "the name of the organization")
    return name


def _lines(raw: str) -> str:
    text = raw.replace("\r\n", "\n")
    check_characters(text.replace("\n", " "), "description")
    return text


def _as_it_is(raw: str) -> str:
    check_characters(raw, "text")
    return raw


_CLEANED = {"name": organization_name, "description": _lines, "welcome_message_custom_text": _lines}


def _seconds(about: str) -> OrganizationSetting:
    return OrganizationSetting(about, int, bounds=(1, MAX_INT), nothing=UNLIMITED)


def _switch(about: str, *, of_owners: bool = False) -> OrganizationSetting:
    return OrganizationSetting(about, bool, of_owners=of_owners)


SETTINGS: Mapping[str, OrganizationSetting] = {
    "name": OrganizationSetting("The name of the organization.", str),
    "description": OrganizationSetting(
        "Its description, in Markdown.", str, bounds=(0, MAX_DESCRIPTION_LENGTH)
    ),
    # Messages and topics.
    "topics_policy": OrganizationSetting(
        "Whether messages may have no topic, in channels without a setting of their own.",
        str,
        allowed=(TopicsPolicy.ALLOW_EMPTY, TopicsPolicy.DISABLE_EMPTY),
    ),
    "default_code_block_language": OrganizationSetting(
        "The language of code blocks that name none.", str, bounds=(0, MAX_LANGUAGE_LENGTH)
    ),
    "inline_image_preview": _switch("Whether messages show the pictures that they link to."),
    "allow_message_editing": _switch("Whether people may edit the texts of their messages."),
    "message_content_edit_limit_seconds": _seconds("The time limit for edits, in seconds."),
    "message_content_delete_limit_seconds": _seconds(
        "The time limit for deleting one's own messages, in seconds."
    ),
    "move_messages_within_stream_limit_seconds": _seconds(
        "The time limit for moving messages to other topics, in seconds."
    ),
    "move_messages_between_streams_limit_seconds": _seconds(
        "The time limit for moving messages to other channels, in seconds."
    ),
    "message_edit_history_visibility_policy": OrganizationSetting(
        "The visible part of the edit history.",
        str,
        allowed=(EditHistoryVisibility.ALL, EditHistoryVisibility.MOVES, EditHistoryVisibility.NONE),
    ),
    "enable_read_receipts": _switch("Whether people see who has read a message."),
    "new_stream_announcements_stream_id": OrganizationSetting(
        "The id of the channel in which new channels are announced.", int, nothing=NO_CHANNEL
    ),
    "welcome_message_custom_text": OrganizationSetting(
        "The end of the direct message that welcomes a new person, in Markdown.",
        str,
        bounds=(0, MAX_WELCOME_LENGTH),
    ),
    # Accounts.
    "waiting_period_threshold": OrganizationSetting(
        "Days after which a new member is a full member.", int, bounds=(0, 36_500), of_owners=True
    ),
    "enable_spectator_access": _switch(
        "Whether web-public channels can be read without an account.", of_owners=True
    ),
    "require_unique_names": _switch("Whether names of people must be unique."),
    "name_changes_disabled": _switch("Whether only administrators change names."),
    "email_changes_disabled": _switch("Whether only administrators change addresses."),
    "avatar_changes_disabled": _switch("Whether only administrators change pictures of people."),
    "password_auth_enabled": _switch("Whether one can log in with a password.", of_owners=True),
    "presence_disabled": _switch("Whether presence is hidden for all."),
    "upload_quota_mib": OrganizationSetting(
        "The maximum size of all files together, in MiB.",
        int,
        nothing=UNLIMITED,
        of_owners=True,
    ),
}
"""Settings by field names of `Organization`; clients see each as `realm_` and the name."""
