"""Resumable uploads: the tus protocol over HTTP, on both stores."""

import hashlib
import json
import os
import threading
from base64 import b64encode
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from chatcore.application.files import resumable
from chatcore.application.files import uploads as use_cases
from chatcore.application.files.resumable import NoSuchUpload
from chatcore.application.files.uploads import CHECKPOINT
from chatcore.domain.files.uploads import QuotaExceeded, UnfinishedUpload, file_key
from chatcore.domain.limits import Limits
from tests.waiting import PATIENCE
from tests.worlds.files import (
    Slowly,
    attachments,
    fetches,
    files_world,
    raw_request,
    sends_file,
    stored_files,
    uploads,
)
from tests.worlds.organization import MakeWorld, Someone, World, basic

__all__ = ["files_world"]

MIB = 2**20
TUS = "/api/v1/tus"
BYTES = "application/offset+octet-stream"


@pytest.fixture
def world(files_world: World) -> World:
    return files_world


def request(
    someone: Someone, method: str, path: str, data: bytes = b"", *, content_type: str = "", **headers: Any
) -> TestResponse:
    """A request of the protocol; None leaves a header out."""
    given = {"Tus_Resumable": "1.0.0", **headers}
    named = {name.replace("_", "-"): str(value) for name, value in given.items() if value is not None}
    return someone.client.open(
        path, method=method, data=data, content_type=content_type, headers={**someone.headers, **named}
    )


def metadata(**entries: str) -> str:
    return ",".join(f"{key} {b64encode(value.encode()).decode()}" for key, value in entries.items())


def begins(someone: Someone, length: int, **headers: Any) -> str:
    """Begin an upload; its address."""
    response = request(someone, "POST", TUS, Upload_Length=length, **headers)
    assert response.status_code == 201, response.text
    assert ("Content-Type" in response.headers) == bool(response.data)
    location: str = response.headers["Location"]
    return location


def sends(someone: Someone, location: str, offset: object, data: bytes, **headers: Any) -> TestResponse:
    given = {"content_type": BYTES, "Upload_Offset": offset, **headers}
    return request(someone, "PATCH", location, data, **given)


def offset(someone: Someone, location: str) -> int:
    response = request(someone, "HEAD", location)
    assert response.status_code == 200
    return int(response.headers["Upload-Offset"])


def refused(response: TestResponse, status: int) -> str:
    assert response.status_code == status, (response.status_code, response.text)
    assert response.headers["Tus-Resumable"] == "1.0.0"
    assert response.headers["Content-Type"] == "application/json"
    if response.request.method == "HEAD":
        return ""
    answer = response.get_json()
    assert set(answer) == {"message"}
    return str(answer["message"])


@pytest.mark.shows("tus.resumes", "tus.answer", "authentication.tus", "change.tus")
def test_a_file_is_uploaded_in_several_requests(world: World, ada: Someone) -> None:
    header = metadata(filename="Q3 (final)  plän.pdf", filetype="application/pdf")
    location = begins(ada, 14, Upload_Metadata=header)
    assert location.startswith(f"{TUS}/1/")
    assert location.endswith("/Q3-final-pln.pdf")
    first = sends(ada, location, 0, b"%PDF-1.")
    assert (first.status_code, first.headers["Upload-Offset"], first.data) == (204, "7", b"")
    assert offset(ada, location) == 7
    assert fetches(ada, location.replace(TUS, "/user_uploads")).status_code == 404
    assert attachments(ada) == []
    received = ada.opens_queue("attachment")
    last = sends(ada, location, 7, b"7 soup!")
    assert (last.status_code, last.headers["Upload-Offset"]) == (200, "14")
    url = location.replace(TUS, "/user_uploads")
    assert last.get_json() == {"url": url, "uri": url, "filename": "Q3 (final)  plän.pdf"}
    response = fetches(ada, url)
    assert response.data == b"%PDF-1.7 soup!"
    assert response.headers["Content-Type"] == "application/pdf"
    assert response.headers["Content-Disposition"].startswith("inline;")
    (event,) = received.events()
    (attachment,) = attachments(ada)
    assert (event["op"], event["attachment"]) == ("add", attachment)
    assert attachment["name"] == "Q3 (final)  plän.pdf"
    assert len(stored_files(world)) == 1


