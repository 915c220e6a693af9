"""The tables that archives have, in their order, and what the Models say of them."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import UNSET

from chatcore.storage.archives.tables import Value
from storage_backends.sql import schema
from storage_backends.sql.schema import Table
from storage_backends.sql.schema.archives import Exported, Make
from storage_backends.sql.schema.columns import Column

FIRST: Final[Sequence[type[Table]]] = (
    schema.Organization, schema.Linkifier, schema.Playground, schema.CustomEmoji, schema.ProfileField,
    schema.ChannelFolder, schema.DefaultChannelGroup, schema.ImportProgress, schema.ImportedMessage,
    schema.FullMembersAnnounced, schema.Recipient, schema.Account, schema.ProfileValue, schema.UserStatus,
    schema.UserPresence, schema.MutingPeriod, schema.AlertWord, schema.Draft, schema.SavedSnippet,
    schema.ScheduledMessage, schema.NavigationView, schema.OnboardingStep, schema.BotStorage, schema.Bot,
    schema.Invitation, schema.UserGroup, schema.UserGroupMember, schema.UserGroupSubgroup, schema.Channel,
    schema.ChannelEvent, schema.ChannelTraffic, schema.MailReceipt, schema.Subscription,
    schema.SubscriptionPeriod, schema.TopicPolicy, schema.Conversation, schema.ConversationMember,
    schema.ReadWatermark, schema.Message, schema.MessageEdit, schema.Reaction, schema.Submessage,
    schema.MessageFlag, schema.AttachmentLink, schema.Attachment, schema.UploadedImage,
)  # fmt: skip
"""Tables in the order of the first archives: messages come before what belongs to one. All others follow."""


def _in_order() -> Sequence[type[Table]]:
    return [*FIRST, *(table for table in Table.__subclasses__() if table not in FIRST)]


EXPORTED: Final[Mapping[type[Table], Exported]] = {
    table: table.archive for table in _in_order() if isinstance(table.archive, Exported)
}
NAMED: Final = {table._meta.table_name: table for table in EXPORTED}


def _columns(table: type[Table]) -> Sequence[Column]:
    columns: Sequence[Column] = table._meta.sorted_fields
    return columns


def exported_columns(table: type[Table]) -> Sequence[Column]:
    return [column for column in _columns(table) if column.anew is None]


def made_anew(table: type[Table]) -> Mapping[str, Make]:
    """Return what makes the columns that archives do not have, by their names."""
    return {column.column_name: column.anew for column in _columns(table) if column.anew is not None}


def personal_columns(table: type[Table]) -> Mapping[str, Value]:
    """Return the columns that belong to the account in `person_of`, with the values for other people."""
    return {column.column_name: column.personal for column in _columns(table) if column.personal is not UNSET}


def references(table: type[Table]) -> Mapping[str, type[Table]]:
    """Return the columns with the ids of rows of other tables."""
    return {column.column_name: NAMED[column.refers] for column in _columns(table) if column.refers}
