"""Texts and names that would like to be more than text. Violations of the page's policy end each test."""

from collections.abc import Callable

from tests.web.conftest import Person

SCHEMES = (
    "javascript:",
    "JaVaScRiPt:",
    "java\tscript:",
    "&#106;avascript:",
    "data:text/html,",
    "vbscript:",
    "file:///",
)
LINKS = tuple(f"[x]({scheme}alert(1)) ![x]({scheme}alert(1)) <{scheme}alert(1)>" for scheme in SCHEMES)
TEXTS = (
    *LINKS,
    "[x](/javascript:alert(1)) [x](/data:text/html,x) [x](/https://path.test/) ![x](/javascript:alert(1))",
    '[x](//evil.test "a\\" onclick=alert(1)") [y](\\\\evil.test)',
    "<svg onload=alert(1)><math><style>*{color:red}</style></math>",
    '```a" onx="1\n</code></pre><script>alert(1)</script>\n```',
    "```spoiler <img src=x onerror=alert(1)>\n<iframe srcdoc='<script>alert(1)</script>'></iframe>\n```",
    "| <img src=x onerror=alert(1)> |\n|:-:|\n| `</td><script>alert(1)</script>` |",
    "$$\\href{javascript:alert(1)}{x} \\htmlStyle{color:red}{y} \\includegraphics{http://evil.test/a.png}$$",
    "@**<img src=x onerror=alert(1)>** #**<b>x</b>** :<b>x</b>: <time:<img src=x>>",
    "/poll <img src=x onerror=alert(1)>\n<script>alert(1)</script>",
    "\u202emoc.live a" + "\u0301" * 500,
    '<p style="position:fixed;inset:0">x</p> style="color:red" onclick=alert(1)',
)
TOPIC = '"><img src=x onerror=alert(1)>'
HARMFUL = """
() => {
  const isUrl = (name) => ["href", "src", "action", "xlink:href"].includes(name);
  const harms = ({ name, value }) => name.startsWith("on") || name === "srcdoc" ||
    (isUrl(name) && /^\\s*(javascript|data:text|vbscript|https:..path)/i.test(value));
  return [...document.querySelectorAll("main *")]
    .filter((one) => one.matches("script, iframe, object, embed, style") || [...one.attributes].some(harms))
    .map((one) => one.outerHTML);
}
"""


def test_sec_51_to_53_hostile_texts_are_shown_as_text(somebody: Callable[..., Person]) -> None:
    """Schemes of links, broken attributes and tags, and names: nothing is run, and only text is shown."""
    ada = somebody("ada")
    ada.page.on("dialog", lambda dialog: ada.errors.append(dialog.message))
    ada.calls("POST", "users/me/subscriptions", subscriptions=[{"name": "<b onclick=alert(1)>bold</b>"}])
    channel = ada.calls("GET", "get_stream_id", stream="<b onclick=alert(1)>bold</b>")["stream_id"]
    for text in (*TEXTS, "the last one"):
        ada.calls("POST", "messages", type="channel", to=channel, topic=TOPIC, content=text)
    ada.page.reload()
    for address in (f"narrow/channel/{channel}", "narrow/in/all", "narrow/search/alert", "inbox"):
        ada.goes_to(address)
        if address != "inbox":
            ada.page.locator("article").last.wait_for()
        assert ada.page.evaluate(HARMFUL) == []
    ada.goes_to(f"narrow/channel/{channel}")
    ada.sees("the last one")
    ada.page.locator(".topics a", has_text=TOPIC).wait_for()


def test_sec_51_no_text_is_shown_over_another_message(somebody: Callable[..., Person]) -> None:
    ada = somebody("ada")
    ada.calls("POST", "users/me/subscriptions", subscriptions=[{"name": "cover"}])
    channel = ada.calls("GET", "get_stream_id", stream="cover")["stream_id"]
    texts = ("the first", "$$\\rule[8em]{20em}{12em}$$", "b" + "\u0301" * 300, "the last")
    for text in texts:
        ada.calls("POST", "messages", type="channel", to=channel, topic="cover", content=text)
    ada.goes_to(f"narrow/channel/{channel}/topic/cover")
    ada.sees("the last")
    assert ada.page.evaluate(COVERED) == []


COVERED = """
() => [...document.querySelectorAll("article .content > *")].filter((one) => {
  const { left, top, height } = one.getBoundingClientRect();
  const shown = document.elementFromPoint(left + 8, top + height / 2);
  return !one.closest("article").contains(shown);
}).map((one) => one.outerHTML)
"""


def test_sec_77_other_sites_learn_nothing_of_the_page(somebody: Callable[..., Person]) -> None:
    ada = somebody("ada")
    ada.calls("POST", "users/me/subscriptions", subscriptions=[{"name": "links"}])
    channel = ada.calls("GET", "get_stream_id", stream="links")["stream_id"]
    for text in ("https://example.com/a", "[b](https://example.com/b)", "> http://example.com/c"):
        ada.calls("POST", "messages", type="channel", to=channel, topic="t", content=text)
    ada.page.reload()
    ada.goes_to(f"narrow/channel/{channel}")
    links = ada.page.locator("article a[href^=http]", has_not_text="links")
    links.nth(2).wait_for()
    found = [one for one in links.all() if "example.com" in str(one.get_attribute("href"))]
    assert [one.get_attribute("rel") for one in found] == ["noopener noreferrer"] * 3
    asked: list[str] = []
    ada.page.on("request", lambda request: asked.append(request.url))
    with ada.page.expect_response("**/external_content/**"):
        ada.goes_to(f"narrow/channel/{channel}/topic/t")
        ada.says("soup https://pictures.example/a.png and https://pictures.example/a.mp4")
    ada.sees("soup")
    assert asked
    assert [url for url in asked if not url.startswith(ada.url)] == []
