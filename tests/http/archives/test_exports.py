"""Exports that administrators request."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from chatcore.application.archives import working
from chatcore.application.archives.working import MAX_ATTEMPTS, write_requested
from chatcore.bootstrap import make_services
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.limits import Limits
from chatcore.domain.people.users import EmailVisibility
from storage_backends import open_storage
from storage_backends.sql.statement import Statement
from tests.waiting import PATIENCE
from tests.worlds.archives import restored, view_of
from tests.worlds.files import fetches, uploads
from tests.worlds.images import shows_image
from tests.worlds.joining import makes_link
from tests.worlds.organization import NOW, MakeWorld, Someone, World

WEEK = 7 * 86_400
PUBLIC, STANDARD = 1, 2
PROJECT = Path(__file__).parents[3]
PROGRAM = Path(__file__).with_name("dying_program.py")


WITHOUT_A_SENDER = Statement("UPDATE message SET sender_id = 999 WHERE content = 'soup'")
WITH_A_SENDER = Statement("UPDATE message SET sender_id = :sender_id WHERE content = 'soup'")


@pytest.fixture
def world(make_world: MakeWorld, tmp_path: Path) -> World:
    return make_world(data_dir=tmp_path / "data")


@pytest.fixture
def olga(world: World) -> Someone:
    return world["olga"]


def exports(someone: Someone) -> Sequence[dict[str, Any]]:
    found: Sequence[dict[str, Any]] = someone.get("/export/realm")["exports"]
    return found


def archive_of(someone: Someone, export_type: int = PUBLIC) -> ZipFile:
    """Request an export, and download it."""
    someone.post("/export/realm", export_type=export_type)
    write_requested(someone.world.svc)
    return ZipFile(BytesIO(fetches(someone, exports(someone)[-1]["export_url"]).data))


def rows(archive: ZipFile, table: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in archive.read(f"tables/{table}.jsonl").splitlines()]


def contents(archive: ZipFile) -> set[str]:
    return {row["content"] for row in rows(archive, "message")}


# -- the course of an export ------------------------------------------------------------------------


def test_the_notice_of_an_export_says_that_it_cannot_be_restored(world: World, olga: Someone) -> None:
    world["ada"].says("soup")
    archive_of(olga)
    assert "cannot be restored" not in olga.reads("is:dm", apply_markdown=False)[-1]["content"]
    world.storage.write(lambda tx: tx.session.run(WITHOUT_A_SENDER))  # type: ignore[attr-defined]
    archive_of(olga)
    notice = olga.reads("is:dm", apply_markdown=False)[-1]["content"]
    assert "It cannot be restored as it is:" in notice
    assert "'message' refers by 'sender_id' to 999" in notice
    world.storage.write(lambda tx: tx.session.run(WITH_A_SENDER, sender_id=olga.id))  # type: ignore[attr-defined]


def test_an_export_waits_is_written_and_is_deleted(world: World, olga: Someone) -> None:
    line = olga.opens_queue("realm_export", "message")
    export_id = olga.post("/export/realm")["id"]
    waiting = {
        "id": export_id, "acting_user_id": olga.id, "export_time": NOW, "deleted_timestamp": None,
        "failed_timestamp": None, "export_url": None, "pending": True, "export_type": PUBLIC,
    }  # fmt: skip
    assert exports(olga) == [waiting]
    (event,) = line.events()
    assert (event["type"], event["exports"]) == ("realm_export", [waiting])
    olga.refused("DELETE", f"/export/realm/{export_id}")
    write_requested(world.svc)
    (done,) = exports(world["adi"])
    assert done == {**waiting, "pending": False, "export_url": done["export_url"]}
    event, message = line.events()
    assert event["exports"] == [done]
    assert done["export_url"] in message["message"]["content"]
    downloaded = fetches(olga, done["export_url"])
    assert downloaded.headers["Content-Type"] == "application/zip"
    assert downloaded.headers["Content-Disposition"].startswith("attachment")
    assert downloaded.headers["Cache-Control"] == "private, no-store"
    olga.delete(f"/export/realm/{export_id}")
    (event,) = line.events()
    assert event["exports"] == exports(olga) == [{**done, "export_url": None, "deleted_timestamp": NOW}]
    assert fetches(olga, done["export_url"]).status_code == 404
    for wrong in (export_id, export_id + 1):
        olga.refused("DELETE", f"/export/realm/{wrong}")
    write_requested(world.svc)
    assert line.events() == []


@pytest.mark.parametrize("export_type", [PUBLIC, STANDARD])
def test_no_export_that_administrators_request_has_the_audit_log_or_holds(
    world: World, olga: Someone, export_type: int
) -> None:
    olga.patch("/realm", name="Greenhouse")
    olga.patch("/settings", allow_private_data_export=True)
    olga.post("/legal_holds", reason="Case 7", channel_id=world.id("lunch"))
    assert len(olga.get("/audit")["entries"]) == 3
    archive = archive_of(olga, export_type)
    assert rows(archive, "audit_entry") == []
    assert rows(archive, "legal_hold") == []


def test_the_archive_can_be_restored(world: World, olga: Someone, tmp_path: Path) -> None:
    link = uploads(world["ada"], b"tomatoes")["url"]
    world["ada"].says(f"soup {link}")
    world["ada"].patch("/settings", allow_private_data_export=True)
    world["ada"].writes("hush", "bea")
    olga.post("/export/realm", export_type=STANDARD)
    write_requested(world.svc)
    path = tmp_path / "export.zip"
    path.write_bytes(fetches(olga, exports(olga)[0]["export_url"]).data)
    url = f"sqlite:///{tmp_path / 'new.db'}"
    storage = open_storage(url)
    storage.migrate()
    storage.close()
    assert restored(path, url, tmp_path / "new").files == 1
    other = World(url, data_dir=tmp_path / "new")
    try:
        assert view_of(other["ada"])["messages"] == view_of(world["ada"])["messages"]
        assert fetches(other["ada"], link).data == b"tomatoes"
    finally:
        other.close()


# -- access -----------------------------------------------------------------------------------------


def test_sec_68_only_administrators_request_and_read_exports(world: World, olga: Someone) -> None:
    export_id = olga.post("/export/realm")["id"]
    write_requested(world.svc)
    url = exports(olga)[0]["export_url"]
    for name in ("mona", "ada", "gus", "robo"):
        someone = world[name]
        for method, path in (
            ("GET", "/export/realm"), ("POST", "/export/realm"), ("GET", "/export/realm/consents"),
            ("DELETE", f"/export/realm/{export_id}"),
        ):  # fmt: skip
            someone.refused(method, path, code="UNAUTHORIZED_PRINCIPAL")
        assert fetches(someone, url).status_code == 404
    assert fetches(world["adi"], url).status_code == 200
    assert fetches(world.nobody, url).status_code == 401
    for wrong in (url.replace("export-", "soup-"), url[:-20] + "AAAA" + url[-16:]):
        assert fetches(olga, wrong).status_code == 404
    world.change_user("adi", role=400)
    assert fetches(world["adi"], url).status_code == 404


def test_sec_68_others_on_the_disk_cannot_read_an_archive(
    world: World, olga: Someone, tmp_path: Path
) -> None:
    olga.post("/export/realm")
    write_requested(world.svc)
    files = [path for path in (tmp_path / "data").rglob("*export*") if path.is_file()]
    assert [path.stat().st_mode & 0o777 for path in files] == [0o600]


# -- contents ---------------------------------------------------------------------------------------


@pytest.fixture
def talk(world: World) -> World:
    """Messages in public and private places; only ada consents."""
    ada, bea, cem = world["ada"], world["bea"], world["cem"]
    ada.patch("/settings", allow_private_data_export=True)
    for channel in ("lunch", "plaza"):
        ada.says(f"in {channel}", channel)
    ada.says("in secret", "secret")
    ada.says("in vault", "vault")
    ada.writes("to bea", "bea")
    bea.writes("to cem", "cem")
    link = uploads(cem, b"only for bea", "private.txt")["url"]
    cem.writes(f"see {link}", "bea")
    for someone in (ada, bea):
        draft = {"type": "private", "to": [], "topic": "", "content": "a draft", "timestamp": 1}
        someone.post("/drafts", drafts=[draft])
        someone.flagged("starred", ada.says(f"star of {someone.name}"))
    world.add_channel("cellar", "bea", invite_only=True)
    bea.says("in cellar", "cellar")
    return world


def test_sec_68_a_public_export_has_no_private_data(talk: World) -> None:
    archive = archive_of(talk["olga"])
    assert contents(archive) >= {"in lunch", "in plaza", "star of ada"}
    assert not contents(archive) & {"in secret", "in vault", "to bea", "to cem", "in cellar"}
    assert {row["name"] for row in rows(archive, "channel")} == {"lunch", "plaza", "attic"}
    for table in ("draft", "message_flag", "read_watermark", "conversation", "conversation_member"):
        assert rows(archive, table) == [], table
    assert {row["settings"] for row in rows(archive, "account")} == {"{}"}
    assert rows(archive, "attachment") == []
    assert not [name for name in archive.namelist() if name.startswith("files/")]
    everything = b"".join(map(archive.read, archive.namelist()))
    for word in (b"secret", b"vault", b"cellar", b"private.txt", b"only for bea", b"a draft"):
        assert word not in everything, word


def test_sec_68_a_full_export_has_the_private_data_of_those_who_consent(talk: World) -> None:
    archive = archive_of(talk["olga"], STANDARD)
    assert contents(archive) >= {"in lunch", "in secret", "in vault", "to bea"}
    assert not contents(archive) & {"to cem", "in cellar"}
    assert {row["user_id"] for row in rows(archive, "draft")} == {talk["ada"].id}
    assert {row["user_id"] for row in rows(archive, "message_flag")} == {talk["ada"].id}
    assert {row["name"] for row in rows(archive, "channel")} == {"lunch", "plaza", "attic", "secret", "vault"}
    assert rows(archive, "attachment") == []


@pytest.mark.parametrize("export_type", [PUBLIC, STANDARD])
def test_sec_68_bots_invitations_and_images_are_those_of_people_who_consent(
    export_type: int, world: World, olga: Someone
) -> None:
    world.change_organization(
        permissions={"create_multiuse_invite_group": GroupSetting.of(SystemGroup.MEMBERS)}
    )
    world["ada"].patch("/settings", allow_private_data_export=True)
    for name in ("ada", "bea"):
        bot = {"bot_type": 3, "payload_url": f'"http://{name}.example/"'}
        world[name].post("/bots", full_name=f"Bot of {name}", short_name=f"{name}s", **bot)
        makes_link(world[name])
        shows_image(world[name])
    shown = shows_image(world["bea"])
    world["bea"].says(f"[x.png]({shown})")
    archive = archive_of(olga, export_type)
    urls = [row["payload_url"] for row in rows(archive, "bot")]
    inviters = [row["inviter_id"] for row in rows(archive, "invitation")]
    is_full = export_type == STANDARD
    assert urls == (["http://ada.example/"] if is_full else [])
    assert inviters == ([world["ada"].id] if is_full else [])
    attachments = {row["id"] for row in rows(archive, "attachment")}
    assert len(attachments) == 1 + is_full
    assert {row["attachment_id"] for row in rows(archive, "uploaded_image")} == attachments


def test_sec_68_only_what_one_has_received_in_a_protected_history(world: World) -> None:
    ada, cem = world["ada"], world["cem"]
    ada.says("before", "vault")
    ada.post("/users/me/subscriptions", subscriptions=[{"name": "vault"}], principals=[cem.id])
    ada.says("while cem is there", "vault")
    cem.patch("/settings", allow_private_data_export=True)
    assert contents(archive_of(world["olga"], STANDARD)) >= {"while cem is there"}
    assert "before" not in contents(archive_of(world["olga"], STANDARD))
    cem.leaves("vault")
    assert "while cem is there" not in contents(archive_of(world["olga"], STANDARD))


def test_sec_39_hidden_addresses_are_placeholders(world: World) -> None:
    for name in ("ada", "bea"):
        world.change_user(name, email_visibility=EmailVisibility.NOBODY)
    world["ada"].patch("/settings", allow_private_data_export=True)
    for export_type, hidden in ((PUBLIC, {"ada", "bea"}), (STANDARD, {"bea"})):
        emails = {row["id"]: row["email"] for row in rows(archive_of(world["olga"], export_type), "account")}
        for name in ("ada", "bea", "cem"):
            real = world.users[name].email
            assert (emails[world[name].id] != real) == (name in hidden)


def test_sec_28_no_export_has_keys_or_passwords(world: World) -> None:
    world.change_user("ada", password_hash="scrypt hash of ada")
    for export_type in (PUBLIC, STANDARD):
        archive = archive_of(world["olga"], export_type)
        everything = b"".join(map(archive.read, archive.namelist()))
        for secret in ("scrypt hash of ada", "password_hash", "key_version", *world.keys.values()):
            assert secret.encode() not in everything


def test_an_organization_that_hides_edits_exports_none(world: World, olga: Someone) -> None:
    message_id = world["ada"].says("first")
    world["ada"].patch(f"/messages/{message_id}", content="second")
    assert rows(archive_of(olga), "message_edit")
    world.change_organization(message_edit_history_visibility_policy="moves")
    assert rows(archive_of(olga), "message_edit") == []


# -- consents ---------------------------------------------------------------------------------------


def test_administrators_see_who_consents(world: World, olga: Someone) -> None:
    line, hers = olga.opens_queue("realm_export_consent"), world["bea"].opens_queue("realm_export_consent")
    for consented in (True, False, True):
        world["ada"].patch("/settings", allow_private_data_export=consented)
    told = [(event["user_id"], event["consented"]) for event in line.events()]
    assert told == [(world["ada"].id, consented) for consented in (True, False, True)]
    assert hers.events() == []
    listed = olga.get("/export/realm/consents")["export_consents"]
    consents = {one["user_id"]: one["consented"] for one in listed}
    people = {user.id for user in world.users.values() if not user.is_bot}
    assert consents == {user_id: user_id == world["ada"].id for user_id in people}


# -- limits and failures ----------------------------------------------------------------------------


def test_old_exports_make_room(make_world: MakeWorld, tmp_path: Path) -> None:
    world = make_world(data_dir=tmp_path / "data", limits=Limits(max_exports_per_week=1))
    olga = world["olga"]
    export_id = olga.post("/export/realm")["id"]
    olga.refused("POST", "/export/realm")
    write_requested(world.svc)
    olga.delete(f"/export/realm/{export_id}")
    world.clock.advance(WEEK)
    olga.post("/export/realm")
    (left,) = exports(olga)
    assert left["id"] > export_id


def test_wrong_types_are_refused(olga: Someone) -> None:
    for wrong in (0, 3, "x"):
        olga.refused("POST", "/export/realm", export_type=wrong)
    assert exports(olga) == []


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> list[BaseException]:
    """Errors that writing an archive ends with, in their order."""
    errors: list[BaseException] = []
    really_write = working.write_archive

    def write(svc: Any, sink: Any, *arguments: Any, **more: Any) -> Any:
        sink.write(b"half")
        if errors:
            raise errors.pop(0)
        return really_write(svc, sink, *arguments, **more)

    monkeypatch.setattr(working, "write_archive", write)
    return errors


def test_an_export_that_never_succeeds_fails(
    world: World, olga: Someone, broken: list[BaseException], tmp_path: Path
) -> None:
    broken += [RuntimeError("soup")] * MAX_ATTEMPTS
    export_id = olga.post("/export/realm")["id"]
    for _ in range(MAX_ATTEMPTS):
        assert exports(olga)[0]["pending"]
        write_requested(world.svc)
    (failed,) = exports(olga)
    assert (failed["pending"], failed["failed_timestamp"], failed["export_url"]) == (False, NOW, None)
    assert "failed" in olga.reads("is:dm")[-1]["content"]
    olga.refused("DELETE", f"/export/realm/{export_id}")
    assert [path for path in (tmp_path / "data").rglob("*export*") if path.is_file()] == []


def test_an_export_of_a_killed_process_is_taken_up(make_world: MakeWorld, tmp_path: Path) -> None:
    world = make_world(data_dir=tmp_path / "data")
    world["ada"].says("soup")
    world["olga"].post("/export/realm")
    (pending,) = world.storage.read(lambda snapshot: snapshot.exports.pending())
    held = world.svc.files.writer(pending.file_key)  # by another process
    held.write(b"half of an archive" * 1000)
    write_requested(world.svc)
    assert exports(world["olga"])[0]["pending"]
    held.close()  # as the system does when a process ends
    again = make_world(data_dir=tmp_path / "data")
    write_requested(again.svc)
    url = exports(again["olga"])[0]["export_url"]
    with ZipFile(BytesIO(fetches(again["olga"], url).data)) as archive:
        assert archive.testzip() is None


def test_a_killed_process_loses_no_export(make_world: MakeWorld, tmp_path: Path) -> None:
    world = make_world(data_dir=tmp_path / "data")
    world["ada"].says("soup")
    world["olga"].post("/export/realm")
    killed = subprocess.run(
        [sys.executable, PROGRAM, world.url, str(tmp_path / "data")], timeout=PATIENCE, check=False,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},  # noqa: TID251
    )  # fmt: skip
    assert killed.returncode == -signal.SIGKILL
    (pending,) = world.storage.read(lambda snapshot: snapshot.exports.pending())
    assert pending.attempts == 1
    write_requested(world.svc)
    (done,) = exports(world["olga"])
    with ZipFile(BytesIO(fetches(world["olga"], done["export_url"]).data)) as archive:
        assert archive.testzip() is None


def test_an_export_that_kills_its_process_fails_at_last(world: World, olga: Someone) -> None:
    olga.post("/export/realm")
    world.sql("UPDATE requested_export SET attempts = ?", MAX_ATTEMPTS)
    write_requested(world.svc)
    assert exports(olga)[0]["failed_timestamp"] == NOW


def test_a_full_disk_fails_at_once(world: World, olga: Someone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(world.svc.files), "free_space", lambda self: 0)
    olga.post("/export/realm")
    write_requested(world.svc)
    assert exports(olga)[0]["failed_timestamp"] == NOW


def test_a_process_that_ends_leaves_an_export_to_the_next(make_world: MakeWorld, tmp_path: Path) -> None:
    world = make_world(data_dir=tmp_path / "data")
    world["olga"].post("/export/realm")
    (pending,) = world.storage.read(lambda snapshot: snapshot.exports.pending())
    stopping = make_services(world.svc.settings, world.storage)
    stopping.alarms.exports.stop()
    write_requested(stopping)
    with pytest.MonkeyPatch.context() as patched:
        stopped = iter([False, True, True, True])
        patched.setattr(type(stopping.alarms.exports), "stopped", property(lambda self: next(stopped)))
        write_requested(stopping)
    assert world.storage.read(lambda snapshot: snapshot.exports.pending()) == [pending]
    write_requested(world.svc)
    assert exports(world["olga"])[0]["export_url"]


def test_people_write_while_an_export_runs(
    world: World, olga: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The archive has what was there when it began, and writers do not wait for it."""
    world["ada"].says("before")
    begun, go_on = threading.Event(), threading.Event()
    really_write = working.write_archive

    def slowly(svc: Any, sink: Any, *arguments: Any, **more: Any) -> Any:
        class Slow:
            def write(self, data: bytes) -> None:
                if not begun.is_set():
                    begun.set()
                    assert go_on.wait(PATIENCE)
                sink.write(data)

        return really_write(svc, Slow(), *arguments, **more)

    monkeypatch.setattr(working, "write_archive", slowly)
    olga.post("/export/realm")
    thread = threading.Thread(target=write_requested, args=(world.svc,))
    thread.start()
    assert begun.wait(PATIENCE)
    world["ada"].says("meanwhile")
    go_on.set()
    thread.join(PATIENCE)
    archive = ZipFile(BytesIO(fetches(olga, exports(olga)[0]["export_url"]).data))
    assert "before" in contents(archive)
    assert "meanwhile" not in contents(archive)


def test_sec_68_a_message_from_a_private_channel_shows_no_earlier_text(world: World, olga: Someone) -> None:
    ada = world["ada"]
    message_id = ada.says("a secret text", "secret")
    ada.patch(f"/messages/{message_id}", content="for everybody")
    world.change_organization(move_messages_between_streams_limit_seconds=None)
    world.sql("UPDATE channel SET invite_only = ? WHERE id = ?", False, world.id("secret"))
    olga.joins("secret")
    olga.patch(f"/messages/{message_id}", stream_id=world.id("lunch"))
    world.sql("UPDATE channel SET invite_only = ? WHERE id = ?", True, world.id("secret"))
    archive = archive_of(olga)
    assert "for everybody" in contents(archive)
    assert rows(archive, "message_edit") == []
