"""How much memory remembered messages take."""

from typing import Final

from chatcore.domain.messages.messages import Message
from chatcore.storage.generations import size_of_text

SIZE_OF_PART: Final = 200
"""Bytes of a reaction, an edit, a submessage, a topic's link or a person of a conversation, besides long
texts.
"""


def size_of_parts(message: Message) -> int:
    """Return the bytes of what a message has in memory: its reactions, edits, submessages, the links of its
    topic, and all texts, where one emoji makes each character of a text take four.
    """
    size = size_of_text(message.content) + size_of_text(message.rendered_content)
    if not (message.reactions or message.edits or message.submessages or message.topic_links):
        return size  # of most messages
    texts = [part.content for part in message.submessages]
    for edit in message.edits:
        texts += [edit.prev_content or "", edit.prev_rendered_content or ""]
    for link in message.topic_links:
        texts += link.values()
    parts = len(message.reactions) + len(message.edits) + len(message.submessages) + len(message.topic_links)
    return size + sum(map(size_of_text, texts)) + SIZE_OF_PART * parts
