"""The texts of the interface in all its languages, and texts of both directions: each paragraph goes the way
of its own words, and code, times and addresses from left to right.
"""

import re
from collections.abc import Callable

from chatcore.domain.groups.permissions import ORGANIZATION_PERMISSIONS
from chatcore.domain.organization.audit import AuditKind, AuditTarget
from chatcore.domain.organization.settings import SETTINGS
from tests.web.conftest import Person

OWNERS = """
async () => {
  const main = document.querySelector("script[type=module]").src;
  return [...(await import(new URL("view/organization/page.js", main))).FOR_OWNERS];
}
"""
TARGETS = """
async () => {
  const main = document.querySelector("script[type=module]").src;
  return (await import(new URL("view/organization/audit.js", main))).TARGETS;
}
"""
TEXTS = """
async () => {
  const main = document.querySelector("script[type=module]").src;
  const read = (path) => import(new URL(path, main));
  return [(await read("text/texts.js")).default, Object.keys((await read("text/text.js")).LANGUAGES)];
}
"""

TIMES = """
async () => {
  const main = document.querySelector("script[type=module]").src;
  const { clockOf, dayOf, hourOf } = await import(new URL("text/text.js", main));
  const noon = new Date().setHours(12, 5, 0, 0) / 1000;
  const days = [noon, noon - 86_400, new Date(2020, 1, 3, 14, 5) / 1000].map(dayOf);
  return [...days, hourOf(noon), clockOf(noon)];
}
"""


def test_each_text_is_in_all_languages_with_the_same_places_for_values(
    somebody: Callable[..., Person],
) -> None:
    bea = somebody()
    bea.page.goto(bea.url)
    texts, languages = bea.page.evaluate(TEXTS)
    assert len(texts) > 100
    lacking = [name for name, those in texts.items() if len(list(filter(None, those))) != len(languages)]
    assert lacking == []
    differing = [name for name, those in texts.items() if len({*map(places, those)}) != 1]
    assert differing == []


def test_settings_of_owners_are_those_of_the_server(somebody: Callable[..., Person]) -> None:
    bea = somebody()
    bea.page.goto(bea.url)
    rules = {**SETTINGS, **ORGANIZATION_PERMISSIONS}
    assert {*bea.page.evaluate(OWNERS)} == {name for name, rule in rules.items() if rule.of_owners}


def test_entries_of_the_audit_log_have_a_text_and_are_found_by_what_they_are_about(
    somebody: Callable[..., Person],
) -> None:
    bea = somebody()
    bea.page.goto(bea.url)
    assert {*bea.page.evaluate(TARGETS)} == {*AuditTarget}
    texts, _ = bea.page.evaluate(TEXTS)
    names = {*(f"audit.{kind}" for kind in AuditKind), *(f"audit.target.{target}" for target in AuditTarget)}
    assert names - texts.keys() == set()


def test_times_are_short_and_near_days_have_names(somebody: Callable[..., Person]) -> None:
    bea, german = somebody(locale="en-US"), somebody(locale="de-DE")
    bea.page.goto(bea.url)
    german.page.goto(german.url)
    english = [" ".join(one.split()) for one in bea.page.evaluate(TIMES)]  # whatever space is before "PM"
    assert english == ["Today", "Yesterday", "Monday, February 3, 2020", "12:05 PM", "12:05"]
    assert german.page.evaluate(TIMES) == ["Heute", "Gestern", "Montag, 3. Februar 2020", "12:05", "12:05"]


def places(text: str) -> tuple[str, ...]:
    return tuple(sorted({*re.findall(r"\{\w+\}", text)}))


# -- directions ----------------------------------------------------------------------------------------

CONTENT = """English first.

שלום עולם.

* one (1).
* אחת (1).

> ציטוט אחד.

| עמודה. | day. |
|---|---|
| ערך. | soup. |

שלום `int y = (2);` ועוד

שלום https://x.example/a/ ועוד

שלום <time:2026-01-02T12:00:00Z> ועוד

```
int y = (2);
```"""
SIDES = """
(article) => {
  const sides = {};
  const walker = document.createTreeWalker(article.querySelector(".content"), NodeFilter.SHOW_TEXT);
  const place = (node, at) => {
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    return range.getBoundingClientRect().left;
  };
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.data.trimEnd();
    if (text.trim().length > 1) {
      const begin = text.search(/\\S/);
      sides[text.trim()] = place(node, begin) < place(node, text.length - 1) ? "right" : "left";
    }
  }
  return sides;
}
"""
"""The side to which each text goes on: that of its last sign, seen from its first."""


def test_each_text_goes_its_own_way(somebody: Callable[..., Person]) -> None:
    ada = somebody("ada")
    for beginning in ("", "שלום.\n\n"):  # whatever the first paragraph is
        topic = f"directions {len(beginning)}"
        ada.goes_to_topic(topic)
        ada.calls("POST", "messages", type="channel", to="general", topic=topic, content=beginning + CONTENT)
        article = ada.sees("English first.")
        sides = article.evaluate(SIDES)
        goes_right = {text for text, side in sides.items() if side == "right"}
        assert {"English first.", "one (1).", "day.", "soup.", "https://x.example/a/"} <= goes_right
        code = [text for text in sides if "int" in text or "= (" in text or "2026" in text]
        assert code
        assert {*code} <= goes_right
        assert {"שלום עולם.", "אחת (1).", "ציטוט אחד.", "עמודה.", "ערך."}.isdisjoint(goes_right)
        assert (
            article.locator("time, pre, code").evaluate_all(
                "those => those.map((one) => getComputedStyle(one).direction)"
            )
            == ["ltr"] * article.locator("time, pre, code").count()
        )


def test_names_beside_each_other_keep_their_order(somebody: Callable[..., Person]) -> None:
    ada = somebody("ada")
    ada.calls("POST", "users/me/subscriptions", subscriptions=[{"name": "כללי"}])
    channel = ada.calls("GET", "get_stream_id", stream="כללי")["stream_id"]
    ada.calls("POST", "messages", type="channel", to=channel, topic="מרק!", content="soup")
    ada.goes_to(f"narrow/channel/{channel}/topic/.D7.9E.D7.A8.D7.A7!")
    title = ada.page.locator("h1", has_text="›")
    title.wait_for()
    assert title.inner_text() == "\u2068כללי\u2069 › \u2068מרק!\u2069"
