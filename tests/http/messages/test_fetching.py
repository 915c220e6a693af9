"""GET messages and GET messages/{id}: windows, narrows, ids, forms, and who gets what."""

from typing import Any

import pytest

from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.limits import Limits
from chatcore.domain.narrow.terms import Search
from chatcore.domain.narrow.words import parse_query
from chatcore.domain.topics import VisibilityPolicy
from chatcore.http.endpoints.messages.highlighting import make_highlighter
from tests.worlds.organization import MakeWorld, Someone, World, is_

NEWEST = 10_000_000_000_000_000
ENDS = ("found_anchor", "found_oldest", "found_newest")


def window(
    who: Someone, anchor: object, before: int, after: int, *narrow: Any, **more: Any
) -> dict[str, Any]:
    return who.page(*narrow, anchor=str(anchor), num_before=before, num_after=after, **more)


def ids(page: dict[str, Any]) -> list[int]:
    return [message["id"] for message in page["messages"]]


@pytest.fixture
def soups(ada: Someone) -> list[int]:
    """Four messages."""
    return [ada.says(f"soup {number}") for number in range(4)]


# -- windows ----------------------------------------------------------------------------------------


@pytest.mark.shows("fetch.anchor-id")
def test_an_anchor_need_not_exist(ada: Someone, soups: list[int]) -> None:
    page = window(ada, soups[1], 1, 5)
    assert (ids(page), page["anchor"]) == (soups, soups[1])
    ada.writes("between", "bea")
    later = [*soups, ada.says("last")]
    page = window(ada, later[-1] - 1, 1, 5, "channel:lunch")
    assert ids(page) == later[3:]
    assert [page[end] for end in ENDS] == [False, False, True]


# anchor (an index or a word), before, after; which of the four; found_anchor, found_oldest, found_newest
WINDOWS: list[tuple[object, int, int, list[int], bool, bool, bool]] = [
    ("oldest", 0, 2, [0, 1], False, True, False),
    ("oldest", 5, 2, [0, 1], False, True, False),
    ("oldest", 0, 4, [0, 1, 2, 3], False, True, False),
    ("oldest", 0, 5, [0, 1, 2, 3], False, True, True),
    ("0", 0, 1, [0], False, True, False),
    ("-7", 0, 1, [0], False, True, False),
    ("newest", 2, 0, [2, 3], False, False, True),
    ("newest", 2, 5, [2, 3], False, False, True),
    ("newest", 4, 0, [0, 1, 2, 3], False, False, True),
    ("newest", 5, 0, [0, 1, 2, 3], False, True, True),
    (str(NEWEST), 1, 0, [3], False, False, True),
    ("9" * 30, 1, 0, [3], False, False, True),
    (1, 1, 1, [0, 1, 2], True, False, False),
    (1, 5, 5, [0, 1, 2, 3], True, True, True),
    (1, 0, 0, [1], True, False, False),
    (1, 0, 1, [1, 2], True, False, False),
    (1, 1, 2, [0, 1, 2, 3], True, False, False),
    (3, 0, 0, [3], True, False, False),
]


@pytest.mark.every_case_on_postgresql
@pytest.mark.shows(
    "fetch.anchor-id", "fetch.anchor-newest", "fetch.anchor-oldest", "fetch.include-anchor",
    "fetch.num-before", "fetch.num-after", "fetch.answer-found", "fetch.answer-limited",
    "fetch.answer-messages",
)  # fmt: skip
@pytest.mark.parametrize(("anchor", "before", "after", "found", "at", "oldest", "newest"), WINDOWS)
def test_a_window_has_the_nearest_and_says_what_it_found(
    ada: Someone,
    soups: list[int],
    anchor: object,
    before: int,
    after: int,
    found: list[int],
    at: bool,
    oldest: bool,
    newest: bool,
) -> None:
    page = window(ada, soups[anchor] if isinstance(anchor, int) else anchor, before, after)
    assert ids(page) == [soups[index] for index in found]
    assert [page[end] for end in ENDS] == [at, oldest, newest]
    assert page["history_limited"] is False


@pytest.mark.shows("fetch.anchor-newest", "fetch.anchor-oldest", "fetch.answer-anchor")
@pytest.mark.parametrize(
    ("anchor", "echoed"),
    [("oldest", 0), ("0", 0), ("-3", 0), ("newest", NEWEST), ("9" * 20, NEWEST), ("12", 12)],
)
def test_the_anchor_is_echoed_as_a_number(ada: Someone, anchor: str, echoed: int) -> None:
    assert window(ada, anchor, 1, 0)["anchor"] == echoed


@pytest.mark.shows("fetch.exclude-anchor", "change.include-anchor")
def test_the_anchor_can_be_left_out_at_an_end_of_the_window(ada: Someone, soups: list[int]) -> None:
    assert ids(window(ada, soups[1], 0, 2, include_anchor=False)) == soups[2:]
    assert ids(window(ada, soups[1], 2, 0, include_anchor=False)) == soups[:1]
    assert ids(window(ada, soups[1], 0, 0, include_anchor=False)) == [soups[1]]
    refuse(ada, anchor=str(soups[1]), num_before=1, num_after=1, include_anchor=False)


