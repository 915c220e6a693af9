"""Messages, the rows that belong to them, and their recipients."""

from peewee import SQL, BigIntegerField, BooleanField, CompositeKey, TextField, fn

from chatcore.domain.topics import RESOLVED_PREFIX
from storage_backends.sql.schema.table import (
    DEFAULT_EMPTY,
    DEFAULT_FALSE,
    UNIQUE,
    Bytewise,
    Serial,
    Table,
)


class Recipient(Table):
    """The one space of ids for every recipient of a message: users, channels, conversations."""

    id = Serial()
    kind = TextField()

    class Meta:
        table_name = "recipient"


class Conversation(Table):
    """A set of people who have direct messages."""

    id = BigIntegerField(primary_key=True)
    people = TextField(constraints=UNIQUE)
    """The ids of the people in ascending order, separated by commas."""
    size = BigIntegerField()

    class Meta:
        table_name = "conversation"


class ConversationMember(Table):
    user_id = BigIntegerField()
    conversation_id = BigIntegerField()

    class Meta:
        table_name = "conversation_member"
        primary_key = CompositeKey("user_id", "conversation_id")
        without_rowid = True


ConversationMember.indexed(
    "conversation_member_conversation", ConversationMember.conversation_id, ConversationMember.user_id
)


class Message(Table):
    id = BigIntegerField(primary_key=True)
    sender_id = BigIntegerField()
    recipient_id = BigIntegerField()
    """A channel or a conversation."""
    topic = TextField()
    topic_key = Bytewise(null=True)
    """Null in conversations."""
    folded_topic = TextField(constraints=DEFAULT_EMPTY)
    topic_links = TextField(null=True)
    content = TextField()
    rendered_content = TextField()
    timestamp = BigIntegerField()
    client = TextField()
    has_link = BooleanField()
    has_image = BooleanField()
    has_attachment = BooleanField()
    has_reaction = BooleanField(constraints=DEFAULT_FALSE)
    has_submessages = BooleanField(constraints=DEFAULT_FALSE)
    has_edits = BooleanField(constraints=DEFAULT_FALSE)
    channel_wildcard = BooleanField()
    last_edit_timestamp = BigIntegerField(null=True)
    last_moved_timestamp = BigIntegerField(null=True)
    arrived_at = BigIntegerField(null=True)
    """The position at which the message was moved to its channel."""
    moved_from = BigIntegerField(null=True)
    """The channel from which it was moved last."""
    arrives_read = BooleanField(constraints=DEFAULT_FALSE)

    class Meta:
        table_name = "message"


Message.indexed("message_recipient", Message.recipient_id, Message.id)
Message.indexed("message_topic", Message.recipient_id, Message.topic_key, Message.id)
Message.indexed("message_sender", Message.recipient_id, Message.sender_id, Message.id)
Message.indexed("message_with_image", Message.recipient_id, Message.id, where=Message.has_image)
Message.indexed("message_with_attachment", Message.recipient_id, Message.id, where=Message.has_attachment)
Message.indexed("message_with_link", Message.recipient_id, Message.id, where=Message.has_link)
Message.indexed("message_with_reaction", Message.recipient_id, Message.id, where=Message.has_reaction)
Message.indexed("message_to_all", Message.recipient_id, Message.id, where=Message.channel_wildcard)
Message.indexed(
    "message_resolved",
    Message.recipient_id,
    Message.id,
    where=fn.substr(Message.topic, 1, len(RESOLVED_PREFIX)) == RESOLVED_PREFIX,
)
Message.indexed(
    "message_arrived",
    Message.recipient_id,
    Message.id,
    Message.arrived_at,
    where=Message.arrived_at.is_null(False),
)


class MessageSearch(Table):
    """The words of each message: a virtual table on SQLite, one with vectors on PostgreSQL."""

    rowid = BigIntegerField(primary_key=True)
    words = TextField()
    place = TextField()
    folded = TextField()

    class Meta:
        table_name = "message_search"


class MessageEdit(Table):
    """A change of a message, with the values before it."""

    id = Serial()
    message_id = BigIntegerField()
    user_id = BigIntegerField()
    timestamp = BigIntegerField()
    prev_content = TextField(null=True)
    prev_rendered_content = TextField(null=True)
    prev_topic = TextField(null=True)
    topic = TextField(null=True)
    prev_channel_id = BigIntegerField(null=True)
    channel_id = BigIntegerField(null=True)
    prev_arrived_at = BigIntegerField(null=True)

    class Meta:
        table_name = "message_edit"


MessageEdit.indexed("message_edit_message", MessageEdit.message_id, MessageEdit.id)


class Reaction(Table):
    id = Serial()
    message_id = BigIntegerField()
    user_id = BigIntegerField()
    emoji_name = TextField()
    emoji_code = TextField()
    reaction_type = TextField()

    class Meta:
        table_name = "reaction"
        constraints = (SQL("UNIQUE (message_id, user_id, reaction_type, emoji_code)"),)


class Submessage(Table):
    id = Serial()
    message_id = BigIntegerField()
    sender_id = BigIntegerField()
    msg_type = TextField()
    content = TextField()

    class Meta:
        table_name = "submessage"


Submessage.indexed("submessage_message", Submessage.message_id, Submessage.id)


class MessageFlag(Table):
    """The flags of a message for one account, in bits; a message without a row has those of the watermark."""

    user_id = BigIntegerField()
    recipient_id = BigIntegerField()
    message_id = BigIntegerField()
    bits = BigIntegerField()

    class Meta:
        table_name = "message_flag"
        primary_key = CompositeKey("user_id", "message_id")
        without_rowid = True


STARRED, MENTIONED, ALERTED, HISTORICAL, UNREAD_BELOW = 2, 40, 64, 128, 512
"""The bits of flags, in the conditions of indexes."""

MessageFlag.indexed(
    "message_flag_recipient", MessageFlag.user_id, MessageFlag.recipient_id, MessageFlag.message_id
)
MessageFlag.indexed("message_flag_message", MessageFlag.message_id)
for name, bits in (
    ("starred", STARRED),
    ("mentioned", MENTIONED),
    ("alerted", ALERTED),
    ("historical", HISTORICAL),
    ("unread_below", UNREAD_BELOW),
):
    MessageFlag.indexed(
        f"message_flag_{name}",
        MessageFlag.user_id,
        MessageFlag.message_id,
        where=MessageFlag.bits.bin_and(bits) != 0,
    )


class ReadWatermark(Table):
    """The position up to which an account has read a channel or a conversation."""

    user_id = BigIntegerField()
    recipient_id = BigIntegerField()
    position = BigIntegerField()

    class Meta:
        table_name = "read_watermark"
        primary_key = CompositeKey("user_id", "recipient_id")
        without_rowid = True


class MailReceipt(Table):
    """A mail that a channel has received."""

    channel_id = BigIntegerField()
    mail_key = TextField()
    received_at = BigIntegerField()

    class Meta:
        table_name = "mail_receipt"
        primary_key = CompositeKey("channel_id", "mail_key")


MailReceipt.indexed("mail_receipt_received", MailReceipt.received_at)
MailReceipt.indexed("mail_receipt_channel", MailReceipt.channel_id, MailReceipt.received_at)
