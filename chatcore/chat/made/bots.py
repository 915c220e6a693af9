"""Bots of people: making, listing, changing and deactivating them.

Made by scripts/build_chat.py, not by hand.
"""

from chatcore.application.bots import calling, managing
from chatcore.chat.given import user_id_of
from chatcore.chat.part import Part
from chatcore.domain.groups.actors import Actor


class Bots(Part):
    """Bots of the actor. An administrator also manages those of others."""

    def deactivate(self, actor: Actor, bot_id: int | Actor) -> None:
        """Deactivate a bot, as its owner or an administrator.

        :raises InsufficientRole: the actor is an administrator, and the bot or the person whose it is has the
            role of owners
        :raises BadRequest: no such bot, somebody else's, or one that is deactivated already
        """
        managing.deactivate_bot(self._svc, self._acting(actor), user_id_of(bot_id=bot_id))

    def answer_due(self) -> int:
        """Let bots answer all messages that call them and are due, one after another; return how many there
        were.

        For programs without threads of their own for it.
        """
        return calling.answer_due(self._svc)
