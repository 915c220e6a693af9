"""Pictures of people."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image
from werkzeug.test import TestResponse

from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.limits import Limits
from tests.worlds.files import (
    fetches,
    files_world,
    form,
    part,
    send_form,
    shows_picture,
    stored_files,
    uploads,
)
from tests.worlds.organization import HOST, MakeWorld, Someone, World
from tests.worlds.pictures import BLUE, RED, picture, png

__all__ = ["files_world"]

UNKNOWN = "/user_avatars/1/nobody.png?version=1"


def refused(who: Someone, *parts: bytes) -> tuple[int, str]:
    response = send_form(who, form(*parts), path="/users/me/avatar")
    return response.status_code, response.get_json()["code"]


def place(who: Someone, path: str, query: str = "") -> str:
    """The address that the request is redirected to."""
    response = fetches(who, path + query)
    assert response.status_code == 302, response.text
    return response.headers["Location"]


def image(response: TestResponse) -> Image.Image:
    assert response.status_code == 200
    assert response.content_type == "image/png"
    found = Image.open(io.BytesIO(response.data))
    found.load()
    return found


def paths(who: Someone) -> list[str]:
    return [f"/avatar/{name}" for name in (who.id, who.email, f"user{who.id}@{HOST}")]


# -- where a picture is -----------------------------------------------------------------------------


@pytest.mark.shows("named.avatar")
def test_requests_are_redirected_to_the_picture(ada: Someone, bea: Someone) -> None:
    user = ada.get(f"/users/{bea.id}", client_gravatar=False)["user"]
    for path in paths(bea):
        assert place(ada, path) == user["avatar_url"]
        assert place(ada, path + "/medium") == user["avatar_url"].replace(".png", "-medium.png")
        assert place(ada, path, "?x=1&version=7") == user["avatar_url"] + "&x=1&version=7"


def test_an_unknown_address_has_a_picture_too(world: World, ada: Someone, bea: Someone) -> None:
    world.change_user("bea", email_visibility=4)
    for name in (10**9, "x@y.z", bea.email, "me", "0"):
        assert place(ada, f"/avatar/{name}") == UNKNOWN
        assert place(ada, f"/avatar/{name}/medium") == UNKNOWN
    seen = place(ada, f"/avatar/{bea.id}")
    assert seen == place(ada, f"/avatar/user{bea.id}@{HOST}")
    assert seen not in (UNKNOWN, place(bea, f"/avatar/{ada.id}"))


def test_a_limited_guest_cannot_distinguish_invisible_and_unknown_users(
    world: World, ada: Someone, cem: Someone, gus: Someone
) -> None:
    limited = {"can_access_all_users_group": GroupSetting.of(SystemGroup.MEMBERS)}
    world.change_organization(permissions=limited)
    assert [place(gus, path) for path in paths(cem)] == [UNKNOWN] * 3
    assert place(gus, f"/avatar/{ada.id}") == place(cem, f"/avatar/{ada.id}")


def test_pictures_are_read_without_an_account_if_open_to_the_web(world: World, ada: Someone) -> None:
    nobody = world.nobody
    for path in paths(ada):
        assert fetches(nobody, path).status_code == 401
    world.open_to_the_web()
    by_id, *by_address = paths(ada)
    assert place(nobody, by_id) == place(ada, by_id)
    assert [fetches(nobody, path).status_code for path in by_address] == [401, 401]
    assert place(nobody, "/avatar/1000000000") == UNKNOWN


def test_nothing_gets_into_the_headers(ada: Someone) -> None:
    for query in ("?a=%0d%0aSet-Cookie:x", "?a=é"):
        response = fetches(ada, f"/avatar/{ada.id}{query}")
        assert "Set-Cookie" not in response.headers
        assert "\n" not in response.headers["Location"]


# -- generated pictures -----------------------------------------------------------------------------


def test_users_without_an_upload_have_a_picture_of_this_server(
    world: World, ada: Someone, bea: Someone, make_world: MakeWorld
) -> None:
    elsewhere = make_world(external_url="https://other.example.org").nobody
    seen: list[bytes] = []
    for medium, size in (("", 100), ("/medium", 500)):
        paths = [place(bea, f"/avatar/{one}{medium}") for one in (ada.id, bea.id, 10**9)]
        answers = [fetches(who, path) for who in (world.nobody, elsewhere) for path in paths]
        assert [image(answer).size for answer in answers[:2]] == [(size, size)] * 2
        assert all(len(answer.data) < 400 for answer in answers)
        assert answers[0].data == fetches(ada, paths[0]).data
        seen += [answer.data for answer in answers]
    assert len({*seen[:6]}) == 5, "each user and each organization has another; nobody is the same everywhere"
    assert "immutable" in answers[0].headers["Cache-Control"]


def test_nothing_of_the_account_is_in_the_address(world: World, ada: Someone, bea: Someone) -> None:
    before = place(bea, f"/avatar/{ada.id}")
    world.change_user("ada", email="other@example.org", email_visibility=4)
    assert place(bea, f"/avatar/{ada.id}") == before == f"/user_avatars/1/user-{ada.id}.png?version=1"


@pytest.mark.parametrize(
    "name",
    [
        "user-0.png",
        "user-01.png",
        "user-1000000000000000.png",
        "user-1-large.png",
        "user--1.png",
        "somebody.png",
        "user-٣.png",
        "user-1.svg",
    ],
)
def test_no_other_name_has_a_generated_picture(ada: Someone, name: str) -> None:
    assert fetches(ada, f"/user_avatars/1/{name}").status_code == 404
    assert fetches(ada, "/user_avatars/2/user-1.png").status_code == 404


@pytest.mark.shows("user.avatar-url")
def test_clients_are_sent_nowhere_else(make_world: MakeWorld) -> None:
    """Every user has an address of a picture; without one, clients would ask an outside service."""
    world = make_world(gravatar=False)
    ada, bea = world["ada"], world["bea"]
    ada.says("soup")
    line = bea.opens_queue("message", "realm_user", client_gravatar=True)
    ada.says("soup")
    state = bea.registers(client_gravatar=True).state
    found = [
        *(user["avatar_url"] for user in bea.get("/users", client_gravatar=True)["members"]),
        *(user["avatar_url"] for user in state["realm_users"]),
        bea.get(f"/users/{ada.id}")["user"]["avatar_url"],
        *(message["avatar_url"] for message in bea.reads(client_gravatar=True)),
        *(event["message"]["avatar_url"] for event in line.events()),
        state["avatar_url"], state["realm_icon_url"], world.nobody.get("/server_settings")["realm_icon"],
    ]  # fmt: skip
    for url in found:
        assert url.startswith("/user_avatars/1/")
        assert image(fetches(world.nobody, url))


# -- one's own --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
def test_a_picture_is_uploaded_and_seen_by_everybody(files_world: World, kind: str) -> None:
    ada, bea = files_world["ada"], files_world["bea"]
    line = bea.opens_queue("realm_user")
    url = shows_picture(ada, picture(kind))
    for who in (bea, files_world.nobody):
        assert image(fetches(who, url)).size == (100, 100)
    medium = place(bea, f"/avatar/{ada.id}/medium")
    found = image(fetches(files_world.nobody, medium))
    assert found.size == (500, 500)
    assert found.convert("RGB").getpixel((250, 250))[0] > 250  # type: ignore[index]
    assert place(bea, f"/avatar/{ada.id}") == url
    (event,) = line.events()
    assert event["person"] == {
        "user_id": ada.id,
        "avatar_url": url,
        "avatar_url_medium": medium,
        "avatar_source": "U",
        "avatar_version": 2,
    }
    user = bea.get(f"/users/{ada.id}")["user"]
    assert (user["avatar_url"], user["avatar_version"]) == (url, 2)
    assert ada.post("/register", fetch_event_types=["realm_user"])["avatar_source"] == "U"


def test_another_picture_takes_the_place_of_the_first(files_world: World) -> None:
    ada = files_world["ada"]
    first, second = shows_picture(ada, picture()), shows_picture(ada, picture(color=BLUE))
    assert first != second
    assert fetches(ada, first).status_code == 404
    assert image(fetches(ada, second)).convert("RGB").getpixel((50, 50)) == BLUE
    assert len([path for path in stored_files(files_world) if "avatar" in path.name]) == 2


def test_a_picture_is_removed(files_world: World) -> None:
    ada, bea = files_world["ada"], files_world["bea"]
    generated = place(bea, f"/avatar/{ada.id}").partition("?")[0]
    url = shows_picture(ada, picture())
    lines = [bea.opens_queue("realm_user", client_gravatar=given) for given in (True, False)]
    answer = ada.delete("/users/me/avatar")["avatar_url"]
    assert answer.startswith(generated)
    for line in lines:
        (event,) = line.events()
        assert (event["person"]["avatar_url"], event["person"]["avatar_source"]) == (answer, "G")
    assert fetches(ada, url).status_code == 404
    assert not [path for path in stored_files(files_world) if "avatar" in path.name]
    ada.delete("/users/me/avatar")
    assert [line.events() for line in lines] == [[], []]


def test_a_bot_has_a_picture(files_world: World) -> None:
    ada, robo = files_world["ada"], files_world["robo"]
    line = ada.opens_queue("realm_bot")
    url = shows_picture(robo, picture())
    assert [event["bot"] for event in line.events()] == [{"user_id": robo.id, "avatar_url": url}]


def test_the_picture_is_upright_and_without_what_the_camera_said(files_world: World) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # lying on its side
    exif[0x010F] = "a camera with a secret"
    out = io.BytesIO()
    lying = Image.new("RGB", (100, 100), RED)
    lying.paste(BLUE, (0, 0, 100, 50))  # what is above is on the right, once it stands
    lying.save(out, "JPEG", exif=exif, quality=95)
    url = shows_picture(files_world["ada"], out.getvalue())
    response = fetches(files_world.nobody, url)
    assert b"secret" not in response.data
    standing = image(response).convert("RGB")
    left, right = standing.getpixel((20, 50)), standing.getpixel((80, 50))
    assert isinstance(left, tuple)
    assert isinstance(right, tuple)
    assert left[0] > 200 > 50 > left[2]
    assert right[2] > 200 > 50 > right[0]


def test_the_answer_is_a_picture_and_nothing_else(files_world: World) -> None:
    url = shows_picture(files_world["ada"], picture())
    headers = fetches(files_world.nobody, url).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "Cross-Origin-Resource-Policy" not in headers, "other programs of people show it"
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert fetches(files_world.nobody, url, method="HEAD").data == b""


# -- refusals ---------------------------------------------------------------------------------------


BAD: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "text": lambda: b"soup",
    "svg": lambda: b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    "html": lambda: b"\x89PNG\r\n\x1a\n<html><script>alert(1)</script>",
    "half": lambda: picture(size=(500, 500), color=(1, 2, 3))[:200],
    "bitmap": lambda: picture("BMP"),
    "postscript": lambda: picture("EPS"),
    "icon": lambda: picture("ICO"),
    "bomb": lambda: png(60_000, 60_000),
    "large": lambda: png(5001, 5000),
    "flat": lambda: png(2**31 - 1, 1),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_file_that_is_no_picture_is_refused(files_world: World, kind: str) -> None:
    ada = files_world["ada"]
    line = ada.opens_queue("realm_user")
    assert refused(ada, part(BAD[kind](), "me.png", content_type="image/png")) == (400, "BAD_IMAGE")
    assert line.events() == []
    assert stored_files(files_world) == [] or all("avatar" not in p.name for p in stored_files(files_world))
    assert ada.get("/users/me")["avatar_version"] == 1


def test_a_file_that_is_too_large_is_refused(make_world: MakeWorld, tmp_path: Any) -> None:
    world = make_world(data_dir=tmp_path / "data", limits=Limits(max_avatar_file_size_mib=1))
    ada = world["ada"]
    assert refused(ada, part(picture() + b"\0" * 2**20, "me.png")) == (400, "BAD_REQUEST")
    assert refused(ada, part(b"\0" * 3 * 2**20, "me.png")) == (400, "BAD_REQUEST")
    shows_picture(ada, picture() + b"\0" * 2**19)


def test_there_is_one_file(files_world: World) -> None:
    ada = files_world["ada"]
    for parts in ((), (part(picture(), None),), (part(picture(), "a.png"), part(picture(), "b.png"))):
        assert refused(ada, *parts) == (400, "BAD_REQUEST")
    assert ada.get("/users/me")["avatar_version"] == 1


def test_where_pictures_are_not_to_be_changed(files_world: World) -> None:
    ada, adi = files_world["ada"], files_world["adi"]
    shows_picture(ada, picture())
    files_world.change_organization(avatar_changes_disabled=True)
    assert refused(ada, part(picture(), "me.png")) == (400, "BAD_REQUEST")
    ada.refused("DELETE", "/users/me/avatar")
    shows_picture(adi, picture())


def test_an_account_is_needed(files_world: World) -> None:
    nobody = files_world.nobody
    assert refused(nobody, part(picture(), "me.png"))[0] == 401
    nobody.refused("DELETE", "/users/me/avatar", status=401, code="UNAUTHORIZED")


def test_other_files_are_not_read_as_pictures(files_world: World) -> None:
    ada = files_world["ada"]
    own = uploads(ada, b"soup")["url"]
    _, _, organization, folder, random, _ = own.split("/")
    url = shows_picture(ada, picture()).partition("?")[0]
    for path in (
        f"/user_avatars/{organization}/{random}.png",
        f"/user_avatars/{organization}/{folder}",
        f"/user_avatars/1/..%2f{folder}%2f{random}.png",
        url.replace("/1/", "/2/"),
        url.removesuffix(".png"),
        "/user_avatars/1/-medium.png",
    ):
        assert fetches(files_world.nobody, path).status_code == 404, path