@pytest.mark.shows("tus.answer")
def test_the_result_is_like_that_of_the_plain_endpoint(world: World, ada: Someone, bea: Someone) -> None:
    location = begins(ada, 4, Upload_Metadata=metadata(filename="soup.txt"))
    resumed = sends(ada, location, 0, b"soup").get_json()
    plain = uploads(ada, b"soup", "soup.txt")
    assert resumed.keys() <= plain.keys()
    first, second = attachments(ada)
    assert {**first, "id": 0, "path_id": ""} == {**second, "id": 0, "path_id": ""}
    ada.says(resumed["url"])
    a, b = fetches(bea, resumed["url"]), fetches(ada, plain["url"])
    assert a.data == b.data
    own = {"ETag": "", "Date": "", "X-Request-Id": ""}
    assert {**a.headers, **own} == {**b.headers, **own}


@pytest.mark.shows("tus.options")
@pytest.mark.parametrize("path", [TUS, f"{TUS}/1/ab/x/y"])
def test_options_describes_the_server_without_a_login(world: World, path: str) -> None:
    response = request(world.nobody, "OPTIONS", path, Tus_Resumable=None)
    assert response.status_code == 204
    assert response.headers["Tus-Version"] == response.headers["Tus-Resumable"] == "1.0.0"
    assert response.headers["Tus-Max-Size"] == str(100 * MIB)
    extensions = {"creation", "creation-with-upload", "termination", "expiration", "checksum"}
    assert set(response.headers["Tus-Extension"].split(",")) == extensions
    assert set(response.headers["Tus-Checksum-Algorithm"].split(",")) == {"sha1", "sha256"}


def test_uploads_can_be_turned_off(make_world: MakeWorld, tmp_path: Path) -> None:
    world = make_world(data_dir=tmp_path / "data", limits=Limits(max_file_upload_size_mib=0))
    assert request(world["ada"], "OPTIONS", TUS).headers["Tus-Max-Size"] == "0"
    refused(request(world["ada"], "POST", TUS, Upload_Length=0), 413)


@pytest.mark.shows("tus.resumes")
def test_head_answers_the_offset_of_an_upload(ada: Someone) -> None:
    header = metadata(filename="soup.txt") + ",relaxed"
    location = begins(ada, 10, Upload_Metadata=header)
    sends(ada, location, 0, b"sou")
    response = request(ada, "HEAD", location)
    assert response.headers["Upload-Offset"] == "3"
    assert response.headers["Upload-Length"] == "10"
    assert response.headers["Upload-Metadata"] == header
    assert response.headers["Cache-Control"] == "no-store"
    assert "Upload-Metadata" not in request(ada, "HEAD", begins(ada, 10)).headers


@pytest.mark.parametrize(
    ("header", "name", "in_url", "content_type"),
    [
        (None, "uploaded-file", "uploaded-file", "application/octet-stream"),
        ("", "uploaded-file", "uploaded-file", "application/octet-stream"),
        ("filename", "uploaded-file", "uploaded-file", "application/octet-stream"),
        (metadata(filename=".."), "uploaded-file", "uploaded-file", "application/octet-stream"),
        (metadata(filename="."), "uploaded-file", "uploaded-file", "application/octet-stream"),
        (metadata(filename="../../x.gif"), "x.gif", "x.gif", "image/gif"),
        (metadata(filename="お茶.png"), "お茶.png", ".png", "image/png"),
        (metadata(filename="お茶"), "お茶", "uploaded-file", "application/octet-stream"),
        (metadata(filename="a.gif", filetype=""), "a.gif", "a.gif", "image/gif"),
        (metadata(filename="a.gif", filetype="text/x-soup"), "a.gif", "a.gif", "text/x-soup"),
        (metadata(filename="a.gif", filetype="a/b\r\nX: y"), "a.gif", "a.gif", "image/gif"),
        (metadata(filename="a\r\nX: y", other="z"), "a X: y", "a-X-y", "application/octet-stream"),
    ],
)
def test_the_metadata_name_the_file(
    ada: Someone, header: str | None, name: str, in_url: str, content_type: str
) -> None:
    location = begins(ada, 1, Upload_Metadata=header)
    answer = sends(ada, location, 0, b"x").get_json()
    assert (answer["filename"], answer["url"].split("/", 5)[5]) == (name, in_url)
    response = fetches(ada, answer["url"])
    assert response.headers["Content-Type"] == content_type
    assert "X" not in response.headers


def test_an_upload_of_nothing_is_finished_at_once(world: World, ada: Someone) -> None:
    response = request(ada, "POST", TUS, Upload_Length=0, Upload_Metadata=metadata(filename="empty.txt"))
    assert (response.status_code, response.headers["Upload-Offset"]) == (201, "0")
    assert response.get_json()["filename"] == "empty.txt"
    assert fetches(ada, response.get_json()["url"]).data == b""
    assert "Upload-Expires" not in response.headers


