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
    from chatcore.chat.types import (
        Actor,
        Capabilities,
        DraftContent,
        DraftType,
        FieldType,
        GroupSetting,
        InvalidParameter,
        ProfileEntry,
        Role,
        SettingChange,
        Settings,
        StorageClosed,
        StorageNotReady,
        SubscriptionChange,
        SystemGroup,
        VisibilityPolicy,
        WantedChannel,
        Widget,
    )

__all__ = [
    "Actor",
    "BadNarrow",
    "BadRequest",
    "Capabilities",
    "Chat",
    "ChatError",
    "DraftContent",
    "DraftType",
    "FieldType",
    "GroupSetting",
    "InvalidParameter",
    "ProfileEntry",
    "Role",
    "SettingChange",
    "Settings",
    "StorageClosed",
    "StorageNotReady",
    "SubscriptionChange",
    "SystemGroup",
    "VisibilityPolicy",
    "WantedChannel",
    "Widget",
    "open_chat",
]

_PLACES = {"open_chat": "chatcore.bootstrap", "Chat": "chatcore.chat"}


def __getattr__(name: str) -> Any:
    # A server patches the standard library first, before what uses it is loaded.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_PLACES.get(name, "chatcore.chat.types")), name)
