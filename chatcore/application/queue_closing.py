"""Dropping event queues; whoever waits on one, in whichever process, is let go."""

from collections.abc import Collection

from chatcore.domain.ids import QueueId, UserId
from chatcore.events.audience import Users
from chatcore.events.types import QueueClosed
from chatcore.storage import Transaction


def close_queues(tx: Transaction, queue_ids: Collection[QueueId]) -> None:
    if queue_ids:  # there are seldom any when somebody registers
        tx.queues.remove(queue_ids)
    for queue_id in queue_ids:
        tx.announce(QueueClosed(queue_id=queue_id), Users(()))


def close_queues_of(tx: Transaction, user_id: UserId) -> None:
    """All queues of a user, because of something that ends every session."""
    close_queues(tx, [queue.id for queue in tx.queues.of_user(user_id)])
