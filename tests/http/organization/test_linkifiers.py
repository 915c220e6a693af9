"""Linkifiers and playgrounds over HTTP: rules, events, register state, and what they do to messages."""

import re
from typing import Any

import pytest
import uritemplate

from tests.worlds.registering_over_http import Api, Body, MakeApi

ISSUES = {"pattern": "#(?P<id>[0-9]+)", "url_template": "https://track.example/{id}"}
PYTHON = {
    "name": "Try it",
    "highlighter_language": "Python",
    "url_template": "https://play.example/run?code={code}",
}
ADMINISTRATORS_ONLY = ("UNAUTHORIZED_PRINCIPAL", "Must be an organization administrator")


def linkifiers(api: Api, who: str = "grace") -> list[Body]:
    listed: list[Body] = api.ok(who, "GET", "realm/linkifiers")["linkifiers"]
    return listed


# -- linkifiers -------------------------------------------------------------------------------------


@pytest.mark.shows(
    "linkifier.fields", "update-linkifier.changes", "register.linkifiers", "named.linkifiers",
    "event.realm-linkifiers", "change.linkifier-template",
)  # fmt: skip
def test_linkifiers_are_added_changed_ordered_and_removed(api: Api) -> None:
    follower = api.follow("grace", "realm_linkifiers", linkifier_url_template=True)
    assert follower.state["realm_linkifiers"] == []
    announced: list[Body] = []

    def change(method: str, path: str, **parameters: object) -> Any:
        answer = api.ok("ada", method, path, **parameters)
        announced.extend(follower.events())
        return answer.get("id")

    soup = {"pattern": "soup", "url_template": "https://soup.example/"}
    first = change("POST", "realm/filters", **ISSUES)
    second = change("POST", "realm/filters", **soup)
    both = [{"id": first, **ISSUES}, {"id": second, **soup}]
    assert linkifiers(api) == both
    change("PATCH", "realm/linkifiers", ordered_linkifier_ids=[second, first])
    assert linkifiers(api) == both[::-1]
    change("PATCH", f"realm/filters/{second}", **{**soup, "pattern": "SOUP"})
    change("DELETE", f"realm/filters/{first}")
    left = [{"id": second, **soup, "pattern": "SOUP"}]
    assert linkifiers(api) == left
    assert {event["type"] for event in announced} == {"realm_linkifiers"}
    assert [len(event["realm_linkifiers"]) for event in announced] == [1, 2, 2, 2, 1]
    assert announced[2]["realm_linkifiers"] == both[::-1]
    assert announced[-1]["realm_linkifiers"] == left
    state = api.state("grace", "realm_linkifiers", linkifier_url_template=True)
    assert state["realm_linkifiers"] == left


@pytest.mark.shows("register.without-linkifier-template")
def test_clients_without_the_capability_receive_no_linkifiers(api: Api) -> None:
    follower = api.follow("grace", "realm_linkifiers")
    api.ok("ada", "POST", "realm/filters", **ISSUES)
    assert follower.events() == []
    assert api.state("grace", "realm_linkifiers")["realm_linkifiers"] == []


def test_changes_without_effect_are_not_announced(api: Api) -> None:
    number = api.ok("ada", "POST", "realm/filters", **ISSUES)["id"]
    follower = api.follow("grace", linkifier_url_template=True)
    api.ok("ada", "PATCH", f"realm/filters/{number}", **ISSUES)
    api.ok("ada", "PATCH", "realm/linkifiers", ordered_linkifier_ids=[number])
    assert follower.events() == []


@pytest.mark.parametrize("who", ["mary", "grace", "gil"])
def test_only_administrators_change_linkifiers(api: Api, who: str) -> None:
    number = api.ok("ada", "POST", "realm/filters", **ISSUES)["id"]
    path = f"realm/filters/{number}"
    assert api.refused(who, "POST", "realm/filters", **ISSUES) == ADMINISTRATORS_ONLY
    assert api.refused(who, "PATCH", path, **ISSUES) == ADMINISTRATORS_ONLY
    assert api.refused(who, "DELETE", path) == ADMINISTRATORS_ONLY
    order = {"ordered_linkifier_ids": [number]}
    assert api.refused(who, "PATCH", "realm/linkifiers", **order) == ADMINISTRATORS_ONLY
    assert api.refused(None, "GET", "realm/linkifiers")[0] == "UNAUTHORIZED"
    assert len(linkifiers(api, who)) == 1


@pytest.mark.shows("update-linkifier.refused")
def test_a_linkifier_that_is_not_there(api: Api) -> None:
    missing = ("BAD_REQUEST", "Linkifier not found.")
    assert api.refused("ada", "PATCH", "realm/filters/77", **ISSUES) == missing
    assert api.refused("ada", "DELETE", "realm/filters/77") == missing


