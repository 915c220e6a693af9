"""Operators, operands and what is wrong with them."""

from collections.abc import Callable

import pytest
from hypothesis import given

from chatcore.domain.errors import BadNarrow, BadRequest, ChatError, InconvertibleParameter
from chatcore.domain.ids import MessageId, UserId
from chatcore.domain.limits import Limits
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.recipients import ChannelRecipient, Recipient
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
    KnownNames,
    Narrow,
    Not,
    Search,
    SentBy,
    Term,
    WithId,
    parse,
)
from chatcore.domain.narrow.parse import OPERATORS
from tests.domain.narrow.strategies import ADA, GUS, MAY, OFFICE, PLAZA, RAW_NARROWS, conversation

RECIPIENTS: dict[MessageId, Recipient] = {
    MessageId(7): ChannelRecipient(PLAZA, "Lunch"),
    MessageId(8): conversation(ADA, MAY),
}
DIRECTORY = KnownNames(
    channels={"plaza": PLAZA, "office": OFFICE, "7": OFFICE},
    users={"ada@example.com": ADA, "may@example.com": MAY, "gus@example.com": GUS},
    recipients=RECIPIENTS,
)


def terms(raw: object, **options: object) -> tuple[Term, ...]:
    return narrow(raw, **options).terms


def narrow(raw: object, **options: object) -> Narrow:
    return parse(raw, DIRECTORY, **{"me": ADA, **options})  # type: ignore[arg-type]


def term(operator: str, operand: object, *, negated: bool = False) -> dict[str, object]:
    return {"operator": operator, "operand": operand, "negated": negated}


@pytest.mark.parametrize("raw", [None, [], ()])
def test_nothing_lets_everything_through(raw: object) -> None:
    assert narrow(raw) == Narrow()
    assert not narrow(raw)


MEANINGS: list[tuple[str, object, Term]] = [
    ("channel", "plaza", InChannel(PLAZA)),
    ("channel", "  PLAZA ", InChannel(PLAZA)),
    ("channel", PLAZA, InChannel(PLAZA)),
    ("stream", "plaza", InChannel(PLAZA)),
    ("channel", "7", InChannel(OFFICE)),
    ("channels", "public", InPublicChannels()),
    ("streams", "public", InPublicChannels()),
    ("channels", "web-public", InPublicChannels(web_public=True)),
    ("topic", "LUNCH", InTopic("lunch")),
    ("topic", " lunch", InTopic(" lunch")),
    ("topic", "", InTopic("")),
    ("topic", "general chat", InTopic("")),
    ("topic", "General chat", InTopic("general chat")),
    ("sender", "May@Example.com", SentBy(MAY)),
    ("sender", MAY, SentBy(MAY)),
    ("dm", "may@example.com", InConversation(frozenset({ADA, MAY}))),
    ("dm", "may@example.com, gus@example.com,", InConversation(frozenset({ADA, MAY, GUS}))),
    ("dm", "may@example.com,ada@example.com,may@example.com", InConversation(frozenset({ADA, MAY}))),
    ("dm", [MAY], InConversation(frozenset({ADA, MAY}))),
    ("dm", [ADA, MAY, MAY], InConversation(frozenset({ADA, MAY}))),
    ("dm", [ADA], InConversation(frozenset({ADA}))),
    ("dm", [], InConversation(frozenset())),
    ("dm", "", InConversation(frozenset())),
    ("pm-with", [MAY], InConversation(frozenset({ADA, MAY}))),
    ("pm_with", [MAY], InConversation(frozenset({ADA, MAY}))),
    ("dm-including", "may@example.com", DirectWith(MAY)),
    ("dm-including", MAY, DirectWith(MAY)),
    ("dm-including", ADA, DirectWith(ADA)),
    ("group-pm-with", MAY, DirectWith(MAY, groups_only=True)),
    ("group_pm_with", "may@example.com", DirectWith(MAY, groups_only=True)),
    ("is", "dm", IsDirect()),
    ("is", "private", IsDirect()),
    ("is", "starred", HasFlag(Flag.STARRED)),
    ("is", "unread", Not(HasFlag(Flag.READ))),
    ("is", "mentioned", HasFlag(Flag.MENTIONED | Flag.CHANNEL_WILDCARD | Flag.TOPIC_WILDCARD)),
    ("is", "alerted", HasFlag(Flag.HAS_ALERT_WORD)),
    ("is", "resolved", IsResolved()),
    ("is", "followed", IsFollowed()),
    ("is", "muted", IsMuted()),
    ("in", "home", Not(IsMuted())),
    ("has", "link", Has(Content.LINK)),
    ("has", "image", Has(Content.IMAGE)),
    ("has", "attachment", Has(Content.ATTACHMENT)),
    ("has", "reaction", Has(Content.REACTION)),
    ("id", 12, WithId(MessageId(12))),
    ("id", "12", WithId(MessageId(12))),
    ("id", "0" * 5000 + "12", WithId(MessageId(12))),
    ("search", "Running dogs", Search(("run", "dog"))),
    ("search", 'a "Big Dog"', Search(("big", "dog"), ("big dog",))),
]