def test_the_first_bytes_may_come_with_the_creation(ada: Someone) -> None:
    first = request(ada, "POST", TUS, b"sou", Upload_Length=4, content_type=BYTES)
    assert (first.status_code, first.headers["Upload-Offset"]) == (201, "3")
    assert sends(ada, first.headers["Location"], 3, b"p").status_code == 200
    whole = request(ada, "POST", TUS, b"soup", Upload_Length=4, content_type=BYTES)
    assert (whole.status_code, whole.headers["Upload-Offset"]) == (201, "4")
    assert fetches(ada, whole.get_json()["url"]).data == b"soup"
    empty = request(ada, "POST", TUS, b"", Upload_Length=0, content_type=BYTES)
    assert (empty.status_code, empty.get_json()["filename"]) == (201, "uploaded-file")
    ignored = request(ada, "POST", TUS, b"soup", Upload_Length=4, content_type="text/plain")
    assert (ignored.status_code, ignored.headers["Upload-Offset"]) == (201, "0")


def test_an_upload_can_be_given_up(world: World, ada: Someone) -> None:
    location = begins(ada, 10)
    sends(ada, location, 0, b"sou")
    response = request(ada, "DELETE", location)
    assert (response.status_code, response.headers["Tus-Resumable"]) == (204, "1.0.0")
    for method in ("HEAD", "DELETE"):
        refused(request(ada, method, location), 404)
    refused(sends(ada, location, 3, b"x"), 404)
    assert stored_files(world) == []
    assert world.count("unfinished_upload") == 0


def test_a_finished_upload_stays_and_answers_again(world: World, ada: Someone) -> None:
    location = begins(ada, 4)
    answer = sends(ada, location, 0, b"soup").get_json()
    refused(request(ada, "DELETE", location), 403)
    again = sends(ada, location, 4, b"")
    assert (again.status_code, again.get_json()) == (200, answer)
    refused(sends(ada, location, 4, b"x"), 413)
    refused(sends(ada, location, 0, b"soup"), 409)
    head = request(ada, "HEAD", location)
    assert (head.headers["Upload-Offset"], head.headers["Upload-Length"]) == ("4", "4")
    assert fetches(ada, answer["url"]).data == b"soup"
    ada.delete(f"/attachments/{attachments(ada)[0]['id']}")
    refused(request(ada, "HEAD", location), 404)


def test_an_id_may_have_something_behind_it(ada: Someone) -> None:
    location = begins(ada, 4)
    assert offset(ada, location + "+abc123") == 0
    assert sends(ada, location + "+abc123", 0, b"soup").status_code == 200


def test_the_method_may_be_in_a_header(ada: Someone) -> None:
    location = begins(ada, 4)
    override = {"X_HTTP_Method_Override": "PATCH", "Upload_Offset": 0, "content_type": BYTES}
    assert request(ada, "POST", location, b"so", **override).status_code == 204  # type: ignore[arg-type]
    assert offset(ada, location) == 2
    assert request(ada, "POST", location, X_HTTP_Method_Override="delete").status_code == 204
    # Nowhere else does it mean anything.
    elsewhere = request(ada, "POST", "/api/v1/drafts", X_HTTP_Method_Override="DELETE")
    assert elsewhere.get_json()["ids"] == []


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
@pytest.mark.parametrize("override", ["HEAD", "GET", "PUT", "OPTIONS", "POST", "DELETE", "head", "x", ""])
def test_sec_75_no_header_changes_whether_an_answer_has_a_body(
    ada: Someone, method: str, override: str
) -> None:
    """The connection knows the method of the request line alone."""
    for path in (TUS, begins(ada, 4)):
        given = {"X-HTTP-Method-Override": override, "Tus-Resumable": "1.0.0"}
        response = ada.client.open(path, method=method, headers={**ada.headers, **given})
        length = int(response.headers.get("Content-Length", 0))
        assert len(response.data) == (0 if method == "HEAD" else length), (path, response.status)
    response = ada.client.open("/health", method=method, headers={"X-HTTP-Method-Override": override})
    assert bool(response.data) == (method not in ("HEAD", "OPTIONS"))


# Refusals


@pytest.mark.parametrize("version", [None, "0.2.2", "1.0.1"])
@pytest.mark.parametrize("method", ["POST", "HEAD", "PATCH", "DELETE"])
def test_every_request_but_options_names_its_version(ada: Someone, method: str, version: str | None) -> None:
    path = TUS if method == "POST" else begins(ada, 4)
    response = request(ada, method, path, Tus_Resumable=version, Upload_Length=4, Upload_Offset=0)
    refused(response, 412)
    assert response.headers["Tus-Version"] == "1.0.0"


