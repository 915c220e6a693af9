"""What programs keep between their runs."""

from chatcore.application import bot_storage
from chatcore.chat.noun import Noun, use_case


class BotStorage(Noun):
    """Texts by key, for each account its own."""

    get = use_case(bot_storage.get_storage)
    put = use_case(bot_storage.put_storage)
    remove = use_case(bot_storage.remove_storage)