@pytest.mark.parametrize(("operator", "operand", "meaning"), MEANINGS)
def test_meaning_of_operators(operator: str, operand: object, meaning: Term) -> None:
    assert terms([term(operator, operand)]) == (meaning,)
    if isinstance(operand, str):
        assert terms([[operator, operand]]) == terms([(operator, operand)]) == (meaning,)


@pytest.mark.parametrize(("operator", "operand", "meaning"), MEANINGS)
def test_a_negated_term_is_the_complement_but_for_search(
    operator: str, operand: object, meaning: Term
) -> None:
    expected = meaning.term if isinstance(meaning, Not) else Not(meaning)
    if operator == "search":
        expected = meaning
    assert terms([term(operator, operand, negated=True)]) == (expected,)


@pytest.mark.parametrize("negated", [False, True])
@pytest.mark.parametrize(("operator", "operand"), [("in", "all"), ("near", "12"), ("near", "anything")])
def test_near_and_in_all_have_no_effect(operator: str, operand: str, negated: bool) -> None:
    assert narrow([term(operator, operand, negated=negated)]) == Narrow()


def test_every_operator_is_tested() -> None:
    tested = {operator for operator, _, _ in MEANINGS} | {"near", "with"}
    assert tested >= set(OPERATORS)


def test_unknown_keys_are_ignored() -> None:
    assert terms([{"operator": "is", "operand": "dm", "colour": "red"}]) == (IsDirect(),)


def test_equal_terms_count_once() -> None:
    assert terms([["is", "dm"], ["is", "private"]]) == (IsDirect(),)


NEVER_OPERANDS: list[object] = [True, 1.5, {}, [[1]], ["a"], [True]]


@pytest.mark.parametrize("raw", ["", "is:dm", {}, {"operator": "is", "operand": "dm"}, 1, True, 1.5])
def test_narrows_that_are_not_lists(raw: object) -> None:
    with pytest.raises(InconvertibleParameter) as refusal:
        narrow(raw)
    assert refusal.value.extra == {"var_name": "narrow"}


@pytest.mark.parametrize(
    "bad",
    [
        ["is"],
        ["is", "dm", "dm"],
        ["id", 12],
        [None, "dm"],
        [["is", "dm"], "dm"],
        [],
        "is",
        None,
        5,
        {},
        {"operator": "is"},
        {"operator": "is", "operand": None},
        {"operand": "dm"},
        {"operator": None, "operand": "dm"},
        {"operator": 5, "operand": "dm"},
        {"operator": "is", "operand": "dm", "negated": "true"},
        {"operator": "is", "operand": "dm", "negated": None},
        *[term(operator, operand) for operator in OPERATORS for operand in NEVER_OPERANDS],
        *[term(operator, [ADA]) for operator in OPERATORS if operator != "dm"],
        *[term(operator, 1) for operator in ("channels", "topic", "dm", "is", "in", "has", "near", "search")],
        term("search", ""),
        term("topic", "nul \x00"),
        term("topic", "surrogate \ud800"),
        term("\ud800", "lunch"),
        term("topic", "x" * 1_000_000),
        term("dm", [ADA] * 10_001),
    ],
)
def test_terms_without_the_right_form_are_refused(bad: object) -> None:
    with pytest.raises(BadRequest):
        narrow([bad])


@pytest.mark.parametrize(
    ("bad", "types"),
    [
        (term("near", 5), "The operand of 'near' in a narrow is a string$"),
        (term("topic", [ADA]), "The operand of 'topic' in a narrow is a string$"),
        (term("dm", 5), "The operand of 'dm' in a narrow is a string or a list of ids$"),
        (
            term("channel", [5]),
            "'channel' in a narrow is a string or an id, which is a number$",
        ),
        (term("id", 5.0), "a string, an id or a list of at most [0-9]+ ids; ids are whole numbers"),
        (term("dm", [True]), "a string, an id or a list"),
        (term("dm", {}), "a string, an id or a list"),
    ],
)
def test_a_refused_operand_is_told_the_type(bad: object, types: str) -> None:
    with pytest.raises(BadRequest, match=types):
        narrow([bad])


