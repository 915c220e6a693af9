"""The types of events, from their classes."""

import inspect
from collections import defaultdict
from typing import get_args

from chatcore.events.happened import AnyEvent


def text() -> str:
    said: defaultdict[str, list[str]] = defaultdict(list)
    for kind in get_args(AnyEvent):
        if kind.type:
            said[kind.type].append(inspect.cleandoc(kind.__doc__ or ""))
    sections = (["## " + name, *texts, ""] for name, texts in sorted(said.items()))
    return "\n".join("\n\n".join(section) for section in sections)
