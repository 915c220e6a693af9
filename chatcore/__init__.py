"""A team chat server that is also a Python library.

`open_chat` embeds an organization in another program; `chatcore.domain` has the rules alone, without a
store. Importing this package connects to nothing and loads none of the server.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from chatcore.domain.errors import (
    AuthenticationFailed,
    BadEventQueue,
    BadNarrow,
    BadRequest,
    CannotDeactivateLastUser,
    ChannelAlreadyExists,
    ChannelDoesNotExist,
    ChannelWildcardNotAllowed,
    ChatError,
    ExpectationMismatch,
    InconvertibleParameter,
    InsufficientRole,
    InvalidParameter,
    LoginRequired,
    MissingParameter,
    MoveTimeLimitExceeded,
    NotFound,
    RateLimited,
    TopicWildcardNotAllowed,
    Unauthorized,
    UserDeactivated,
)

if TYPE_CHECKING:
    from chatcore.bootstrap import open_chat
    from chatcore.chat import Chat
    from chatcore.chat.types import (
        Actor,
        AvatarChangesDisabled,
        BadDatabaseUrl,
        BadImage,
        BadSetting,
        Capabilities,
        DraftContent,
        DraftType,
        FieldType,
        FileTooLarge,
        GroupInUse,
        GroupSetting,
        NoSuchDraft,
        NoSuchEmoji,
        NoSuchFile,
        NoSuchReaction,
        NoSuchUpload,
        PasswordsDisabled,
        ProfileEntry,
        QuotaExceeded,
        ReactionExists,
        Role,
        SettingChange,
        Settings,
        StorageClosed,
        StorageNotReady,
        SubscriptionChange,
        SystemGroup,
        SystemGroupRequired,
        TooManyUploads,
        UploadsDisabled,
        VisibilityPolicy,
        WantedChannel,
        Widget,
    )

__all__ = [
    "Actor",
    "AuthenticationFailed",
    "AvatarChangesDisabled",
    "BadDatabaseUrl",
    "BadEventQueue",
    "BadImage",
    "BadNarrow",
    "BadRequest",
    "BadSetting",
    "CannotDeactivateLastUser",
    "Capabilities",
    "ChannelAlreadyExists",
    "ChannelDoesNotExist",
    "ChannelWildcardNotAllowed",
    "Chat",
    "ChatError",
    "DraftContent",
    "DraftType",
    "ExpectationMismatch",
    "FieldType",
    "FileTooLarge",
    "GroupInUse",
    "GroupSetting",
    "InconvertibleParameter",
    "InsufficientRole",
    "InvalidParameter",
    "LoginRequired",
    "MissingParameter",
    "MoveTimeLimitExceeded",
    "NoSuchDraft",
    "NoSuchEmoji",
    "NoSuchFile",
    "NoSuchReaction",
    "NoSuchUpload",
    "NotFound",
    "PasswordsDisabled",
    "ProfileEntry",
    "QuotaExceeded",
    "RateLimited",
    "ReactionExists",
    "Role",
    "SettingChange",
    "Settings",
    "StorageClosed",
    "StorageNotReady",
    "SubscriptionChange",
    "SystemGroup",
    "SystemGroupRequired",
    "TooManyUploads",
    "TopicWildcardNotAllowed",
    "Unauthorized",
    "UploadsDisabled",
    "UserDeactivated",
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