@pytest.mark.parametrize(
    "bad",
    [
        term("subject", "lunch"),
        term("from", "ada@example.com"),
        term("mentions", ADA),
        term("dm-with", ADA),
        term("exact-topic", "lunch"),
        term("Channel", "plaza"),
        term("", "plaza"),
        term("x" * 5000, "plaza"),
        term("channels", "private"),
        term("is", "happy"),
        term("is", ""),
        term("has", "links"),
        term("in", "office"),
        term("channel", "nowhere"),
        term("channel", 999),
        term("channel", -1),
        term("channel", 2**63),
        term("channel", 10**5000),
        term("sender", "nobody@example.com"),
        term("sender", 999),
        term("sender", -(10**5000)),
        term("dm", "may@example.com,nobody@example.com"),
        term("dm", [MAY, 999]),
        term("dm", [10**30]),
        term("dm-including", 999),
        term("group-pm-with", "nobody@example.com"),
        term("id", "12a"),
        term("id", ""),
        term("id", "-5"),
        term("id", "- 5"),
        term("id", "١٢"),
        term("id", -5),
        term("id", 2**63),
        term("id", "9" * 5000),
        term("search", " ".join(f"word{number}" for number in range(51))),
        term("search", "".join(f'"a{"!" * number}"' for number in range(51))),
    ],
)
def test_meaningless_operands(bad: object) -> None:
    with pytest.raises(BadNarrow) as refusal:
        narrow([bad])
    desc = refusal.value.extra["desc"]
    assert isinstance(desc, str)
    assert 0 < len(desc) < 200


def test_an_id_in_a_list_is_refused_naming_the_right_form() -> None:
    for pair in (["channel", PLAZA], ["dm", [ADA, GUS]]):
        with pytest.raises(BadRequest, match=r'ids need .* an object: \{"operator": "channel"'):
            narrow([pair])


def test_a_narrow_has_a_limited_number_of_terms() -> None:
    limits = Limits(max_narrow_terms=3)
    assert terms([["is", "dm"]] * 3, limits=limits) == (IsDirect(),)
    with pytest.raises(BadRequest):
        narrow([["is", "dm"]] * 4, limits=limits)


def test_deep_nesting_is_just_a_wrong_type() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    for raw in (deep, [{"operator": "dm", "operand": deep}], [{"operator": deep, "operand": "x"}]):
        with pytest.raises(BadRequest):
            narrow(raw)


def test_only_the_first_topic_term_may_use_the_display_name_of_the_empty_topic() -> None:
    display = ["topic", "nichts"]
    assert terms([display], empty_topic_name="nichts") == (InTopic(""),)
    assert terms([display, display], empty_topic_name="nichts") == (InTopic(""), InTopic("nichts"))
    assert terms([["topic", "lunch"], display], empty_topic_name="nichts") == (
        InTopic("lunch"),
        InTopic("nichts"),
    )


def test_several_search_terms_are_one_query() -> None:
    assert terms([["search", "the"], ["search", 'big "red'], ["search", 'dogs"']]) == (
        Search(("big", "red", "dog"), ("red dogs",)),
    )


def test_several_search_terms_are_not_longer_than_one() -> None:
    with pytest.raises(BadNarrow):
        narrow([["search", "x" * 9000], ["search", "y" * 9000]])


def test_nobody_is_looked_up_twice() -> None:
    asked: list[str | int] = []

    class Asked(KnownNames):
        def user(self, email_or_id: str | int) -> UserId | None:
            asked.append(email_or_id)
            return super().user(email_or_id)

    emails = ["dm", "may@example.com, MAY@example.com,gus@example.com"]
    parse([emails, emails, ["sender", " May@example.com"]], Asked(users=DIRECTORY.users), me=ADA)
    assert sorted(asked, key=str) == ["gus@example.com", "may@example.com"]


def test_a_search_for_stop_words_stays_a_search() -> None:
    assert terms([["search", "the"]]) == (Search(()),)


def test_without_a_reader_a_conversation_is_just_its_people() -> None:
    assert terms([term("dm", [MAY, GUS])], me=None) == (InConversation(frozenset({MAY, GUS})),)


CHANNEL_TERMS = [term("channel", "plaza"), term("channels", "public"), term("topic", "lunch")]
DIRECT_TERMS = [
    term("dm", [MAY]),
    term("pm-with", [MAY]),
    term("dm-including", MAY),
    term("group-pm-with", MAY),
    term("is", "dm"),
    term("is", "private"),
]


@pytest.mark.parametrize("direct", DIRECT_TERMS)
@pytest.mark.parametrize("channel", CHANNEL_TERMS)
def test_channel_and_direct_terms_are_combined_only_if_negated(
    channel: dict[str, object], direct: dict[str, object]
) -> None:
    with pytest.raises(BadNarrow):
        narrow([channel, direct])
    with pytest.raises(BadNarrow):
        narrow([direct, term("has", "link"), channel])
    assert len(terms([{**channel, "negated": True}, direct])) == 2
    assert len(terms([channel, {**direct, "negated": True}])) == 2
    assert len(terms([{**channel, "negated": True}, {**direct, "negated": True}])) == 2