@pytest.mark.shows("limit.file-size")
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 411),
        ({"Upload_Defer_Length": 1}, 411),
        ({"Upload_Length": ""}, 422),
        ({"Upload_Length": "-1"}, 422),
        ({"Upload_Length": "1.5"}, 422),
        ({"Upload_Length": "0x10"}, 422),
        ({"Upload_Length": "١"}, 422),
        ({"Upload_Length": 100 * MIB + 1}, 413),
        ({"Upload_Length": 10**15}, 413),
        ({"Upload_Length": "9" * 500}, 413),
        ({"Upload_Length": 4, "Upload_Metadata": "filename !!!"}, 422),
        ({"Upload_Length": 4, "Upload_Metadata": "filename /w=="}, 422),
        ({"Upload_Length": 4, "Upload_Metadata": "filename c291cA== x"}, 422),
        ({"Upload_Length": 4, "Upload_Metadata": "filename é"}, 422),
        ({"Upload_Length": 4, "Upload_Checksum": "crc32 AAAA", "content_type": BYTES}, 400),
    ],
)
def test_sec_65_an_upload_that_cannot_be_begun(
    world: World, ada: Someone, headers: dict[str, Any], status: int
) -> None:
    refused(request(ada, "POST", TUS, **headers), status)
    assert world.count("unfinished_upload") == 0
    assert stored_files(world) == []


@pytest.mark.parametrize(
    ("wrong", "data", "headers", "status"),
    [
        ("0", b"x", {}, 409),
        ("3", b"x", {}, 409),
        ("5", b"x", {}, 409),
        ("9999999999999999999", b"x", {}, 409),
        ("-1", b"x", {}, 422),
        ("", b"x", {}, 422),
        (None, b"x", {}, 422),
        ("x", b"x", {}, 422),
        ("2", b"123456789", {}, 413),
        ("2", b"x", {"content_type": "application/octet-stream"}, 415),
        ("2", b"x", {"content_type": ""}, 415),
        ("2", b"x", {"Upload_Checksum": "md5 AAAA"}, 400),
        ("2", b"x", {"Upload_Checksum": "sha1"}, 460),
        ("2", b"x", {"Upload_Checksum": "sha1 !!"}, 400),
    ],
)
def test_sec_65_bytes_that_cannot_be_taken_change_nothing(
    world: World, ada: Someone, wrong: str | None, data: bytes, headers: dict[str, Any], status: int
) -> None:
    location = begins(ada, 10)
    sends(ada, location, 0, b"so")
    refused(sends(ada, location, wrong, data, **headers), status)
    assert offset(ada, location) == 2
    assert sends(ada, location, 2, b"up is hot").status_code == 413
    answer = sends(ada, location, 2, b"up is ok").get_json()
    assert fetches(ada, answer["url"]).data == b"soup is ok"


@pytest.mark.shows("tus.owner", "authentication.tus")
def test_sec_65_an_upload_is_its_creators_alone(world: World, ada: Someone) -> None:
    location = begins(ada, 10)
    sends(ada, location, 0, b"so")
    guess = location[:-8] + "x" * 8
    for name in ("bea", "olga", "robo"):
        for path in (location, guess):
            refused(request(world[name], "HEAD", path), 404)
            refused(sends(world[name], path, 2, b"x"), 404)
            refused(request(world[name], "DELETE", path), 404)
    for method, path in (("POST", TUS), ("HEAD", location), ("PATCH", location), ("DELETE", location)):
        response = request(world.nobody, method, path, Upload_Length=4, Upload_Offset=2)
        refused(response, 401)
        assert response.headers["WWW-Authenticate"].startswith("Basic")
    assert offset(ada, location) == 2
    sends(ada, location, 2, b"12345678")
    refused(request(world["bea"], "HEAD", location), 404)


def test_credentials_that_are_wrong_are_refused_in_the_protocols_form(ada: Someone) -> None:
    ada.headers["Authorization"] = basic(ada.email, "x" * 32)
    assert refused(request(ada, "POST", TUS, Upload_Length=4), 401) == "Invalid API key"


def test_sec_65_a_plain_upload_cannot_be_resumed(world: World, ada: Someone) -> None:
    plain = UnfinishedUpload(
        path_id=use_cases.new_path_id("x"),
        owner_id=ada.actor.user_id,
        name="x",
        expires_at=world.svc.now + 60,
    )
    use_cases.begin(world.svc, ada.actor, plain)
    refused(request(ada, "HEAD", f"{TUS}/{plain.path_id}"), 404)


