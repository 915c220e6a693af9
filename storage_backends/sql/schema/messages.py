"""Messages, the rows that belong to them, and their recipients."""

import secrets

from peewee import SQL, CompositeKey, fn

from chatcore.domain.messages.flags import Flag
from chatcore.domain.topics import RESOLVED_PREFIX
from storage_backends.sql.schema.archives import OF_MESSAGE, Derived, Exported, Part
from storage_backends.sql.schema.columns import Boolean, Bytewise, Integer, Serial, Text
from storage_backends.sql.schema.table import DEFAULT_EMPTY, DEFAULT_FALSE, DEFAULT_ZERO, UNIQUE, Table

REVISION_BITS = 53

READ_ABOVE = 256
"""A bit of `message_flag`: the message is above the watermark of its recipient, and read
(`sql/messages/watermarks.py`)."""
UNREAD_BELOW = 512
"""A bit of `message_flag`: the message is not above the watermark, or was read on arrival, and is unread."""


class Recipient(Table):
    """The one space of ids for every recipient of a message: users, channels, conversations."""

    archive = Exported(part=Part(recipient="id"))

    id = Serial()
    kind = Text()

    class Meta:
        table_name = "recipient"


class Conversation(Table):
    """A set of people who have direct messages."""

    archive = Exported(part=Part(recipient="id"))

    id = Integer(primary_key=True, refers="recipient")
    people = Text(constraints=UNIQUE)
    """The ids of the people in ascending order, separated by commas."""
    size = Integer()

    class Meta:
        table_name = "conversation"


class ConversationMember(Table):
    archive = Exported(part=Part(recipient="conversation_id"))

    user_id = Integer(refers="account")
    conversation_id = Integer(refers="conversation")

    class Meta:
        table_name = "conversation_member"
        primary_key = CompositeKey("user_id", "conversation_id")
        without_rowid = True


ConversationMember.declare_index(
    "conversation_member_conversation", ConversationMember.conversation_id, ConversationMember.user_id
)


class Message(Table):
    archive = Exported(part=Part(recipient="recipient_id", message="id"))

    id = Integer(primary_key=True)
    sender_id = Integer(refers="account")
    recipient_id = Integer(refers="recipient")
    """A channel or a conversation."""
    topic = Text()
    topic_key = Bytewise(null=True, exported=True)
    """Null in conversations."""
    folded_topic = Text(constraints=DEFAULT_EMPTY)
    topic_links = Text(null=True)
    content = Text()
    rendered_content = Text()
    timestamp = Integer()
    client = Text()
    has_link = Boolean()
    has_image = Boolean()
    has_attachment = Boolean()
    has_reaction = Boolean(constraints=DEFAULT_FALSE)
    has_submessages = Boolean(constraints=DEFAULT_FALSE)
    has_edits = Boolean(constraints=DEFAULT_FALSE)
    channel_wildcard = Boolean()
    last_edit_timestamp = Integer(null=True)
    last_moved_timestamp = Integer(null=True)
    arrived_at = Integer(null=True)
    """The position at which the message was moved to its channel."""
    moved_from = Integer(null=True)
    """The channel from which it was moved last."""
    arrives_read = Boolean(constraints=DEFAULT_FALSE)
    revision = Integer(constraints=DEFAULT_ZERO, anew=lambda row: secrets.randbits(REVISION_BITS))
    """Drawn anew with every change of the message, its reactions, edits or submessages, by triggers."""

    class Meta:
        table_name = "message"


# The columns behind the id are all that unread messages are found and grouped by: their rows are not read.
Message.declare_index(
    "message_place",
    Message.recipient_id,
    Message.id,
    Message.topic,
    Message.sender_id,
    Message.arrives_read,
    Message.moved_from,
    Message.arrived_at,
    Message.channel_wildcard,
)
Message.declare_index("message_topic", Message.recipient_id, Message.topic_key, Message.id)
Message.declare_index("message_sender", Message.recipient_id, Message.sender_id, Message.id)
Message.declare_index("message_with_image", Message.recipient_id, Message.id, where=Message.has_image)
Message.declare_index(
    "message_with_attachment", Message.recipient_id, Message.id, where=Message.has_attachment
)
Message.declare_index("message_with_link", Message.recipient_id, Message.id, where=Message.has_link)
Message.declare_index("message_with_reaction", Message.recipient_id, Message.id, where=Message.has_reaction)
Message.declare_index("message_to_all", Message.recipient_id, Message.id, where=Message.channel_wildcard)
Message.declare_index(
    "message_resolved",
    Message.recipient_id,
    Message.id,
    where=fn.substr(Message.topic, 1, len(RESOLVED_PREFIX)) == RESOLVED_PREFIX,
)
Message.declare_index(
    "message_arrived",
    Message.recipient_id,
    Message.id,
    Message.arrived_at,
    where=Message.arrived_at.is_null(False),
)


