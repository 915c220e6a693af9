"""Uploading files, and the list of one's own, on both stores."""

import json
import re
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from chatcore.application.files import uploads as use_cases
from chatcore.application.files.upkeep import drop_unused
from chatcore.domain.files.uploads import Attachment, NoSuchFile, UnfinishedUpload, file_key
from chatcore.domain.limits import Limits
from chatcore.storage.files import FilesNotReady
from tests.waiting import PATIENCE
from tests.worlds.files import (
    MULTIPART,
    PNG,
    Slowly,
    attachments,
    fetches,
    files_world,
    form,
    part,
    raw_request,
    send_form,
    sends_file,
    stored_files,
    uploads,
)
from tests.worlds.organization import NOW, MakeWorld, Someone, World, succeeded
from tests.worlds.pictures import picture
from tests.worlds.toys import refusal

__all__ = ["files_world"]

MIB = 2**20


@pytest.fixture
def world(files_world: World) -> World:
    return files_world


@pytest.mark.shows(
    "conventions.file-part", "file.url", "file.filename", "upload.answer", "change.upload-url",
    "change.upload-filename",
)  # fmt: skip
def test_a_file_is_uploaded_and_read_back(world: World, ada: Someone) -> None:
    answer = uploads(ada, b"soup and salad", "Q3 (final)  plan.pdf", content_type="application/pdf")
    assert answer["url"] == answer["uri"]
    assert answer["filename"] == "Q3 (final)  plan.pdf"
    assert re.fullmatch(r"/user_uploads/1/[0-9a-f]{2}/[A-Za-z0-9_-]{24}/Q3-final-plan\.pdf", answer["url"])
    response = fetches(ada, answer["url"])
    assert (response.status_code, response.data) == (200, b"soup and salad")
    assert len(stored_files(world)) == 1
    assert world.count("unfinished_upload") == 0


@pytest.mark.shows("upload.one-file")
@pytest.mark.parametrize("name", ["file", "filename", "FILE0", "a b", "datei"])
def test_the_part_may_be_called_anything(ada: Someone, name: str) -> None:
    assert uploads(ada, b"soup", name=name)["filename"] == "soup.txt"


def test_fields_of_text_and_parts_without_a_name_are_passed_over(ada: Someone) -> None:
    body = form(
        part(b"hello", None, name="comment"),
        part(b"", ""),
        part(b"soup", "soup.txt"),
        part(b"nothing", ".."),
        part(b"bye", None, name="after"),
    )
    response = send_form(ada, body, query={"color": "red"})
    assert response.status_code == 200
    assert response.get_json()["ignored_parameters_unsupported"] == ["after", "color", "comment"]
    assert fetches(ada, response.get_json()["url"]).data == b"soup"


def test_an_empty_file_is_a_file(ada: Someone) -> None:
    response = fetches(ada, uploads(ada, b"", "empty.bin")["url"])
    assert (response.status_code, response.data) == (200, b"")
    assert response.headers["Content-Length"] == "0"


def test_the_same_file_twice_is_two_files(world: World, ada: Someone) -> None:
    urls = {uploads(ada)["url"] for _ in range(2)}
    assert len(urls) == len(attachments(ada)) == len(stored_files(world)) == 2


def test_a_file_is_made_safe_bit_by_bit(ada: Someone) -> None:
    data = bytes(use_cases.CHECKPOINT + 70_000)
    assert fetches(ada, uploads(ada, data)["url"]).data == data


def test_a_large_file_arrives_bit_for_bit(ada: Someone) -> None:
    data = bytes(range(256)) * 8 * 1024 + b"\r\n--cut\r\n--cu"
    answer = send_form(
        ada, form(part(data)).replace(b"--cut\r\nC", b"--CUT\r\nC").replace(b"--cut--", b"--CUT--"),
        content_type="multipart/form-data; boundary=CUT",
    ).get_json()  # fmt: skip
    assert fetches(ada, answer["url"]).data == data


@pytest.mark.shows("authentication.bots")
def test_guests_and_bots_may_upload(world: World) -> None:
    for name in ("gus", "robo"):
        url = uploads(world[name], name.encode())["url"]
        assert fetches(world[name], url).data == name.encode()
        assert [one["path_id"] for one in attachments(world[name])] == [url.removeprefix("/user_uploads/")]


