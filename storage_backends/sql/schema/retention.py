"""Legal holds, and what the deletion of old messages notes."""

from storage_backends.sql.schema.archives import Exported, Transient
from storage_backends.sql.schema.columns import Integer, Serial, Text
from storage_backends.sql.schema.table import Table


class LegalHold(Table):
    """A hold on one person, or on one channel."""

    archive = Exported(is_of_everything_only=True)

    id = Serial()
    user_id = Integer(null=True, refers="account")
    channel_id = Integer(null=True, refers="channel")
    reason = Text()
    set_at = Integer()
    set_by = Integer(refers="account")

    class Meta:
        table_name = "legal_hold"


class RetentionMark(Table):
    """The end of the log at some time."""

    archive = Exported(is_of_everything_only=True)

    at = Integer(primary_key=True)
    position = Integer()

    class Meta:
        table_name = "retention_mark"


class RetentionClaim(Table):
    """The one row with the process that deletes at present."""

    archive = Transient()

    id = Integer(primary_key=True)
    holder = Text()
    until = Integer()

    class Meta:
        table_name = "retention_claim"
