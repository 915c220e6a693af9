"""A team chat server that is also a Python library.

`open_chat` embeds an organization in another program; `chatcore.domain` has the rules alone, without a
store. Importing this package connects to nothing and loads none of the server.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from chatcore.domain.errors import BadNarrow, BadRequest, ChatError

if TYPE_CHECKING:
    from chatcore.bootstrap import open_chat
    from chatcore.chat import Chat
    from chatcore.storage import StorageClosed, StorageNotReady

__all__ = ["BadNarrow", "BadRequest", "Chat", "ChatError", "StorageClosed", "StorageNotReady", "open_chat"]

_LATER = {
    "open_chat": "chatcore.bootstrap",
    "Chat": "chatcore.chat",
    "StorageClosed": "chatcore.storage",
    "StorageNotReady": "chatcore.storage",
}
"""What is loaded when it is first asked for: a server patches the standard library before that."""


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LATER[name]), name)
