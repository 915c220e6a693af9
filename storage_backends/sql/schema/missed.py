"""Messages that wait for a mail, the rounds of summaries, and the mails that answer such mails."""

from peewee import CompositeKey

from chatcore.domain.ids import MessageId
from storage_backends.sql.schema.archives import Transient
from storage_backends.sql.schema.columns import Bytewise, Integer, Json, Text
from storage_backends.sql.schema.table import Table


class MissedConversation(Table):
    """Messages of one conversation that may be worth a mail to a person."""

    archive = Transient()

    user_id = Integer()
    recipient_id = Integer()
    topic_key = Bytewise()
    message_ids = Json(tuple[MessageId, ...])
    due = Integer()

    class Meta:
        table_name = "missed_conversation"
        primary_key = CompositeKey("user_id", "recipient_id", "topic_key")
        without_rowid = True


MissedConversation.declare_index("missed_conversation_due", MissedConversation.due)


class MissedProgress(Table):
    """The last message that was looked at, for mails and for pushes."""

    archive = Transient()

    id = Integer(primary_key=True)
    position = Integer()

    class Meta:
        table_name = "missed_progress"


class DigestRound(Table):
    """The one row with the last round of summaries, and how far they are written."""

    archive = Transient()

    id = Integer(primary_key=True)
    begun_at = Integer()
    since = Integer()
    after_user_id = Integer()

    class Meta:
        table_name = "digest_round"


class ReplyReceipt(Table):
    """A mail by which a person has answered a mail; its address is void in another server."""

    archive = Transient()

    user_id = Integer()
    mail_key = Text()
    received_at = Integer()

    class Meta:
        table_name = "reply_receipt"
        primary_key = CompositeKey("user_id", "mail_key")


ReplyReceipt.declare_index("reply_receipt_received", ReplyReceipt.received_at)