def test_contradictions_are_no_error() -> None:
    assert terms([["channel", "plaza"], ["channel", "office"]]) == (InChannel(PLAZA), InChannel(OFFICE))
    assert terms([["is", "dm"], term("is", "dm", negated=True)]) == (IsDirect(), Not(IsDirect()))


class TestWith:
    """`with` stands for the conversation in which a message is now."""

    @pytest.mark.parametrize("target", [7, "7", "007"])
    def test_it_replaces_what_names_a_channel_conversation(self, target: object) -> None:
        raw = [["channel", "was-renamed"], term("topic", "old", negated=True), ["sender", "may@example.com"]]
        assert terms([*raw, term("with", target)]) == (InChannel(PLAZA), InTopic("lunch"), SentBy(MAY))

    def test_it_replaces_a_direct_conversation_as_well(self) -> None:
        raw = [term("pm-with", [999]), ["stream", "nowhere"], term("with", 8), ["is", "starred"]]
        assert terms(raw) == (InConversation(frozenset({ADA, MAY})), HasFlag(Flag.STARRED))

    def test_the_terms_that_stay_have_to_fit(self) -> None:
        with pytest.raises(BadNarrow):
            narrow([term("with", 8), ["channels", "public"]])
        with pytest.raises(BadNarrow):
            narrow([term("with", 7), ["is", "dm"]])

    @pytest.mark.parametrize(
        "target",
        [9, "9", -1, "-9", 2**63, pytest.param("9" * 5000, id="digits"), pytest.param(10**5000, id="huge")],
    )
    def test_without_access_it_is_ignored_if_the_rest_names_a_conversation(self, target: object) -> None:
        missing = term("with", target)
        assert terms([missing, ["channel", "plaza"], ["topic", "x"]]) == (InChannel(PLAZA), InTopic("x"))
        assert terms([missing, term("dm", [MAY])]) == (InConversation(frozenset({ADA, MAY})),)

    @pytest.mark.parametrize(
        "rest",
        [
            [],
            [["channel", "plaza"]],
            [["topic", "x"]],
            [["is", "dm"]],
            [["channel", "plaza"], {"operator": "topic", "operand": "x", "negated": True}],
        ],
    )
    def test_without_access_and_conversation_it_is_refused(self, rest: list[object]) -> None:
        with pytest.raises(BadNarrow):
            narrow([term("with", 9), *rest])

    @pytest.mark.parametrize("target", ["", "x", "7.0", "+7", "٧"])
    def test_its_operand_is_a_number(self, target: object) -> None:
        with pytest.raises(BadNarrow):
            narrow([term("with", target), term("dm", [MAY])])

    def test_there_is_one_at_most_and_it_cannot_be_negated(self) -> None:
        with pytest.raises(BadNarrow):
            narrow([term("with", 7), term("with", 7)])
        with pytest.raises(BadNarrow):
            narrow([term("with", 7, negated=True)])

    def test_the_display_name_of_the_empty_topic_is_not_looked_for_in_what_it_replaces(self) -> None:
        assert terms([["topic", "old"], term("with", 7), ["has", "link"]])[1] == InTopic("lunch")


PERSONAL = ["dm", "private", "starred", "unread", "mentioned", "alerted", "followed", "muted"]


@pytest.mark.parametrize("negated", [False, True])
@pytest.mark.parametrize("operand", PERSONAL)
def test_is_terms_make_a_narrow_personal(operand: str, negated: bool) -> None:
    assert narrow([term("is", operand, negated=negated)]).personal


@pytest.mark.parametrize("other", [["is", "resolved"], ["in", "home"], ["channel", "plaza"], ["search", "x"]])
def test_other_terms_do_not_make_a_narrow_personal(other: list[str]) -> None:
    assert not narrow([other]).personal


def outcome(parsed: Callable[[], Narrow]) -> object:
    try:
        return parsed()
    except ChatError as error:
        return type(error)


@given(RAW_NARROWS)
def test_any_json_is_a_narrow_or_refused(raw: object) -> None:
    result = outcome(lambda: narrow(raw))
    assert isinstance(result, Narrow) or result in (BadRequest, BadNarrow, InconvertibleParameter)


def test_a_directory_has_the_known_names() -> None:
    assert DIRECTORY.channel("plaza") == DIRECTORY.channel(PLAZA) == PLAZA
    assert DIRECTORY.channel("nowhere") is DIRECTORY.channel(1) is None
    assert DIRECTORY.user("may@example.com") == DIRECTORY.user(MAY) == MAY
    assert DIRECTORY.user(UserId(99)) is None
    assert DIRECTORY.recipient(MessageId(99)) is None
