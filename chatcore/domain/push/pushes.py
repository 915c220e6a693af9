"""Pushes that wait for a browser, and what they say."""

import json
from dataclasses import dataclass
from typing import Final

from chatcore.domain.characters import isolate
from chatcore.domain.ids import MessageId, RecipientId, UserId

NOT_STORED: Final = 0
PATIENCE: Final = 4
"""Seconds after a message before which nobody is told of it: whoever reads it at once is not disturbed."""
PAUSES: Final = (10, 60, 300, 1800)
"""Seconds after each failed attempt until the next one; after the last of them the push is given up."""
MAX_ATTEMPTS: Final = len(PAUSES) + 1
MAX_MESSAGES: Final = 20
"""The newest messages of a conversation that one push may be about; it shows the last of them."""
MAX_WAITING_OF_PERSON: Final = 200
"""Pushes to the browsers of a person that wait."""
MAX_WAITING: Final = 20_000
"""Pushes that wait in the organization."""
TTL: Final = 86_400
"""Seconds for which a push service keeps a push for a browser that is off."""
MAX_TITLE: Final = 120
MAX_BODY: Final = 300
"""Characters of a title and of the beginning of a message."""
MAX_PATH: Final = 1200
"""Characters of a path, all of them ASCII."""
NEW_MESSAGE: Final = "New message"


@dataclass(frozen=True, slots=True, kw_only=True)
class Push:
    """A push about one conversation that waits for one browser. It has no text: that is made when it is sent,
    of what is still missed then.
    """

    id: int = NOT_STORED
    subscription_id: int
    user_id: UserId
    recipient_id: RecipientId
    topic_key: str
    """Empty in conversations."""
    message_ids: tuple[MessageId, ...]
    due: int
    attempts: int = 0

    def with_more(self, message_ids: tuple[MessageId, ...]) -> tuple[MessageId, ...]:
        """Return the ids with more of them, the newest ones."""
        return tuple(sorted({*self.message_ids, *message_ids}))[-MAX_MESSAGES:]


@dataclass(frozen=True, slots=True, kw_only=True)
class PushText:
    """The content of a push before it is encrypted."""

    sender: str
    place: str
    """The channel and topic, or the others of a group; empty for a message to one person."""
    text: str | None
    """The message as plain text; None if it is not shown."""
    tag: str
    """A mark of the conversation, by which a push takes the place of the former one about it."""
    path: str
    """The message's place in the web client, from the address of its page on."""
    time: int
    message_id: MessageId

    @property
    def title(self) -> str:
        return f"{isolate(self.sender)} · {isolate(self.place)}" if self.place else self.sender

    def encoded(self) -> bytes:
        """Return it as JSON, in less than 3000 bytes. Instead of a path that is too long, it has that of the
        first page.
        """
        fields = {
            "title": _shortened(self.title, MAX_TITLE),
            "body": NEW_MESSAGE if self.text is None else _shortened(self.text, MAX_BODY) or NEW_MESSAGE,
            "tag": self.tag,
            "path": self.path if len(self.path) <= MAX_PATH else "#",
            "time": self.time,
            "message_id": self.message_id,
        }
        return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()


def _shortened(text: str, limit: int) -> str:
    text = "".join(character for character in text if character >= " ")  # JSON has six bytes for any other
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
