"""A team chat server that is also a Python library.

`open_chat` embeds an organization in another program; `chatcore.domain` has the rules alone, without a
store. Importing this package connects to nothing and loads none of the server.
"""

from typing import TYPE_CHECKING, Any

from chatcore.domain.errors import BadNarrow, BadRequest, ChatError

if TYPE_CHECKING:
    from chatcore.bootstrap import open_chat
    from chatcore.chat import Chat

__all__ = ["BadNarrow", "BadRequest", "Chat", "ChatError", "open_chat"]


def __getattr__(name: str) -> Any:
    # A server patches the standard library first, before what uses it is loaded.
    if name == "open_chat":
        from chatcore.bootstrap import open_chat

        return open_chat
    if name == "Chat":
        from chatcore.chat import Chat

        return Chat
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