def test_two_linkifiers_have_two_patterns(api: Api) -> None:
    api.ok("ada", "POST", "realm/filters", **ISSUES)
    taken = ("BAD_REQUEST", "This linkifier already exists.")
    assert api.refused("ada", "POST", "realm/filters", **ISSUES) == taken
    number = api.ok("ada", "POST", "realm/filters", pattern="soup", url_template="https://soup.example/")[
        "id"
    ]
    assert api.refused("ada", "PATCH", f"realm/filters/{number}", **ISSUES) == taken


def test_an_order_names_each_linkifier_exactly_once(api: Api) -> None:
    first = api.ok("ada", "POST", "realm/filters", **ISSUES)["id"]
    second = api.ok("ada", "POST", "realm/filters", pattern="soup", url_template="https://soup.example/")[
        "id"
    ]
    for order in ([], [first], [first, first, second], [first, 77], [first, second, 77]):
        code, text = api.refused("ada", "PATCH", "realm/linkifiers", ordered_linkifier_ids=order)
        assert code == "BAD_REQUEST"
        assert "exactly once" in text


UNUSABLE = {
    "(unclosed": "https://a.example/",
    "": "https://a.example/",
    "#(?P<id>[0-9]+)": "https://a.example/{number}",
    "#(?P<id>[0-9]+) ": "https://a.example/",
    "soup": "https://a.example/{id}",
    "#(?P<id>x)": "https://a.example/{id",
    "#(?P<id>y)": "https://a.example/{i d}",
    "#(?P<id>z)": "javascript:{id}",
    "#(?P<id>w)": "https://{id}/",
    "#(?P<id>v)": "https://a.example/{id}?" + "x" * 2000,
}


@pytest.mark.shows("linkifier.pattern", "linkifier.template", "update-linkifier.refused")
@pytest.mark.parametrize(("pattern", "url_template"), UNUSABLE.items())
def test_patterns_and_templates_that_do_not_fit(api: Api, pattern: str, url_template: str) -> None:
    number = api.ok("ada", "POST", "realm/filters", **ISSUES)["id"]
    wrong = {"pattern": pattern, "url_template": url_template}
    assert api.refused("ada", "POST", "realm/filters", **wrong)[0] == "BAD_REQUEST"
    assert api.refused("ada", "PATCH", f"realm/filters/{number}", **wrong)[0] == "BAD_REQUEST"
    assert linkifiers(api) == [{"id": number, **ISSUES}]


def send(api: Api, content: str, topic: str = "Soup") -> Body:
    sent = api.ok("ada", "POST", "messages", type="channel", to="lunch", topic=topic, content=content)
    message: Body = api.ok("ada", "GET", f"messages/{sent['id']}")["message"]
    return message


@pytest.mark.shows("linkifier.template", "update-linkifier.changes")
def test_messages_and_topics_get_the_links(api: Api) -> None:
    before = send(api, "see #12", "about #13")
    number = api.ok("ada", "POST", "realm/filters", **ISSUES)["id"]
    message = send(api, "see #12", "about #13")
    assert '<a href="https://track.example/12">#12</a>' in message["content"]
    assert message["topic_links"] == [{"text": "#13", "url": "https://track.example/13"}]
    assert "<a" not in before["content"]
    assert before["topic_links"] == []
    other = "https://other.example/{id}"
    api.ok("ada", "PATCH", f"realm/filters/{number}", pattern=ISSUES["pattern"], url_template=other)
    assert "https://other.example/12" in send(api, "see #12")["content"]
    api.ok("ada", "DELETE", f"realm/filters/{number}")
    assert "<a" not in send(api, "see #12")["content"]


def test_earlier_linkifiers_claim_text_first(api: Api) -> None:
    ids = [
        api.ok("ada", "POST", "realm/filters", pattern=pattern, url_template=f"https://{host}/")["id"]
        for pattern, host in (("soup", "first.example"), ("soup[s]?", "second.example"))
    ]
    assert "https://first.example/" in send(api, "soup")["content"]
    api.ok("ada", "PATCH", "realm/linkifiers", ordered_linkifier_ids=ids[::-1])
    assert "https://second.example/" in send(api, "soup")["content"]


# -- playgrounds ------------------------------------------------------------------------------------


