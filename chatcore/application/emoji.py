"""The emoji that can be chosen for reactions and statuses."""

from chatcore.domain.emoji import EmojiNames
from chatcore.markup.emoji import CODE_OF
from chatcore.storage import Snapshot


def emoji_names(snapshot: Snapshot, name: str, extra_emoji: str) -> EmojiNames:
    """What *name* can stand for. *extra_emoji* is the name of the server's own emoji."""
    return EmojiNames(unicode=CODE_OF, extra=extra_emoji)
