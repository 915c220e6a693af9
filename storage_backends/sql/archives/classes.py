"""The contents of archives, by table. A test fails if a table or a column is in no class.

A partial export has, beside the public rows, those that belong to certain people; `Part` says on which
columns that depends.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from storage_backends.sql import schema
from storage_backends.sql.people.users import KEY_VERSION_BITS, email_key, name_key
from storage_backends.sql.schema import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The rows of a table that a partial export has: those for which all of this holds."""

    person: str | None = None
    """A column: an account whose private data is exported."""
    recipient: str | None = None
    """A column: a channel or a conversation that is exported."""
    message: str | None = None
    """A column: a message that is exported."""
    file: str | None = None
    """A column: an uploaded file that is exported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """A table that archives have."""

    columns: str
    """The names of the columns that archives have; one that is neither here nor in `anew` is in no class."""
    part: Part = Part()
    personal: Mapping[str, Any] = field(default_factory=dict)
    """Columns that belong to the account in `person_of`, with the values for other people."""
    person_of: str = "user_id"
    anew: Mapping[str, Callable[[Mapping[str, Any]], Any]] = field(default_factory=dict)
    """Columns that archives do not have, with functions that make them of a row: secrets are drawn or left
    empty, keys follow from other columns, attempts begin anew.
    """
    refers: Mapping[str, type[Table]] = field(default_factory=dict)
    """Columns with the ids of rows of other tables."""
    is_made_again: bool = False
    """Whether the program makes a row again from its file, so that an import leaves out damaged ones."""


@dataclass(frozen=True, slots=True)
class Secret:
    """A table that no archive has, because it holds what nobody may see."""


@dataclass(frozen=True, slots=True)
class Transient:
    """A table that no archive has: it belongs to one server and its running clients."""


@dataclass(frozen=True, slots=True)
class Derived:
    """A table that follows from others, and is made anew by an import."""


Class: TypeAlias = Exported | Secret | Transient | Derived

OF_PERSON = Part(person="user_id")
OF_MESSAGE = Part(message="message_id")
ACCOUNT, MESSAGE, RECIPIENT, CHANNEL = schema.Account, schema.Message, schema.Recipient, schema.Channel

CLASSES: Mapping[type[Table], Class] = {
    # The organization. Its JSON has a fingerprint of the secret, which `export` leaves out.
    schema.Organization: Exported(columns="id data"),
    schema.Linkifier: Exported(columns="id place pattern url_template"),
    schema.Playground: Exported(columns="id name highlighter_language url_template"),
    schema.CustomEmoji: Exported(
        columns=("id name author_id token content_type is_animated deactivated"),
        refers={"author_id": ACCOUNT},
    ),
    schema.ProfileField: Exported(
        columns=(
            "id field_type name hint place field_data display_in_profile_summary required editable_by_user"
        )
    ),
    schema.ChannelFolder: Exported(
        columns=("id place name description rendered_description date_created creator_id is_archived")
    ),
    schema.DefaultChannelGroup: Exported(columns="id name description channel_ids"),
    schema.ImportProgress: Exported(columns="source lines finished"),
    schema.ImportedMessage: Exported(columns="digest"),
    schema.FullMembersAnnounced: Exported(columns="id up_to"),
    # Accounts and what belongs to them
    schema.Recipient: Exported(columns="id kind", part=Part(recipient="id")),
    schema.Account: Exported(
        columns=(
            "id email full_name role is_bot bot_type bot_owner_id is_active date_joined "
            "timezone avatar_source avatar_version avatar_key email_visibility settings "
            "can_change_user_emails can_create_users"
        ),
        personal={"settings": "{}"},
        person_of="id",
        anew={
            "email_key": lambda row: email_key(row["email"]),
            "name_key": lambda row: name_key(row["full_name"]),
            "key_version": lambda row: secrets.randbits(KEY_VERSION_BITS),
            "password_hash": lambda row: None,
            "key_holder_id": lambda row: None,
        },
        refers={"id": RECIPIENT, "bot_owner_id": ACCOUNT},
    ),
    schema.ProfileValue: Exported(
        columns="user_id field_id value rendered_value",
        refers={"user_id": ACCOUNT, "field_id": schema.ProfileField},
    ),
    schema.UserStatus: Exported(
        columns="user_id status_text emoji_name emoji_code reaction_type", refers={"user_id": ACCOUNT}
    ),
    schema.UserPresence: Exported(
        columns="user_id active_at connected_at update_id", part=OF_PERSON, refers={"user_id": ACCOUNT}
    ),
    schema.MutingPeriod: Exported(
        columns="user_id muted_id start_position until_position muted_at",
        part=OF_PERSON,
        refers={"user_id": ACCOUNT, "muted_id": ACCOUNT},
    ),
    schema.AlertWord: Exported(
        columns="id user_id word_key word first_token", part=OF_PERSON, refers={"user_id": ACCOUNT}
    ),
    schema.Draft: Exported(
        columns="id user_id type recipients topic content timestamp",
        part=OF_PERSON,
        refers={"user_id": ACCOUNT},
    ),
    schema.SavedSnippet: Exported(
        columns="id user_id title content date_created", part=OF_PERSON, refers={"user_id": ACCOUNT}
    ),
    schema.ScheduledMessage: Exported(
        columns=(
            "id user_id due channel_id people topic content rendered_content client "
            "read_by_sender failure reminds_of note"
        ),
        part=OF_PERSON,
        refers={"user_id": ACCOUNT},
    ),
    schema.NavigationView: Exported(
        columns="user_id fragment is_pinned name", part=OF_PERSON, refers={"user_id": ACCOUNT}
    ),
    schema.OnboardingStep: Exported(columns="user_id name", part=OF_PERSON, refers={"user_id": ACCOUNT}),
    schema.BotStorage: Exported(columns="user_id name value", part=OF_PERSON, refers={"user_id": ACCOUNT}),
    # What a service gets to identify itself follows from the key of its bot.
    schema.Bot: Exported(
        columns=(
            "user_id sending_channel_id sending_channel events_channel_id events_channel all_public "
            "service_name payload_url interface config"
        ),
        part=OF_PERSON,
        refers={"user_id": ACCOUNT},
    ),
    # The token of its link is drawn when all rows are loaded; until then, the hash is that of no token.
    schema.Invitation: Exported(
        columns=(
            "id email inviter_id invited_at expires_at role channel_ids group_ids joins_defaults "
            "notifies_inviter welcome_text"
        ),
        part=Part(person="inviter_id"),
        anew={
            "email_key": lambda row: row["email"] and email_key(row["email"]),
            "nonce": lambda row: "",
            "token_hash": lambda row: secrets.token_hex(),
        },
        refers={"inviter_id": ACCOUNT},
    ),
    schema.UserGroup: Exported(columns=("id name description creator_id date_created deactivated settings")),
    schema.UserGroupMember: Exported(
        columns="user_id group_id", refers={"user_id": ACCOUNT, "group_id": schema.UserGroup}
    ),
    schema.UserGroupSubgroup: Exported(
        columns="subgroup_id group_id", refers={"subgroup_id": schema.UserGroup, "group_id": schema.UserGroup}
    ),
    # Channels and conversations
    schema.Channel: Exported(
        columns=(
            "id name name_key description rendered_description date_created creator_id "
            "invite_only is_web_public history_public_to_subscribers is_archived "
            "message_retention_days topics_policy subscriber_count permissions folder_id address_version"
        ),
        part=Part(recipient="id"),
        refers={"id": RECIPIENT},
    ),
    schema.ChannelEvent: Exported(
        columns="channel_id position", part=Part(recipient="channel_id"), refers={"channel_id": CHANNEL}
    ),
    schema.ChannelTraffic: Exported(
        columns="channel_id day messages", part=Part(recipient="channel_id"), refers={"channel_id": CHANNEL}
    ),
    schema.MailReceipt: Exported(
        columns="channel_id mail_key received_at",
        part=Part(recipient="channel_id"),
        refers={"channel_id": CHANNEL},
    ),
    schema.Subscription: Exported(
        columns=(
            "user_id channel_id active color is_muted pin_to_top desktop_notifications "
            "email_notifications push_notifications audible_notifications "
            "wildcard_mentions_notify"
        ),
        part=Part(recipient="channel_id"),
        personal={
            "color": "#c2c2c2",
            "is_muted": False,
            "pin_to_top": False,
            "desktop_notifications": None,
            "email_notifications": None,
            "push_notifications": None,
            "audible_notifications": None,
            "wildcard_mentions_notify": None,
        },
        refers={"user_id": ACCOUNT, "channel_id": CHANNEL},
    ),
    schema.SubscriptionPeriod: Exported(
        columns="user_id recipient_id start_position until_position",
        part=Part(recipient="recipient_id"),
        refers={"user_id": ACCOUNT, "recipient_id": CHANNEL},
    ),
    schema.TopicPolicy: Exported(
        columns="user_id channel_id topic_key topic policy updated",
        part=Part(person="user_id", recipient="channel_id"),
        refers={"user_id": ACCOUNT, "channel_id": CHANNEL},
    ),
    schema.Conversation: Exported(
        columns="id people size", part=Part(recipient="id"), refers={"id": RECIPIENT}
    ),
    schema.ConversationMember: Exported(
        columns="user_id conversation_id",
        part=Part(recipient="conversation_id"),
        refers={"user_id": ACCOUNT, "conversation_id": schema.Conversation},
    ),
    schema.ReadWatermark: Exported(
        columns="user_id recipient_id position",
        part=Part(person="user_id", recipient="recipient_id"),
        refers={"user_id": ACCOUNT, "recipient_id": RECIPIENT},
    ),
    # Messages come before everything that belongs to one.
    schema.Message: Exported(
        columns=(
            "id sender_id recipient_id topic topic_key folded_topic topic_links content "
            "rendered_content timestamp client has_link has_image has_attachment has_reaction "
            "has_submessages has_edits channel_wildcard last_edit_timestamp "
            "last_moved_timestamp arrived_at moved_from arrives_read"
        ),
        part=Part(recipient="recipient_id", message="id"),
        refers={"sender_id": ACCOUNT, "recipient_id": RECIPIENT},
    ),
    schema.MessageEdit: Exported(
        columns=(
            "id message_id user_id timestamp prev_content prev_rendered_content prev_topic "
            "topic prev_channel_id channel_id prev_arrived_at"
        ),
        part=OF_MESSAGE,
        refers={"message_id": MESSAGE, "user_id": ACCOUNT},
    ),
    schema.Reaction: Exported(
        columns="id message_id user_id emoji_name emoji_code reaction_type",
        part=OF_MESSAGE,
        refers={"message_id": MESSAGE, "user_id": ACCOUNT},
    ),
    schema.Submessage: Exported(
        columns="id message_id sender_id msg_type content",
        part=OF_MESSAGE,
        refers={"message_id": MESSAGE, "sender_id": ACCOUNT},
    ),
    schema.MessageFlag: Exported(
        columns="user_id recipient_id message_id bits",
        part=Part(person="user_id", message="message_id"),
        refers={"user_id": ACCOUNT, "recipient_id": RECIPIENT, "message_id": MESSAGE},
    ),
    schema.AttachmentLink: Exported(
        columns="attachment_id message_id",
        part=OF_MESSAGE,
        refers={"attachment_id": schema.Attachment, "message_id": MESSAGE},
    ),
    schema.Attachment: Exported(
        columns=("id path_id owner_id name content_type is_shown size created unlinked_since"),
        refers={"owner_id": ACCOUNT},
    ),  # in part: linked ones, and those of people
    # The thumbnails themselves are made when somebody looks at them.
    schema.UploadedImage: Exported(
        columns="attachment_id content_type width height is_animated state",
        part=Part(file="attachment_id"),
        anew={"tries": lambda row: 0, "due": lambda row: 0},
        refers={"attachment_id": schema.Attachment},
        is_made_again=True,
    ),
    # Derived from the rest
    schema.MessageSearch: Derived(),
    schema.UploadSpace: Derived(),
    schema.UploadSpaceOfUser: Derived(),
    schema.LogHead: Derived(),
    schema.RememberedVersion: Derived(),
    # Belonging to one server
    schema.Event: Transient(),
    schema.EventQueue: Transient(),
    schema.LocalEcho: Transient(),
    schema.AdoptedLog: Transient(),
    schema.UnfinishedUpload: Transient(),
    schema.RequestedExport: Transient(),
    schema.DailyUse: Transient(),
    schema.RequestCount: Transient(),
    schema.BotCall: Transient(),
    schema.Mail: Transient(),
    # Secret
    schema.BrowserSession: Secret(),
    schema.KnownNetwork: Secret(),
    schema.LoginFailure: Secret(),
    schema.Confirmation: Secret(),
}
"""The class of each table, in the order of an archive."""

EXPORTED: Mapping[type[Table], Exported] = {
    table: found for table, found in CLASSES.items() if isinstance(found, Exported)
}