@pytest.mark.shows(
    "playground.fields", "create-playground.parameters", "create-playground.answer",
    "change.playground-template",
)  # fmt: skip
def test_playgrounds_are_added_and_removed(api: Api) -> None:
    follower = api.follow("grace", "realm_playgrounds")
    assert follower.state["realm_playgrounds"] == []
    announced: list[Body] = []
    first = api.ok("ada", "POST", "realm/playgrounds", **PYTHON)["id"]
    announced += follower.events()
    second = api.ok("ada", "POST", "realm/playgrounds", **{**PYTHON, "highlighter_language": " C++ "})["id"]
    announced += follower.events()
    api.ok("ada", "DELETE", f"realm/playgrounds/{first}")
    announced += follower.events()
    shape = {"id": second, **PYTHON, "highlighter_language": "C++"}
    lists = [event["realm_playgrounds"] for event in announced]
    assert lists == [[{"id": first, **PYTHON}], [{"id": first, **PYTHON}, shape], [shape]]
    assert api.state("gil", "realm_playgrounds")["realm_playgrounds"] == [shape]


def test_the_language_has_an_older_name_too(make_api: MakeApi) -> None:
    api = make_api(compat_brand="acme")
    follower = api.follow("grace", "realm_playgrounds")
    older = {"name": 'Try "it', "pygments_language": "Python", "url_template": PYTHON["url_template"]}
    number = api.ok("ada", "POST", "realm/playgrounds", **older)["id"]
    shape = {"id": number, **older, "highlighter_language": "Python"}
    assert api.state("grace", "realm_playgrounds")["realm_playgrounds"] == [shape]
    assert [event["realm_playgrounds"] for event in follower.events()] == [[shape]]


@pytest.mark.parametrize("who", ["mary", "grace", "gil"])
def test_only_administrators_change_playgrounds(api: Api, who: str) -> None:
    number = api.ok("ada", "POST", "realm/playgrounds", **PYTHON)["id"]
    assert api.refused(who, "POST", "realm/playgrounds", **PYTHON) == ADMINISTRATORS_ONLY
    assert api.refused(who, "DELETE", f"realm/playgrounds/{number}") == ADMINISTRATORS_ONLY
    assert api.refused("ada", "DELETE", "realm/playgrounds/77") == ("BAD_REQUEST", "Invalid playground")


@pytest.mark.shows("create-playground.parameters", "create-playground.one-variable", "limit.playground")
@pytest.mark.parametrize(
    "wrong",
    [
        {"name": " "},
        {"name": "x" * 101},
        {"name": "a\x01b"},
        {"highlighter_language": ""},
        {"highlighter_language": "x" * 41},
        {"highlighter_language": "<b>"},
        {"url_template": "https://play.example/"},
        {"url_template": "https://play.example/{code}/{other}"},
        {"url_template": "https://play.example/{language}"},
        {"url_template": "play.example/{code}"},
        {"url_template": "https://play.example/ {code}"},
        {"url_template": "https://play.example/{code}" + "x" * 2000},
        {},
    ],
)
def test_playgrounds_that_do_not_fit(api: Api, wrong: dict[str, str]) -> None:
    if not wrong:
        api.ok("ada", "POST", "realm/playgrounds", **PYTHON)
    assert api.refused("ada", "POST", "realm/playgrounds", **{**PYTHON, **wrong})[0] == "BAD_REQUEST"


# -- security ---------------------------------------------------------------------------------------

EVIL_PATTERNS = {
    "(a+)+$": True,
    "(a|a)*b": True,
    "(?=a)b": False,
    "(?<=a)b": False,
    r"(a)\1": False,
    "".join(f"(?P<g{number}>a)" for number in range(10_000)): False,
    "a" * 2**20: False,
    "(a{1000}){1000}": False,
}


@pytest.mark.shows("linkifier.pattern")
@pytest.mark.parametrize("pattern", EVIL_PATTERNS, ids=range(len(EVIL_PATTERNS)))
def test_sec_55_a_pattern_costs_little_whatever_it_is(api: Api, pattern: str) -> None:
    body = {"pattern": pattern, "url_template": "https://track.example/"}
    if not EVIL_PATTERNS[pattern]:
        status, answer = api.call("ada", "POST", "realm/filters", **body)
        assert 400 <= status < 500
        assert answer["msg"]
        assert linkifiers(api) == []
    else:
        api.ok("ada", "POST", "realm/filters", **body)
        send(api, "a" * 9_999 + "!", "a" * 59 + "!")  # a backtracking engine would not come back


def test_sec_55_an_empty_match_makes_no_link(api: Api) -> None:
    api.ok("ada", "POST", "realm/filters", pattern="x*", url_template="https://track.example/")
    assert "<a" not in send(api, "soup and bread", "soup")["content"]


