"""Reading uploaded files: who may, and how they are sent; on both stores."""

import errno
import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from contextlib import suppress
from io import BytesIO
from typing import Any

import pytest

from chatcore.application.delivery import file_links as use_cases
from chatcore.application.units import Unit
from chatcore.domain.files.uploads import file_key
from chatcore.domain.ids import MessageId
from chatcore.domain.roles import Role
from chatcore.http.endpoints.files.uploads import PLACEHOLDER
from chatcore.storage import Transaction
from tests.worlds.files import PNG, attachments, can_read, fetches, files_world, uploads
from tests.worlds.organization import MakeWorld, Someone, World
from tests.worlds.toys import refusal

__all__ = ["files_world"]


@pytest.fixture
def world(files_world: World) -> World:
    return files_world


def readers(world: World, url: str) -> set[str]:
    """The names of the users who can read a file; `nobody` is a client that is not logged in."""
    names = ("olga", "adi", "mona", "ada", "bea", "cem", "gus", "robo")
    found = {name for name in names if can_read(world[name], url)}
    return found | ({"nobody"} if can_read(world.nobody, url) else set())


MEMBERS = {"olga", "adi", "mona", "ada", "bea", "cem", "robo"}


@pytest.mark.shows("upload.uploader-only")
def test_at_first_only_the_uploader_reads_a_file(world: World, ada: Someone) -> None:
    assert readers(world, uploads(ada)["url"]) == {"ada"}


@pytest.mark.shows("upload.shared")
@pytest.mark.parametrize(
    ("channel", "expected"),
    [
        ("lunch", MEMBERS | {"gus"}),
        ("secret", {"ada", "bea"}),
        ("vault", {"ada"}),
        ("plaza", MEMBERS),
    ],
)
def test_sec_60_a_file_is_read_by_who_may_read_a_message_with_it(
    world: World, ada: Someone, channel: str, expected: set[str]
) -> None:
    url = uploads(ada)["url"]
    ada.says(f"[soup]({url})", channel)
    assert readers(world, url) == expected


@pytest.mark.shows("upload.shared")
def test_sec_60_a_file_in_a_direct_message_is_for_its_people(world: World, ada: Someone) -> None:
    url = uploads(ada)["url"]
    ada.writes(url, "gus", "robo")
    assert readers(world, url) == {"ada", "gus", "robo"}


def test_a_web_public_file_is_for_everybody_while_the_organization_is_open(
    world: World, ada: Someone
) -> None:
    url = uploads(ada)["url"]
    ada.says(url, "plaza")
    world.open_to_the_web()
    assert readers(world, url) == MEMBERS | {"gus", "nobody"}
    world.change_organization(enable_spectator_access=False)
    assert readers(world, url) == MEMBERS


def test_sec_60_former_subscribers_cannot_read_files_of_a_private_channel(
    world: World, ada: Someone, bea: Someone
) -> None:
    url = uploads(ada)["url"]
    ada.says(url, "secret")
    assert can_read(bea, url)
    bea.leaves("secret")
    assert readers(world, url) == {"ada"}


def test_sec_60_later_subscribers_read_no_older_files_of_a_protected_history(
    world: World, ada: Someone, bea: Someone
) -> None:
    old = uploads(ada)["url"]
    ada.says(old, "vault")
    ada.joins("vault", principals=[bea.id])
    new = uploads(ada)["url"]
    ada.says(new, "vault")
    assert (can_read(bea, old), can_read(bea, new)) == (False, True)


def test_sec_60_a_file_is_the_uploaders_again_when_its_message_is_deleted(world: World, ada: Someone) -> None:
    url = uploads(ada)["url"]
    message_id = ada.says(url)
    received = ada.opens_queue("attachment")
    world.storage.write(lambda tx: use_cases.release(Unit(world.svc, tx), [MessageId(message_id)]))
    assert readers(world, url) == {"ada"}
    (event,) = received.events()
    assert (event["op"], event["attachment"]["messages"]) == ("update", [])
    world.storage.write(lambda tx: use_cases.release(Unit(world.svc, tx), [MessageId(message_id)]))
    assert received.events() == []