NOT_ONE_FILE = [
    form(),
    form(part(b"x", None)),
    form(part(b"x", "")),
    form(part(b"x", ".")),
    form(part(b"x", "a/..")),
    form(part(b"x", "%2e%2e")),
    form(part(b"x", "a.txt"), part(b"y", "b.txt")),
    form(part(b"x", "a.txt"), part(b"hello", None), part(b"y", "b.txt")),
]
MALFORMED = [
    b"",
    b"hello",
    b"--cut\r\n\r\nx\r\n--cut--\r\n",
    part(b"x"),
    form(part(b"x"))[:-9],
    form(part(b"soup", name="file" + '"; a="b' * 2000)),  # the same limit as for fields
    b'--cut\r\nContent-Disposition: form-data; name="\xff"; filename="a"\r\n\r\nx\r\n--cut--\r\n',
]


@pytest.mark.shows("conventions.ignored-parameters", "upload.one-file")
def test_form_fields_beside_the_file_are_named_in_the_answer(ada: Someone) -> None:
    beside = [part(b"1", None, name=name) for name in ("foo", "emoji_name", "dont_block", "zoo")]
    for path, known in (("/user_uploads", ["emoji_name"]), ("/users/me/avatar", ["emoji_name"]),
                        ("/realm/emoji/broth", [])):  # fmt: skip
        body = form(*beside[:2], part(picture(size=(8, 8)), "soup.png"), *beside[2:])
        answer = succeeded(send_form(ada, body, path=path, query={"bar": "1", "foo": "2"}))
        assert answer["ignored_parameters_unsupported"] == ["bar", *known, "foo", "zoo"], path
    assert "ignored_parameters_unsupported" not in uploads(ada)


@pytest.mark.shows("conventions.file-part", "upload.one-file")
@pytest.mark.parametrize("body", NOT_ONE_FILE + MALFORMED)
def test_anything_but_exactly_one_file_is_refused(world: World, ada: Someone, body: bytes) -> None:
    received = ada.opens_queue("attachment")
    refusal(send_form(ada, body))
    assert (attachments(ada), stored_files(world), received.events()) == ([], [], [])
    assert world.count("unfinished_upload") == 0


def test_a_body_that_is_no_form_with_files_is_refused(ada: Someone) -> None:
    refusal(send_form(ada, b"a=b", content_type="application/x-www-form-urlencoded"))
    refusal(send_form(ada, b"soup", content_type="text/plain"))
    for content_type in ("multipart/form-data", "multipart/form-data; boundary=\xfc"):
        refusal(send_form(ada, form(part(b"x")), content_type=content_type))
    endless_head = b"--cut\r\nContent-Disposition: " + b"x" * 400_000
    refusal(send_form(ada, endless_head), status=413)
    refusal(send_form(ada, form(*[part(b"x", None)] * 1001)), status=413)


def test_nobody_uploads_without_an_account(world: World) -> None:
    world.open_to_the_web()
    refusal(sends_file(world.nobody, b"soup"), status=401, code="UNAUTHORIZED")
    assert stored_files(world) == []


# Names


