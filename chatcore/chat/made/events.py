"""Event queues: registering, polling and following.

Made by scripts/build_chat.py, not by hand.
"""

from chatcore.application.events import queues
from chatcore.chat.given import text
from chatcore.chat.part import Part
from chatcore.domain.groups.actors import Actor


class Events(Part):
    def delete(self, actor: Actor, queue_id: str) -> None:
        """Delete an event queue.

        :raises BadEventQueue: unknown, expired or another user's
        """
        queues.delete_queue(self._svc, self._acting(actor), text(queue_id=queue_id))
