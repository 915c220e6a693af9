"""Many narrows at once: an index finds those that match one message, without testing all."""

from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

from chatcore.domain.messages.messages import Message
from chatcore.domain.narrow.compiled import CompiledNarrow
from chatcore.domain.narrow.terms import (
    InChannel,
    InConversation,
    InTopic,
    Narrow,
    Search,
    SentBy,
    Term,
    WithId,
)
from chatcore.domain.narrow.words import message_words

K = TypeVar("K", bound=Hashable)
Heading = tuple[Term, ...]
"""Terms under which narrows are filed; those that fit under no other heading are under the empty one."""


class NarrowIndex(Generic[K]):
    """Narrows by keys, for example the searches that people have saved.

    Each narrow is filed under a heading of one or two of its terms, or under the empty heading. A message
    fulfils the terms of few headings: only the narrows under these, and under the empty one, test it. An
    index is for one thread at a time.
    """

    def __init__(self) -> None:
        self._filed: dict[Heading, dict[K, CompiledNarrow]] = {}
        self._headings: dict[K, Heading] = {}
        self._filed_by_word = 0  # as long as there are none, the words of messages are not needed

    def add(self, key: K, narrow: CompiledNarrow) -> None:
        """Add a narrow, in place of the former one with this key."""
        self.remove(key)
        heading = self._headings[key] = _heading_of(narrow.narrow)
        self._filed.setdefault(heading, {})[key] = narrow
        self._filed_by_word += _is_search_word(heading)

    def remove(self, key: K) -> None:
        """Remove a narrow if there is one with this key."""
        heading = self._headings.pop(key, None)
        if heading is None:
            return
        filed = self._filed[heading]
        del filed[key]
        if not filed:
            del self._filed[heading]
        self._filed_by_word -= _is_search_word(heading)

    def matching(self, message: Message) -> set[K]:
        """Return the keys of all narrows that match the message."""
        return {
            key
            for heading in self._headings_of(message)
            for key, narrow in self._filed.get(heading, {}).items()
            if narrow(message)
        }

    def __len__(self) -> int:
        return len(self._headings)

    def _headings_of(self, message: Message) -> Iterator[Heading]:
        """Yield the headings under which narrows that match the message can be."""
        yield ()
        yield (WithId(message.id),)
        yield (SentBy(message.sender_id),)
        if message.conversation is not None:
            yield (InConversation(message.conversation.user_ids),)
        elif message.channel_id is not None and message.topic_key is not None:
            channel, topic = InChannel(message.channel_id), InTopic(message.topic_key)
            yield from ((channel, topic), (channel,), (topic,))
        if self._filed_by_word:
            for word in {*message_words(message.topic, message.rendered_content)}:
                yield (Search((word,)),)


def _heading_of(narrow: Narrow) -> Heading:
    """Return the most selective terms of a narrow that a message can be looked up by."""
    by_kind = {type(term): term for term in reversed(narrow.terms)}  # the first of each
    for kinds in ((WithId,), (InConversation,), (InChannel, InTopic), (InTopic,)):
        if by_kind.keys() >= set(kinds):
            return tuple(by_kind[kind] for kind in kinds)
    search = by_kind.get(Search)
    if isinstance(search, Search) and search.words:
        return (Search((max(search.words, key=len),)),)  # long words are rare
    for kind in (SentBy, InChannel):
        if kind in by_kind:
            return (by_kind[kind],)
    return ()


def _is_search_word(heading: Heading) -> bool:
    return len(heading) == 1 and isinstance(heading[0], Search)
