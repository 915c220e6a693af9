"""What each table has of one person: the rows that an archive of the person has, and those that erasing the
person removes. `tests/application/erasure` requires each table here, with its rows or with a reason.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from peewee import SQL, Field, fn

from chatcore.domain.organization.audit import AuditTarget
from chatcore.storage.archives.tables import Row
from storage_backends.sql import schema
from storage_backends.sql.people.readable import (
    OWN_CHANNELS,
    OWN_CONVERSATIONS,
    PERSON,
    READS_MESSAGE,
    reads_in,
)
from storage_backends.sql.schema import (
    Account,
    Attachment,
    AuditLogEntry,
    ConversationMember,
    Invitation,
    Message,
    Subscription,
    Table,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Personal:
    """The part of a table that is about one person; the conditions have the parameter `user_id`."""

    exported: Any = None
    """The condition on rows that an archive of the person has; None if it has no row of the table."""
    removed: Any = None
    """The condition on rows that erasing the person removes; None where it removes none as such."""
    columns: Sequence[Field] = ()
    """The exported columns; by default those that archives of everything have."""
    without_others: Callable[[Row, int], Row] | None = None
    """Returns a row, which is about a person with this id, without what is of other people."""
    readable: Any = None
    """The condition that the person may read now what a row names; None if that is so of all rows."""
    hidden: Sequence[Field] = ()
    """The columns that are null in rows for which `readable` does not hold: the places and names that others
    may have given since.
    """


def _alone(condition: Any, *columns: Field) -> Personal:
    """Return rows that are the person's alone: they are exported, and go when the person is erased."""
    return Personal(exported=condition, removed=condition, columns=columns)


def _except(table: type[Table], *left_out: Field) -> Sequence[Field]:
    """Return the columns of a table but for some."""
    names = {field.name for field in left_out}  # fields have no truth value when they are compared
    return [field for field in table._meta.sorted_fields if field.name not in names]


def _without_others(row: Row, user_id: int) -> Row:
    """Return an entry of the audit log without the addresses and names of other people."""
    is_about = row["target_type"] == AuditTarget.USER.value and row["target_id"] == user_id
    is_by_another = row["actor_id"] not in (None, user_id)
    return {
        **row,
        **({"client": "", "address": ""} if is_by_another else {}),
        **({} if is_about else {"personal": "{}"}),
    }


_OWN_BOTS = Account.select(Account.id).where(Account.bot_owner_id == PERSON)
_OWN_FILES = Attachment.select(Attachment.id).where(Attachment.owner_id == PERSON)
_OWN_INVITATIONS = Invitation.select(Invitation.nonce).where(Invitation.inviter_id == PERSON)
_OWN_ADDRESS = Account.select(Account.email).where(Account.id == PERSON)

