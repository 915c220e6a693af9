"""Integrations: messages made of what other programs post to the addresses of incoming webhooks."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from chatcore.domain.bots.text_format import message_text
from chatcore.domain.errors import AnomalousPayload
from chatcore.domain.messages.messages import storable


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
        text = json.dumps(data, indent=2, ensure_ascii=False)
    except RecursionError:
        return None
    return Post("JSON", f"{fence}json\n{storable(text)}\n{fence}")


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

    :raises AnomalousPayload: they are not of its form
    """
    post = INTEGRATIONS[name].read(data)
    if post is None:
        raise AnomalousPayload(name)
    return post
