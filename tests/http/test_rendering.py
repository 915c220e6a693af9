"""What a text would look like, and the data clients need to show emoji."""

import json

from werkzeug.test import Client

from chatcore.markup.emoji import NAMES_OF
from tests.http.world import Someone, World


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


def test_a_preview_of_nothing_is_refused(ada: Someone) -> None:
    ada.refused("POST", "/messages/render", content=" \n")


def test_the_emoji_data_are_open_to_everybody(world: World, ada: Someone) -> None:
    url = ada.post("/register", fetch_event_types=["realm"])["server_emoji_data_url"]
    assert url.startswith("http")
    answer = Client(world.application).get("/" + url.split("/", 3)[3])
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"].startswith("public")
    names = json.loads(answer.data)["code_to_names"]
    assert names.keys() == NAMES_OF.keys()
    assert "thumbs_up" in names["1f44d"]


def test_an_answer_tells_no_other_site_where_its_links_were_followed(ada: Someone, world: World) -> None:
    answer = Client(world.application).get("/api/v1/server_settings")
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cache-Control"] == "no-store"
