"""Dropping event queues; whoever waits on one, in whichever process, is let go."""

from chatcore.domain.ids import QueueId, UserId
from chatcore.events.audience import Users
from chatcore.events.types import QueueClosed
from chatcore.storage import Transaction


def close_queue(tx: Transaction, queue_id: QueueId) -> None:
    tx.queues.remove([queue_id])
    tx.announce(QueueClosed(queue_id=queue_id), Users(()))


def close_queues_of(tx: Transaction, user_id: UserId) -> None:
    """All queues of a user, because of something that ends every session."""
    for queue in tx.queues.of_user(user_id):
        close_queue(tx, queue.id)