Message.declare_index(
    "message_age",
    Message.recipient_id,
    Message.timestamp,
    Message.id,
    where=Message.topic_key.is_null(False),
)
Message.declare_index("message_direct_age", Message.timestamp, Message.id, where=Message.topic_key.is_null())


class MessageSearch(Table):
    """The words of each message: a virtual table on SQLite, one with vectors on PostgreSQL."""

    archive = Derived()

    rowid = Integer(primary_key=True)
    words = Text()
    place = Text()
    folded = Text()

    class Meta:
        table_name = "message_search"


class MessageEdit(Table):
    """A change of a message, with the values before it."""

    archive = Exported(part=OF_MESSAGE)

    id = Serial()
    message_id = Integer(refers="message")
    user_id = Integer(refers="account")
    timestamp = Integer()
    prev_content = Text(null=True)
    prev_rendered_content = Text(null=True)
    prev_topic = Text(null=True)
    topic = Text(null=True)
    prev_channel_id = Integer(null=True)
    channel_id = Integer(null=True)
    prev_arrived_at = Integer(null=True)

    class Meta:
        table_name = "message_edit"


MessageEdit.declare_index("message_edit_message", MessageEdit.message_id, MessageEdit.id)


class Reaction(Table):
    archive = Exported(part=OF_MESSAGE)

    id = Serial()
    message_id = Integer(refers="message")
    user_id = Integer(refers="account")
    emoji_name = Text()
    emoji_code = Text()
    reaction_type = Text()

    class Meta:
        table_name = "reaction"
        constraints = (SQL("UNIQUE (message_id, user_id, reaction_type, emoji_code)"),)


class Submessage(Table):
    archive = Exported(part=OF_MESSAGE)

    id = Serial()
    message_id = Integer(refers="message")
    sender_id = Integer(refers="account")
    msg_type = Text()
    content = Text()

    class Meta:
        table_name = "submessage"


Submessage.declare_index("submessage_message", Submessage.message_id, Submessage.id)


class MessageFlag(Table):
    """The flags of a message for one account, in bits; a message without a row has those of the watermark."""

    archive = Exported(part=Part(person="user_id", message="message_id"))

    user_id = Integer(refers="account")
    recipient_id = Integer(refers="recipient")
    message_id = Integer(refers="message")
    bits = Integer()

    class Meta:
        table_name = "message_flag"
        primary_key = CompositeKey("user_id", "message_id")
        without_rowid = True


INDEX_OF_BITS = {
    int(Flag.STARRED): "message_flag_starred",
    int(Flag.MENTIONED | Flag.TOPIC_WILDCARD): "message_flag_mentioned",
    int(Flag.HAS_ALERT_WORD): "message_flag_alerted",
    int(Flag.HISTORICAL): "message_flag_historical",
    UNREAD_BELOW: "message_flag_unread_below",
}
"""The partial index of the rows that have one of these bits.

Statements write the number as a literal: a planner uses a partial index only for its exact condition.
"""

MessageFlag.declare_index(
    "message_flag_recipient", MessageFlag.user_id, MessageFlag.recipient_id, MessageFlag.message_id
)
MessageFlag.declare_index("message_flag_message", MessageFlag.message_id)
for bits, name in INDEX_OF_BITS.items():
    MessageFlag.declare_index(
        name, MessageFlag.user_id, MessageFlag.message_id, where=MessageFlag.bits.bin_and(bits) != 0
    )


class ReadWatermark(Table):
    """The position up to which an account has read a channel or a conversation."""

    archive = Exported(part=Part(person="user_id", recipient="recipient_id"))

    user_id = Integer(refers="account")
    recipient_id = Integer(refers="recipient")
    position = Integer()

    class Meta:
        table_name = "read_watermark"
        primary_key = CompositeKey("user_id", "recipient_id")
        without_rowid = True


class MailReceipt(Table):
    """A mail that a channel has received."""

    archive = Exported(part=Part(recipient="channel_id"))

    channel_id = Integer(refers="channel")
    mail_key = Text(exported=True)
    received_at = Integer()

    class Meta:
        table_name = "mail_receipt"
        primary_key = CompositeKey("channel_id", "mail_key")


MailReceipt.declare_index("mail_receipt_received", MailReceipt.received_at)
MailReceipt.declare_index("mail_receipt_channel", MailReceipt.channel_id, MailReceipt.received_at)
