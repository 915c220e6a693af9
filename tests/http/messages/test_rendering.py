"""Previews of rendered texts, and the emoji data for clients."""

import io
import json

import pytest
from PIL import Image
from werkzeug.test import Client

from chatcore.markup.emoji import NAMES_OF
from tests.worlds.files import PNG, files_world, uploads
from tests.worlds.organization import MakeWorld, Someone, World

__all__ = ["files_world"]


def test_a_text_is_shown_without_being_sent(ada: Someone, bea: Someone) -> None:
    before = [message["id"] for message in ada.reads()]
    answer = ada.post("/messages/render", content="**soup** for @**bea**")
    mention = f'<span class="user-mention" data-user-id="{bea.id}">@Bea</span>'
    assert answer["rendered"] == f"<p><strong>soup</strong> for {mention}</p>"
    assert [message["id"] for message in ada.reads()] == before


def test_a_preview_resolves_no_channel_that_its_author_cannot_see(
    world: World, cem: Someone, ada: Someone
) -> None:
    assert (
        cem.post("/messages/render", content="#**secret**")["rendered"] == "<p>#<strong>secret</strong></p>"
    )
    assert 'class="stream"' in ada.post("/messages/render", content="#**secret**")["rendered"]


def test_an_uploaded_image_is_shown_and_found(files_world: World) -> None:
    ada = files_world["ada"]
    url = uploads(ada, PNG, "soup.png", content_type="image/png")["url"]
    sent = ada.says(f"[soup.png]({url})")
    assert ada.message(sent)["content"] == (
        f'<p><a href="{url}">soup.png</a></p>\n<div class="message_inline_image">'
        f'<a href="{url}" title="soup.png"><img src="{url}"></a></div>'
    )
    assert ada.finds("has:image") == ada.finds("has:attachment") == [sent]


HUGE = "0" * 4400
NUMBERS = {
    "reference": f"&#{HUGE}65; soup",
    "hexadecimal reference": f"&#x{HUGE}41; soup",
    "reference without its end": f"&#{HUGE}65 soup",
    "picture": f"![a](https://e.example/a.png?a=&#{HUGE}65;) soup",
    "link": f"[a](https://e.example/?a=&#{HUGE}65;) soup @**Bea**",
    "picture of a link": f"https://e.example/{HUGE}65.png soup",
    "code": f"`&#{HUGE}65;` soup\n\n```\n&#{HUGE}65;\n```",
    "formula": f"$${HUGE}1$$ soup $$&#{HUGE}65;$$",
    "list": f"{HUGE}1. soup",
    "table": f"| soup |\n|---|\n| &#{HUGE}65; |",
    "time": f"<time:{HUGE}1> soup",
    "time of a day": f"<time:2026-{HUGE}1-01T00:00> soup",
    "person": f"@**Bea|{HUGE}1** soup",
    "silent person": f"@_**Bea|{HUGE}1** soup",
    "group": f"@*lunch|{HUGE}1* soup",
    "channel": f"#**{HUGE}1** soup",
    "topic": f"#**lunch>{HUGE}1** soup",
    "message": f"#**lunch>today@{HUGE}1** soup",
    "link to a message": f"http://chat.example.com/#narrow/channel/{HUGE}1-a/topic/b/near/{HUGE}1 soup",
    "quotation": f"> &#{HUGE}65;\n\nsoup",
    "spoiler": f"```spoiler &#{HUGE}65;\nsoup &#{HUGE}65;\n```",
    "emoji": f":{HUGE}1: soup",
    "me": f"/me &#{HUGE}65; soup",
    "poll": f"/poll &#{HUGE}65; soup\n{HUGE}1",
    "tag": f'<font size="{HUGE}1">soup</font>',
}
"""Numbers of more digits than Python reads, in each part of a text."""


@pytest.mark.parametrize("text", NUMBERS.values(), ids=NUMBERS)
def test_a_number_of_thousands_of_digits_ends_nothing(ada: Someone, bea: Someone, text: str) -> None:
    line = bea.opens_queue("message", "update_message", apply_markdown=True)
    shown = ada.post("/messages/render", content=text)["rendered"]
    assert "&amp;#" in shown or "&#" not in text
    first, second = ada.says(text), ada.says("soup")
    ada.patch(f"/messages/{second}", content=f"{text} and bread")
    assert [event["type"] for event in line.events()] == ["message", "message", "update_message"]
    assert {first, second} <= set(bea.finds()) & set(bea.finds("search:soup"))
    assert len(bea.get(f"/messages/{second}/history")["message_history"]) == 2


