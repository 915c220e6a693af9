"""Builds chatcore/events/payloads/objects.py from the Structs among the shapes.

python -m scripts.build_payload_objects
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

SHAPES = Path(__file__).parent.parent / "chatcore" / "events" / "payloads"
TARGET = SHAPES / "objects.py"

SOURCES = {
    "channels": ("ChannelShape", "SubscriptionShape"),
    "emoji": ("EmojiShape",),
    "groups": ("GroupShape",),
    "messages": ("EditShape", "MessageShape"),
    "users": ("UserShape",),
}
"""The Structs that events contain, by their modules."""

PARTS = {"SubscriptionShape": ("PersonalObject", "The personal settings of one subscriber.")}
"""The type of the fields that a Struct adds to its base, where these are also alone in an event."""

HEAD = '''"""The Structs among the shapes as dictionaries, for readers of events.

Made by scripts/build_payload_objects.py, not by hand.
"""

from typing import Literal, NotRequired, TypedDict

from chatcore.events.payloads.parts import (
    DirectPersonObject,
    ReactionObject,
    SettingShape,
    SubmessageObject,
    TopicLinkObject,
    ValueObject,
)

__all__ = [
    "ChannelObject",
    "EditObject",
    "EmojiObject",
    "GroupObject",
    "MessageObject",
    "SubscriptionObject",
    "UserObject",
]
'''

PLAIN = {"Sequence": "list", "Mapping": "dict", "msgspec.Struct": "TypedDict"}
"""Types that a reader of JSON has in place of others."""


def build() -> str:
    structs = (one for module, names in SOURCES.items() for one in _classes(module, names))
    return HEAD + "".join(f"\n\n{text}\n" for struct in structs for text in _objects(struct))


def _classes(module: str, names: tuple[str, ...]) -> Iterator[ast.ClassDef]:
    tree = ast.parse((SHAPES / f"{module}.py").read_text(encoding="utf-8"))
    found = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    return (found[name] for name in names)


def _objects(struct: ast.ClassDef) -> Iterator[str]:
    """Yield the class for a Struct, after the one for the fields that are also alone in an event."""
    bases, body = [_plain(ast.unparse(base)) for base in struct.bases], struct.body
    if struct.name in PARTS:
        (part, about), (documentation, *fields) = PARTS[struct.name], body
        yield _class(part, ["TypedDict"], [ast.Expr(ast.Constant(about)), *fields])
        bases, body = [*bases, part], [documentation]
    yield _class(_plain(struct.name), bases, body)


def _class(name: str, bases: list[str], body: list[ast.stmt]) -> str:
    lines = [_line(node) for node in body]
    if ast.get_docstring(ast.Module(body, [])) and len(lines) > 1:
        lines.insert(1, "")
    return "\n".join([f"class {name}({', '.join(bases)}):", *lines])


def _line(node: ast.stmt) -> str:
    """Return the line of a field, or the text about it or the class."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return f'    """{node.value.value}"""'
    assert isinstance(node, ast.AnnAssign), ast.unparse(node)
    field, kind = (
        ast.unparse(node.target),
        ast.unparse(_PlainNames().visit(node.annotation)).replace("'", '"'),
    )
    always = kind.replace(" | UnsetType", "")
    if always != kind:
        return f"    {field}: NotRequired[{always}]"
    return f"    {field}: {always}"


class _PlainNames(ast.NodeTransformer):
    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(_plain(node.id))


def _plain(name: str) -> str:
    if any(name in names for names in SOURCES.values()):
        return name.removesuffix("Shape") + "Object"
    return PLAIN.get(name, name)


if __name__ == "__main__":
    TARGET.write_text(build(), encoding="utf-8")