def test_sec_60_a_refusal_says_the_same_of_files_that_there_are_not(
    world: World, ada: Someone, bea: Someone
) -> None:
    url = uploads(ada)["url"]
    ada.writes(url, "cem")
    guess = url[:-8] + "soup.md"
    for reader in (bea, world["olga"], world["gus"], world.nobody):
        for prefix in ("/user_uploads/", "/user_uploads/download/", "/api/v1/user_uploads/"):
            addresses = [a.replace("/user_uploads/", prefix) for a in (url, guess, url.replace("/1/", "/2/"))]
            answers = [fetches(reader, address) for address in addresses]
            assert {answer.status_code for answer in answers} == {404 if reader.name else 401}
            assert len({answer.text for answer in answers}) == 1
            assert "soup" not in answers[0].text


# Linking


@pytest.mark.shows("upload.markdown-name")
@pytest.mark.parametrize("name", ["soup.txt", "a [hot] soup.txt", "]([.txt", "Suppe für alle.txt"])
def test_the_name_is_the_text_of_the_link_without_its_brackets(
    world: World, ada: Someone, bea: Someone, name: str
) -> None:
    sent = uploads(ada, b"soup", name)
    filename, url = sent["filename"].translate({ord("["): None, ord("]"): None}), sent["url"]
    message_id = ada.says(f"[{filename}]({url})")
    assert bea.message(message_id)["content"] == f'<p><a href="{url}">{filename}</a></p>'
    assert can_read(bea, url)


@pytest.mark.every_case_on_postgresql
@pytest.mark.shows("upload.markdown")
@pytest.mark.parametrize(
    "text",
    [
        "{url}",
        "look at {url}, please",
        "look at <{url}>.",
        "[soup]({url})",
        "![soup]({url})",
        "https://chat.example.org{url}",
        "[soup](https://chat.example.org{url})",
        "> quoted [soup]({url})",
        "* ({url})",
        "```quote\n{url}\n```",
    ],
)
def test_every_way_of_linking_counts(world: World, ada: Someone, bea: Someone, text: str) -> None:
    url = uploads(ada, b"soup", "Suppe für alle.txt")["url"]
    message_id = ada.says(text.format(url=url))
    assert can_read(bea, url)
    assert ada.finds("has:attachment") == [message_id]


def test_a_link_may_be_percent_encoded(world: World, ada: Someone, bea: Someone) -> None:
    url = uploads(ada, b"soup", "Suppe für alle.txt")["url"]
    ada.says(f"[soup]({url.replace('ü', '%C3%BC')})")
    assert can_read(bea, url)


@pytest.mark.parametrize(
    "text",
    [
        "https://elsewhere.example.org{url}",
        "x{url}",
        "/user_uploads/thumbnail{url}",
        "no {url}x",
        "",
    ],
)
def test_text_that_is_no_link_does_not_count(world: World, ada: Someone, bea: Someone, text: str) -> None:
    url = uploads(ada)["url"]
    ada.says(text.format(url=url) or "nothing")
    assert not can_read(bea, url)
    assert ada.finds("has:attachment") == []


def test_sec_61_naming_a_file_in_an_own_message_gives_no_access_to_it(
    world: World, ada: Someone, bea: Someone
) -> None:
    url = uploads(ada)["url"]
    ada.writes(url, "cem")
    received = ada.opens_queue("attachment")
    for sender in (bea, world["olga"], world["robo"]):
        message_id = sender.says(f"[mine now]({url})")
        assert "mine now" in sender.message(message_id)["content"]
    assert readers(world, url) == {"ada", "cem"}
    assert received.events() == []
    assert bea.finds("has:attachment") == []
    world["cem"].says(f"[for all]({url})")
    assert readers(world, url) == MEMBERS | {"gus"}


def edit(
    world: World, message_id: int, author: Someone, content: str, path_ids: set[str]
) -> list[dict[str, Any]]:
    def write(tx: Transaction) -> list[dict[str, Any]]:
        author_id = world.users[author.name or ""].id
        (old,) = tx.messages.by_ids([MessageId(message_id)])
        detached = use_cases.relink(Unit(world.svc, tx), old.id, author_id, content, path_ids, old)
        return [dict(shape) for shape in detached]

    return world.storage.write(write)