def rendered(someone: Someone, content: str) -> str:
    html: str = someone.post("/messages/render", content=content)["rendered"]
    return html


def test_images_are_shown_only_where_the_organization_has_it_so(world: World, ada: Someone) -> None:
    assert "<img" in rendered(ada, "https://a.example/soup.png")
    world.change_organization(inline_image_preview=False)
    assert "<img" not in rendered(ada, "https://a.example/soup.png")


def test_code_without_a_language_is_in_that_of_the_organization(world: World, ada: Someone) -> None:
    assert "data-code-language" not in rendered(ada, "```\na\n```")
    world.change_organization(default_code_block_language="python")
    assert 'data-code-language="Python"' in rendered(ada, "```\na\n```")


def test_emoticons_are_for_those_who_want_them(world: World, ada: Someone, bea: Someone) -> None:
    world.choose("ada", translate_emoticons=True)
    assert "emoji" in rendered(ada, ":)")
    assert rendered(bea, ":)") == "<p>:)</p>"


def test_a_time_without_a_date_is_of_today(ada: Someone) -> None:
    assert 'datetime="2025-06-15T10:30:00Z"' in rendered(ada, "<time:10:30>")


def test_links_to_many_topics_are_few_questions_to_the_store(
    world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    newest = [ada.says("soup", "lunch", f"t{number:03}") for number in range(3)][-1]
    database = world.storage.backend.database
    execute, statements = database.execute_sql, []
    monkeypatch.setattr(
        database,
        "execute_sql",
        lambda sql, *more, **named: (statements.append(sql), execute(sql, *more, **named))[1],
    )
    text = " ".join(f"#**lunch>t{number:03}** #**plaza>t{number:03}**" for number in range(250))
    html = rendered(ada, text)
    assert html.count('class="stream-topic"') == 500
    assert f"/topic/t002/with/{newest}" in html
    assert len(statements) < 25


def test_a_link_to_a_topic_leads_to_the_newest_message_that_its_author_can_read(
    world: World, ada: Someone, bea: Someone, gus: Someone
) -> None:
    sent = ada.says("soup", "lunch", "Today")
    assert f'/topic/TODAY/with/{sent}"' in rendered(bea, "#**lunch>TODAY**")
    assert '/topic/tomorrow"' in rendered(bea, "#**lunch>tomorrow**")
    ada.says("gold", "vault", "today")
    assert 'href="/#narrow' not in rendered(bea, "#**vault>today**")


def test_a_preview_mentions_no_group_that_a_message_could_not(ada: Someone) -> None:
    refused = ada.refused("POST", "/messages/render", content="@*role:members*")
    assert refused["msg"] == "You are not allowed to mention user group 'role:members'."
    assert ">Members</span>" in rendered(ada, "@_*role:members*")
    assert ">Members</span>" in rendered(ada, "> @*role:members*")


def test_a_preview_of_nothing_is_refused(ada: Someone) -> None:
    ada.refused("POST", "/messages/render", content=" \n")


def test_the_emoji_data_are_open_to_everybody(world: World, ada: Someone) -> None:
    url = ada.post("/register", fetch_event_types=["realm"])["server_emoji_data_url"]
    assert url.startswith("http")
    answer = Client(world.application).get("/" + url.split("/", 3)[3])
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"].startswith("public")
    data = json.loads(answer.data)
    names = data["code_to_names"]
    assert names.keys() == NAMES_OF.keys()
    assert "thumbs_up" in names["1f44d"]
    assert data["groups"]["smileys"][0] == "1f600"
    assert sorted(code for group in data["groups"].values() for code in group) == sorted(names)


@pytest.mark.parametrize("word", ["service", "acme"])
def test_the_servers_own_emoji_is_a_picture(make_world: MakeWorld, word: str) -> None:
    world = make_world(compat_brand="" if word == "service" else word)
    html = rendered(world["ada"], f":{word}: :acmes:")
    path = f"/static/generated/emoji/images/emoji/unicode/{word}.png"
    picture = f'<img alt=":{word}:" class="emoji" src="{path}" title="{word}">'
    assert html == f"<p>{picture} :acmes:</p>"
    answer = Client(world.application).get(path)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "image/png")
    with Image.open(io.BytesIO(answer.data)) as image:
        assert (image.format, image.size) == ("PNG", (64, 64))


def test_an_answer_reveals_to_no_other_site_where_its_links_were_followed(ada: Someone, world: World) -> None:
    answer = Client(world.application).get("/api/v1/server_settings")
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cache-Control"] == "no-store"