@pytest.mark.parametrize(
    ("filename", "stored", "in_url"),
    [
        ("../../x", "x", "x"),
        ("/etc/passwd", "passwd", "passwd"),
        ("C:\\\\x.txt", "x.txt", "x.txt"),
        ("C:\\x\\y.txt", "y.txt", "y.txt"),
        ("\\\\server\\x\\new.txt", "new.txt", "new.txt"),
        ('a\\"b\\c\\"d.txt', 'c"d.txt', "cd.txt"),
        ("a%00b", "ab", "ab"),
        ("a%0d%0aSet-Cookie: b=c", "a Set-Cookie: b=c", "a-Set-Cookie-bc"),
        ("a%22; b=c", 'a"; b=c', "a-bc"),
        ("x" * 5000, "x" * 255, "x" * 255),
        ("gpj.\u202eexe", "gpj.exe", "gpj.exe"),
        ("%2e%2e%2fx", "../x", "..x"),
        ("お茶 ☕.png", "お茶 ☕.png", "お茶-.png"),
        ("<img src=x>.png", "<img src=x>.png", "img-srcx.png"),
        ("'; DROP TABLE attachment; --", "'; DROP TABLE attachment; --", "DROP-TABLE-attachment-"),
    ],
)
def test_sec_63_no_name_leads_elsewhere_or_into_a_header(
    world: World, ada: Someone, filename: str, stored: str, in_url: str
) -> None:
    answer = uploads(ada, b"soup", filename)
    assert answer["filename"] == stored
    assert answer["url"].split("/", 5)[5] == in_url
    (path,) = stored_files(world)
    assert re.fullmatch(r"[0-9a-f]{2}/[A-Za-z0-9_-]{24}", f"{path.parent.name}/{path.name}")
    response = fetches(ada, answer["url"])
    assert (response.status_code, response.data) == (200, b"soup")
    disposition = response.headers["Content-Disposition"]
    assert disposition.isascii()
    assert disposition.isprintable()
    assert re.fullmatch(
        r"(inline|attachment); filename=\"[^\"\\%]*\"(; filename\*=UTF-8''[\w.~%-]+)?", disposition
    )
    assert "Set-Cookie" not in response.headers


@pytest.mark.parametrize(
    "path",
    [
        "/user_uploads/1/../../chat.db",
        "/user_uploads/1/%2e%2e/%2e%2e/secret_key",
        "/user_uploads/1/..%2f..%2fsecret_key",
        "/user_uploads/1/ab//etc/passwd",
        "/user_uploads/download/1/..%2f..%2f..%2fetc%2fpasswd",
        "/user_uploads/1/ab/x%00",
        "/api/v1/user_uploads/1/..%2f..%2fsecret_key",
    ],
)
def test_sec_63_no_address_leads_elsewhere(ada: Someone, path: str) -> None:
    uploads(ada)
    response = fetches(ada, path)
    assert response.status_code == 404
    assert response.get_json()["code"] == "BAD_REQUEST"


# Limits


@pytest.mark.shows("upload.size", "register.max-file-size", "limit.file-size")
def test_sec_66_a_file_over_the_limit_is_refused_while_it_is_read(
    make_world: MakeWorld, tmp_path: Path
) -> None:
    world = make_world(data_dir=tmp_path / "data", limits=Limits(max_file_upload_size_mib=1))
    ada = world["ada"]
    assert ada.registers(fetch_event_types=["realm"]).state["max_file_upload_size_mib"] == 1
    uploads(ada, b"x" * MIB)
    too_large = "Uploaded file is larger than the allowed limit of 1 MiB"
    for size in (MIB + 1, 5 * MIB):
        assert refusal(sends_file(ada, b"x" * size))["msg"] == too_large
    (kept,) = attachments(ada)
    assert kept["size"] == MIB
    # A chunked body says nothing of its length, and would never end.
    endless = Slowly(part(b"x" * 64 * MIB))
    body, status, _ = raw_request(
        ada, "POST", "/api/v1/user_uploads", endless,
        CONTENT_TYPE=MULTIPART, HTTP_TRANSFER_ENCODING="chunked", **{"wsgi.input_terminated": True},
    )  # fmt: skip
    assert (status[:3], json.loads(body)["code"]) == ("400", "BAD_REQUEST")
    assert endless.taken < 1.2 * MIB
    # One that says that it has 10 GB is not read at all.
    large = Slowly(part(b"x"))
    body, status, _ = raw_request(
        ada, "POST", "/api/v1/user_uploads", large,
        CONTENT_TYPE=MULTIPART, CONTENT_LENGTH=str(10 * 2**30),
    )  # fmt: skip
    assert (status[:3], json.loads(body)["msg"], large.taken) == ("400", too_large, 0)
    assert len(stored_files(world)) == 1
    assert world.count("unfinished_upload") == 0


@pytest.mark.parametrize("ends", ["early", "with an error"])
def test_sec_66_an_upload_that_breaks_off_leaves_nothing(world: World, ada: Someone, ends: str) -> None:
    whole = form(part(b"x" * 300_000))
    body = Slowly(whole[:200_000], breaks_after=200_000 if ends == "with an error" else None)
    answer, status, _ = raw_request(
        ada, "POST", "/api/v1/user_uploads", body, CONTENT_TYPE=MULTIPART, CONTENT_LENGTH=str(len(whole))
    )
    assert (status[:3], json.loads(answer)["msg"]) == ("400", "The request body ended early")
    assert (stored_files(world), attachments(ada)) == ([], [])
    assert world.count("unfinished_upload") == 0