def test_sec_65_only_so_many_uploads_rest_at_a_time(make_world: MakeWorld, tmp_path: Path) -> None:
    limits = Limits(max_unfinished_uploads_per_user=3)
    world = make_world(data_dir=tmp_path / "data", limits=limits)
    ada = world["ada"]
    locations = [begins(ada, 4) for _ in range(3)]
    refused(request(ada, "POST", TUS, Upload_Length=4), 429)
    refused(request(ada, "POST", TUS, Upload_Length=0), 429)
    begins(world["bea"], 4)
    request(ada, "DELETE", locations[0])
    sends(ada, locations[1], 0, b"soup")
    begins(ada, 4)
    begins(ada, 4)
    refused(request(ada, "POST", TUS, Upload_Length=4), 429)
    world.clock.advance(limits.unfinished_upload_lifetime)
    begins(ada, 4)
    assert world.count("unfinished_upload") == 1


def test_sec_65_received_bytes_count_against_the_quota(world: World, ada: Someone, gus: Someone) -> None:
    """Announced bytes do not count, or a guest could keep everybody from uploading."""
    world.change_organization(upload_quota_mib=1)
    locations = [begins(gus, MIB) for _ in range(5)]
    uploads(ada, b"soup")
    assert sends(gus, locations[0], 0, b"x" * (MIB - 8)).status_code == 204
    refused(request(ada, "POST", TUS, Upload_Length=5), 413)
    assert sends(ada, begins(ada, 4), 0, b"stew").status_code == 200
    refused(sends(gus, locations[0], MIB - 8, b"12345678"), 413)
    refused(sends(gus, locations[1], 0, b"x"), 413)
    assert offset(gus, locations[0]) == MIB - 8
    assert offset(gus, locations[1]) == 0
    request(gus, "DELETE", locations[0])
    assert sends(gus, locations[1], 0, b"x" * 1000).status_code == 204
    assert len(attachments(ada)) == 2


def test_sec_65_each_account_has_its_own_space(make_world: MakeWorld, tmp_path: Path) -> None:
    world = make_world(data_dir=tmp_path / "data", limits=Limits(max_upload_space_per_user_mib=1))
    ada, bea = world["ada"], world["bea"]
    uploads(ada, b"x" * (MIB - 10))
    refused(request(ada, "POST", TUS, Upload_Length=11), 413)
    first, second = begins(ada, 10), begins(ada, 10)
    assert sends(ada, first, 0, b"123456").status_code == 204
    refused(sends(ada, second, 0, b"12345"), 413)
    assert sends(ada, second, 0, b"1234").status_code == 204
    answer = sends_file(ada, b"x").get_json()
    assert answer["code"] == "REALM_UPLOAD_QUOTA"
    uploads(bea, b"x" * MIB)
    ada.delete(f"/attachments/{attachments(ada)[0]['id']}")
    uploads(ada, b"x" * (MIB - 10))


