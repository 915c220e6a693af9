"""Compiled narrows: one Python function, built once, that tests a whole list of messages.

The tests of the terms are fixed text in this file. Client input, a name or a number, never enters the source:
it is bound to a parameter. Narrows that differ only in their constants therefore share their code.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import NamedTuple, assert_never

from chatcore.domain.channels.channels import Channel
from chatcore.domain.ids import ChannelId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.messages import Message
from chatcore.domain.messages.viewer import Viewer
from chatcore.domain.narrow.matches import NO_CHANNELS, NOBODY, is_hit, is_public
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
    Search,
    SentBy,
    Term,
    WithId,
)
from chatcore.domain.topics import RESOLVED_PREFIX, VisibilityPolicy


@dataclass(frozen=True, slots=True)
class CompiledNarrow:
    """A narrow compiled for one reader; callable on one message.

    It uses the reader's channels and policies at the time of compilation.
    """

    narrow: Narrow
    select: Callable[[Iterable[Message]], list[Message]]
    """Returns the messages that match the narrow, in their original order."""
    test: Callable[[Message], bool]

    def __call__(self, message: Message) -> bool:
        return self.test(message)


def compile_narrow(
    narrow: Narrow, viewer: Viewer = NOBODY, channels: Mapping[ChannelId, Channel] = NO_CHANNELS
) -> CompiledNarrow:
    """Compile a narrow; the result agrees with `matches` on every message.

    Flags, policies and muting are the viewer's; *channels* is needed for `channels:public`.
    """
    tests = [_test(term, viewer, channels) for term in dict.fromkeys(narrow.terms)]
    tests.sort(key=lambda test: test.cost)
    bind = compile_form(tuple((test.source, len(test.constants)) for test in tests))
    select, test = bind(*(constant for test in tests for constant in test.constants))
    return CompiledNarrow(narrow, select, test)


class _Test(NamedTuple):
    """A condition on the message `m`; `{0}`, `{1}` … are placeholders for the constants."""

    cost: int
    """Approximate cost in nanoseconds; cheap conditions are tested first."""
    source: str
    constants: tuple[object, ...] = ()


Bind = Callable[..., tuple[Callable[[Iterable[Message]], list[Message]], Callable[[Message], bool]]]
_BUILTINS = {"__builtins__": {}, "len": len}
FLAGS_END = 2 * max(Flag)
"""The first number that is greater than that of any flags."""


@lru_cache(maxsize=512)
def compile_form(form: Sequence[tuple[str, int]]) -> Bind:
    """Return a function that takes all constants in order, and returns `select` and `test` of a narrow.

    A *form* is the source of each condition with the number of its constants; all narrows of one form share
    the function.
    """
    parameters: list[str] = []
    conditions: list[str] = []
    for source, constant_count in form:
        names = [f"c{len(parameters) + index}" for index in range(constant_count)]
        parameters += names
        conditions.append(source.format(*names))
    condition = " and ".join(conditions) or "True"
    source = (
        f"lambda {', '.join(parameters)}: ("
        f"lambda messages: [m for m in messages if {condition}], "
        f"lambda m: True if {condition} else False)"
    )
    bind: Bind = eval(source, dict(_BUILTINS))
    return bind


_CONTENT = {
    Content.LINK: "m.has_link",
    Content.IMAGE: "m.has_image",
    Content.ATTACHMENT: "m.has_attachment",
    Content.REACTION: "m.reactions",
}


def _test(term: Term, viewer: Viewer, channels: Mapping[ChannelId, Channel]) -> _Test:
    """Return the test of a term: its cost, its source, and the constants in it."""
    match term:
        case Not(negated):
            test = _test(negated, viewer, channels)
            return test._replace(source=f"not ({test.source})")
        case InChannel(channel_id):
            return _Test(10, "m.channel_id == {0}", (channel_id,))
        case InPublicChannels(web_public):
            public = {id for id, channel in channels.items() if is_public(channel, web_public)}
            return _Test(25, "m.channel_id in {0}", (public,))
        case InTopic(key):
            return _Test(14, "m.topic_key == {0}", (key,))
        case SentBy(user_id):
            return _Test(12, "m.sender_id == {0}", (user_id,))
        case InConversation(user_ids):
            return _Test(30, "(m.conversation is not None and m.conversation.user_ids == {0})", (user_ids,))
        case DirectWith(user_id, groups_only):
            source = "m.conversation is not None and {0} in m.conversation.user_ids"
            if groups_only:
                source += " and len(m.conversation.user_ids) > 2"
            return _Test(30, f"({source})", (user_id,))
        case IsDirect():
            return _Test(8, "m.conversation is not None")
        case HasFlag(any_of):
            return _has_flag(any_of, viewer)
        case IsResolved():
            begins = f"m.topic[:{len(RESOLVED_PREFIX)}] == {{0}}"  # faster than the call of a method
            return _Test(40, f"({begins} and m.channel_id is not None)", (RESOLVED_PREFIX,))
        case IsFollowed():
            return _has_policy(viewer, VisibilityPolicy.FOLLOWED)
        case IsMuted(topics_only=True):
            return _has_policy(viewer, VisibilityPolicy.MUTED)
        case IsMuted():
            return _is_muted(viewer)
        case Has(content):
            return _Test(8, _CONTENT[content])
        case WithId(message_id):
            return _Test(10, "m.id == {0}", (message_id,))
        case Search(words, phrases):
            return _Test(30_000, "{0}(m)", (partial(is_hit, words=words, phrases=phrases),))
        case _:
            assert_never(term)


def _has_flag(any_of: Flag, viewer: Viewer) -> _Test:
    """Test flags as `flags_of` defines them, by tables: the `&` of `Flag` is a Python function.

    In the sources, `{0}(m.id, {1})` are the reader's own flags of the message.
    """
    constants = (viewer.flags.get, viewer.default_flags, _has_any_by_flags(any_of))
    if Flag.CHANNEL_WILDCARD not in any_of:
        return _Test(40, "{2}[{0}(m.id, {1})]", constants)
    return _Test(
        50,
        "({2}[{0}(m.id, {1})] or m.channel_wildcard and not {3}[{0}(m.id, {1})])",
        (*constants, _has_any_by_flags(Flag.HISTORICAL)),
    )


@cache
def _has_any_by_flags(any_of: Flag) -> bytes:
    """Return a table of 1 and 0: whether the flags whose number is the index have any of *any_of*."""
    return bytes(bool(flags & any_of) for flags in range(FLAGS_END))


def _has_policy(viewer: Viewer, policy: VisibilityPolicy) -> _Test:
    """Test the policy of the topic. A direct message has neither channel nor topic, and never matches."""
    return _Test(90, "(m.channel_id, m.topic_key) in {0}", (_topics(viewer, policy),))


def _is_muted(viewer: Viewer) -> _Test:
    """Test the topic as `Viewer.has_muted` does."""
    channels = {id for id, subscription in viewer.subscriptions.items() if subscription.is_muted}
    topics = _topics(viewer, VisibilityPolicy.MUTED)
    exempt = _topics(viewer, VisibilityPolicy.UNMUTED, VisibilityPolicy.FOLLOWED)
    return _Test(
        100,
        "((m.channel_id, m.topic_key) in {0}"
        " or m.channel_id in {1} and (m.channel_id, m.topic_key) not in {2})",
        (topics, channels, exempt),
    )


def _topics(viewer: Viewer, *policies: VisibilityPolicy) -> set[tuple[ChannelId, str]]:
    return {topic for topic, policy in viewer.topic_policies.items() if policy in policies}