@pytest.mark.shows("fetch.include-anchor")
def test_an_anchor_outside_the_narrow_is_not_in_the_window(ada: Someone, soups: list[int]) -> None:
    other = ada.says("elsewhere", topic="tomorrow")
    page = window(ada, other, 1, 1, "topic:today")
    assert (ids(page), page["found_anchor"]) == ([soups[-1]], False)


def refuse(who: Someone, code: str = "BAD_REQUEST", **parameters: object) -> dict[str, Any]:
    return who.refused("GET", "/messages", code=code, **parameters)


@pytest.mark.every_case_on_postgresql
@pytest.mark.shows("fetch.anchor-others")
@pytest.mark.parametrize("anchor", ["latest", "1.5", "", "1e3", "１２", "--1"])
def test_another_anchor_is_refused(ada: Someone, anchor: str) -> None:
    refuse(ada, anchor=anchor, num_before=1, num_after=0)


@pytest.mark.shows("fetch.num-before", "fetch.num-after")
def test_required_parameters_of_a_window(ada: Someone) -> None:
    refuse(ada, num_before=1, num_after=1)
    for missing in ("num_before", "num_after"):
        given = {"anchor": "newest", "num_before": 1, "num_after": 1}
        del given[missing]
        assert refuse(ada, "REQUEST_VARIABLE_MISSING", **given)["var_name"] == missing


@pytest.mark.parametrize("count", ["-1", "x", "1.5", "true", "null2"])
def test_a_count_that_is_none_is_refused(ada: Someone, count: str) -> None:
    answer = refuse(ada, "REQUEST_VARIABLE_INVALID", anchor="newest", num_before=count, num_after=0)
    assert answer["var_name"] == "num_before"


@pytest.mark.shows("fetch.limit", "refused.too-many-messages", "limit.messages")
def test_at_most_5000_messages_may_be_asked_for(ada: Someone, soups: list[int]) -> None:
    for anchor in ("newest", soups[1]):
        assert set(ids(window(ada, anchor, 5000, 0))) <= set(soups)
        assert set(ids(window(ada, anchor, 2500, 2500))) <= set(soups)
        for before, after in ((5000, 1), (0, 5001), (10**9, 0)):
            refuse(ada, anchor=str(anchor), num_before=before, num_after=after)


# With at most three in an answer: anchor, before, after; which of five come; what is said of the ends.
@pytest.mark.shows("fetch.limit", "limit.messages")
@pytest.mark.parametrize(
    ("anchor", "before", "after", "found", "oldest", "newest"),
    [
        (4, 3, 0, [2, 3, 4], False, False),
        (0, 0, 3, [0, 1, 2], False, False),
        (2, 2, 1, [1, 2, 3], False, False),
        (2, 1, 2, [1, 2, 3], False, False),
        (1, 3, 0, [0, 1], True, False),
        ("newest", 3, 0, [2, 3, 4], False, True),
    ],
)
def test_the_anchor_is_one_of_the_messages_that_come_at_once(
    make_world: MakeWorld,
    anchor: object,
    before: int,
    after: int,
    found: list[int],
    oldest: bool,
    newest: bool,
) -> None:
    ada = make_world(limits=Limits(max_messages_per_fetch=3))["ada"]
    sent = [ada.says(f"soup {number}") for number in range(5)]
    at = sent[anchor] if isinstance(anchor, int) else anchor
    page = window(ada, at, before, after)
    assert ids(page) == [sent[index] for index in found]
    assert [page[end] for end in ENDS] == [isinstance(anchor, int), oldest, newest]
    refuse(ada, anchor=str(at), num_before=before, num_after=after + 1)


# -- the first unread -------------------------------------------------------------------------------


@pytest.mark.shows("fetch.anchor-first-unread")
def test_the_first_unread_message_is_the_anchor(ada: Someone, bea: Someone, soups: list[int]) -> None:
    bea.flagged("read", *soups[:2])
    page = window(bea, "first_unread", 1, 5)
    assert (ids(page), page["anchor"], page["found_anchor"]) == (soups[1:], soups[2], True)
    page = window(bea, "first_unread", 1, 5, "topic:tomorrow")
    assert (ids(page), page["anchor"]) == ([], NEWEST)


@pytest.mark.shows("fetch.use-first-unread", "fetch.use-first-unread-wins")
def test_the_older_flag_for_it_wins_over_an_anchor(bea: Someone, soups: list[int]) -> None:
    page = bea.get(
        "/messages", anchor="0", use_first_unread_anchor=True, num_before=30, num_after=10, narrow=[]
    )
    assert (ids(page), page["anchor"]) == (soups, soups[0])
    page = bea.get("/messages", anchor="oldest", use_first_unread_anchor=False, num_before=0, num_after=1)
    assert page["anchor"] == 0
    bea.get("/messages", use_first_unread_anchor=True, num_before=1, num_after=1)


