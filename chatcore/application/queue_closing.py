"""Dropping event queues; polls that wait on them, in any process, end."""

from collections.abc import Collection

from chatcore.domain.ids import QueueId, UserId
from chatcore.events.audience import Users
from chatcore.events.happened import QueueClosed
from chatcore.storage import Transaction


def close_queues(tx: Transaction, queue_ids: Collection[QueueId]) -> None:
    if queue_ids:  # mostly there are none
        tx.queues.remove(queue_ids)
    for queue_id in queue_ids:
        tx.announce(QueueClosed(queue_id=queue_id), Users(()))


def close_queues_of(tx: Transaction, user_id: UserId) -> None:
    """Drop all queues of a user, because of an event that ends every session."""
    close_queues(tx, [queue.id for queue in tx.queues.of_user(user_id)])
