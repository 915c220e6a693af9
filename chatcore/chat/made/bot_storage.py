"""The key-value storage of bots and other programs, which lasts between their runs.

Made by scripts/build_chat.py, not by hand.
"""

from collections.abc import Mapping

from chatcore.application.people import bot_storage
from chatcore.chat.given import Names, all_names, optional, texts_by_name
from chatcore.chat.part import Part
from chatcore.domain.groups.actors import Actor


class BotStorage(Part):
    """Texts by key, in a storage of each account."""

    def get(self, actor: Actor, keys: Names | None = None) -> Mapping[str, str]:
        """Get stored values of the caller's account.

        :param keys: None for all
        :raises BadRequest: one of the keys does not exist
        """
        return bot_storage.get_storage(self._svc, self._acting(actor), optional(all_names, keys=keys))

    def put(self, actor: Actor, values: Mapping[str, str]) -> None:
        """Store values in the caller's account.

        :raises BadRequest: an invalid key or value, or more than an account may store
        """
        bot_storage.put_storage(self._svc, self._acting(actor), texts_by_name(values=values))

    def remove(self, actor: Actor, keys: Names | None = None) -> None:
        """Remove stored values of the caller's account.

        :param keys: None for all
        :raises BadRequest: one of the keys does not exist; then all stay
        """
        bot_storage.remove_storage(self._svc, self._acting(actor), optional(all_names, keys=keys))
