"""The organization's icon and logos."""

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from chatcore import InvalidParameter, open_chat
from chatcore.application.files import pictures
from chatcore.application.services import Services
from chatcore.domain.errors import InsufficientRole
from chatcore.domain.limits import Limits
from chatcore.domain.roles import Role
from chatcore.settings import Settings
from tests.worlds.files import fetches, files_world, form, part, send_form, stored_files
from tests.worlds.organization import MakeWorld, Someone, World, succeeded
from tests.worlds.pictures import animation, picture

__all__ = ["files_world"]

ICON, LOGO = "/realm/icon", "/realm/logo"


def sends(who: Someone, path: str, data: bytes, **query: str) -> Any:
    return send_form(who, form(part(data, "picture.png")), path=path, query=query)


def urls(who: Someone) -> dict[str, str]:
    state = who.post("/register", fetch_event_types=["realm"])
    return {name: state[f"realm_{name}_url"] for name in ("icon", "logo", "night_logo")}


def shown(world: World, url: str) -> Image.Image:
    response = fetches(world.nobody, url)
    assert (response.status_code, response.content_type) == (200, "image/png")
    return Image.open(io.BytesIO(response.data))


def place(who: Someone, path: str, **query: str) -> str:
    response = who.client.get(f"/api/v1{path}", headers=who.headers, query_string=query)
    assert response.status_code == 302
    location: str = response.headers["Location"]
    return location


def field(name: str, text: str) -> bytes:
    return part(text.encode(), None, name=name)


def test_an_icon_is_uploaded_announced_and_removed(files_world: World) -> None:
    adi, gus = files_world["adi"], files_world["gus"]
    before = urls(gus)
    line = gus.registers(event_types=["realm"])
    url = succeeded(sends(adi, ICON, picture(size=(300, 200))))["icon_url"]
    assert shown(files_world, url).size == (100, 100)
    assert urls(gus) == {**before, "icon": url}
    assert place(gus, ICON) == url
    assert files_world.nobody.get("/server_settings")["realm_icon"] == url
    assert adi.delete(ICON)["icon_url"] == before["icon"]
    adi.delete(ICON)
    for event in (events := line.events()):
        del event["id"]
    changed = {"type": "realm", "op": "update_dict", "property": "icon"}
    assert events == [
        {**changed, "data": {"icon_url": url, "icon_source": "U"}},
        {**changed, "data": {"icon_url": before["icon"], "icon_source": "G"}},
    ]
    assert urls(gus) == before
    assert fetches(gus, url).status_code == 404
    assert stored_files(files_world) == []


@pytest.mark.parametrize(("night", "kind"), [("false", "logo"), ("true", "night_logo")])
def test_logos_fit_into_a_box(files_world: World, night: str, kind: str) -> None:
    adi, gus = files_world["adi"], files_world["gus"]
    before = urls(gus)
    line = gus.registers(event_types=["realm"])
    for size, fitted in (((1600, 100), (800, 50)), ((400, 400), (100, 100)), ((30, 20), (30, 20))):
        succeeded(sends(adi, LOGO, picture(size=size), night=night))
        url = place(gus, LOGO, night=night)
        assert shown(files_world, url).size == fitted
        (event,) = line.events()
        assert (event["property"], event["data"]) == (kind, {f"{kind}_url": url, f"{kind}_source": "U"})
        assert urls(gus) == {**before, kind: url}
    assert len(stored_files(files_world)) == 1
    adi.delete(LOGO, night=night == "true")
    assert urls(gus) == before
    assert stored_files(files_world) == []


def test_a_logo_is_upright_and_without_what_the_camera_said(files_world: World) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # lying on its side
    exif[0x010F] = "a camera with a secret"
    sends(
        files_world["adi"],
        LOGO,
        picture("JPEG", size=(40, 20), exif=exif.tobytes(), icc_profile=b"secret"),
        night="true",
    )
    logo = shown(files_world, place(files_world["adi"], LOGO, night="true"))
    assert (logo.size, dict(logo.getexif()), logo.info) == ((20, 40), {}, {})


@pytest.mark.parametrize("is_first", [True, False])
def test_the_kind_of_logo_may_be_a_field_of_the_form(files_world: World, is_first: bool) -> None:
    parts = [field("night", "true"), part(picture(), "a.png"), field("other", "x")]
    answer = succeeded(send_form(files_world["adi"], form(*(parts if is_first else parts[::-1])), path=LOGO))
    assert answer["ignored_parameters_unsupported"] == ["other"]
    now = urls(files_world["ada"])
    assert now["night_logo"] != now["logo"]


