"""Subscriptions of browsers to pushes, and the pushes that wait for them."""

from chatcore.domain.ids import MessageId
from storage_backends.sql.schema.archives import Secret, Transient
from storage_backends.sql.schema.columns import Bytewise, Integer, Json, Serial, Text
from storage_backends.sql.schema.table import UNIQUE, Table


class PushSubscription(Table):
    """A browser that gets pushes; another server has another key, for which it has not subscribed."""

    archive = Secret()

    id = Serial()
    user_id = Integer()
    session_id = Integer()
    endpoint = Bytewise(constraints=UNIQUE)
    p256dh = Text()
    auth = Text()
    device = Text()
    created_at = Integer()

    class Meta:
        table_name = "push_subscription"


PushSubscription.declare_index("push_subscription_user", PushSubscription.user_id, PushSubscription.id)


class Push(Table):
    archive = Transient()

    id = Serial()
    subscription_id = Integer()
    user_id = Integer()
    recipient_id = Integer()
    topic_key = Bytewise()
    message_ids = Json(tuple[MessageId, ...])
    due = Integer()
    attempts = Integer()

    class Meta:
        table_name = "push"


Push.declare_index("push_place", Push.subscription_id, Push.recipient_id, Push.topic_key, unique=True)
Push.declare_index("push_due", Push.due, Push.id)
Push.declare_index("push_user", Push.user_id)