def test_sec_65_each_account_uploads_only_so_much_on_a_day(make_world: MakeWorld, tmp_path: Path) -> None:
    """Deleted uploads count, too."""
    world = make_world(data_dir=tmp_path / "data", limits=Limits(max_uploads_per_user_and_day_mib=1))
    ada, bea = world["ada"], world["bea"]
    for _ in range(2):
        uploads(ada, b"x" * (MIB // 2))
        ada.delete(f"/attachments/{attachments(ada)[0]['id']}")
    response = sends_file(ada, b"x")
    assert (response.status_code, response.get_json()["code"]) == (429, "RATE_LIMIT_HIT")
    refused(request(ada, "POST", TUS, Upload_Length=1), 429)
    uploads(bea)
    world.clock.advance(int(response.headers["Retry-After"]))
    uploads(ada)


def test_sec_65_files_leave_some_of_the_disk_free(
    world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = world.svc.limits.min_free_disk_mib * MIB
    monkeypatch.setattr(type(world.svc.files), "free_space", lambda files: free + 9)
    location = begins(ada, 9)
    refused(request(ada, "POST", TUS, Upload_Length=10), 413)
    monkeypatch.setattr(type(world.svc.files), "free_space", lambda files: free - 1)
    answer = sends_file(ada, b"x")
    assert (answer.status_code, answer.get_json()["code"]) == (400, "REALM_UPLOAD_QUOTA")
    refused(sends(ada, location, 0, b"soup"), 413)
    ada.says("soup")
    monkeypatch.undo()
    assert offset(ada, location) == 0
    assert sends(ada, location, 0, b"soup").status_code == 204


def test_sec_65_a_plain_upload_counts_while_it_comes(world: World, ada: Someone, bea: Someone) -> None:
    world.change_organization(upload_quota_mib=5)

    def pieces() -> Iterator[bytes]:
        yield b"x" * CHECKPOINT
        answer = sends_file(bea, b"x" * (MIB + 1)).get_json()
        assert answer["code"] == "REALM_UPLOAD_QUOTA"
        yield b"x" * CHECKPOINT

    with pytest.raises(QuotaExceeded):
        use_cases.upload(world.svc, world.actor("ada"), "soup.txt", "text/plain", pieces())
    assert stored_files(world) == []
    assert world.count("unfinished_upload") == 0
    uploads(bea, b"x" * (MIB + 1))


def test_sec_65_received_bytes_are_counted_once(make_world: MakeWorld, tmp_path: Path) -> None:
    """Bytes are counted once, however often they are synced in between, so that one file can fill the whole
    quota.
    """
    whole = 2 * CHECKPOINT + MIB
    world = make_world(data_dir=tmp_path / "data", limits=Limits(max_upload_space_per_user_mib=whole // MIB))
    ada, bea = world["ada"], world["bea"]
    assert sends_file(ada, b"x" * whole).status_code == 200
    location = begins(bea, whole)
    assert sends(bea, location, 0, b"x" * (2 * CHECKPOINT)).status_code == 204
    assert sends(bea, location, 2 * CHECKPOINT, b"x" * MIB).status_code == 200
    assert [attachments(one)[0]["size"] for one in (ada, bea)] == [whole] * 2
    refused(request(bea, "POST", TUS, Upload_Length=1), 413)


def test_an_upload_does_not_fit_any_more_when_the_quota_was_lowered(world: World, ada: Someone) -> None:
    location = begins(ada, 4)
    world.change_organization(upload_quota_mib=0)
    refused(sends(ada, location, 0, b"soup"), 413)
    assert attachments(ada) == []


def test_sec_65_an_upload_expires_when_nothing_comes(world: World, ada: Someone) -> None:
    lifetime, before = (
        world.svc.limits.unfinished_upload_lifetime,
        world.svc.limits.announced_upload_lifetime,
    )
    created = request(ada, "POST", TUS, Upload_Length=10)
    location = created.headers["Location"]
    expires = parsedate_to_datetime(created.headers["Upload-Expires"]).timestamp()
    assert expires == world.svc.now + before
    world.clock.advance(before - 1)
    response = sends(ada, location, 0, b"so")
    assert parsedate_to_datetime(response.headers["Upload-Expires"]).timestamp() == world.svc.now + lifetime
    world.clock.advance(lifetime - 1)
    assert offset(ada, location) == 2
    world.clock.advance(1)
    refused(request(ada, "HEAD", location), 404)
    refused(sends(ada, location, 2, b"x"), 404)
    assert len(stored_files(world)) == 1
    world.svc.hub.maintain()
    assert stored_files(world) == []


# Checksums


@pytest.mark.parametrize("algorithm", ["sha1", "sha256"])
def test_bytes_under_a_checksum_count_only_when_it_is_right(ada: Someone, algorithm: str) -> None:
    def checksum(data: bytes) -> str:
        return f"{algorithm} {b64encode(hashlib.new(algorithm, data).digest()).decode()}"

    location = begins(ada, 8)
    assert sends(ada, location, 0, b"soup", Upload_Checksum=checksum(b"soup")).status_code == 204
    refused(sends(ada, location, 4, b"SALT", Upload_Checksum=checksum(b"tea!")), 460)
    assert offset(ada, location) == 4
    answer = sends(ada, location, 4, b"tea!", Upload_Checksum=checksum(b"tea!")).get_json()
    assert fetches(ada, answer["url"]).data == b"souptea!"
    created = request(
        ada, "POST", TUS, b"soup", Upload_Length=4, content_type=BYTES, Upload_Checksum=checksum(b"x")
    )
    refused(created, 460)


def test_bytes_under_a_wrong_checksum_leave_nothing_and_need_room(
    world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resumable, "CHECKPOINT", 4)
    wrong = f"sha1 {b64encode(b'x' * 20).decode()}"
    location = begins(ada, 2**21)
    refused(sends(ada, location, 0, b"x" * 2**20, Upload_Checksum=wrong), 460)
    assert [path.stat().st_size for path in stored_files(world)] == [0]
    world.change_organization(upload_quota_mib=0)
    refused(sends(ada, location, 0, b"x" * 2**20, Upload_Checksum=wrong), 413)
    assert [path.stat().st_size for path in stored_files(world)] == [0]


# Interruptions


def patch_slowly(someone: Someone, location: str, at: int, body: Slowly, length: int, **headers: str) -> str:
    _, status, _ = raw_request(
        someone, "PATCH", location, body,
        CONTENT_TYPE=BYTES, CONTENT_LENGTH=str(length), HTTP_TUS_RESUMABLE="1.0.0",
        HTTP_UPLOAD_OFFSET=str(at), **headers,
    )  # fmt: skip
    return status


def test_bytes_received_before_the_connection_broke_are_kept(ada: Someone) -> None:
    data = os.urandom(300_000)
    location = begins(ada, len(data))
    assert patch_slowly(ada, location, 0, Slowly(data, breaks_after=200_000), len(data)).startswith("400")
    kept = offset(ada, location)
    assert 130_000 < kept <= 200_000
    assert (
        patch_slowly(ada, location, kept, Slowly(data[kept:], breaks_after=0), len(data) - kept)[:3] == "400"
    )
    assert offset(ada, location) == kept
    answer = sends(ada, location, kept, data[kept:]).get_json()
    assert fetches(ada, answer["url"]).data == data


def test_under_a_checksum_nothing_is_kept_when_the_connection_breaks(ada: Someone) -> None:
    data = os.urandom(300_000)
    digest = b64encode(hashlib.sha1(data).digest()).decode()
    location = begins(ada, len(data))
    body = Slowly(data, breaks_after=200_000)
    patch_slowly(ada, location, 0, body, len(data), HTTP_UPLOAD_CHECKSUM=f"sha1 {digest}")
    assert offset(ada, location) == 0


def test_a_chunked_body_needs_no_length(ada: Someone) -> None:
    location = begins(ada, 4)
    answer, status, _ = raw_request(
        ada, "PATCH", location, Slowly(b"soup"),
        CONTENT_TYPE=BYTES, HTTP_TUS_RESUMABLE="1.0.0", HTTP_UPLOAD_OFFSET="0",
        HTTP_TRANSFER_ENCODING="chunked", **{"wsgi.input_terminated": True},
    )  # fmt: skip
    assert status == "200 OK"
    assert fetches(ada, json.loads(answer)["url"]).data == b"soup"


class Gate(Slowly):
    """A body whose second piece arrives when the test opens the gate."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self.begun = threading.Event()
        self.more = threading.Event()

    def read(self, size: int = -1) -> bytes:
        if self.taken:
            self.begun.set()
            assert self.more.wait(PATIENCE)
        return super().read(min(size, len(self.data) // 2))


def while_sending(ada: Someone, location: str, body: Gate, work: Any) -> str:
    """Do *work* in the middle of a request; the status of that request."""
    statuses: list[str] = []
    thread = threading.Thread(
        target=lambda: statuses.append(patch_slowly(ada, location, 0, body, len(body.data)))
    )
    thread.start()
    assert body.begun.wait(PATIENCE)
    try:
        work()
    finally:
        body.more.set()
        thread.join(PATIENCE)
    return statuses[0]


def test_sec_65_one_request_at_a_time_writes(ada: Someone) -> None:
    location = begins(ada, 8)

    def another() -> None:
        refused(sends(ada, location, 0, b"SALT"), 423)
        assert offset(ada, location) == 0

    assert while_sending(ada, location, Gate(b"soup tea"), another) == "200 OK"
    assert fetches(ada, location.replace(TUS, "/user_uploads")).data == b"soup tea"


def test_an_upload_that_is_given_up_while_bytes_come_is_gone(world: World, ada: Someone) -> None:
    location = begins(ada, 8)
    work = lambda: request(ada, "DELETE", location)  # noqa: E731
    assert while_sending(ada, location, Gate(b"soup tea"), work) == "404 Not Found"
    assert stored_files(world) == []
    assert attachments(ada) == []


def test_an_upload_that_was_marked_as_given_up_takes_no_bytes(world: World, ada: Someone) -> None:
    location = begins(ada, 8)
    path_id = location.removeprefix(f"{TUS}/")

    def mark() -> None:
        world.storage.write(lambda tx: tx.uploads.advance(path_id, 0, 0))

    assert while_sending(ada, location, Gate(b"soup tea"), mark) == "404 Not Found"
    assert attachments(ada) == []


def test_bytes_are_made_safe_now_and_then_while_more_are_coming(world: World, ada: Someone) -> None:
    length = 2 * CHECKPOINT + 1000
    location = begins(ada, length)
    standing: list[int] = []

    def pieces() -> Any:
        for start in range(0, length, MIB // 2):
            standing.append(resumable.progress(world.svc, ada.actor, location[len(TUS) + 1 :]).upload.offset)
            yield b"x" * min(MIB // 2, length - start)

    done = resumable.receive(world.svc, ada.actor, location[len(TUS) + 1 :], 0, pieces())
    assert done.attachment is not None
    assert {*standing} == {0, CHECKPOINT, 2 * CHECKPOINT}


def test_a_body_that_is_too_long_stays_where_it_was_safe(world: World, ada: Someone) -> None:
    location = begins(ada, CHECKPOINT + 10)
    refused(sends(ada, location, 0, b"x" * (CHECKPOINT + 70_000)), 413)
    assert offset(ada, location) == CHECKPOINT
    assert sends(ada, location, CHECKPOINT, b"x" * 10).status_code == 200


def test_another_request_may_have_moved_the_offset_before_this_one_writes(
    world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    location = begins(ada, 8)
    path_id = location[len(TUS) + 1 :]
    writer = world.svc.files.writer

    def late(key: str, at: int = 0) -> Any:
        monkeypatch.undo()
        assert sends(ada, location, 0, b"soup").status_code == 204
        return writer(key, at)

    monkeypatch.setattr(world.svc.files, "writer", late)
    with pytest.raises(resumable.WrongOffset):
        resumable.receive(world.svc, ada.actor, path_id, 0, iter([b"SALT"]))
    assert offset(ada, location) == 4


def test_a_file_that_is_lost_cannot_be_gone_on_with(world: World, ada: Someone) -> None:
    location = begins(ada, 8)
    sends(ada, location, 0, b"soup")
    for path in stored_files(world):
        path.unlink()
    refused(sends(ada, location, 4, b" tea"), 404)


def test_an_upload_that_is_whole_is_finished_after_a_crash(world: World, ada: Someone) -> None:
    for number, finished in enumerate((False, True)):
        location = begins(ada, 4)
        path_id = location[len(TUS) + 1 :]
        writer = world.svc.files.writer(file_key(path_id))
        writer.write(b"soup")
        writer.close()
        world.storage.write(lambda tx, path=path_id: tx.uploads.advance(path, 4, world.svc.now + 60))  # type: ignore[misc]
        if finished:
            world.svc.files.finish(file_key(path_id))
        assert offset(ada, location) == 4
        assert len(attachments(ada)) == number + 1
        assert sends(ada, location, 4, b"").get_json()["url"] == f"/user_uploads/{path_id}"


def test_an_upload_of_nothing_is_finished_after_a_crash_too(
    world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    created: list[str] = []
    begin = use_cases.begin

    def crash(svc: Any, actor: Any, upload: Any) -> None:
        begin(svc, actor, upload)
        created.append(upload.path_id)
        raise NoSuchUpload

    monkeypatch.setattr(resumable, "begin", crash)
    refused(request(ada, "POST", TUS, Upload_Length=0), 404)
    monkeypatch.undo()
    (path_id,) = created
    writer = world.svc.files.writer(file_key(path_id))  # somebody else is finishing it right now
    refused_or_done = request(ada, "HEAD", f"{TUS}/{path_id}")
    assert refused_or_done.status_code == 200
    writer.close()
    assert fetches(ada, f"/user_uploads/{path_id}").data == b""


def test_another_server_on_the_same_store_goes_on(make_world: MakeWorld, tmp_path: Path) -> None:
    first, second = make_world(data_dir=tmp_path / "data"), make_world(data_dir=tmp_path / "data")
    location = begins(first["ada"], 8)
    sends(first["ada"], location, 0, b"soup")
    assert offset(second["ada"], location) == 4
    answer = sends(second["ada"], location, 4, b" tea").get_json()
    assert fetches(first["ada"], answer["url"]).data == b"soup tea"


def test_the_address_of_an_upload_has_the_prefix_of_the_application(ada: Someone) -> None:
    _, status, headers = raw_request(
        ada, "POST", TUS, SCRIPT_NAME="/chat", HTTP_TUS_RESUMABLE="1.0.0", HTTP_UPLOAD_LENGTH="4"
    )
    assert status == "201 Created"
    assert headers["Location"].startswith(f"/chat{TUS}/1/")


def test_get_is_no_method_of_the_protocol(ada: Someone) -> None:
    response = request(ada, "GET", begins(ada, 4))
    assert response.status_code == 405
    assert response.headers["Allow"] == "DELETE, HEAD, OPTIONS, PATCH"