def test_an_edit_takes_links_away_and_adds_others(world: World, ada: Someone, bea: Someone) -> None:
    old, new, shared = (uploads(ada, name.encode(), name) for name in ("old", "new", "shared"))
    message_id = ada.says(f"{old['url']} {shared['url']}")
    ada.says(shared["url"])
    received = ada.opens_queue("attachment")
    path_id = new["url"].removeprefix("/user_uploads/")
    (detached,) = edit(world, message_id, ada, "see", {path_id})
    assert (detached["name"], detached["messages"]) == ("old", [])
    assert [can_read(bea, one["url"]) for one in (old, new, shared)] == [False, True, True]
    announced = [
        (event["attachment"]["name"], len(event["attachment"]["messages"])) for event in received.events()
    ]
    assert announced == [("new", 1), ("old", 0), ("shared", 1)]
    assert edit(world, message_id, ada, f"still {new['url']}", set()) == []
    assert can_read(bea, new["url"])
    assert received.events() == []


def test_an_edit_keeps_links_to_what_its_author_may_not_read_any_more(
    world: World, ada: Someone, bea: Someone, cem: Someone
) -> None:
    url = uploads(ada)["url"]
    first = ada.writes(url, "bea")
    message_id = bea.says(url)
    world.storage.write(lambda tx: use_cases.release(Unit(world.svc, tx), [MessageId(first)]))
    edit(world, message_id, bea, f"again {url}", set())
    assert can_read(cem, url)
    assert edit(world, message_id, bea, "gone", set()) == []
    assert readers(world, url) == {"ada"}


def test_a_deactivated_owner_is_not_notified(world: World, ada: Someone, bea: Someone) -> None:
    url = uploads(ada)["url"]
    ada.says(url)
    world.change_user("ada", is_active=False)
    bea.says(url)
    assert can_read(bea, url)


# How a file is sent


def test_the_headers_of_a_file(world: World, ada: Someone) -> None:
    response = fetches(ada, uploads(ada, PNG, "photo.png", content_type="image/png")["url"])
    assert response.headers["Content-Type"] == "image/png"
    assert response.headers["Content-Length"] == str(len(PNG))
    assert response.headers["Content-Disposition"] == 'inline; filename="photo.png"'
    assert response.headers["Cache-Control"] == "private, immutable"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Accept-Ranges"] == "bytes"
    policy = response.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; ")
    assert policy.endswith("; sandbox")
    assert "script" not in policy


@pytest.mark.parametrize(
    ("filename", "content_type", "data", "disposition"),
    [
        ("x.html", "text/html", b"<script>alert(1)</script>", "attachment"),
        ("x.svg", "image/svg+xml", b"<svg onload=alert(1)>", "attachment"),
        ("x.xhtml", "application/xhtml+xml", b"<html>", "attachment"),
        ("x.xml", "text/xml", b"<x/>", "attachment"),
        ("x.js", "text/javascript", b"alert(1)", "attachment"),
        ("x.js", None, b"alert(1)", "attachment"),
        ("x.png", "text/html", PNG, "attachment"),
        ("x.png", "image/png", b"<script>alert(1)</script>", "attachment"),
        ("x.pdf", "application/pdf", b"<html>", "attachment"),
        ("x.swf", None, b"CWS", "attachment"),
        ("x.gif", "image/gif", b"GIF89a/*<script>*/", "inline"),
        ("x.pdf", "application/pdf", b"%PDF-1.7", "inline"),
        ("x.png", None, PNG, "inline"),
        ("x.txt", "text/plain", b"<script>alert(1)</script>", "inline"),
    ],
)
def test_sec_62_only_what_cannot_hurt_is_shown(
    ada: Someone, filename: str, content_type: str | None, data: bytes, disposition: str
) -> None:
    url = uploads(ada, data, filename, content_type=content_type)["url"]
    response = fetches(ada, url)
    assert response.data == data
    assert response.headers["Content-Disposition"] == f'{disposition}; filename="{filename}"'
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    policy = response.headers["Content-Security-Policy"]
    assert policy.endswith("; sandbox") == (content_type != "application/pdf" or disposition != "inline")
    assert "default-src 'none'" in policy
    download = fetches(ada, url.replace("/user_uploads/", "/user_uploads/download/"))
    assert download.headers["Content-Disposition"] == f'attachment; filename="{filename}"'
    assert download.headers["Content-Security-Policy"].endswith("; sandbox")
    assert download.data == data


@pytest.mark.parametrize("name", ["bomb.png", "frames.gif", "broken.tiff", "x.psd", "x.ico", "x.eps"])
def test_sec_64_pictures_are_stored_without_being_decoded(ada: Someone, name: str) -> None:
    data = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xff\xff\xff\xff\xff\xff\xff" + bytes(300)
    assert fetches(ada, uploads(ada, data, name)["url"]).data == data