def test_sec_55_the_number_of_linkifiers_is_limited(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chatcore.domain.organization.linkifiers.MAX_LINKIFIERS", 2)
    for pattern in ("a", "b"):
        api.ok("ada", "POST", "realm/filters", pattern=pattern, url_template="https://track.example/")
    refused = api.refused("ada", "POST", "realm/filters", pattern="c", url_template="https://track.example/")
    assert refused == ("BAD_REQUEST", "You cannot have more than 2 linkifiers.")


@pytest.mark.shows("linkifier.pattern", "update-linkifier.refused")
def test_sec_55_all_patterns_together_cost_little(api: Api) -> None:
    """Each of these may be saved; two hundred of them took half a minute for one text."""
    hard = "[ab ]*a[ab ]{{{}}}c".format
    too_much = ("BAD_REQUEST", "The patterns of all linkifiers together are too complex.")

    def body(pattern: str) -> dict[str, str]:
        return {"pattern": pattern, "url_template": "https://track.example/"}

    api.ok("ada", "POST", "realm/filters", **body(hard(900)))
    number = api.ok("ada", "POST", "realm/filters", **body(hard(300)))["id"]
    known = linkifiers(api)
    assert api.refused("ada", "POST", "realm/filters", **body(hard(800))) == too_much
    assert api.refused("ada", "PATCH", f"realm/filters/{number}", **body(hard(800))) == too_much
    assert linkifiers(api) == known
    api.ok("ada", "PATCH", f"realm/filters/{number}", **body(hard(200)))


def test_sec_79_the_number_of_playgrounds_is_limited(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chatcore.domain.organization.playgrounds.MAX_PLAYGROUNDS", 1)
    api.ok("ada", "POST", "realm/playgrounds", **PYTHON)
    assert api.refused("ada", "POST", "realm/playgrounds", **{**PYTHON, "name": "Other"})[0] == "BAD_REQUEST"


def test_sec_55_many_linkifiers_are_tried_on_a_long_text(api: Api) -> None:
    def add(tx: Any) -> None:
        for number in range(200):
            tx.linkifiers.add(f"(a|a)*b{number}", "https://track.example/")

    api.svc.storage.write(add)
    send(api, "a" * 9_999 + "!")


EVIL_TEMPLATES = (
    "{x",
    "{",
    "{a b}",
    "{+x}",
    "javascript:{x}",
    "https://{x}/",
    "https://a.example{+x}",
    "//a.example/{x}",
)


@pytest.mark.shows("create-playground.one-variable")
@pytest.mark.parametrize("template", EVIL_TEMPLATES)
def test_sec_56_bad_templates_are_refused(api: Api, template: str) -> None:
    linkifier = {"pattern": "!(?P<x>.)", "url_template": template}
    playground = {**PYTHON, "url_template": template.replace("x}", "code}")}
    for path, wrong in (("filters", linkifier), ("playgrounds", playground)):
        code, text = api.refused("ada", "POST", f"realm/{path}", **wrong)
        assert code == "BAD_REQUEST"
        assert "URL template" in text
    two = {**PYTHON, "url_template": "https://a.example/{code}{x}"}
    assert api.refused("ada", "POST", "realm/playgrounds", **two)[0] == "BAD_REQUEST"


@pytest.mark.shows("create-playground.one-variable")
@pytest.mark.parametrize(
    "value", ['"><script>', "../../x", "@evil.example/", "a b\n", "javascript:alert(1)", "ä"]
)
@pytest.mark.parametrize("expression", ["{code}", "{+code}", "{?code}", "{/code}", "{code*}"])
def test_sec_56_hostile_values_stay_inside_of_the_address(api: Api, expression: str, value: str) -> None:
    template = f"https://play.example/x{expression}"
    api.ok("ada", "POST", "realm/playgrounds", **{**PYTHON, "url_template": template})
    (announced,) = api.state("grace", "realm_playgrounds")["realm_playgrounds"]
    assert announced["url_template"] == template
    assert uritemplate.variables(announced["url_template"]) == {"code"}
    expanded = uritemplate.expand(announced["url_template"], code=value)
    assert expanded.startswith("https://play.example/x")
    assert re.fullmatch(r"[!#$%&'()*+,\-./0-9:;=?@A-Z\[\]_a-z~]+", expanded)


@pytest.mark.shows("linkifier.template")
def test_sec_56_matched_text_is_encoded_in_links(api: Api) -> None:
    api.ok("ada", "POST", "realm/filters", pattern="!(?P<x>\\S+)", url_template="https://track.example/{x}")
    html = send(api, "!\"><b>'javascript:ä")["content"]
    assert 'href="https://track.example/%22%3E%3Cb%3E%27javascript%3A%C3%A4"' in html
