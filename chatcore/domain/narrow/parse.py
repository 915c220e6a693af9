"""Parse a client's narrow into a `Narrow`: operators, operands, names and their errors.

`chatcore.domain.narrow.raw` reads the form. OPERATORS lists all operators; a new operator is a new row there,
and a new term needs its readings (see `chatcore.domain.narrow.terms`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from chatcore.domain.channels.channels import channel_key
from chatcore.domain.errors import BadNarrow, BadRequest
from chatcore.domain.ids import MAX_INTEGER, MessageId, UserId
from chatcore.domain.limits import Limits
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.recipients import ChannelRecipient, conversation_of
from chatcore.domain.narrow.directory import Directory
from chatcore.domain.narrow.raw import EXAMPLE_OBJECT, RawTerm, read_terms
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
    PlaceKind,
    Search,
    SentBy,
    Term,
    WithId,
    traits,
)
from chatcore.domain.narrow.words import parse_query
from chatcore.domain.topics import topic_key

DEFAULT_LIMITS = Limits()
EMPTY_TOPIC_NAME = "general chat"


def parse(
    raw: object,
    directory: Directory,
    *,
    me: UserId | None,
    limits: Limits = DEFAULT_LIMITS,
    empty_topic_name: str = EMPTY_TOPIC_NAME,
) -> Narrow:
    """Parse a client's narrow for the reader *me*; a missing or empty narrow matches everything.

    *raw* is decoded JSON: a list of objects `{operator, operand, negated?}` and of pairs of strings.

    :raises InconvertibleParameter: not a list
    :raises BadRequest: a term without the right form, or an operand of the wrong type
    :raises BadNarrow: unknown operators, operands or names, bad ids, channel and direct messages together
    """
    return build(read_checked_terms(raw, limits), OperandContext(directory, me, limits, empty_topic_name))


def read_checked_terms(raw: object, limits: Limits) -> list[RawTerm]:
    """Read the terms of a narrow, and check their operators and the types of their operands."""
    return [_check_term(term) for term in read_terms(raw, limits)]


def _check_term(term: RawTerm) -> RawTerm:
    """Return the term with the current name of its operator, which may have been an alias."""
    name = ALIASES.get(term.operator, term.operator)
    operator = OPERATORS.get(name)
    if operator is None:
        raise BadNarrow(f"unknown operator {_quote_operand(term.operator)}")
    if not isinstance(term.operand, operator.operand_types):
        types = " or ".join(TYPE_PHRASES[type_] for type_ in operator.operand_types)
        raise BadRequest(f"The operand of '{name}' in a narrow is {types}")
    return replace(term, operator=name)


@dataclass(frozen=True, slots=True)
class OperandContext:
    """Context for resolving operands: the directory, the reader and the limits."""

    directory: Directory
    me: UserId | None
    limits: Limits
    empty_topic_name: str
    _users: dict[str | int, UserId] = field(default_factory=dict)

    def user(self, operand: str | int) -> UserId:
        """Resolve a user by email or id; each user is looked up only once, however many terms name them.

        :raises BadNarrow: there is none
        """
        name = operand.strip().lower() if isinstance(operand, str) else operand
        if name not in self._users:
            user = self.directory.user(name) if _is_possible(name) else None
            if user is None:
                raise _unknown_name("user", operand)
            self._users[name] = user
        return self._users[name]


def _is_possible(name: str | int) -> bool:
    """Whether the directory can have an entry for a name or an id."""
    return isinstance(name, str) or 0 <= name <= MAX_INTEGER


def build(raw: Sequence[RawTerm], context: OperandContext) -> Narrow:
    """Build a narrow from the terms of `read_checked_terms`: look up the names in them.

    :raises BadNarrow: unknown names, bad ids, or channel and direct messages together
    """
    kept, conversation = _follow_with(raw, context)
    kept = _read_empty_topic(kept, context)
    terms = [*conversation, *_search_terms(kept, context.limits)]
    for raw_term in kept:
        make_term = OPERATORS[raw_term.operator].make_term
        term = make_term(context, raw_term.operand) if make_term else None
        if term is not None:
            terms.append(_negate_term(term) if raw_term.negated else term)
    _refuse_channel_with_direct(terms)
    return Narrow(tuple(dict.fromkeys(terms)), any(map(is_personal, kept)))


def is_personal(term: RawTerm) -> bool:
    """Whether the term is an `is:` term that asks for other messages for each reader."""
    return term.operator == "is" and term.operand != "resolved"


def _negate_term(term: Term) -> Term:
    return term.term if isinstance(term, Not) else Not(term)


def _follow_with(raw: Sequence[RawTerm], context: OperandContext) -> tuple[list[RawTerm], list[Term]]:
    """Return the other terms than `with`, and terms for the current conversation of its message.

    This conversation replaces the one that the other terms name: they may use names from before the message
    was moved, so they are not even looked up. If the message cannot be read, they must name a conversation.
    """
    targets = [term for term in raw if term.operator == "with"]
    others = [term for term in raw if term.operator != "with"]
    if not targets:
        return others, []
    if len(targets) > 1:
        raise BadNarrow("more than one 'with'")
    target = targets[0]
    assert not isinstance(target.operand, tuple)
    message_id = parse_integer(target.operand)
    if message_id is None or target.negated:
        raise _bad_with(target.operand)
    recipient = context.directory.recipient(MessageId(message_id)) if _is_possible(message_id) else None
    if recipient is None:
        named = {term.operator for term in others if not term.negated}
        if "dm" in named or {"channel", "topic"} <= named:
            return others, []
        raise _bad_with(target.operand)
    others = [term for term in others if term.operator not in ("channel", "topic", "dm")]
    if isinstance(recipient, ChannelRecipient):
        return others, [InChannel(recipient.channel_id), InTopic(topic_key(recipient.topic))]
    return others, [InConversation(recipient.user_ids)]


def _bad_with(operand: str | int) -> BadNarrow:
    return BadNarrow(f"'with' {_quote_operand(operand)}")


def _read_empty_topic(raw: Sequence[RawTerm], context: OperandContext) -> list[RawTerm]:
    """Resolve the display name of the empty topic in the first topic term."""
    result = list(raw)
    for index, term in enumerate(result):
        if term.operator == "topic":
            if term.operand == context.empty_topic_name:
                result[index] = replace(term, operand="")
            break
    return result


def _search_terms(raw: Sequence[RawTerm], limits: Limits) -> list[Term]:
    """Join all search terms into one query; negation of search terms has no effect."""
    queries = [str(term.operand) for term in raw if term.operator == "search"]
    if not queries:
        return []
    if not all(queries):
        raise BadRequest("The operand of 'search' in a narrow is empty")
    query = " ".join(queries)
    if len(query) > limits.max_message_length:
        raise BadNarrow("search for more than a message can hold")
    words, phrases = parse_query(query)
    if len(words) + len(phrases) > limits.max_search_words:
        raise BadNarrow(f"more than {limits.max_search_words} words to search for")
    return [Search(words, phrases)]


def _refuse_channel_with_direct(terms: Sequence[Term]) -> None:
    """Refuse a combination that matches nothing, because a client that sends it has made a mistake."""
    named = {traits(term).only_in for term in terms if traits(term).names_its_place}
    if named == {PlaceKind.CHANNELS, PlaceKind.DIRECT_MESSAGES}:
        raise BadNarrow("channel and direct messages together")


def _channel(context: OperandContext, operand: str | int) -> Term:
    name = channel_key(operand) if isinstance(operand, str) else operand
    channel = context.directory.channel(name) if _is_possible(name) else None
    if channel is None:
        raise _unknown_name("channel", operand)
    return InChannel(channel)


def _topic(context: OperandContext, operand: str) -> Term:
    return InTopic(topic_key(operand))


def _sender(context: OperandContext, operand: str | int) -> Term:
    return SentBy(context.user(operand))


def _dm(context: OperandContext, operand: str | tuple[int, ...]) -> Term:
    """Return the conversation of the named users and the reader; without any users it matches nothing."""
    named: Sequence[str | int] = operand if isinstance(operand, tuple) else _emails(operand)
    people = frozenset(map(context.user, named))
    if people and context.me is not None:
        people = conversation_of(context.me, people)
    return InConversation(people)


def _emails(operand: str) -> list[str]:
    return [email for part in operand.split(",") if (email := part.strip())]


def _dm_including(context: OperandContext, operand: str | int) -> Term:
    return DirectWith(context.user(operand))


def _group_pm_with(context: OperandContext, operand: str | int) -> Term:
    return DirectWith(context.user(operand), groups_only=True)


def _id(context: OperandContext, operand: str | int) -> Term:
    message_id = parse_integer(operand)
    if message_id is None or not _is_possible(message_id):
        raise BadNarrow(f"'id' {_quote_operand(operand)}")
    return WithId(MessageId(message_id))


def _one_of(operator: str, terms: Mapping[str, Term | None]) -> Callable[[OperandContext, str], Term | None]:
    """Return the `make_term` of an operator with a fixed list of operands; None matches everything."""

    def make_term(context: OperandContext, operand: str) -> Term | None:
        if operand not in terms:
            raise BadNarrow(f"unknown operand {_quote_operand(operand)} of '{operator}'")
        return terms[operand]

    return make_term


TEXT = (str,)
TEXT_OR_ID = (str, int)
TEXT_OR_IDS = (str, tuple)
TYPE_PHRASES = {str: "a string", int: "an id, which is a number", tuple: "a list of ids"}


@dataclass(frozen=True, slots=True)
class Operator:
    operand_types: tuple[type, ...]
    """`raw` guarantees that tuples contain ids."""
    make_term: Callable[[OperandContext, Any], Term | None] | None = None
    """Returns the term for one operand; None if the operand has no effect or is processed earlier."""
    open_to_web: bool = False
    """Whether spectators may use it."""


ALIASES: Mapping[str, str] = {
    "stream": "channel",
    "streams": "channels",
    "pm-with": "dm",
    "pm_with": "dm",
    "group_pm_with": "group-pm-with",
}

OPERATORS: Mapping[str, Operator] = {
    "channel": Operator(TEXT_OR_ID, _channel, open_to_web=True),
    "channels": Operator(
        TEXT,
        _one_of(
            "channels",
            {"public": InPublicChannels(), "web-public": InPublicChannels(web_public=True)},
        ),
        open_to_web=True,
    ),
    "topic": Operator(TEXT, _topic, open_to_web=True),
    "sender": Operator(TEXT_OR_ID, _sender, open_to_web=True),
    "dm": Operator(TEXT_OR_IDS, _dm),
    "dm-including": Operator(TEXT_OR_ID, _dm_including),
    "group-pm-with": Operator(TEXT_OR_ID, _group_pm_with),
    "is": Operator(
        TEXT,
        _one_of(
            "is",
            {
                "dm": IsDirect(),
                "private": IsDirect(),
                "starred": HasFlag(Flag.STARRED),
                "unread": Not(HasFlag(Flag.READ)),
                "mentioned": HasFlag(Flag.ANY_MENTION),
                "alerted": HasFlag(Flag.HAS_ALERT_WORD),
                "resolved": IsResolved(),
                "followed": IsFollowed(),
                "muted": IsMuted(),
            },
        ),
    ),
    "in": Operator(TEXT, _one_of("in", {"home": Not(IsMuted()), "all": None})),
    "has": Operator(
        TEXT, _one_of("has", {content.value: Has(content) for content in Content}), open_to_web=True
    ),
    "id": Operator(TEXT_OR_ID, _id, open_to_web=True),
    "near": Operator(TEXT, open_to_web=True),
    "with": Operator(TEXT_OR_ID, open_to_web=True),
    "search": Operator(TEXT, open_to_web=True),
}


def parse_integer(operand: str | int) -> int | None:
    """Return the integer that an operand is or spells in digits, or None if it does neither.

    More digits than any id has count as MAX_INTEGER + 1: Python refuses to parse very many.
    """
    if isinstance(operand, int):
        return operand
    digits = operand.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        return None
    digits = digits.lstrip("0") or "0"
    number = int(digits) if len(digits) < 20 else MAX_INTEGER + 1
    return -number if operand.startswith("-") else number


def _unknown_name(what: str, operand: str | int) -> BadNarrow:
    """Return the error for an unknown name, with a hint if it consists of digits and may be
    meant as an id.
    """
    is_digits = isinstance(operand, str) and operand.strip().isdecimal()
    hint = f"; ids need the form of an object: {EXAMPLE_OBJECT}" if is_digits else ""
    return BadNarrow(f"unknown {what} {_quote_operand(operand)}{hint}")


def _quote_operand(operand: str | int) -> str:
    """Quote an operand for an error message, shortened if necessary."""
    if isinstance(operand, str):
        return f"'{operand}'" if len(operand) <= 100 else f"'{operand[:100]}…'"
    return str(operand) if abs(operand) <= MAX_INTEGER else "(too large)"
