"""Integrations: messages made of what other programs post to the addresses of incoming webhooks."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from chatcore.domain.bots.text_format import message_text
from chatcore.domain.characters import storable
from chatcore.domain.errors import AnomalousPayload
from chatcore.domain.messages.messages import TRUNCATED

MAX_VALUES: Final = 10_000
"""Values in the data of a post."""
MAX_CHARACTERS: Final = 2**17
"""Characters of the data that are read, as texts and as blanks before their lines."""
SHORTEST: Final = 256
"""Characters of a text that are never cut, among them the names of types."""


@dataclass(frozen=True, slots=True)
class Post:
    """A message to send."""

    topic: str
    content: str


Read: TypeAlias = Callable[[Any], Post | None]


@dataclass(frozen=True, slots=True)
class Integration:
    """The programs whose data it understands; None from *read* stands for data that it does not."""

    display_name: str
    read: Read


def _json(data: Any) -> Post | None:
    fence = "`" * 4
    try:
        pieces = json.JSONEncoder(indent=2, ensure_ascii=False).iterencode(data)
        text = "".join(_first_pieces(pieces, MAX_CHARACTERS))
    except RecursionError:
        return None
    return Post("JSON", f"{fence}json\n{storable(text)}\n{fence}")


def _first_pieces(pieces: Iterable[str], max_length: int) -> Iterator[str]:
    """Yield the pieces of a text up to a length, and say so if there are more."""
    left = max_length
    for piece in pieces:
        if left <= 0:
            yield TRUNCATED
            return
        left -= len(piece)
        yield piece


def _hello(data: Any) -> Post | None:
    if not isinstance(data, Mapping):
        return None
    title = data.get("featured_title")
    about = f" Today's featured article: **{title}**" if isinstance(title, str) else ""
    return Post("Hello World", storable(f"Hello! I am happy to be here! :smile:{about}"))


def _text(data: Any) -> Post | None:
    """Read the form that many programs post: `text`, `blocks` with texts, and `attachments`."""
    channel = data.get("channel") if isinstance(data, Mapping) else None
    topic = channel.lstrip("#@") if isinstance(channel, str) and channel.strip("#@ ") else "integration"
    content = message_text(data)
    return Post(topic, content) if content else None


INTEGRATIONS: Mapping[str, Integration] = {
    "helloworld": Integration("Hello World", _hello),
    "json": Integration("JSON formatter", _json),
    "text": Integration("Text, blocks and attachments", _text),
}
"""The integrations by the names in their addresses."""


def post_of(name: str, data: Any) -> Post:
    """Return the message that an integration makes of data.

    :raises AnomalousPayload: they are not of its form, or too many
    """
    post = INTEGRATIONS[name].read(_shorten_texts(name, data))
    if post is None:
        raise AnomalousPayload(name)
    return post


def _shorten_texts(name: str, data: Any) -> Any:
    """Cut texts of the data that are too long to be read in a short time, in place, and return the data.

    :raises AnomalousPayload: the values or texts are too many
    """
    whole = [data]  # data that is only a text is cut, too
    left: list[Any] = [whole]
    values = 0
    lengths: list[int] = []
    containers: list[Any] = []
    while left:
        container = left.pop()
        values += len(container)
        if values > MAX_VALUES:
            raise AnomalousPayload(name)
        containers.append(container)
        for value in container.values() if isinstance(container, dict) else container:
            if isinstance(value, dict | list):
                left.append(value)
            elif isinstance(value, str):
                lengths.append(len(value))
    max_length = MAX_CHARACTERS
    while sum(min(length, max_length) for length in lengths) > MAX_CHARACTERS:
        max_length //= 2
        if max_length < SHORTEST:
            raise AnomalousPayload(name)
    for container in containers:
        for key, value in list(container.items() if isinstance(container, dict) else enumerate(container)):
            if isinstance(value, str) and len(value) > max_length:
                container[key] = value[:max_length] + TRUNCATED
    return whole[0]
