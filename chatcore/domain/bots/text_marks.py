"""The emphasis, links and escapes in the texts that many programs post, in the signs of our Markdown."""

import re
from typing import Final
from urllib.parse import quote

from chatcore.domain.characters import storable
from chatcore.domain.messages.paragraphs import separate_blocks

_CODE: Final = re.compile(r"```(.+?)```|`([^`\n]+)`", re.DOTALL)
_LINKED: Final = re.compile(r"<([^<>\n]+)>|https?://[^\s<>|*]+")
_STRONG: Final = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]*[^\s*])\*(?![\w*])")
_ITALIC: Final = re.compile(r"(?<!\w)_(?=[^\s_])([^_\n]*[^\s_])_(?!\w)")
_STRUCK: Final = re.compile(r"(?<![\w~])~(?=[^\s~])([^~\n]*[^\s~])~(?![\w~])")
_PLACE_OF_HELD: Final = re.compile("\0([0-9]+)\0")
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_SIGNS: Final = re.compile(
    r"[*`|]|~{2,}|\${2,}|\](?=\()|<(?=time:)|^(?: *[>#+-]| *[0-9]+\.(?= ))", re.MULTILINE
)
"""Signs that have a meaning in our Markdown."""
_HOST: Final = re.compile(r"[\w-]+(\.[\w-]+)+([:/?#]\S*)?")


def to_markdown(text: str) -> str:
    """Return a text as our Markdown. The text marks words as `*strong*`, `_italic_` and `~gone~`, has links
    such as `<address|name>`, and the escapes `&lt;`, `&gt;` and `&amp;`. In code, only escapes are undone.
    """
    pieces: list[str] = []
    end = 0
    text = storable(text)
    for code in _CODE.finditer(text):
        pieces.append(_to_markdown_outside_of_code(text[end : code.start()]))
        if code[1] is None:
            pieces.append(f"`{_unescape_text(code[2])}`")
        else:
            before = "" if not pieces[-1] or pieces[-1].endswith("\n") else "\n"
            after = "" if text.startswith("\n", code.end()) or code.end() == len(text) else "\n"
            pieces.append(f"{before}{fence_code(_unescape_text(code[1]))}{after}")
        end = code.end()
    return separate_blocks("".join([*pieces, _to_markdown_outside_of_code(text[end:])]))


def literal(text: str) -> str:
    """Return Markdown that shows a text without emphasis as it is: every sign with a meaning in Markdown is a
    character reference there.
    """
    return _SIGNS.sub(_as_references, _unescape_text(storable(text)))


def _as_references(signs: re.Match[str]) -> str:
    return "".join(sign if sign.isalnum() or sign == " " else f"&#{ord(sign)};" for sign in signs[0])


def fence_code(code: str) -> str:
    """Return code as a block of Markdown, within fences that are longer than any in the code."""
    longest = max(map(len, re.findall("`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{code.strip(chr(10))}\n{fence}"


def _to_markdown_outside_of_code(text: str) -> str:
    held: list[str] = []

    def hold(match: re.Match[str]) -> str:
        """Keep links and addresses from being read as emphasis; no text has null characters itself."""
        held.append(match[0] if match[1] is None else _in_angles(match[1]))
        return f"\0{len(held) - 1}\0"

    text = _LINKED.sub(hold, text)
    text = _STRONG.sub(r"**\1**", text)
    text = _ITALIC.sub(r"*\1*", text)
    text = _STRUCK.sub(r"~~\1~~", text)
    return _PLACE_OF_HELD.sub(lambda match: held[int(match[1])], _unescape_text(text))


def _in_angles(inner: str) -> str:
    """Return the Markdown for what stood in angle brackets: a link, or the name of a person, a channel or a
    group, such as `@ada`. Anything else stays in its brackets.
    """
    target, bar, label = inner.partition("|")
    name = _unescape_text(label).strip()
    if target.startswith(("@", "#")):
        return f"{target[0]}{name.lstrip('@#') or target[1:]}"
    if target.startswith("!"):
        kind, *others = target[1:].split("^")
        if name:
            return name
        if kind == "subteam" and others:
            return f"@{others[0]}"
        return others[1] if len(others) > 1 else f"@{kind}"
    address = _unescape_text(target)
    if _SCHEME.match(address):
        return link_to(name, address) if name else address.removeprefix("mailto:")
    if bar and name and _HOST.fullmatch(address):
        return link_to(name, f"https://{address}")
    return _unescape_text(f"<{inner}>")


def link_to(name: str, address: object) -> str:
    """Return a link in Markdown: the name alone if there is no address, and the address alone if there is no
    name. A name that cannot be that of a link stands before the address.
    """
    if not isinstance(address, str) or not address.strip():
        return name
    target = quote(storable(address).strip(), safe="!#$%&'*+,/:;=?@[]~|^{}\\\"`", errors="replace")
    if not name or name == address:
        return storable(address).strip()
    return f"{name} {target}" if "[" in name or "]" in name or "\n" in name else f"[{name}]({target})"


def _unescape_text(text: str) -> str:
    """Return a text without the only escapes that it can have."""
    for escape, character in (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        text = text.replace(escape, character)
    return text