PERSONAL: Final[Mapping[type[Table], Personal]] = {
    Account: Personal(exported=(Account.id == PERSON) | (Account.bot_owner_id == PERSON)),
    schema.ProfileValue: _alone(schema.ProfileValue.user_id == PERSON),
    schema.UserStatus: _alone(schema.UserStatus.user_id == PERSON),
    schema.UserPresence: _alone(schema.UserPresence.user_id == PERSON),
    schema.BrowserSession: _alone(
        schema.BrowserSession.user_id == PERSON,
        schema.BrowserSession.began_at,
        schema.BrowserSession.used_at,
        schema.BrowserSession.user_agent,
        schema.BrowserSession.address,
    ),
    schema.EventQueue: Personal(  # those of an erased account have ended
        exported=schema.EventQueue.user_id == PERSON,
        columns=(schema.EventQueue.user_id, schema.EventQueue.last_seen),
    ),
    schema.KnownNetwork: _alone(
        schema.KnownNetwork.user_id == PERSON, schema.KnownNetwork.network, schema.KnownNetwork.seen_at
    ),
    schema.KnownDevice: _alone(
        schema.KnownDevice.user_id == PERSON, schema.KnownDevice.device, schema.KnownDevice.seen_at
    ),
    schema.PushSubscription: _alone(
        schema.PushSubscription.user_id == PERSON,
        schema.PushSubscription.device,
        schema.PushSubscription.created_at,
    ),
    schema.ExternalIdentity: _alone(
        schema.ExternalIdentity.user_id == PERSON,
        schema.ExternalIdentity.provider,
        schema.ExternalIdentity.subject,
    ),
    schema.DailyUse: _alone(
        schema.DailyUse.user_id == PERSON,
        schema.DailyUse.what,
        schema.DailyUse.day,
        schema.DailyUse.amount,
    ),
    AuditLogEntry: Personal(
        exported=(AuditLogEntry.actor_id == PERSON)
        | ((AuditLogEntry.target_type == AuditTarget.USER.value) & (AuditLogEntry.target_id == PERSON)),
        without_others=_without_others,
    ),
    schema.UserGroupMember: Personal(exported=schema.UserGroupMember.user_id == PERSON),
    Subscription: _alone(Subscription.user_id == PERSON),
    schema.SubscriptionPeriod: _alone(schema.SubscriptionPeriod.user_id == PERSON),
    schema.Channel: Personal(
        exported=schema.Channel.id.in_(OWN_CHANNELS), columns=(schema.Channel.id, schema.Channel.name)
    ),
    schema.TopicPolicy: Personal(  # they follow topics that others rename and move
        exported=schema.TopicPolicy.user_id == PERSON,
        removed=schema.TopicPolicy.user_id == PERSON,
        readable=reads_in(schema.TopicPolicy.channel_id),
        hidden=(schema.TopicPolicy.channel_id, schema.TopicPolicy.topic_key, schema.TopicPolicy.topic),
    ),
    schema.NavigationView: _alone(schema.NavigationView.user_id == PERSON),
    schema.MutingPeriod: _alone(schema.MutingPeriod.user_id == PERSON),
    schema.AlertWord: _alone(schema.AlertWord.user_id == PERSON),
    schema.OnboardingStep: _alone(schema.OnboardingStep.user_id == PERSON),
    schema.Draft: _alone(schema.Draft.user_id == PERSON),
    schema.SavedSnippet: _alone(schema.SavedSnippet.user_id == PERSON),
    schema.ScheduledMessage: _alone(schema.ScheduledMessage.author_id == PERSON),
    schema.Conversation: Personal(exported=schema.Conversation.id.in_(OWN_CONVERSATIONS)),
    ConversationMember: Personal(exported=ConversationMember.conversation_id.in_(OWN_CONVERSATIONS)),
    Message: Personal(
        exported=(Message.sender_id == PERSON) | Message.recipient_id.in_(OWN_CONVERSATIONS),
        columns=_except(Message, Message.moved_from, Message.arrived_at),
        readable=READS_MESSAGE,
        hidden=(
            Message.recipient_id,
            Message.topic,
            Message.topic_key,
            Message.folded_topic,
            Message.topic_links,
            Message.has_reaction,
            Message.has_submessages,
            Message.has_edits,
            Message.last_edit_timestamp,
            Message.last_moved_timestamp,
            Message.arrives_read,
        ),
    ),
    schema.MessageEdit: Personal(  # without places: merging old edits puts those of others into one row
        exported=schema.MessageEdit.user_id == PERSON,
        columns=(
            schema.MessageEdit.id,
            schema.MessageEdit.message_id,
            schema.MessageEdit.user_id,
            schema.MessageEdit.timestamp,
            schema.MessageEdit.prev_content,
            schema.MessageEdit.prev_rendered_content,
        ),
    ),
    schema.Reaction: Personal(exported=schema.Reaction.user_id == PERSON),
    schema.Submessage: Personal(exported=schema.Submessage.sender_id == PERSON),
    schema.MessageFlag: Personal(
        exported=schema.MessageFlag.user_id == PERSON,
        removed=schema.MessageFlag.user_id == PERSON,
        readable=reads_in(schema.MessageFlag.recipient_id)
        | schema.MessageFlag.recipient_id.in_(OWN_CONVERSATIONS),
        hidden=(schema.MessageFlag.recipient_id,),
    ),
    schema.ReadWatermark: _alone(schema.ReadWatermark.user_id == PERSON),
    Attachment: Personal(exported=Attachment.owner_id == PERSON),
    schema.AttachmentLink: Personal(
        exported=schema.AttachmentLink.attachment_id.in_(_OWN_FILES)
        & fn.EXISTS(
            Message.select(SQL("1")).where(
                Message.id == schema.AttachmentLink.message_id, (Message.sender_id == PERSON) | READS_MESSAGE
            )
        )
    ),
    schema.UnfinishedUpload: Personal(
        exported=schema.UnfinishedUpload.owner_id == PERSON,
        columns=(
            schema.UnfinishedUpload.name,
            schema.UnfinishedUpload.content_type,
            schema.UnfinishedUpload.length,
        ),
    ),
    schema.CustomEmoji: Personal(exported=schema.CustomEmoji.author_id == PERSON),
    schema.Mail: Personal(  # before the invitations from which some of them come
        exported=schema.Mail.recipient.in_(_OWN_ADDRESS),
        removed=schema.Mail.nonce.in_(_OWN_INVITATIONS),
        columns=(schema.Mail.recipient, schema.Mail.kind, schema.Mail.written_at),
    ),
    schema.MissedConversation: Personal(removed=schema.MissedConversation.user_id == PERSON),
    schema.Push: Personal(removed=schema.Push.user_id == PERSON),
    schema.ReplyReceipt: Personal(removed=schema.ReplyReceipt.user_id == PERSON),
    Invitation: _alone(Invitation.inviter_id == PERSON),
    schema.Confirmation: _alone(
        schema.Confirmation.user_id == PERSON,
        schema.Confirmation.proof,
        schema.Confirmation.email,
        schema.Confirmation.expires_at,
    ),
    schema.Bot: Personal(
        exported=schema.Bot.user_id.in_(_OWN_BOTS),
        removed=schema.Bot.user_id == PERSON,
        columns=(schema.Bot.user_id, schema.Bot.service_name, schema.Bot.interface),
    ),
    schema.BotCall: Personal(removed=schema.BotCall.bot_id == PERSON),
    schema.BotStorage: Personal(removed=schema.BotStorage.user_id == PERSON),
    schema.RequestedExport: Personal(
        exported=schema.RequestedExport.user_id == PERSON,
        columns=(
            schema.RequestedExport.id,
            schema.RequestedExport.acting_user_id,
            schema.RequestedExport.requested_at,
            schema.RequestedExport.finished_at,
            schema.RequestedExport.deleted_at,
        ),
    ),
}
"""Besides, files and messages go by steps of their own, and names by `Erasures.forget_addresses`."""

