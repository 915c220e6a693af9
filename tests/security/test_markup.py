"""Hostile texts, through every endpoint that renders them as HTML."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.markup.allow_list import require_safe
from tests.markup.test_growth import UNITS
from tests.security.attacking import nothing_changes, refusal
from tests.worlds.organization import Someone, World

TARGETS = (
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\tscript:alert(1)",
    "&#106;avascript:alert(1)",
    "\x01javascript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "blob:x",
    "//host/x",
    "\\\\host\\x",
)
BREAKING_OUT = (
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "`</code><img src=x onerror=alert(1)>`",
    '```a" onx="1\ncode\n```',
    '```spoiler "><img src=x onerror=alert(1)>\ntext\n```',
    '[x](https://example.com/ "a\\" onx=\\"1")',
    "[x](https://example.com/'onx='1)",
    '| <b onx="1"> | a |\n|---|---|\n| "><svg onload=1> | `</td>` |',
    '$$ \\href{javascript:alert(1)}{x} </span><b onx="1"> $$',
    ':" onx="1:',
    '@**<img src=x onerror=alert(1)>** @_**" onx="1** @*<b>* #**<b onx="1">>" onx="1**',
    '<time:2026-01-01T00:00:00Z" onx="1>',
    'https://example.com/"onx="1 https://example.com/<b> www.example.com/\'',
    '/me "><img src=x onerror=alert(1)>',
    '![x](https://example.com/a.png" onx="1)',
)
ODD_NAMES = ("<img src=x onerror=alert(1)>", "e" + "\u0301" * 50)


def shown_in_message(who: Someone, text: str) -> str:
    return str(who.message(who.says(text))["content"])


def shown_in_preview(who: Someone, text: str) -> str:
    return str(who.post("/messages/render", content=text)["rendered"])


def shown_in_channel(who: Someone, text: str) -> str:
    who.post("/users/me/subscriptions", subscriptions=[{"name": "new channel", "description": text}])
    (channel,) = [one for one in who.get("/streams")["streams"] if one["name"] == "new channel"]
    return str(channel["rendered_description"])


ROADS = [shown_in_message, shown_in_preview, shown_in_channel]


def hrefs(html: str) -> list[str]:
    return [piece.partition('"')[0] for piece in html.split('href="')[1:] + html.split('src="')[1:]]


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize("form", ["[x]({})", "![x]({})", "<{}>", "{}", "[x][1]\n\n[1]: {}"])
def test_sec_51_no_link_runs_anything_or_leads_elsewhere_than_it_says(
    ada: Someone, road: Callable[[Someone, str], str], form: str
) -> None:
    targets = [target for target in TARGETS if road is not shown_in_channel or target.isprintable()]
    html = road(ada, "\n\n".join(form.format(target) for target in targets))
    require_safe(html)
    for href in hrefs(html):
        assert href.startswith(("http://", "https://")), href


@pytest.mark.parametrize("target", TARGETS)
def test_sec_51_a_profile_links_to_the_web_only(world: World, olga: Someone, target: str) -> None:
    field = olga.post("/realm/profile_fields", name="Home page", field_type=5)["id"]
    with nothing_changes(world):
        refusal(olga, "PATCH", "/users/me/profile_data", data=[{"id": field, "value": target}])


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize("text", BREAKING_OUT)
def test_sec_52_text_stays_text(ada: Someone, road: Callable[[Someone, str], str], text: str) -> None:
    if road is shown_in_channel:
        text = text.replace("\n", " ")
    html = road(ada, text)
    require_safe(html)
    assert "<script" not in html
    assert "<img src=x" not in html


@pytest.mark.parametrize("name", ODD_NAMES)
def test_sec_53_names_are_escaped_wherever_they_are_html(world: World, ada: Someone, name: str) -> None:
    shown = name.replace(">", "")  # no name of a person has it, and a link to a topic ends with it
    world.change_user("bea", full_name=shown)
    ada.post("/users/me/subscriptions", subscriptions=[{"name": shown}])
    ada.post("/user_groups/create", name=f"g {shown}", description=name, members=[ada.id])
    sent = ada.says(f"@**{shown}** @_**{shown}** @*g {shown}* #**{shown}** #**{shown}>{shown}**", topic=name)
    message = ada.message(sent)
    require_safe(message["content"])
    assert message["subject"] == name
    assert message["content"].count('class="user-mention') == 2
    assert message["content"].count('class="user-group-mention') == 1
    assert message["content"].count("data-stream-id") == 2


@pytest.mark.parametrize("name", ["a\0b", "a\x1bb", "a\nb", "\u202egnp.exe", "zero\u200bwidth", "\u200b" * 3])
def test_sec_53_nothing_that_cannot_be_seen_is_in_a_name(
    world: World, ada: Someone, olga: Someone, name: str
) -> None:
    roads: list[tuple[str, str, dict[str, Any]]] = [
        ("POST", "/users/me/subscriptions", {"subscriptions": [{"name": name}]}),
        ("POST", "/user_groups/create", {"name": name, "description": "", "members": []}),
        ("PATCH", f"/users/{ada.id}", {"full_name": name}),
        ("POST", "/realm/profile_fields", {"name": name, "field_type": 1}),
        (
            "POST",
            "/realm/playgrounds",
            {"name": name, "highlighter_language": "Py", "url_template": "https://a.org/{code}"},
        ),
    ]
    with nothing_changes(world):
        for method, path, parameters in roads:
            refusal(olga, method, path, **parameters)


@pytest.mark.parametrize("length", [101, 102])
def test_sec_53_names_are_as_long_as_their_code_points(olga: Someone, ada: Someone, length: int) -> None:
    name = "e" + "\u0301" * (length - 1)
    answer = olga.request("PATCH", f"/users/{ada.id}", full_name=name)
    assert answer.status_code == (200 if length == 101 else 400)  # the first two are one


@pytest.mark.parametrize("name", UNITS)
def test_sec_54_ten_thousand_characters_of_anything_are_a_message(ada: Someone, name: str) -> None:
    text = (UNITS[name] * 10_000)[:10_000]
    require_safe(shown_in_message(ada, text))
