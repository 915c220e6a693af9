"""Narrows: conditions on messages, from a client's JSON to the messages that match.

    narrow = parse([{"operator": "topic", "operand": "lunch"}], directory, me=ada)
    inside = compile_narrow(narrow).select(messages)

Pure: a program can narrow its own list of messages with it, without a store and without a server.
"""

from chatcore.domain.narrow.compiled import CompiledNarrow, compile_narrow
from chatcore.domain.narrow.directory import Directory, KnownNames
from chatcore.domain.narrow.history import finds, first_unread_in, full_history, is_candidate
from chatcore.domain.narrow.index import NarrowIndex
from chatcore.domain.narrow.live import LiveNarrow, parse_live
from chatcore.domain.narrow.matches import matches
from chatcore.domain.narrow.parse import parse
from chatcore.domain.narrow.terms import (
    Content,
    DirectWith,
    Has,
    HasFlag,
    InChannel,
    InConversation,
    InPublicChannels,
    InTopic,
    IsDirect,
    IsFollowed,
    IsMuted,
    IsResolved,
    Narrow,
    Not,
    PositiveTerm,
    Search,
    SentBy,
    Term,
    WithId,
)
from chatcore.domain.narrow.window import Page, Window, read_anchor, select
from chatcore.domain.narrow.without_login import parse_without_login

__all__ = [
    "CompiledNarrow",
    "Content",
    "DirectWith",
    "Directory",
    "Has",
    "HasFlag",
    "InChannel",
    "InConversation",
    "InPublicChannels",
    "InTopic",
    "IsDirect",
    "IsFollowed",
    "IsMuted",
    "IsResolved",
    "KnownNames",
    "LiveNarrow",
    "Narrow",
    "NarrowIndex",
    "Not",
    "Page",
    "PositiveTerm",
    "Search",
    "SentBy",
    "Term",
    "Window",
    "WithId",
    "compile_narrow",
    "finds",
    "first_unread_in",
    "full_history",
    "is_candidate",
    "matches",
    "parse",
    "parse_live",
    "parse_without_login",
    "read_anchor",
    "select",
]