KNOWN_PEOPLE: Final = Personal(
    exported=Account.id.in_(
        ConversationMember.select(ConversationMember.user_id).where(
            ConversationMember.conversation_id.in_(OWN_CONVERSATIONS)
        )
    ),
    columns=(Account.id, Account.full_name),
)
"""The names of those who have direct messages with the person, so that the messages can be read."""

IMPERSONAL: Final[Mapping[type[Table], str]] = {
    **dict.fromkeys(
        (
            schema.AdoptedLog, schema.AuditRetention, schema.ChannelEvent, schema.ChannelTraffic,
            schema.DigestRound, schema.FullMembersAnnounced, schema.LogHead, schema.MissedProgress,
            schema.Recipient, schema.RememberedVersion, schema.RetentionMark, schema.UploadSpace,
        ),
        "numbers and marks of the server",
    ),
    **dict.fromkeys(
        (
            schema.ChannelFolder, schema.DefaultChannelGroup, schema.Linkifier, schema.Organization,
            schema.Playground, schema.ProfileField, schema.UserGroup, schema.UserGroupSubgroup,
        ),
        "what the organization has in common; it names people by their ids at most",
    ),
    schema.Erasure: "the record that people were erased; names are in it while that lasts",
    schema.Event: "what clients are still to receive of all other tables, for some minutes",
    schema.LocalEcho: "belongs to event queues",
    schema.LoginFailure: "attempts under an address, whoever makes them, for some minutes",
    schema.RequestCount: "counts for some minutes",
    schema.MailReceipt: "digests of mails to channels",
    schema.LegalHold: "who is held is not erased, and not told of it",
    schema.RetentionClaim: "the process that deletes at present",
    schema.ImportProgress: "files of an import",
    schema.ImportedMessage: "digests of imported messages",
    schema.MessageSearch: "follows from messages",
    schema.UploadSpaceOfUser: "follows from files",
    schema.UploadedImage: "follows from files",
}  # fmt: skip
"""Tables of which an archive of a person has nothing, and why."""