def test_a_first_frame_is_shown(files_world: World) -> None:
    url = succeeded(sends(files_world["adi"], ICON, animation()))["icon_url"]
    assert shown(files_world, url).size == (100, 100)


def test_forms_that_are_refused(files_world: World) -> None:
    adi = files_world["adi"]
    file = part(picture(), "a.png")
    for path, parts, code in (
        (ICON, (part(b"soup", "a.png"),), "BAD_IMAGE"),
        (LOGO, (part(b"soup", "a.png"), field("night", "true")), "BAD_IMAGE"),
        (LOGO, (file,), "REQUEST_VARIABLE_MISSING"),
        (LOGO, (file, field("night", "maybe")), "BAD_REQUEST"),
        (LOGO, (file, field("night", "true"), file), "BAD_REQUEST"),
        (LOGO, (field("night", "true"),), "BAD_REQUEST"),
        (ICON, (), "BAD_REQUEST"),
    ):
        response = send_form(adi, form(*parts), path=path)
        assert (response.status_code, response.get_json()["code"]) == (400, code)
    bad_text = part(b"\xff", None, name="night")
    assert send_form(adi, form(file, bad_text), path=LOGO).get_json()["code"] == "BAD_REQUEST"
    adi.refused("DELETE", LOGO, code="REQUEST_VARIABLE_MISSING")
    assert stored_files(files_world) == []
    assert all("/realm/" not in url for url in urls(adi).values())


def test_large_files_are_refused(make_world: MakeWorld, tmp_path: Path) -> None:
    limits = Limits(max_icon_file_size_mib=1, max_logo_file_size_mib=1)
    world = make_world(data_dir=tmp_path / "data", limits=limits)
    for path in (ICON, LOGO):
        response = sends(world["adi"], path, picture() + bytes(2**20), night="true")
        assert response.get_json()["code"] == "BAD_REQUEST", response.text
    assert stored_files(world) == []


def test_only_administrators_change_the_pictures(files_world: World) -> None:
    for who in ("mona", "ada", "gus", "robo"):
        for path in (ICON, LOGO):
            response = sends(files_world[who], path, picture(), night="true")
            assert response.get_json()["code"] == "UNAUTHORIZED_PRINCIPAL"
            files_world[who].refused("DELETE", path, code="UNAUTHORIZED_PRINCIPAL", night=True)
    assert files_world.nobody.request("GET", ICON).status_code == 401
    assert stored_files(files_world) == []


def test_nothing_is_left_of_a_picture_whose_sender_may_not_change_it_any_more(
    files_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = pictures.store

    def demote_meanwhile(svc: Services, key: str, data: bytes) -> None:
        store(svc, key, data)
        files_world.change_user("adi", role=Role.MEMBER)

    before = urls(files_world["ada"])
    monkeypatch.setattr(pictures, "store", demote_meanwhile)
    response = sends(files_world["adi"], ICON, picture())
    assert response.get_json()["code"] == "UNAUTHORIZED_PRINCIPAL"
    assert (urls(files_world["ada"]), stored_files(files_world)) == (before, [])


@pytest.mark.parametrize(
    "url",
    ["/user_avatars/1/realm/x.png", f"/user_avatars/1/realm/{'x' * 24}.png", "/user_avatars/2/realm/x.png"],
)
def test_there_is_nothing_at_other_addresses(files_world: World, url: str) -> None:
    assert fetches(files_world["ada"], url).status_code == 404


def test_a_picture_is_at_one_address(files_world: World) -> None:
    url = succeeded(sends(files_world["adi"], ICON, picture()))["icon_url"]
    other = url.replace("/user_avatars/1/", "/user_avatars/2/")
    assert other != url
    assert fetches(files_world["ada"], other).status_code == 404


def test_a_program_changes_the_pictures(tmp_path: Path) -> None:
    with open_chat(
        owner_email="ada@example.com",
        settings=Settings(secret_key=b"s" * 32, data_dir=tmp_path / "data"),
    ) as chat:
        ada = chat.users.actor("ada@example.com")
        before = chat.organization_pictures.url("icon")
        url = chat.organization_pictures.set(ada, "icon", picture())
        assert chat.organization_pictures.url("icon") == url != before
        with chat.organization_pictures.open(1, url.rpartition("/")[2]) as file:
            assert Image.open(file).size == (100, 100)
        assert chat.organization_pictures.remove(ada, "icon") == before
        gus = chat.users.create("gus@example.com", "Gus")
        with pytest.raises(InsufficientRole):  # before the picture is read
            chat.organization_pictures.set(gus, "icon", b"soup")
        with pytest.raises(InvalidParameter, match="Expected one of icon, logo, night_logo"):
            chat.organization_pictures.url("hat")
