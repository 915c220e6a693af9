"""Texts of both directions: each paragraph goes the way of its own words, and code, times and addresses from
left to right.
"""

from collections.abc import Callable

from tests.web.conftest import Person

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