def test_sec_66_only_so_many_uploads_run_at_a_time(make_world: MakeWorld, tmp_path: Path) -> None:
    limits = Limits(max_unfinished_uploads_per_user=2)
    world = make_world(data_dir=tmp_path / "data", limits=limits)
    ada, bea = world["ada"], world["bea"]
    more = threading.Event()
    begun = threading.Semaphore(0)
    whole = form(part(b"soup"))

    class Waiting(Slowly):
        def read(self, size: int = -1) -> bytes:
            begun.release()
            assert more.wait(PATIENCE)
            return super().read(size)

    statuses: list[str] = []

    def run() -> None:
        # The first request begins the upload; the server waits for the rest.
        request = Waiting(whole[len(part(b"")) - 2 :])
        first = whole[: len(part(b"")) - 2]

        class Both(Slowly):
            def read(self, size: int = -1) -> bytes:
                return super().read(size) or request.read(size)

        statuses.append(
            raw_request(
                ada, "POST", "/api/v1/user_uploads", Both(first),
                CONTENT_TYPE=MULTIPART, CONTENT_LENGTH=str(len(whole)),
            )[1]
        )  # fmt: skip

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for _ in threads:
        assert begun.acquire(timeout=PATIENCE)
    refusal(sends_file(ada, b"soup"), status=429, code="RATE_LIMIT_HIT")
    uploads(bea)
    more.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert statuses == ["200 OK"] * 2
    uploads(ada)
    assert len(stored_files(world)) == 4


def test_the_quota_is_for_all_files_of_the_organization(world: World, ada: Someone, bea: Someone) -> None:
    world.change_organization(upload_quota_mib=2)
    assert ada.registers(fetch_event_types=["realm"]).state["realm_upload_quota_mib"] == 2
    uploads(ada, b"x" * MIB)
    received = bea.opens_queue("attachment")
    refusal(sends_file(bea, b"x" * (MIB + 1)), code="REALM_UPLOAD_QUOTA")
    assert (attachments(bea), received.events(), len(stored_files(world))) == ([], [], 1)
    uploads(bea, b"x" * MIB)
    refusal(sends_file(bea, b"x"), code="REALM_UPLOAD_QUOTA")
    uploads(bea, b"")
    bea.delete(f"/attachments/{attachments(bea)[0]['id']}")
    uploads(bea, b"x")


def test_uploads_can_be_turned_off(make_world: MakeWorld, tmp_path: Path) -> None:
    world = make_world(data_dir=tmp_path / "data", limits=Limits(max_file_upload_size_mib=0))
    refusal(sends_file(world["ada"], b""))
    assert world["ada"].registers(fetch_event_types=["realm"]).state["max_file_upload_size_mib"] == 0


# One's own files


def object_of(answer: dict[str, Any], *, size: int = 4, messages: list[dict[str, int]]) -> dict[str, Any]:
    path_id = answer["url"].removeprefix("/user_uploads/")
    name = answer["filename"]
    return {"name": name, "path_id": path_id, "size": size, "create_time": NOW * 1000, "messages": messages}


def without_id(attachment: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in attachment.items() if name != "id"}


def test_ones_files_are_listed_with_the_messages_that_link_to_them(
    world: World, ada: Someone, bea: Someone
) -> None:
    first, second = uploads(ada, b"soup"), uploads(ada, PNG, "photo.png")
    uploads(bea, b"not ada's")
    world.clock.advance(5)
    one = ada.says(f"[soup]({first['url']})")
    two = bea.says(f"see https://chat.example.org{first['url']}")
    listed = ada.get("/attachments")
    assert listed["upload_space_used"] == 4 + len(PNG) + 9
    linked = [{"id": message_id, "date_sent": (NOW + 5) * 1000} for message_id in (one, two)]
    assert [without_id(attachment) for attachment in listed["attachments"]] == [
        object_of(first, messages=linked),
        object_of(second, size=len(PNG), messages=[]),
    ]
    ids = [attachment["id"] for attachment in listed["attachments"]]
    assert ids == sorted(ids)


