"""The organization's own emoji: adding, removing, choosing and looking at them."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from werkzeug.test import TestResponse

from chatcore.application.organization.custom_emoji import add_emoji
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.limits import Limits
from tests.worlds.files import adds_emoji, fetches, files_world, form, part, send_form, stored_files
from tests.worlds.organization import MakeWorld, Someone, World
from tests.worlds.pictures import BLUE, RED, animation, colors, gif, opened, picture, png

__all__ = ["files_world"]

MIB = 2**20
PNG = picture()


@pytest.fixture
def world(files_world: World) -> World:
    return files_world


def sends_picture(who: Someone, name: str, *parts: bytes) -> TestResponse:
    return send_form(who, form(*parts), path=f"/realm/emoji/{quote(name)}")


def adds(who: Someone, name: str, data: bytes = PNG) -> None:
    adds_emoji(who, quote(name), data)


def refused(who: Someone, name: str, *parts: bytes, status: int = 400, code: str = "BAD_REQUEST") -> None:
    before = emoji(who)
    response = sends_picture(who, name, *(parts or [part(PNG, "picture.png")]))
    assert (response.status_code, response.get_json()["code"]) == (status, code), response.text
    assert emoji(who) == before


def emoji(who: Someone) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = who.get("/realm/emoji")["emoji"]
    return found


def named(who: Someone, name: str) -> dict[str, Any]:
    """The newest one of this name."""
    return [own for own in emoji(who).values() if own["name"] == name][-1]


# -- adding -----------------------------------------------------------------------------------------


def test_an_emoji_is_added(world: World, ada: Someone, gus: Someone) -> None:
    adds(ada, "our cat")
    ((code, own),) = emoji(gus).items()
    url = own.pop("source_url")
    assert own == {
        "id": code, "name": "our_cat", "still_url": None, "deactivated": False, "author_id": ada.id
    }  # fmt: skip
    assert url.startswith("/user_avatars/1/emoji/images/")
    assert gus.post("/register", fetch_event_types=["realm_emoji"])["realm_emoji"] == emoji(ada)
    assert len(stored_files(world)) == 1
    assert world.count("unfinished_upload") == 0


@pytest.mark.parametrize(
    ("name", "stored"),
    [("Mew", "mew"), ("a b c", "a_b_c"), ("x-1_y2", "x-1_y2"), ("_9", "_9"), ("n" * 100, "n" * 100)],
)
def test_valid_names_of_emoji_are_stored(ada: Someone, name: str, stored: str) -> None:
    adds(ada, name)
    assert [own["name"] for own in emoji(ada).values()] == [stored]


@pytest.mark.parametrize("name", ["cat!", "cat_", "-", "кот", "a.b", ":cat:", "n" * 101, '"><b>', "a\u200bb"])
def test_invalid_names_of_emoji_are_refused(ada: Someone, name: str) -> None:
    assert sends_picture(ada, name, part(PNG, "picture.png")).status_code in (400, 404)
    assert emoji(ada) == {}


def test_a_name_is_taken_while_its_emoji_is_active(ada: Someone, bea: Someone) -> None:
    adds(ada, "mew")
    refused(bea, "MEW")
    ada.delete("/realm/emoji/mew")
    adds(bea, "mew", picture("JPEG"))
    assert [(own["author_id"], own["deactivated"]) for own in emoji(ada).values()] == [
        (ada.id, True),
        (bea.id, False),
    ]


@pytest.mark.parametrize("name", ["tada", "thumbs_up", "service"])
def test_only_administrators_replace_a_built_in_emoji(world: World, ada: Someone, name: str) -> None:
    for who in (ada, world["mona"]):
        refused(who, name)
    adds(world["adi"], name)
    assert named(ada, name)["author_id"] == world["adi"].id


def test_adding_emoji_needs_permission(world: World, ada: Someone, gus: Someone, robo: Someone) -> None:
    refused(gus, "mew")
    refused(robo, "mew")
    world.change_organization(
        permissions={"can_add_custom_emoji_group": GroupSetting.of(SystemGroup.MODERATORS)}
    )
    refused(ada, "mew")
    adds(world["mona"], "mew")
    everybody = GroupSetting.of(SystemGroup.EVERYONE)
    world.change_organization(permissions={"can_add_custom_emoji_group": everybody})
    refused(gus, "wuff")
    response = sends_picture(world.nobody, "wuff", part(PNG, "picture.png"))
    assert response.status_code == 401


@pytest.mark.parametrize(
    "data",
    [b"", b"soup", b"<svg onload='x'/>", PNG[:-40], png(50_000, 50_000), gif(1, 1, 10_000)],
    ids=["nothing", "text", "svg", "cut off", "too large", "too long"],
)
def test_sec_64_a_file_that_is_no_picture_is_refused(world: World, ada: Someone, data: bytes) -> None:
    refused(ada, "mew", part(data, "picture.png", content_type="image/png"), code="BAD_IMAGE")
    assert stored_files(world) == []


def test_one_picture_is_sent(world: World, ada: Someone, gus: Someone) -> None:
    refused(ada, "mew", part(b"comment", None, name="comment"))
    refused(ada, "mew", part(PNG, "a.png"), part(PNG, "b.png", name="other"))
    ada.refused("POST", "/realm/emoji/mew", filename="cat.png")
    assert gus.refused("POST", "/realm/emoji/mew")["msg"] == "Not allowed for guest users"
    assert stored_files(world) == []


def test_a_picture_is_small(make_world: MakeWorld, tmp_path: Any) -> None:
    world = make_world(limits=Limits(max_emoji_file_size_mib=1), data_dir=tmp_path / "data")
    ada = world["ada"]
    refused(ada, "mew", part(PNG + bytes(MIB), "a.png"))
    refused(ada, "mew", part(bytes(3 * MIB), "a.png"))
    assert emoji(ada) == {}
    assert stored_files(world) == []


def test_the_second_of_two_emoji_with_the_same_name_is_refused(
    world: World, ada: Someone, bea: Someone
) -> None:
    def slowly() -> Iterator[bytes]:
        yield PNG[:20]
        adds(bea, "mew", animation())
        yield PNG[20:]

    with pytest.raises(BadRequest):
        add_emoji(world.svc, ada.actor, "mew", slowly())
    assert [own["author_id"] for own in emoji(ada).values()] == [bea.id]
    assert len(stored_files(world)) == 2
    assert world.count("unfinished_upload") == 0


def test_sec_79_there_are_only_so_many(make_world: MakeWorld, tmp_path: Any) -> None:
    world = make_world(limits=Limits(max_custom_emoji=2), data_dir=tmp_path / "data")
    ada = world["ada"]
    adds(ada, "mew")
    adds(ada, "wuff")
    refused(ada, "moo")
    ada.delete("/realm/emoji/mew")
    refused(ada, "moo")


# -- looking ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["PNG", "GIF", "JPEG", "WEBP"])
def test_everybody_may_look_at_a_picture(world: World, ada: Someone, kind: str) -> None:
    adds(ada, "mew", picture(kind))
    own = named(ada, "mew")
    assert own["still_url"] is None
    response = fetches(world.nobody, own["source_url"])
    assert (response.status_code, response.content_type) == (200, "image/png")
    assert opened(response.data).size == (64, 64)
    headers = response.headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert "immutable" in headers["Cache-Control"]


@pytest.mark.parametrize("kind", ["GIF", "PNG", "WEBP"])
def test_an_animation_has_a_still_picture(world: World, ada: Someone, kind: str) -> None:
    adds(ada, "mew", animation(kind))
    own = named(ada, "mew")
    moving, still = (fetches(world.nobody, own[name]) for name in ("source_url", "still_url"))
    assert (moving.status_code, moving.content_type) == (200, f"image/{kind.lower()}")
    assert len(colors(moving.data)) == 3
    assert (still.status_code, still.content_type) == (200, "image/png")
    assert colors(still.data) == [RED]
    assert still.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert len(stored_files(world)) == 2
    assert world.count("unfinished_upload") == 0


def test_nothing_is_left_of_the_file(world: World, ada: Someone) -> None:
    adds(ada, "mew", picture("JPEG", color=BLUE, comment=b"a secret") + b"<script>")
    data = fetches(world.nobody, named(ada, "mew")["source_url"]).data
    assert colors(data) == [BLUE]
    assert b"secret" not in data
    assert b"<script>" not in data


def test_missing_rows_are_not_found(world: World, ada: Someone) -> None:
    adds(ada, "mew")
    url = named(ada, "mew")["source_url"]
    folder, _, name = url.rpartition("/")
    others = (
        f"{folder}/still/{name}", f"{folder}/{name[:-4]}.gif", f"{folder}/{name[:-4]}", f"{folder}/1.png",
        f"{folder}/..%2f{name}", url.replace("/1/", "/2/"), f"/user_uploads/1/{name[:2]}/{name[2:-4]}/emoji",
    )  # fmt: skip
    for other in others:
        assert fetches(ada, other).status_code == 404, other


def test_a_picture_that_is_gone_is_not_found(world: World, ada: Someone) -> None:
    adds(ada, "mew")
    stored_files(world)[0].unlink()
    assert fetches(ada, named(ada, "mew")["source_url"]).status_code == 404


# -- removing ---------------------------------------------------------------------------------------


def test_a_deactivated_emoji_is_kept(ada: Someone, gus: Someone) -> None:
    adds(ada, "mew")
    before = named(ada, "mew")
    ada.delete("/realm/emoji/mew")
    assert emoji(gus) == {before["id"]: {**before, "deactivated": True}}
    assert fetches(gus, before["source_url"]).status_code == 200


def test_removing_an_emoji_needs_permission(world: World, ada: Someone, bea: Someone) -> None:
    for name in ("mew", "wuff"):
        adds(ada, name)
    for who in (bea, world["mona"], world["gus"]):
        who.refused("DELETE", "/realm/emoji/mew")
    world["adi"].delete("/realm/emoji/mew")
    ada.delete("/realm/emoji/wuff")
    for name in ("mew", "wuff", "tada", "no_such"):
        ada.refused("DELETE", f"/realm/emoji/{name}", status=404)


@pytest.mark.shows("event.realm-emoji")
def test_all_users_are_notified(ada: Someone, gus: Someone) -> None:
    line = gus.opens_queue("realm_emoji")
    adds(ada, "mew")
    with_cat = emoji(ada)
    events = line.events()
    refused(ada, "mew")
    ada.delete("/realm/emoji/mew")
    events += line.events()
    announced = [{name: value for name, value in event.items() if name != "id"} for event in events]
    assert announced == [
        {"type": "realm_emoji", "op": "update", "realm_emoji": with_cat},
        {"type": "realm_emoji", "op": "update", "realm_emoji": emoji(ada)},
    ]


# -- using ------------------------------------------------------------------------------------------


@pytest.mark.shows("reaction.realm-emoji")
def test_a_custom_emoji_in_reactions(ada: Someone, bea: Someone) -> None:
    adds(ada, "cat_x")
    code = named(ada, "cat_x")["id"]
    sent = ada.says("soup")
    path = f"/messages/{sent}/reactions"
    own = {"emoji_name": "cat_x", "emoji_code": code, "reaction_type": "realm_emoji"}
    for given in ({"emoji_name": "cat_x"}, own):
        ada.post(path, **given)
        assert ada.message(sent)["reactions"] == [{**own, "user_id": ada.id}]
        ada.delete(path, **given)
    ada.post(path, **own)
    ada.delete("/realm/emoji/cat_x")
    bea.refused("POST", path, emoji_name="cat_x")
    bea.refused("POST", f"/messages/{ada.says('bread')}/reactions", **own)
    bea.post(path, **own)
    bea.delete(path, emoji_name="cat_x")
    ada.delete(path, emoji_code=code, reaction_type="realm_emoji")
    assert ada.message(sent)["reactions"] == []


def test_a_custom_emoji_comes_before_the_others_of_its_name(world: World, ada: Someone) -> None:
    sent = ada.says("soup")
    path = f"/messages/{sent}/reactions"
    ada.post(path, emoji_name="tada")
    adds(world["adi"], "tada")
    ada.post(path, emoji_name="tada")
    kinds = [reaction["reaction_type"] for reaction in ada.message(sent)["reactions"]]
    assert kinds == ["unicode_emoji", "realm_emoji"]
    ada.delete(path, emoji_name="tada")
    ada.delete(path, emoji_name="tada")
    assert ada.message(sent)["reactions"] == []
    ada.post(path, emoji_name="tada", reaction_type="unicode_emoji")
    assert ada.message(sent)["reactions"][0]["emoji_code"] == "1f389"


@pytest.mark.shows("status.realm-emoji")
def test_a_custom_emoji_in_a_status(ada: Someone, bea: Someone) -> None:
    adds(ada, "mew")
    own = {"emoji_name": "mew", "emoji_code": named(ada, "mew")["id"], "reaction_type": "realm_emoji"}
    for given in ({"emoji_name": "mew"}, own):
        bea.post("/users/me/status", **given)
        assert ada.get(f"/users/{bea.id}/status")["status"] == own
    ada.delete("/realm/emoji/mew")
    assert ada.get(f"/users/{bea.id}/status")["status"] == own
    ada.refused("POST", "/users/me/status", **own)


def test_a_custom_emoji_is_shown_in_a_message(world: World, ada: Someone) -> None:
    adds(ada, "our_cat")
    source = named(ada, "our_cat")["source_url"]
    image = f'<img alt=":our_cat:" class="emoji" src="{source}" title="our cat">'
    sent = ada.says("a :our_cat: and :no_cat: and `:our_cat:`")
    html = f"<p>a {image} and :no_cat: and <code>:our_cat:</code></p>"
    assert ada.message(sent)["content"] == html
    assert ada.finds("search:our_cat") == [sent]
    ada.delete("/realm/emoji/our_cat")
    assert ada.message(sent)["content"] == html
    assert ada.message(ada.says(":our_cat:"))["content"] == "<p>:our_cat:</p>"
    adds(world["adi"], "tada")
    assert 'class="emoji" src=' in ada.message(ada.says(":tada:"))["content"]
