"""The form in which many programs post texts: `text`, `blocks` and `attachments`.

Nothing that a reader would have seen is left out: what has another form than expected is shown as its plain
texts. Each function returns a text in our Markdown, which may be empty.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

from chatcore.domain.bots.text_marks import fence_code, link_to, literal, to_markdown
from chatcore.domain.characters import storable
from chatcore.domain.messages.paragraphs import separate_blocks

MAX_DEPTH: Final = 20
"""Levels of nested blocks; deeper ones are shown as their plain texts."""
NO_TEXTS: Final = frozenset(
    {
        "type", "subtype", "style", "color", "ts", "id", "mrkdwn", "mrkdwn_in", "username", "channel",
        "icon_emoji", "icon_url", "footer_icon", "author_icon", "callback_id", "block_id", "action_id",
        "attachment_type", "token", "parse", "link_names", "thread_ts", "response_type", "format",
    }
)  # fmt: skip
"""Names of values that no reader sees."""
_Reader: TypeAlias = Callable[[Mapping[str, Any], int], str]
"""A function that returns the text of a block, given the number of blocks around those in it."""


def message_text(data: Any) -> str:
    """Return the text of a message; empty if there is no text anywhere in the data."""
    if not isinstance(data, Mapping):
        return plain_texts(data)
    blocks = _join_parts(_each(data.get("blocks"), lambda block: block_text(block, 0)))
    text = _value_text(data.get("text"))
    shown = [
        "" if text and text in blocks else text,  # beside blocks, it is what notifications show of them
        blocks,
        *_each(data.get("attachments"), _attachment),
    ]
    return _join_parts(shown) or plain_texts(data)


def _join_parts(parts: Iterable[str], between: str = "\n\n") -> str:
    return between.join(part for part in parts if part)


def _each(value: object, read: Callable[[Mapping[str, Any]], str]) -> list[str]:
    """Read each object of a list; anything else is shown as its plain texts."""
    elements = value if isinstance(value, list) else [value]
    return [read(element) if isinstance(element, Mapping) else plain_texts(element) for element in elements]


def _value_text(value: object) -> str:
    """Return a text that is given as such, as a number, or as an object with a text."""
    if isinstance(value, Mapping) and isinstance(value.get("text"), str):
        if value.get("type") == "plain_text":
            return literal(value["text"]).strip()
        value = value["text"]
    if isinstance(value, bool):
        return ""
    if isinstance(value, int | float):
        return str(value)
    return to_markdown(value).strip() if isinstance(value, str) else plain_texts(value)


def plain_texts(value: object) -> str:
    """Return all texts in a value of a form that is not understood."""
    texts: list[str] = []
    left = [value]
    while left:
        part = left.pop()
        if isinstance(part, str):
            texts.append(to_markdown(part).strip())
        elif isinstance(part, Mapping):
            left += reversed([inner for name, inner in part.items() if name not in NO_TEXTS])
        elif isinstance(part, list):
            left += reversed(part)
    return _join_parts(texts)


# -- attachments ------------------------------------------------------------------------------------


def _attachment(given: Mapping[str, Any]) -> str:
    parts = [
        _value_text(given.get("pretext")),
        link_to(_value_text(given.get("author_name")), given.get("author_link")),
        link_to(_value_text(given.get("title")), given.get("title_link")),
        _value_text(given.get("text")),
        *_each(given.get("fields"), _field),
        *_each(given.get("blocks"), lambda block: block_text(block, 0)),
        *(_value_text(given.get(name)) for name in ("image_url", "thumb_url")),
        _join_parts(_each(given.get("actions"), _button), " "),
        *_each(given.get("attachments"), plain_texts),
        _value_text(given.get("footer")),
    ]
    return _join_parts(parts) or _value_text(given.get("fallback")) or plain_texts(given)


def _field(given: Mapping[str, Any]) -> str:
    title, value = _value_text(given.get("title")), _value_text(given.get("value"))
    return f"**{title}**: {value}" if title and value else title or value


def _button(given: Mapping[str, Any]) -> str:
    return link_to(_value_text(given.get("text")), given.get("url")) or plain_texts(given)


# -- blocks -----------------------------------------------------------------------------------------


def block_text(block: Mapping[str, Any], depth: int) -> str:
    """Return the text of a block, or of an element in one. If its reader finds none, it is that of the values
    at which the reader has not looked.
    """
    if depth > MAX_DEPTH:
        return plain_texts(block)
    read = _reader_of(block)
    shown = read(block, depth + 1)
    if shown:
        return shown
    looked_at = _LOOKED_AT.get(read, ())
    return plain_texts({name: value for name, value in block.items() if name not in looked_at})


def _reader_of(block: Mapping[str, Any]) -> _Reader:
    """Return the reader for the type of a block; one that lacks what the reader needs is a section."""
    kind = block.get("type")
    if kind == "markdown" and not isinstance(block.get("text"), str):
        return _section
    if kind == "table" and not isinstance(block.get("rows"), list):
        return _section
    return _BLOCKS.get(kind, _section) if isinstance(kind, str) else _section


def _section(block: Mapping[str, Any], depth: int) -> str:
    rest = {name: value for name, value in block.items() if name not in _NAMES_IN_SECTION}
    return _join_parts(
        [
            _value_text(block.get("text")),
            *_each(block.get("fields"), _text_of_field),
            _join_parts(_each(block.get("accessory"), lambda value: block_text(value, depth))),
            _join_parts(_elements(block, depth), " "),
            plain_texts(rest),
        ]
    )


_NAMES_IN_SECTION: Final = ("text", "fields", "accessory", "elements")


def _text_of_field(given: Mapping[str, Any]) -> str:
    return (_value_text(given) if "text" in given else _field(given)) or plain_texts(given)


def _elements(block: Mapping[str, Any], depth: int) -> list[str]:
    return _each(block.get("elements"), lambda element: block_text(element, depth))


def _markdown(block: Mapping[str, Any], depth: int) -> str:
    return storable(block["text"])


def _image(block: Mapping[str, Any], depth: int) -> str:
    name = _value_text(block.get("title")) or _value_text(block.get("alt_text"))
    return link_to(name, block.get("image_url"))


def _video(block: Mapping[str, Any], depth: int) -> str:
    title = link_to(_value_text(block.get("title")), block.get("title_url") or block.get("video_url"))
    return _join_parts([title, _value_text(block.get("description"))])


def _table(block: Mapping[str, Any], depth: int) -> str:
    lines = [
        " | ".join(_each(row, lambda cell: block_text(cell, depth)))
        if isinstance(row, list)
        else plain_texts(row)
        for row in block["rows"]
    ]
    return _join_parts(lines, "\n")


def _rich_text(block: Mapping[str, Any], depth: int) -> str:
    return separate_blocks(_join_parts(_elements(block, depth), "\n"))


def _inline(block: Mapping[str, Any], depth: int) -> str:
    return "".join(_elements(block, depth))


def _fence_block(block: Mapping[str, Any], depth: int) -> str:
    return fence_code("".join(_each(block.get("elements"), _unmarked_text)))


def _unmarked_text(given: Mapping[str, Any]) -> str:
    text = given.get("text")
    return storable(text) if isinstance(text, str) else plain_texts(given)


def _quote(block: Mapping[str, Any], depth: int) -> str:
    return "\n".join(f"> {line}" for line in _inline(block, depth).splitlines())


def _list(block: Mapping[str, Any], depth: int) -> str:
    indent = block.get("indent")
    blanks = "  " * (indent if type(indent) is int and 0 < indent < MAX_DEPTH else 0)
    is_ordered = block.get("style") == "ordered"
    lines: list[str] = []
    for number, item in enumerate(_elements(block, depth), 1):
        marker = f"{blanks}{f'{number}.' if is_ordered else '*'} "
        lines.append(marker + item.replace("\n", "\n" + " " * len(marker)))
    return "\n".join(lines)


def _style_text(element: Mapping[str, Any], depth: int) -> str:
    """Return a piece of rich text, whose signs have no meaning."""
    text = element.get("text")
    if not isinstance(text, str):
        return plain_texts(element)
    style = element.get("style")
    styles = style if isinstance(style, Mapping) else {}
    shown = storable(text)
    core = shown.strip()
    if not core:
        return shown
    marks = "".join(mark for name, mark in _STYLES.items() if styles.get(name) is True)
    return shown.replace(core, f"{marks}{core}{marks[::-1]}", 1)


_STYLES: Final = {"strike": "~~", "bold": "**", "italic": "*", "code": "`"}


def _link(element: Mapping[str, Any], depth: int) -> str:
    return link_to(_value_text(element.get("text")), element.get("url"))


def _read_name(before: str, *names: str) -> _Reader:
    """Return a reader of an element that names something, such as a person."""

    def read(element: Mapping[str, Any], depth: int) -> str:
        values = (element.get(name) for name in names)
        text = next((value for value in values if isinstance(value, str)), "")
        return f"{before}{storable(text)}" if text else ""

    return read


def _emoji(element: Mapping[str, Any], depth: int) -> str:
    name = element.get("name")
    return f":{storable(name)}:" if isinstance(name, str) else ""


_BLOCKS: Final[Mapping[str, _Reader]] = {
    "markdown": _markdown,
    "plain_text": lambda block, depth: _value_text(block),
    "image": _image,
    "button": lambda block, depth: _button(block),
    "video": _video,
    "table": _table,
    "rich_text": _rich_text,
    "rich_text_section": _inline,
    "rich_text_preformatted": _fence_block,
    "rich_text_quote": _quote,
    "rich_text_list": _list,
    "text": _style_text,
    "link": _link,
    "user": _read_name("@", "name", "user_id"),
    "usergroup": _read_name("@", "name", "usergroup_id"),
    "channel": _read_name("#", "name", "channel_id"),
    "broadcast": _read_name("@", "range"),
    "date": _read_name("", "fallback"),
    "color": _read_name("", "value"),
    "emoji": _emoji,
}
"""Readers by the types of blocks and elements; others are read as sections."""
_LOOKED_AT: Final[Mapping[_Reader, tuple[str, ...]]] = {
    _section: ("fields", "accessory", "elements"),
    _table: ("rows",),
    **dict.fromkeys((_rich_text, _inline, _quote, _list), ("elements",)),
}
"""The values that a reader has looked at to their ends. They are not looked at again when it has found
nothing, as each of the blocks around does the same.
"""