def test_the_owner_is_notified_of_every_change(world: World, ada: Someone, bea: Someone) -> None:
    mine, others = ada.opens_queue("attachment"), bea.opens_queue("attachment")
    answer = uploads(ada)
    received = mine.events()
    message_id = ada.says(answer["url"])
    received += mine.events()
    again = bea.says(f"![soup]({answer['url']})")
    received += mine.events()
    (attachment,) = attachments(ada)
    ada.delete(f"/attachments/{attachment['id']}")
    events = [without_id(event) for event in received + mine.events()]
    date_sent = NOW * 1000
    linked = [{"id": message_id, "date_sent": date_sent}, {"id": again, "date_sent": date_sent}]
    expected = [("add", []), ("update", linked[:1]), ("update", linked)]
    assert events == [
        *(
            {
                "type": "attachment",
                "op": op,
                "attachment": {"id": attachment["id"], **object_of(answer, messages=messages)},
                "upload_space_used": 4,
            }
            for op, messages in expected
        ),
        {
            "type": "attachment",
            "op": "remove",
            "attachment": {"id": attachment["id"]},
            "upload_space_used": 0,
        },
    ]
    assert others.events() == []


def test_the_state_and_the_events_are_the_state_afterwards(world: World, ada: Someone, bea: Someone) -> None:
    def state() -> dict[int, dict[str, Any]]:
        return {one["id"]: one for one in attachments(ada)}

    urls = [uploads(ada, b"x" * number)["url"] for number in range(4)]
    known = state()
    received = ada.opens_queue("attachment")
    for number in range(12):
        urls.append(uploads(ada, b"x" * number)["url"])
        (ada if number % 3 else bea).says(f"{urls[number]} {urls[-1]}")
        ada.writes(urls[-1], "cem")
        if number % 4 == 3:
            ada.delete(f"/attachments/{min(state())}")
    used = 0
    for event in received.events():
        used = event["upload_space_used"]
        if event["op"] == "remove":
            del known[event["attachment"]["id"]]
        else:
            known[event["attachment"]["id"]] = event["attachment"]
    assert known == state()
    assert used == ada.get("/attachments")["upload_space_used"]


def test_a_deleted_file_is_gone_at_once_and_messages_keep_their_text(world: World, ada: Someone) -> None:
    answer = uploads(ada)
    message_id = ada.says(f"[soup]({answer['url']})")
    html = ada.message(message_id)["content"]
    (attachment,) = attachments(ada)
    ada.delete(f"/attachments/{attachment['id']}")
    assert fetches(ada, answer["url"]).status_code == 404
    assert (attachments(ada), stored_files(world)) == ([], [])
    assert ada.message(message_id)["content"] == html
    assert world.count("unfinished_upload") == world.count("attachment_link") == 0


def test_sec_61_nobody_deletes_the_file_of_another(world: World, ada: Someone) -> None:
    answer = uploads(ada)
    ada.says(answer["url"])
    (attachment,) = attachments(ada)
    received = ada.opens_queue("attachment")
    for name in ("bea", "olga", "robo", "gus"):
        foreign = world[name].refused("DELETE", f"/attachments/{attachment['id']}")
        absent = world[name].refused("DELETE", f"/attachments/{10**9}")
        assert foreign == absent
    world.nobody.refused("DELETE", f"/attachments/{attachment['id']}", status=401, code="UNAUTHORIZED")
    assert fetches(ada, answer["url"]).status_code == 200
    assert received.events() == []


def test_the_owner_sees_only_messages_that_the_owner_may_read(
    world: World, ada: Someone, bea: Someone
) -> None:
    answer = uploads(ada)
    public = ada.says(answer["url"])
    received = ada.opens_queue("attachment")
    bea.writes(answer["url"], "cem")
    (event,) = received.events()
    (attachment,) = attachments(ada)
    assert [link["id"] for link in attachment["messages"]] == [public]
    assert event["attachment"] == attachment


# Upkeep