@pytest.mark.shows("fetch.anchor-nothing-unread")
def test_when_nothing_is_unread_the_newest_is_the_anchor(
    ada: Someone, bea: Someone, soups: list[int]
) -> None:
    bea.flagged("read", *soups)
    page = window(bea, "first_unread", 2, 5)
    assert (ids(page), page["anchor"], page["found_newest"]) == (soups[2:], NEWEST, True)
    # The most recent message stands for it, where nothing else is asked for.
    lone = {"anchor": "first_unread"}, {"anchor": "oldest", "use_first_unread_anchor": True}
    for given in lone:
        page = bea.page("channel:lunch", num_before=0, num_after=2, **given)
        assert (ids(page), page["anchor"]) == (soups[-1:], NEWEST)
        assert [page[end] for end in ENDS] == [False, False, True]
    assert ids(window(bea, "first_unread", 0, 2, include_anchor=False)) == []
    assert ids(window(bea, "newest", 0, 2)) == []
    empty = window(bea, "first_unread", 0, 2, "topic:nothing")
    assert (ids(empty), [empty[end] for end in ENDS]) == ([], [False, True, True])
    given = {"anchor": "first_unread", "num_before": 0, "num_after": 2, "narrow": []}
    changed = bea.post("/messages/flags/narrow", **given, op="add", flag="starred")
    assert changed["processed_count"] == 0


@pytest.mark.shows("visibility.muted")
def test_a_muted_topic_is_no_first_unread(world: World, ada: Someone, bea: Someone) -> None:
    first, second = ada.says("noise", topic="noise"), ada.says("soup")
    world.set_policy("bea", "lunch", "noise", VisibilityPolicy.MUTED)
    assert window(bea, "first_unread", 0, 1)["anchor"] == second
    assert window(bea, "first_unread", 0, 1, "channel:lunch")["anchor"] == second
    assert window(bea, "first_unread", 0, 1, "topic:noise")["anchor"] == NEWEST
    world.set_policy("bea", "lunch", "noise", VisibilityPolicy.INHERIT)
    assert window(bea, "first_unread", 0, 1)["anchor"] == first


def test_a_muted_channel_is_one_when_it_is_narrowed_to(world: World, ada: Someone, bea: Someone) -> None:
    sent, followed = ada.says("soup"), ada.says("soup", topic="followed")
    world.mute("bea", "lunch")
    world.set_policy("bea", "lunch", "followed", VisibilityPolicy.FOLLOWED)
    assert window(bea, "first_unread", 0, 1, "channel:lunch")["anchor"] == sent
    assert window(bea, "first_unread", 0, 1)["anchor"] == followed


def test_history_that_was_never_received_is_not_unread(ada: Someone, cem: Someone, soups: list[int]) -> None:
    page = window(cem, "first_unread", 2, 2, "channel:lunch")
    assert (page["anchor"], ids(page)) == (NEWEST, soups[2:])


# -- by ids -----------------------------------------------------------------------------------------


@pytest.mark.shows(
    "message.id", "fetch.message-ids", "fetch.answer-anchor", "fetch.answer-messages",
    "change.message-ids",
)  # fmt: skip
def test_messages_come_by_their_ids_in_order(ada: Someone, soups: list[int]) -> None:
    page = ada.page(message_ids=[soups[2], 999_999, soups[0], soups[0], -5, 2**60])
    assert ids(page) == [soups[0], soups[2]]
    assert [page[end] for end in ENDS] == [False, False, False]
    assert "anchor" not in page


@pytest.mark.shows("fetch.message-ids-narrow")
def test_a_narrow_filters_ids(ada: Someone, soups: list[int]) -> None:
    other = ada.says("stew", topic="tomorrow")
    assert ada.finds("topic:tomorrow", message_ids=[*soups, other]) == [other]
    (hit,) = ada.reads("search:stew", message_ids=[*soups, other])
    assert hit["match_content"] == '<p><span class="highlight">stew</span></p>'


