"""A small organization for the tests of narrows, and Hypothesis strategies over it.

Everything is drawn from few values, so that terms often match messages. Used by the tests of the pure rules
and by those that compare a store with them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import Any, get_args

from hypothesis import strategies as st

from chatcore.domain.channels.channels import Channel, Period, Subscription
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import system_groups_of
from chatcore.domain.ids import ChannelId, ConversationId, GroupId, MessageId, Position, RecipientId, UserId
from chatcore.domain.messages.access import is_in_history
from chatcore.domain.messages.flags import NEVER_RECEIVED, Flag
from chatcore.domain.messages.messages import Message, Reaction, channel_message
from chatcore.domain.messages.recipients import DirectRecipient
from chatcore.domain.messages.viewer import Viewer
from chatcore.domain.narrow import (
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
from chatcore.domain.narrow.parse import ALIASES, OPERATORS
from chatcore.domain.narrow.words import parse_query
from chatcore.domain.roles import Role
from chatcore.domain.topics import VisibilityPolicy, topic_key

COOKS = GroupId(20)
"""The group that opens KITCHEN to its members."""

OWEN, MAY, ADA, GUS, COOK = (UserId(number) for number in (1, 2, 3, 4, 5))


def actor(user_id: UserId, role: Role, *groups: GroupId) -> Actor:
    return Actor(user_id, role, system_groups_of(role, full_member=True) | frozenset(groups))


ACTORS: Mapping[UserId, Actor] = {
    OWEN: actor(OWEN, Role.OWNER),
    MAY: actor(MAY, Role.MODERATOR),
    ADA: actor(ADA, Role.MEMBER),
    GUS: actor(GUS, Role.GUEST, COOKS),
    COOK: actor(COOK, Role.MEMBER, COOKS),
}
USERS = tuple(ACTORS)

WEB, PLAZA, OLD, OFFICE, VAULT, KITCHEN = (ChannelId(RecipientId(100 + number)) for number in range(6))

CHANNELS: Mapping[ChannelId, Channel] = {
    channel.id: channel
    for channel in (
        Channel(id=WEB, name="Web", date_created=0, is_web_public=True),
        Channel(id=PLAZA, name="Plaza", date_created=0),
        Channel(id=OLD, name="Old", date_created=0, is_archived=True),
        Channel(id=OFFICE, name="Office", date_created=0, invite_only=True),
        Channel(
            id=VAULT, name="Vault", date_created=0, invite_only=True, history_public_to_subscribers=False
        ),
        Channel(
            id=KITCHEN,
            name="Kitchen",
            date_created=0,
            invite_only=True,
            permissions={"can_subscribe_group": GroupSetting.of(COOKS)},
        ),
    )
}
"""Every model of privacy, an archived channel, and one that is open to a group."""

TOPICS = ("lunch", "Lunch", "✔ lunch", "", "ÄPFEL", "äpfel", "100%_\\")
CONTENTS = (
    "coffee",
    "Running the coffee machine",
    "the",
    "50% off_er \\ now",
    'say "coffee machine" & run',
    "Naïve café",
    "東京タワー",
    "字",
)
QUERIES = (
    "coffee",
    "run",
    "the",
    "the coffee",
    '"coffee machine"',
    "CAFE",
    "東京",
    "字",
    "tower",
    '"% off_" off',
)

PEOPLE = (
    frozenset({ADA}),
    frozenset({GUS}),
    frozenset({ADA, MAY}),
    frozenset({ADA, GUS}),
    frozenset({MAY, GUS}),
    frozenset({ADA, MAY, GUS}),
    frozenset({OWEN, MAY, COOK}),
)
"""The participants of notes to oneself, one-to-one conversations and group conversations."""


def conversation(*people: UserId) -> DirectRecipient:
    """The conversation of these people, one of PEOPLE."""
    number = PEOPLE.index(frozenset(people))
    return DirectRecipient(ConversationId(RecipientId(200 + number)), frozenset(people))


@dataclass(frozen=True, slots=True)
class World:
    """Messages, ascending, and one reader of them."""

    messages: tuple[Message, ...]
    viewer: Viewer
    channels: Mapping[ChannelId, Channel]


def a_message(id: int, **fields: Any) -> Message:
    """A message with the given properties; by default in PLAZA, topic lunch, by ADA."""
    defaults: dict[str, Any] = {"sender_id": ADA, "content": "coffee", "timestamp": 0}
    fields = {**defaults, **fields}
    fields.setdefault("rendered_content", f"<p>{escape(str(fields['content']))}</p>")
    if "conversation" in fields:
        return Message(id=MessageId(id), **fields)
    return channel_message(**{"id": id, "channel_id": PLAZA, "topic": "lunch", **fields})


@st.composite
def messages(draw: st.DrawFn) -> tuple[Message, ...]:
    """Up to twelve messages. Their ids have gaps, for events that are no messages."""
    result = []
    message_id = 0
    for _ in range(draw(st.integers(0, 8)) + draw(st.integers(0, 4))):
        message_id += draw(st.integers(1, 3))
        where: dict[str, Any]
        if draw(st.integers(0, 2)):
            sender = draw(st.sampled_from(USERS))
            where = {
                "channel_id": draw(st.sampled_from(tuple(CHANNELS))),
                "topic": draw(st.sampled_from(TOPICS)),
                "channel_wildcard": draw(st.booleans()),
            }
        else:
            people = draw(st.sampled_from(PEOPLE))
            sender = draw(st.sampled_from(sorted(people)))
            where = {"conversation": conversation(*people)}
        facts = draw(st.sets(st.sampled_from(["has_link", "has_image", "has_attachment"]), max_size=2))
        reactions = [
            Reaction(user_id=MAY, emoji_name="tada", emoji_code="1f389", reaction_type="unicode_emoji")
        ]
        result.append(
            a_message(
                message_id,
                sender_id=sender,
                content=draw(st.sampled_from(CONTENTS)),
                reactions=tuple(reactions) if draw(st.integers(0, 3)) == 0 else (),
                **where,
                **dict.fromkeys(facts, True),
            )
        )
    return tuple(result)


@st.composite
def subscriptions(draw: st.DrawFn, channel_id: ChannelId) -> Subscription:
    """Times of subscription, one after the other; the last may be open, and then it is active."""
    marks = sorted(draw(st.sets(st.integers(1, 32), max_size=5)))
    periods = [
        Period(Position(start), Position(end)) for start, end in zip(marks[::2], marks[1::2], strict=False)
    ]
    if len(marks) % 2:
        periods.append(Period(Position(marks[-1])))
    return Subscription(
        channel_id=channel_id,
        active=bool(len(marks) % 2),
        periods=tuple(periods),
        is_muted=draw(st.booleans()),
    )


SET_FLAGS = (Flag.STARRED, Flag.COLLAPSED, Flag.MENTIONED, Flag.TOPIC_WILDCARD, Flag.HAS_ALERT_WORD)
"""Flags that can be set on any received message; a mention of the whole channel is a fact of the message."""


@st.composite
def viewers(draw: st.DrawFn, seen: tuple[Message, ...]) -> Viewer:
    """Somebody who knows these messages.

    The flags are possible ones: a message that was not received has either none, or is historical.
    """
    subscribed = draw(st.sets(st.sampled_from(tuple(CHANNELS)), min_size=2))
    # Policies of topics in which nothing was said would only dilute the others.
    topics = {(m.channel_id, m.topic_key) for m in seen if m.channel_id and m.topic_key is not None}
    policies = {topic: draw(st.sampled_from(VisibilityPolicy)) for topic in sorted(topics)}
    viewer = Viewer(
        actor=ACTORS[draw(st.sampled_from(USERS))],
        subscriptions={channel_id: draw(subscriptions(channel_id)) for channel_id in sorted(subscribed)},
        topic_policies=policies,
    )
    flags = {}
    for message in seen:
        extra = draw(st.sampled_from([None, Flag.NONE, *SET_FLAGS]))
        if extra is not None and is_in_history(message, viewer):
            flags[message.id] = draw(st.sampled_from([Flag.NONE, Flag.READ])) | extra
        elif extra is not None and message.conversation is None:
            flags[message.id] = NEVER_RECEIVED | extra
    return replace(viewer, flags=flags)


@st.composite
def worlds(draw: st.DrawFn) -> World:
    drawn = draw(messages())
    return World(drawn, draw(viewers(drawn)), CHANNELS)


def _search(query: str) -> Search:
    return Search(*parse_query(query))


GENERATORS: Mapping[type[PositiveTerm], st.SearchStrategy[PositiveTerm]] = {
    InChannel: st.builds(InChannel, st.sampled_from(tuple(CHANNELS))),
    InPublicChannels: st.builds(InPublicChannels, st.booleans()),
    InTopic: st.builds(InTopic, st.sampled_from(TOPICS).map(topic_key)),
    SentBy: st.builds(SentBy, st.sampled_from(USERS)),
    InConversation: st.builds(InConversation, st.sampled_from([frozenset(), *PEOPLE])),
    DirectWith: st.builds(DirectWith, st.sampled_from(USERS), st.booleans()),
    IsDirect: st.just(IsDirect()),
    HasFlag: st.builds(
        HasFlag, st.sampled_from([Flag.READ, Flag.STARRED, Flag.HAS_ALERT_WORD, Flag.ANY_MENTION])
    ),
    IsResolved: st.just(IsResolved()),
    IsFollowed: st.just(IsFollowed()),
    IsMuted: st.builds(IsMuted, st.booleans()),
    Has: st.builds(Has, st.sampled_from(Content)),
    WithId: st.builds(WithId, st.integers(0, 31).map(MessageId)),
    Search: st.sampled_from(QUERIES).map(_search),
}

# Every term of the union has a generator, or this fails: no store is compared without it.
_STRATEGIES = {kind: GENERATORS[kind] for kind in get_args(PositiveTerm)}

SEARCHES: st.SearchStrategy[PositiveTerm] = _STRATEGIES.pop(Search)
TERMS: st.SearchStrategy[PositiveTerm] = st.one_of(*_STRATEGIES.values())
"""All terms but search, of which there is one in a narrow at most, and which is never negated."""


PERSONAL = (IsDirect, HasFlag, IsFollowed, IsMuted)
"""Terms of `is:` operators, which look at received messages only."""


@st.composite
def narrows(draw: st.DrawFn) -> Narrow:
    """Narrows as `parse` makes them, but for contradictions, which are drawn as well."""
    drawn = draw(st.lists(TERMS, max_size=3))
    personal = any(isinstance(term, PERSONAL) for term in drawn) or draw(st.integers(0, 5)) == 0
    terms: list[Term] = [Not(term) if draw(st.integers(0, 2)) == 0 else term for term in drawn]
    if draw(st.integers(0, 5)) == 0:
        terms.append(draw(SEARCHES))
    if draw(st.integers(0, 5)) == 0:
        terms.append(Not(IsMuted()))  # in:home, which is no `is:` operator
    return Narrow(tuple(terms), personal)


RAW_OPERATORS = sorted({*OPERATORS, *ALIASES, "subject"})
RAW_OPERANDS = (
    "Plaza",
    " plaza ",
    "public",
    "lunch",
    "ada@example.com",
    "unread",
    "muted",
    "home",
    "link",
    "7",
    "coffee",
    "",
)

JSON: st.SearchStrategy[object] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["\x00", "\ud800"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
RAW_TERMS: st.SearchStrategy[object] = st.one_of(
    st.fixed_dictionaries(
        {
            "operator": st.sampled_from(RAW_OPERATORS),
            "operand": st.sampled_from(RAW_OPERANDS)
            | st.integers(-1, 300)
            | st.lists(st.sampled_from(USERS), max_size=3)
            | JSON,
        },
        optional={"negated": st.booleans()},
    ),
    st.lists(st.sampled_from(RAW_OPERATORS + list(RAW_OPERANDS)), min_size=2, max_size=2),
    JSON,
)
RAW_NARROWS: st.SearchStrategy[object] = st.lists(RAW_TERMS, max_size=4) | JSON
"""Narrows as clients may send them: valid ones, nearly valid ones and any other JSON."""