class Unreadable(BytesIO):
    """A file of which a disk returns the beginning only."""

    def read(self, size: int | None = -1) -> bytes:
        if self.tell():
            raise OSError(errno.EIO, "Input/output error")
        return super().read(5)


@pytest.mark.parametrize(
    ("kind", "said"), [(Unreadable, "cannot be read to its end"), (BytesIO, "7 bytes before its end")]
)
def test_a_file_that_cannot_be_sent_whole_is_logged(
    world: World,
    ada: Someone,
    kind: type[BytesIO],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    url = uploads(ada, b"hello, world")["url"]
    monkeypatch.setattr(world.svc.files, "open", lambda key: kind(b"hello"))
    with suppress(OSError):
        fetches(ada, url)
    (record,) = (one for one in caplog.records if one.name == "chatcore.http")
    assert said in record.getMessage()


def test_the_type_is_as_the_client_said(ada: Someone) -> None:
    url = uploads(ada, b"x", "x.bin", content_type='text/x-soup; kind="hot"')["url"]
    assert fetches(ada, url).headers["Content-Type"] == 'text/x-soup; kind="hot"'
    url = uploads(ada, "Grüße".encode("latin-1"), "x.txt", content_type="text/plain")["url"]
    assert fetches(ada, url).headers["Content-Type"] == "text/plain; charset=windows-1252"


def test_a_name_that_is_not_ascii_is_sent_in_both_forms(ada: Someone) -> None:
    response = fetches(ada, uploads(ada, b"x", "Grüße & 50%.bin")["url"])
    assert response.headers["Content-Disposition"] == (
        "attachment; filename=\"Gr__e & 50_.bin\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%26%2050%25.bin"
    )


@pytest.mark.parametrize(
    ("wanted", "status", "data", "content_range"),
    [
        ("bytes=0-3", 206, b"0123", "bytes 0-3/10"),
        ("bytes=4-", 206, b"456789", "bytes 4-9/10"),
        ("bytes=-3", 206, b"789", "bytes 7-9/10"),
        ("bytes=-30", 206, b"0123456789", "bytes 0-9/10"),
        ("bytes=8-100", 206, b"89", "bytes 8-9/10"),
        ("bytes=10-", 416, b"", "bytes */10"),
        ("bytes=0-1,4-5", 200, b"0123456789", None),
        ("lines=0-1", 200, b"0123456789", None),
        ("bytes=x", 200, b"0123456789", None),
        ("bytes=5-2", 200, b"0123456789", None),
    ],
)
def test_a_part_of_a_file_can_be_asked_for(
    ada: Someone, wanted: str, status: int, data: bytes, content_range: str | None
) -> None:
    url = uploads(ada, b"0123456789", "digits.bin")["url"]
    response = fetches(ada, url, Range=wanted)
    assert (response.status_code, response.data) == (status, data)
    assert response.headers.get("Content-Range") == content_range
    assert response.headers["Content-Length"] == str(len(data))


def test_a_part_is_of_the_file_that_the_client_has(ada: Someone) -> None:
    url = uploads(ada, b"0123456789", "digits.bin")["url"]
    etag = fetches(ada, url).headers["ETag"]
    assert fetches(ada, url, Range="bytes=0-3", If_Range=etag).status_code == 206
    assert fetches(ada, url, Range="bytes=0-3", If_Range='"other"').status_code == 200
    assert fetches(ada, url, Range="bytes=0-3", If_Range="Sat, 01 Jan 2000 00:00:00 GMT").status_code == 200
    unchanged = fetches(ada, url, If_None_Match=etag)
    assert (unchanged.status_code, unchanged.data) == (304, b"")
    assert "Content-Length" not in unchanged.headers


def test_head_answers_the_headers_of_get(ada: Someone) -> None:
    url = uploads(ada, b"0123456789", "digits.bin")["url"]
    got, announced = fetches(ada, url), fetches(ada, url, method="HEAD")
    assert announced.data == b""
    headers = [{**one.headers, "X-Request-Id": ""} for one in (announced, got)]
    assert headers[0] == headers[1]
    refusal(fetches(ada, url, method="POST"), status=405)


# How a refusal looks


@pytest.mark.parametrize(
    ("accept", "content_type"),
    [
        ("image/avif,image/webp,image/*,*/*;q=0.8", "image/png"),
        ("image/*", "image/png"),
        ("text/html,application/xhtml+xml,*/*;q=0.8", "text/html; charset=utf-8"),
        ("*/*", "application/json"),
        ("application/json", "application/json"),
        ("", "application/json"),
    ],
)
def test_a_refusal_is_what_the_client_can_show(
    world: World, bea: Someone, accept: str, content_type: str
) -> None:
    for reader, status in ((bea, 404), (world.nobody, 401)):
        response = fetches(reader, "/user_uploads/1/ab/x/y.png", Accept=accept)
        assert (response.status_code, response.headers["Content-Type"]) == (status, content_type)
        assert response.headers["Vary"] == "Accept"
        assert ("WWW-Authenticate" in response.headers) == (status == 401)


def test_wrong_credentials_are_refused_also_where_none_are_needed(world: World, ada: Someone) -> None:
    url = uploads(ada)["url"]
    ada.says(url, "plaza")
    world.open_to_the_web()
    ada.headers["Authorization"] = "Basic YTpi"
    refusal(fetches(ada, url), status=401, code="UNAUTHORIZED")


def test_the_placeholder_is_a_picture() -> None:
    assert PLACEHOLDER.startswith(b"\x89PNG\r\n\x1a\n")
    assert PLACEHOLDER[16:24] == b"\0\0\0\x01" * 2
    assert zlib.crc32(PLACEHOLDER[-8:-4]) == int.from_bytes(PLACEHOLDER[-4:], "big")


# Temporary addresses


def temporary(someone: Someone, url: str) -> str:
    found: str = someone.get(url)["url"]
    return found


def test_a_temporary_address_works_for_a_minute_without_an_account(
    world: World, ada: Someone, bea: Someone
) -> None:
    url = uploads(ada, b"soup", "Suppe für alle.txt")["url"]
    ada.writes(url, "bea")
    address = temporary(bea, url)
    assert re.fullmatch(r"/user_uploads/temporary/[A-Za-z0-9_-]+/Suppe-für-alle\.txt", address)
    response = fetches(world.nobody, address)
    assert (response.status_code, response.data) == (200, b"soup")
    assert response.headers["Content-Security-Policy"].endswith("sandbox")
    world.clock.advance(59.9)
    assert fetches(world.nobody, address).status_code == 200
    world.clock.advance(0.2)
    refusal(fetches(world.nobody, address))
    refusal(fetches(ada, address))


def test_access_is_checked_when_a_temporary_address_is_given(
    world: World, ada: Someone, bea: Someone
) -> None:
    url = uploads(ada)["url"]
    bea.refused("GET", url, status=404)
    world.nobody.refused("GET", url, status=401, code="UNAUTHORIZED")


def test_a_temporary_address_cannot_be_made_up(world: World, ada: Someone) -> None:
    url = uploads(ada)["url"]
    address = temporary(ada, url)
    token, name = address.split("/")[3:]
    signed = urlsafe_b64decode(token + "=" * (-len(token) % 4))
    later = signed.replace(b":", b"0:", 1)
    assert later != signed
    others = [
        f"/user_uploads/temporary/{token}/other.txt",
        f"/user_uploads/temporary/{token[:-2]}/{name}",
        f"/user_uploads/temporary/{urlsafe_b64encode(later).decode().rstrip('=')}/{name}",
        f"/user_uploads/temporary/{urlsafe_b64encode(bytes(32) + signed[32:]).decode().rstrip('=')}/{name}",
        f"/user_uploads/temporary/x/{name}",
        f"/user_uploads/temporary/é/{name}",
    ]
    for other in others:
        refusal(fetches(world.nobody, other))
    assert fetches(world.nobody, address).status_code == 200


def test_a_temporary_address_ends_with_its_file(world: World, ada: Someone) -> None:
    url = uploads(ada)["url"]
    address = temporary(ada, url)
    ada.delete(f"/attachments/{attachments(ada)[0]['id']}")
    assert fetches(world.nobody, address).status_code == 404


def test_a_file_whose_bytes_are_lost_is_absent(world: World, ada: Someone) -> None:
    url = uploads(ada)["url"]
    world.svc.files.remove(file_key(url.removeprefix("/user_uploads/")))
    assert fetches(ada, url).status_code == 404


def test_other_roles_have_no_more_rights(make_world: MakeWorld, tmp_path: Any) -> None:
    world = make_world(data_dir=tmp_path / "data")
    url = uploads(world["ada"])["url"]
    world["ada"].says(url, "secret")
    assert not can_read(world.add_user("new", role=Role.OWNER), url)