def test_only_so_much_of_a_page_is_marked(ada: Someone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chatcore.http.endpoints.messages.highlighting.MAX_EFFORT", 1000)
    for _ in range(4):
        ada.says("stew & more", topic="a < b")
    page = ada.reads("search:stew")
    marked = "<p>" + '<span class="highlight">stew</span>' + " &amp; more</p>"
    assert [hit["match_content"] for hit in page] == [marked] * 3 + ["<p>stew &amp; more</p>"]
    assert [hit["match_subject"] for hit in page] == ["a &lt; b"] * 4


@pytest.mark.parametrize(
    ("query", "content", "effort"),
    [
        ("soup", "soup", 11 + 6 * 31 + 20 + 120 * 4),
        ("soup", "soup soup", 16 + 6 * 62 + 20 * 2 + 120 * 4),
        ("soup", "soup soups", 17 + 6 * 62 + 20 * 2 + 120 * 9),
        ("soup", "soup é", 10 * 13 + 6 * 31 + 20 * 2 + 120 * 5),
        ("soup", "soup &", 17 + 6 * 31 + 20 * 2 + 120 * 4),
        ('"pea soup"', "pea soup", 2 * 15 + 6 * 31 + 20 * 2 + 120 * 7),
    ],
)
def test_slow_searches_leave_less_to_be_marked(
    monkeypatch: pytest.MonkeyPatch, query: str, content: str, effort: int
) -> None:
    """Characters, marks, words and letters of new ones: the next message is marked if any effort is left."""
    html = f"<p>{content.replace('&', '&amp;')}</p>"
    for most, is_marked in ((effort, False), (effort + 1, True)):
        monkeypatch.setattr("chatcore.http.endpoints.messages.highlighting.MAX_EFFORT", most)
        mark = make_highlighter(Search(*parse_query(query)))
        assert mark(html, "")[0] != html
        assert (mark(html, "")[0] != html) is is_marked


def test_ids_give_messages_that_were_never_received(cem: Someone, soups: list[int]) -> None:
    assert cem.finds(message_ids=soups) == soups
    assert cem.reads(message_ids=soups[:1])[0]["flags"] == ["read", "historical"]


@pytest.mark.shows("fetch.message-ids")
def test_ids_leave_out_what_may_not_be_read(ada: Someone, cem: Someone, soups: list[int]) -> None:
    hidden = [ada.says("hush", "secret"), ada.says("hush", "vault"), ada.writes("hush", "bea")]
    assert cem.finds(message_ids=[*soups, *hidden]) == soups


@pytest.mark.shows("fetch.message-ids-alone", "refused.ids-and-window")
@pytest.mark.parametrize(
    "other",
    [
        {"anchor": "newest"},
        {"include_anchor": True},
        {"use_first_unread_anchor": False},
        {"num_before": 0},
        {"num_before": 1, "num_after": 1, "anchor": "oldest"},
    ],
)
def test_ids_and_a_window_exclude_one_another(ada: Someone, other: dict[str, Any]) -> None:
    answer = refuse(ada, message_ids=[1], **other)
    assert set(answer["parameters"].split(", ")) == {"message_ids", *other}


def test_there_is_a_limit_of_ids(make_world: MakeWorld) -> None:
    ada = make_world(limits=Limits(max_messages_per_fetch=3))["ada"]
    ada.page(message_ids=[1, 2, 3])
    refuse(ada, message_ids=[1, 2, 3, 4])
    assert ada.finds(message_ids=[]) == []


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize("ids", ["[true]", '["1"]', "1", "[1.0]", "[1e3]", "{}", f"[{2**63}]"])
def test_ids_are_whole_numbers(ada: Someone, ids: str) -> None:
    assert refuse(ada, message_ids=ids)["var_name"] == "message_ids"


# -- narrows ----------------------------------------------------------------------------------------


@pytest.mark.shows("fetch.narrow-forms", "fetch.narrow-personal")
@pytest.mark.parametrize("narrow", ["null", "[]", None])
def test_no_narrow_is_all_that_was_received(ada: Someone, soups: list[int], narrow: str | None) -> None:
    given = {} if narrow is None else {"narrow": narrow}
    page = ada.get("/messages", anchor="newest", num_before=10, num_after=0, **given)
    assert ids(page) == soups


@pytest.mark.parametrize("narrow", ["x", "{}", "[1]", '"channel"'])
def test_a_malformed_narrow_is_refused(ada: Someone, narrow: str) -> None:
    response = ada.request("GET", "/messages", anchor="newest", num_before=1, num_after=0, narrow=narrow)
    assert response.status_code == 400
    assert response.get_json()["code"] in ("BAD_REQUEST", "REQUEST_VARIABLE_INVALID")


@pytest.mark.shows("fetch.narrow-forms")
@pytest.mark.parametrize(
    "narrow",
    [
        [["channel"]],
        [["channel", "lunch", "x"]],
        [["channel", 1]],
        [{"operator": "channel"}],
        [{"operand": "lunch"}],
        [{"operator": "channel", "operand": None}],
        [{"operator": "channel", "operand": [1]}],
        [{"operator": "channel", "operand": "lunch", "negated": "no"}],
        [{"operator": "topic", "operand": 5}],
        [{"operator": "dm", "operand": 5}],
        [{"operator": "search", "operand": ""}],
        [{"operator": "channel", "operand": True}],
    ],
)
def test_a_term_in_neither_form_is_refused(ada: Someone, narrow: list[Any]) -> None:
    refuse(ada, anchor="newest", num_before=1, num_after=0, narrow=narrow)


@pytest.mark.parametrize(
    "term",
    [
        "subject:today",
        "from:ada@example.org",
        "mentions:ada",
        "is:hungry",
        "has:soup",
        "in:bed",
        "channels:all",
        "channel:nowhere",
        is_("channel", 99_999),
        is_("channel", -1),
        "sender:nobody@example.org",
        is_("sender", 99_999),
        is_("dm", [99_999]),
        "dm:ada@example.org,nobody@example.org",
        "dm-including:nobody@example.org",
        "id:x",
        "id:-1",
        "id:" + "9" * 40,
        "with:x",
        "with:99999",
        *(is_(operator, 10**30) for operator in ("channel", "sender", "dm-including", "id", "with")),
        is_("dm", [-(10**30)]),
    ],
)
def test_a_fault_in_what_a_narrow_means_is_described(ada: Someone, term: Any) -> None:
    answer = refuse(
        ada, "BAD_NARROW", anchor="newest", num_before=1, num_after=0,
        narrow=[term if isinstance(term, dict) else term.split(":", 1)],
    )  # fmt: skip
    assert answer["desc"]


def test_a_message_that_nobody_can_name_is_no_matter_beside_a_conversation(ada: Someone) -> None:
    sent = ada.says("soup", topic="today")
    assert ada.finds("channel:lunch", "topic:today", is_("with", 10**30)) == [sent]
    assert ada.finds(is_("dm", [ada.id]), is_("with", "9" * 30)) == []


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize(
    "direct", ["is:dm", "dm:bea@example.org", "dm-including:bea@example.org", "is:private"]
)
@pytest.mark.parametrize("channel", ["channel:lunch", "topic:today", "channels:public"])
def test_nothing_is_in_a_channel_and_direct(ada: Someone, channel: str, direct: str) -> None:
    narrow = [term.split(":", 1) for term in (channel, direct)]
    refuse(ada, "BAD_NARROW", anchor="newest", num_before=1, num_after=0, narrow=narrow)
    ada.reads(channel, "-" + direct)
    ada.reads("-" + channel, direct)


@pytest.mark.shows(
    "conventions.channel-and-stream", "conventions.direct-and-private", "fetch.narrow-forms",
    "fetch.narrow-channel",
)  # fmt: skip
def test_operators_and_their_older_names_find_the_same(world: World, ada: Someone, soups: list[int]) -> None:
    lunch = world.id("lunch")
    for narrow in ("channel:lunch", "stream: LUNCH ", is_("channel", lunch), is_("stream", "lunch")):
        assert ada.finds(narrow) == soups
    note = ada.writes("hello", "bea")
    for narrow in ("dm:bea@example.org", "pm-with:bea@example.org", "pm_with:bea@example.org",
                   is_("dm", [world["bea"].id]), "is:dm", "is:private",
                   is_("dm-including", world["bea"].id), "dm:ada@example.org, bea@example.org"):  # fmt: skip
        assert ada.finds(narrow) == [note]
    assert ada.finds("group-pm-with:bea@example.org") == []
    group = ada.writes("hello all", "bea", "cem")
    for narrow in ("group-pm-with:bea@example.org", is_("group_pm_with", world["bea"].id)):
        assert ada.finds(narrow) == [group]
    assert ada.finds("dm:bea@example.org") == [note]
    assert ada.finds(is_("dm", [world["bea"].id, world["cem"].id, world["bea"].id])) == [group]
    assert ada.finds(is_("dm", [])) == []


def test_a_digit_string_names_a_channel(world: World, ada: Someone) -> None:
    world.add_channel("7", "ada")
    sent = ada.says("seven", "7")
    assert ada.finds("channel:7") == [sent]


@pytest.mark.shows("fetch.narrow-sender")
def test_terms_match_the_content_of_messages(world: World, ada: Someone, bea: Someone) -> None:
    plain, link = ada.says("soup"), ada.says("see https://example.com")
    image = ada.says("https://example.com/soup.png")
    done = ada.says("done", topic="✔ today")
    assert ada.finds("has:link") == [link, image]
    assert ada.finds("has:image") == [image]
    assert ada.finds("has:attachment") == []
    assert ada.finds("-has:link") == [plain, done]
    world.react("bea", plain)
    assert ada.finds("has:reaction") == [plain]
    assert ada.finds("is:resolved") == [done]
    assert ada.finds(f"id:{link}") == [link]
    assert ada.finds(is_("id", link)) == [link]
    assert ada.finds(f"near:{link}") == [plain, link, image, done]
    assert ada.finds("sender:ADA@example.org") == [plain, link, image, done]
    assert ada.finds(is_("sender", bea.id)) == []


@pytest.mark.shows("visibility.followed")
def test_terms_match_flags_of_the_reader(world: World, ada: Someone, bea: Someone) -> None:
    plain, called = ada.says("soup"), ada.says("@**Bea** soup", topic="called")
    everybody, alarm = ada.says("@**all** soup", topic="all"), ada.says("fire!", topic="fire")
    bea.flagged("starred", plain)
    bea.flagged("read", called)
    assert bea.finds("is:starred") == [plain]
    assert bea.finds("is:unread") == [plain, everybody, alarm]
    assert bea.finds("is:mentioned") == [called, everybody]
    assert bea.finds("-is:mentioned") == [plain, alarm]
    assert bea.finds("is:followed") == [called]
    world.set_policy("bea", "lunch", "fire", VisibilityPolicy.MUTED)
    assert bea.finds("is:muted") == [alarm]
    assert bea.finds("in:home") == [plain, called, everybody]
    assert bea.finds("in:all") == [plain, called, everybody, alarm]
    world.mute("bea", "lunch")
    assert bea.finds("in:home") == [called]


def test_with_follows_a_message_to_where_it_is(ada: Someone, soups: list[int]) -> None:
    other, note = ada.says("stew", topic="tomorrow"), ada.writes("hello", "bea")
    assert ada.finds(f"with:{soups[0]}") == soups
    assert ada.finds("channel:nowhere", "topic:gone", f"with:{other}") == [other]
    assert ada.finds(is_("with", note)) == [note]
    assert ada.finds("channel:lunch", "topic:tomorrow", "with:99999") == [other]


def test_a_negated_term_inverts(world: World, ada: Someone, soups: list[int]) -> None:
    note, plaza = ada.writes("hello", "bea"), ada.says("stew", "plaza")
    assert ada.finds("-channel:lunch") == [note, plaza]
    assert ada.finds("-topic:today") == [note]
    assert ada.finds("-is:dm") == [*soups, plaza]
    assert ada.finds("-sender:ada@example.org") == []
    assert ada.finds("is:dm", "-is:dm") == []


# -- full history -----------------------------------------------------------------------------------


@pytest.mark.shows("fetch.history")
def test_a_channel_shows_its_whole_history_to_who_may_read_it(cem: Someone, soups: list[int]) -> None:
    assert cem.finds() == []
    assert cem.finds("channel:lunch") == soups
    assert cem.reads("channel:lunch")[0]["flags"] == ["read", "historical"]
    assert cem.finds("channel:lunch", "is:resolved") == []
    assert cem.finds("channel:lunch", "-is:resolved") == soups


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize(
    "personal", ["is:unread", "-is:starred", "-is:unread", "is:mentioned", "-is:followed"]
)
def test_a_term_about_the_reader_looks_at_what_was_received(
    cem: Someone, soups: list[int], personal: str
) -> None:
    assert cem.finds("channel:lunch", personal) == []


@pytest.mark.shows("fetch.narrow-personal", "fetch.history")
def test_a_topic_or_sender_alone_looks_at_what_was_received(cem: Someone, soups: list[int]) -> None:
    for narrow in ("topic:today", "sender:ada@example.org", "search:soup", "-channel:plaza"):
        assert cem.finds(narrow) == []


@pytest.mark.shows("fetch.narrow-channels")
def test_all_public_channels_can_be_searched(
    world: World, ada: Someone, cem: Someone, soups: list[int]
) -> None:
    ada.says("soup", "secret")
    ada.says("soup", "vault")
    ada.writes("soup", "bea")
    plaza = ada.says("soup", "plaza")
    assert cem.finds("channels:public") == [*soups, plaza]
    assert cem.finds("streams:public", "search:soup") == [*soups, plaza]
    assert cem.finds("channels:public", "is:unread") == []
    assert cem.finds("channels:web-public") == [plaza]
    world.archive("plaza")
    assert cem.finds("channels:public") == [*soups, plaza]


@pytest.mark.shows("channel.history")
def test_shared_history_opens_with_joining_and_protected_does_not(
    world: World, ada: Someone, cem: Someone
) -> None:
    before = {name: ada.says("before", name) for name in ("secret", "vault")}
    ada.joins("secret", "vault", principals=[cem.id])
    after = {name: ada.says("after", name) for name in ("secret", "vault")}
    assert cem.finds("channel:secret") == [before["secret"], after["secret"]]
    assert cem.finds("channel:vault") == [after["vault"]]
    assert cem.finds("-is:dm") == [after["secret"], after["vault"]]
    cem.refused("GET", f"/messages/{before['vault']}")
    assert cem.flags(before["secret"]) == {"read", "historical"}


def test_protected_history_keeps_what_was_received_in_every_stay(
    world: World, ada: Someone, cem: Someone
) -> None:
    ada.joins("vault", principals=[cem.id])
    first = ada.says("one", "vault")
    cem.leaves("vault")
    missed = ada.says("two", "vault")
    ada.joins("vault", principals=[cem.id])
    third = ada.says("three", "vault")
    assert cem.finds("channel:vault") == [first, third]
    cem.refused("GET", f"/messages/{missed}")


def test_a_private_channel_that_was_left_is_closed(world: World, ada: Someone, bea: Someone) -> None:
    sent = ada.says("hush", "secret")
    assert bea.finds() == [sent]
    bea.leaves("secret")
    assert bea.finds() == bea.finds("channel:secret") == bea.finds(message_ids=[sent]) == []
    bea.refused("GET", f"/messages/{sent}")


def test_a_public_channel_that_was_left_stays_in_the_history(
    ada: Someone, bea: Someone, soups: list[int]
) -> None:
    bea.leaves("lunch")
    missed = ada.says("soup 5")
    assert bea.finds() == soups
    assert bea.finds("channel:lunch") == [*soups, missed]
    assert bea.flags(soups[0]) == {"read"}


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize("before", [0, 5])
@pytest.mark.parametrize("how", ["never was in it", "has left"])
def test_a_channel_that_cannot_be_read_is_empty_to_both_ends(
    world: World, ada: Someone, how: str, before: int
) -> None:
    sent = ada.says("hush", "secret")
    if how == "has left":
        world["bea"].leaves("secret")
    reader = world["bea" if how == "has left" else "cem"]
    for narrow in (["channel:secret"], ["channel:secret", "topic:today"], ["channel:secret", "is:unread"]):
        for anchor in ("newest", str(sent), "oldest", "first_unread"):
            page = window(reader, anchor, before, before, *narrow)
            assert ids(page) == []
            assert [page[end] for end in ENDS] == [False, True, True]


def test_group_access_reads_shared_history_without_joining(world: World, ada: Someone, cem: Someone) -> None:
    by_group = {"can_subscribe_group": GroupSetting.of(SystemGroup.MEMBERS)}
    world.add_channel("club", "ada", invite_only=True, permissions=by_group)
    world.add_channel(
        "lodge", "ada", invite_only=True, history_public_to_subscribers=False, permissions=by_group
    )
    club, lodge = ada.says("hello", "club"), ada.says("hello", "lodge")
    assert cem.finds("channel:club") == [club]
    assert cem.finds("channel:lodge") == []
    assert cem.message(club)["id"] == club
    cem.refused("GET", f"/messages/{lodge}")
    world["gus"].refused("GET", f"/messages/{club}")
    assert world["gus"].finds("channel:club") == []


@pytest.mark.shows("channel-state.archived")
def test_an_archived_channel_is_read_as_before(
    world: World, ada: Someone, cem: Someone, soups: list[int]
) -> None:
    world.archive("lunch")
    assert ada.finds("channel:lunch") == cem.finds("channel:lunch") == soups
    assert cem.message(soups[0])["id"] == soups[0]


def test_a_guest_reads_where_subscribed_and_what_is_web_public(
    world: World, ada: Someone, gus: Someone
) -> None:
    lunch, plaza = ada.says("soup"), ada.says("soup", "plaza")
    world.add_channel("garden", "ada")
    garden = ada.says("soup", "garden")
    assert gus.finds() == [lunch]
    assert gus.finds("channel:plaza") == [plaza]
    assert gus.finds("channel:garden") == []
    assert gus.finds("channels:public") == [lunch]
    gus.refused("GET", f"/messages/{garden}")
    gus.refused("GET", f"/messages/{plaza}")
    gus.message(lunch)


def test_a_guest_who_was_subscribed_sees_nothing_more(world: World, ada: Someone, gus: Someone) -> None:
    sent = ada.says("soup")
    gus.leaves("lunch")
    assert gus.finds() == gus.finds("channel:lunch") == []
    gus.refused("GET", f"/messages/{sent}")


# -- search -----------------------------------------------------------------------------------------


def test_a_hit_is_marked_in_text_and_topic(ada: Someone) -> None:
    ada.says("*Soups* <b> of the day", topic="soup & more")
    (hit,) = ada.reads("search:soup")
    assert hit["match_content"].startswith('<p><em><span class="highlight">Soups</span></em>')
    assert hit["match_subject"] == '<span class="highlight">soup</span> &amp; more'
    (hit,) = ada.reads("search:day", apply_markdown=False)
    assert (hit["content"], hit["match_subject"]) == ("*Soups* <b> of the day", "soup &amp; more")
    assert 'highlight">day' in hit["match_content"]


def test_the_topic_of_a_hit_is_as_that_of_its_message(ada: Someone) -> None:
    """A direct message has no topic; the empty topic has a name for older clients."""
    sent, note = ada.says("soup", topic=""), ada.writes("soup", "bea")
    for allows, topics in ((False, ["general chat", ""]), (True, ["", ""])):
        page = ada.reads("search:soup", allow_empty_topic_name=allows)
        assert [hit["match_subject"] for hit in page] == [hit["subject"] for hit in page] == topics
    asked = {"msg_ids": [sent, note], "narrow": [is_("search", "soup")]}
    hits = ada.get("/messages/matches_narrow", **asked)["messages"]
    assert [hits[str(one)]["match_subject"] for one in (sent, note)] == ["general chat", ""]


def test_without_a_search_nothing_is_marked(ada: Someone, soups: list[int]) -> None:
    assert not {"match_content", "match_subject"} & set(ada.reads("channel:lunch")[0])


def test_every_word_has_to_occur_and_phrases_to_the_letter(ada: Someone) -> None:
    sent = [ada.says("hot tomato soup"), ada.says("soup, hot and red"), ada.says("cold", topic="hot soup")]
    assert ada.finds("search:hot soups") == sent
    assert ada.finds("search:hot", "search:tomatoes") == sent[:1]
    assert ada.finds('search:"soup, hot"') == sent[1:2]
    assert ada.finds('search:"HOT SOUP"') == sent[2:]
    assert ada.finds("-search:tomato") == sent[:1]
    assert ada.finds("search:the and of") == []


# -- forms ------------------------------------------------------------------------------------------


@pytest.mark.shows("message.content", "message.content-type", "fetch.apply-markdown")
def test_text_comes_rendered_or_as_it_was_written(ada: Someone) -> None:
    sent = ada.says("*soup*")
    for shown in (ada.reads()[0], ada.message(sent)):
        assert (shown["content"], shown["content_type"]) == ("<p><em>soup</em></p>", "text/html")
    for shown in (ada.reads(apply_markdown=False)[0], ada.message(sent, apply_markdown=False)):
        assert (shown["content"], shown["content_type"]) == ("*soup*", "text/x-markdown")
    assert ada.get(f"/messages/{sent}")["raw_content"] == "*soup*"


@pytest.mark.shows("fetch.empty-topic-replaced", "fetch.empty-topic-allowed", "change.empty-topics")
def test_the_empty_topic_has_a_name_for_older_clients(world: World, ada: Someone, bea: Someone) -> None:
    sent = ada.says("soup", topic="")
    note = ada.writes("hello", "bea")
    assert ada.message(sent)["subject"] == "general chat"
    assert ada.message(sent, allow_empty_topic_name=True)["subject"] == ""
    assert [m["subject"] for m in ada.reads()] == ["general chat", ""]
    assert [m["subject"] for m in ada.reads(allow_empty_topic_name=True)] == ["", ""]
    assert ada.finds("topic:general chat") == ada.finds("topic:") == [sent]
    world.change_organization(empty_topic_display_name="misc")
    assert ada.message(sent)["subject"] == "misc"
    assert note in ada.finds("is:dm")


def test_a_message_that_is_not_there_and_one_that_is_hidden_look_the_same(ada: Someone, cem: Someone) -> None:
    hidden = [ada.says("hush", "secret"), ada.writes("hush", "bea")]
    absent = cem.refused("GET", "/messages/999999")
    assert [cem.refused("GET", f"/messages/{one}") for one in hidden] == [absent, absent]


# -- without an account -----------------------------------------------------------------------------


def web_public(who: Someone, *narrow: Any, **more: Any) -> list[int]:
    return who.finds("channels:web-public", *narrow, **more)


def test_nobody_reads_in_an_organization_that_is_closed(world: World, ada: Someone) -> None:
    sent = ada.says("soup", "plaza")
    narrow = [["channels", "web-public"]]
    for path, parameters in (
        ("/messages", {"anchor": "newest", "num_before": 1, "num_after": 0, "narrow": narrow}),
        (f"/messages/{sent}", {}),
    ):
        world.nobody.refused("GET", path, status=401, code="UNAUTHENTICATED_USER", **parameters)


@pytest.mark.shows("message.avatar-url-null", "channel.web-public")
def test_terms_about_a_user_need_a_login_in_web_public_channels(world: World, ada: Someone) -> None:
    world.open_to_the_web()
    plaza = ada.says("soup", "plaza")
    hidden = [ada.says("soup"), ada.says("soup", "secret"), ada.writes("soup", "bea")]
    nobody = world.nobody
    assert web_public(nobody) == [plaza]
    for narrow in (
        "channel:plaza",
        "topic:today",
        is_("sender", ada.id),
        "search:soup",
        f"id:{plaza}",
        f"with:{plaza}",
        "-has:link",
        "-is:resolved",
        "near:1",
        "in:home",
    ):
        assert web_public(nobody, narrow) == [plaza], narrow
    (message,) = nobody.reads("channels:web-public", client_gravatar=True)
    assert message["flags"] == ["read"]
    assert message["avatar_url"].startswith("/user_avatars/")
    assert nobody.message(plaza)["flags"] == ["read"]
    assert nobody.finds("channels:web-public", message_ids=[plaza, *hidden]) == [plaza]
    assert nobody.page("channels:web-public", anchor="first_unread")["anchor"] == NEWEST
    for one in hidden:
        nobody.refused("GET", f"/messages/{one}", status=401, code="UNAUTHENTICATED_USER")


@pytest.mark.parametrize(
    "narrow",
    [
        [],
        [["channel", "plaza"]],
        [["channels", "web-public"], ["is", "unread"]],
        [["channels", "web-public"], ["is", "starred"]],
        [["channels", "web-public"], ["dm-including", "ada@example.org"]],
        [["channels", "web-public"], ["in", "nowhere"]],
        [["channels", "public"]],
        [{"operator": "channels", "operand": "web-public", "negated": True}],
        [["channels", "web-public"], ["nonsense", "x"]],
    ],
)
def test_other_narrows_need_a_login(world: World, narrow: list[Any]) -> None:
    world.open_to_the_web()
    world.nobody.refused(
        "GET", "/messages", status=401, code="UNAUTHENTICATED_USER",
        anchor="newest", num_before=1, num_after=0, narrow=narrow,
    )  # fmt: skip


@pytest.mark.parametrize("channel", ["lunch", "secret", "nowhere"])
@pytest.mark.parametrize("negated", [False, True])
def test_another_channel_is_not_known_to_nobody(world: World, channel: str, negated: bool) -> None:
    world.open_to_the_web()
    narrow = [["channels", "web-public"], is_("channel", channel, negated=negated)]
    answer = world.nobody.refused(
        "GET", "/messages", code="BAD_NARROW", anchor="newest", num_before=1, num_after=0, narrow=narrow
    )
    assert answer["desc"] == f"unknown channel '{channel}'"


def test_nobody_sees_real_addresses(world: World, ada: Someone) -> None:
    world.open_to_the_web()
    sent = ada.says("soup", "plaza")
    for message in (world.nobody.message(sent), *world.nobody.reads("channels:web-public")):
        assert message["sender_email"] == f"user{ada.id}@chat.example.org"
    for user in world.nobody.get("/users")["members"]:
        if not user["is_bot"]:
            assert user["delivery_email"] is None
            assert user["email"] == f"user{user['user_id']}@chat.example.org"
