"""How much memory remembered messages take."""

from chatcore.domain.messages.messages import Message
from chatcore.storage.generations import size_of_text


def size_of_texts(message: Message) -> int:
    """Return the bytes of all texts of a message in memory, where one emoji makes each character of a text
    take four.
    """
    texts = [message.content, message.rendered_content, *(part.content for part in message.submessages)]
    for edit in message.edits:
        texts += [edit.prev_content or "", edit.prev_rendered_content or ""]
    return sum(map(size_of_text, texts))