def test_files_that_nobody_links_to_are_dropped_after_weeks(world: World, ada: Someone) -> None:
    lost, kept = uploads(ada), uploads(ada, b"kept")
    ada.says(kept["url"])
    world.clock.advance(world.svc.limits.unlinked_upload_lifetime - 1)
    world.svc.hub.maintain()
    assert len(attachments(ada)) == 2
    world.clock.advance(2)
    received = ada.opens_queue("attachment")
    world.svc.hub.maintain()
    assert [event["op"] for event in received.events()] == ["remove"]
    assert fetches(ada, lost["url"]).status_code == 404
    assert fetches(ada, kept["url"]).data == b"kept"
    assert len(stored_files(world)) == 1


def test_remains_of_a_crash_are_removed_when_their_time_is_over(world: World, ada: Someone) -> None:
    left = UnfinishedUpload(
        path_id=use_cases.new_path_id("x"),
        owner_id=ada.actor.user_id,
        name="x",
        expires_at=world.svc.now + 60,
    )
    use_cases.begin(world.svc, ada.actor, left)
    writer = world.svc.files.writer(file_key(left.path_id))
    writer.write(b"soup")
    writer.close()
    use_cases.sweep(world.svc)
    assert len(stored_files(world)) == 1
    world.clock.advance(60)
    use_cases.sweep(world.svc)
    assert stored_files(world) == []
    assert world.count("unfinished_upload") == 0


def begun(world: World, ada: Someone) -> UnfinishedUpload:
    """An upload of which everything is written but nothing is finished."""
    upload = UnfinishedUpload(
        path_id=use_cases.new_path_id("x"),
        owner_id=ada.actor.user_id,
        name="x",
        expires_at=world.svc.now + 60,
    )
    use_cases.begin(world.svc, ada.actor, upload)
    writer = world.svc.files.writer(file_key(upload.path_id))
    writer.write(b"soup")
    writer.close()
    return upload


def test_completing_again_after_a_crash_gives_the_same_file(world: World, ada: Someone) -> None:
    upload = begun(world, ada)
    world.svc.files.finish(file_key(upload.path_id))
    first = use_cases.complete(world.svc, upload, 4)
    assert isinstance(first, Attachment)
    assert use_cases.complete(world.svc, upload, 4) == first
    use_cases.discard(world.svc, upload)
    assert fetches(ada, first.url).data == b"soup"


def test_a_request_removes_few_files_of_others(world: World, ada: Someone) -> None:
    for _ in range(10):
        begun(world, ada)
    world.clock.advance(world.svc.limits.unfinished_upload_lifetime + 1)
    uploads(ada)
    left = world.count("unfinished_upload")
    assert 0 < left < 10
    drop_unused(world.svc)
    assert world.count("unfinished_upload") == 0


def test_a_file_is_deleted_though_its_bytes_are_out_of_reach(
    world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = uploads(ada)
    (attachment,) = attachments(ada)
    with monkeypatch.context() as away:
        away.setattr(type(world.svc.files), "remove", out_of_reach)
        ada.delete(f"/attachments/{attachment['id']}")
        assert fetches(ada, answer["url"]).status_code == 404
    drop_unused(world.svc)
    assert stored_files(world) == []


def out_of_reach(*_: object) -> None:
    raise FilesNotReady("no route to the bucket")


def test_an_upload_that_is_terminated_while_it_ends_leaves_no_bytes(
    world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish = type(world.svc.files).finish

    def terminated(files: Any, key: str) -> None:
        use_cases.discard(world.svc, upload)
        with closing(files.writer(key)) as writer:
            writer.write(b"soup")
        finish(files, key)

    upload = begun(world, ada)
    monkeypatch.setattr(type(world.svc.files), "finish", terminated)
    with pytest.raises(NoSuchFile):
        use_cases.complete(world.svc, upload, 4)
    assert stored_files(world) == []


def test_an_upload_abandoned_meanwhile_is_not_completed(world: World, ada: Someone) -> None:
    upload = begun(world, ada)
    use_cases.discard(world.svc, upload)
    with pytest.raises(NoSuchFile):
        use_cases.complete(world.svc, upload, 4)
    upload = begun(world, ada)
    world.storage.write(lambda tx: tx.uploads.advance(upload.path_id, 0, 0))
    with pytest.raises(NoSuchFile):
        use_cases.complete(world.svc, upload, 4)
    use_cases.sweep(world.svc)
    assert stored_files(world) == []
