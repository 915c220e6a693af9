"""Integrations: messages made of what other programs post to the addresses of incoming webhooks."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from chatcore.domain.errors import AnomalousPayload

MAX_BLOCKS = 100


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
    takes_form: bool = False
    """Whether the data may also be the field `payload` of a form."""


def _json(data: Any) -> Post:
    fence = "`" * 4
    return Post("JSON", f"{fence}json\n{json.dumps(data, indent=2, ensure_ascii=False)}\n{fence}")


def _hello(data: Any) -> Post | None:
    if not isinstance(data, Mapping):
        return None
    title = data.get("featured_title")
    about = f" Today's featured article: **{title}**" if isinstance(title, str) else ""
    return Post("Hello World", f"Hello! I am happy to be here! :smile:{about}")


def _text(data: Any) -> Post | None:
    """Read the form that many programs post: `text`, `blocks` with texts, and `attachments`."""
    if not isinstance(data, Mapping):
        return None
    channel = data.get("channel")
    topic = channel.lstrip("#@") if isinstance(channel, str) and channel.strip("#@ ") else "integration"
    parts = [_plain(data.get("text"))]
    for block in _listed(data.get("blocks")):
        parts.append(_plain(_text_of(block)))
        parts.extend(_plain(_text_of(one)) for one in _listed(block.get("fields")))
    for attachment in _listed(data.get("attachments")):
        title, link = _plain(attachment.get("title")), attachment.get("title_link")
        parts.append(f"[{title}]({link})" if title and isinstance(link, str) else title)
        parts.extend(_plain(attachment.get(name)) for name in ("pretext", "text"))
        fields = _listed(attachment.get("fields"))
        parts.extend(f"**{_plain(one.get('title'))}**: {_plain(one.get('value'))}" for one in fields)
    content = "\n\n".join(part for part in parts if part)
    return Post(topic, content) if content else None


def _plain(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return _with_links(str(value)).strip()


def _text_of(block: Mapping[str, Any]) -> object:
    text = block.get("text")
    return text.get("text") if isinstance(text, Mapping) else text


def _listed(value: object) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, Mapping)][:MAX_BLOCKS] if isinstance(value, list) else []


def _with_links(text: str) -> str:
    """Return a text with links of the form `<address|name>` as links of our own."""
    pieces: list[str] = []
    while (start := text.find("<http")) >= 0 and (end := text.find(">", start)) >= 0:
        address, bar, name = text[start + 1 : end].partition("|")
        pieces += [text[:start], f"[{name}]({address})" if bar and name else address]
        text = text[end + 1 :]
    return "".join([*pieces, text])


INTEGRATIONS: Mapping[str, Integration] = {
    "helloworld": Integration("Hello World", _hello),
    "json": Integration("JSON formatter", _json),
    "text": Integration("Text, blocks and attachments", _text, takes_form=True),
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
