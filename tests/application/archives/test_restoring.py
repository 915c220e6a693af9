"""Archives that are damaged, foreign, too new or hostile leave no trace; so does an import that is killed."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZipFile

import pytest

from chatcore.application.archives import reading
from chatcore.application.archives.format import BadArchive
from chatcore.application.archives.restoring import restore_archive
from chatcore.bootstrap import make_services
from chatcore.domain.errors import BadRequest
from chatcore.domain.ids import AttachmentId
from storage_backends import open_storage
from storage_backends.sql.archives.exported import EXPORTED
from storage_backends.sql.archives.exporting import EXPORTED_TABLES
from tests.conftest import Stores
from tests.waiting import PATIENCE
from tests.worlds.archives import (
    Members,
    exported,
    members_of,
    restored,
    settings,
    view_of,
    write_members,
)
from tests.worlds.files import uploads
from tests.worlds.images import shows_image
from tests.worlds.organization import World
from tests.worlds.organization import found as found_world

PROJECT = Path(__file__).parents[3]
PASSWORD = "correct horse battery"
OF_NEW_STORES = {"user_group": 8, "user_group_subgroup": 6}
Change = Callable[[Members], object]


@pytest.fixture
def archive(stores: Stores, tmp_path: Path) -> Path:
    """An archive of a small organization in SQLite, with a file."""
    folder = tmp_path / "source"
    folder.mkdir()
    world = World(stores("sqlite", found_world), data_dir=folder)
    try:
        world["ada"].says("soup " + uploads(world["ada"], b"tomatoes")["url"])
        world["ada"].writes("hush", "bea")
        return exported(world, tmp_path / "archive.zip")
    finally:
        world.close()
        (tmp_path / "chat.db").unlink()


def rows_of(members: Members, table: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in members[f"tables/{table}.jsonl"].splitlines()]


def with_rows(table: str, change: Callable[[list[dict[str, Any]]], object]) -> Change:
    """Return a change of the rows of a table."""

    def run(members: Members) -> None:
        rows = rows_of(members, table)
        change(rows)
        members[f"tables/{table}.jsonl"] = b"".join(json.dumps(row).encode() + b"\n" for row in rows)

    return run


def with_manifest(change: Callable[[dict[str, Any]], object]) -> Change:
    def run(members: Members) -> None:
        manifest = json.loads(members["manifest.json"])
        change(manifest)
        members["manifest.json"] = json.dumps(manifest).encode()

    return run


def first(table: str, **values: Any) -> Change:
    return with_rows(table, lambda rows: rows[0].update(values))


def with_file(key: str) -> Change:
    def run(members: Members) -> None:
        entry = {
            "key": key,
            "size": 0,
            "sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        }
        members["files.jsonl"] += json.dumps(entry).encode() + b"\n"
        members[f"files/{key}"] = b""

    return run


def renamed_column(members: Members) -> None:
    with_rows("draft", lambda rows: None)(members)
    with_manifest(lambda manifest: manifest["tables"]["draft"]["columns"].append("mood"))(members)


EMOJI = {
    "id": 1, "name": "soup", "author_id": 1, "token": "ab" * 12, "content_type": "image/svg+xml",
    "is_animated": False, "deactivated": False,
}  # fmt: skip
DRAFT = {
    "id": 1, "user_id": 1, "type": "stream", "recipients": "[]", "topic": "", "content": "soup",
    "timestamp": 1,
}  # fmt: skip
POLICY = {
    "user_id": 1, "channel_id": 1, "topic_key": "soup", "topic": "soup", "policy": 9, "updated": 1,
}  # fmt: skip
REACTION = {
    "id": 1, "message_id": 1, "user_id": 1, "emoji_name": "tada", "emoji_code": "1f389",
    "reaction_type": "soup",
}  # fmt: skip
STATUS = {
    "user_id": 1, "status_text": "", "emoji_name": "tada", "emoji_code": "1f389", "reaction_type": "soup",
}  # fmt: skip
BOT = {
    "user_id": 1, "sending_channel_id": None, "sending_channel": None, "events_channel_id": None,
    "events_channel": None, "all_public": False, "service_name": "", "payload_url": "", "interface": 1,
    "config": "{}",
}  # fmt: skip
INVITATION = {
    "id": 1, "email": None, "inviter_id": 1, "invited_at": 1, "expires_at": None, "role": 400,
    "channel_ids": "lunch", "group_ids": "[]", "joins_defaults": False, "notifies_inviter": False,
    "welcome_text": None,
}  # fmt: skip
ENTRY = {
    "id": 999, "at": 2**40, "kind": "account_created", "actor_id": 1, "origin": "console", "client": "",
    "address": "", "target_type": "user", "target_id": 1, "before": "{}", "after": "{}", "personal": "{}",
}  # fmt: skip
SCHEDULED = {
    "id": 999, "user_id": 1, "due": -(2**60), "channel_id": None, "people": "[1]", "topic": "",
    "content": "soup", "rendered_content": "", "client": "", "read_by_sender": True, "failure": None,
    "reminds_of": None, "note": "",
}  # fmt: skip
HOLD = {"id": 999, "user_id": 1, "channel_id": None, "reason": "", "set_at": 2**40, "set_by": 1}
FIELD = {
    "id": 1, "field_type": 99, "name": "soup", "hint": "", "place": 1, "field_data": "{}",
    "display_in_profile_summary": False, "required": False, "editable_by_user": True,
}  # fmt: skip


def test_bots_above_their_owners_are_lowered(archive: Path, store_url: str, tmp_path: Path) -> None:
    members = members_of(archive)

    def raise_bot(rows: list[dict[str, Any]]) -> None:
        (bot,) = [row for row in rows if row["bot_owner_id"] is not None]
        bot["role"] = 100

    with_rows("account", raise_bot)(members)
    write_members(archive, members)
    restored(archive, store_url, tmp_path / "restored")
    with closing(open_storage(store_url)) as storage:
        users = storage.read(lambda snapshot: snapshot.users.all())
    assert [user.role for user in users if user.bot_owner_id is not None] == [400]


SEALED: dict[str, tuple[Change, str]] = {
    "another program": (with_manifest(lambda m: m.update(format="soup")), "not an archive of this program"),
    "a newer version": (with_manifest(lambda m: m.update(version=2)), "version 2"),
    "no version": (with_manifest(lambda m: m.update(version="new")), "its version"),
    "an unknown column": (renamed_column, "newer version"),
    "a lost column": (
        with_manifest(lambda m: m["tables"]["message"]["columns"].remove("content")), "lacks the column",
    ),
    "a lost table": (with_manifest(lambda m: m["tables"].pop("account")), "lacks the table"),
    "no manifest": (lambda members: None, "manifest"),
    "another member": (lambda members: members.update({"../../evil": b"x"}), "other members"),
    "a file outside": (with_file("../evil"), "list of files"),
    "an absolute file": (with_file("/etc/passwd"), "list of files"),
    "a file of nothing": (with_file("00/export-abc"), "belongs to nothing"),
    "a text for a number": (first("message", timestamp="soon"), "cannot be read"),
    "a number for a truth": (first("account", is_active=1), "cannot be read"),
    "nothing for a text": (first("message", content=None), "cannot be read"),
    "too large a number": (first("message", timestamp=2**63), "cannot be read"),
    "a value too many": (first("message", password_hash="x"), "cannot be read"),
    "a null character": (first("message", content="so\0up"), "no store can hold"),
    "half a character": (first("message", content="so\ud800up"), "cannot be read"),
    "no JSON": (lambda members: members.update({"tables/draft.jsonl": b"{\n"}), "cannot be read"),
    "half a line": (lambda members: members.update({"tables/draft.jsonl": b"{}"}), "incomplete"),
    "a deep row": (lambda members: members.update({"tables/draft.jsonl": b"[" * 100_000 + b"\n"}), "read"),
    "an unknown sender": (first("message", sender_id=999), "refers by 'sender_id'"),
    "an unknown reader": (first("subscription", user_id=999), "refers by 'user_id'"),
    "a row twice": (with_rows("account", lambda rows: rows.append(rows[0])), "do not fit"),
    "one address twice": (
        with_rows("account", lambda rows: rows[0].update(email=rows[1]["email"])), "do not fit",
    ),
    "a wrong place": (first("message", topic_key=None), "without a conversation"),
    "wrong people": (first("conversation", people="1,x"), "no such 'people'"),
    "no organization": (with_rows("organization", lambda rows: rows.clear()), "no organization"),
    "a strange organization": (first("organization", data='{"name": 5}'), "cannot be read"),
    "no JSON in a column": (first("account", settings="{"), "cannot be read"),
    "a position to come": (with_manifest(lambda m: m.update(head=1)), "after the end of the log"),
    "a strange bot": (
        with_rows("bot", lambda rows: rows.append({**BOT, "interface": 9})),
        "'bot' cannot be read",
    ),
    "a strange invitation": (with_rows("invitation", lambda rows: rows.append(INVITATION)), "'invitation'"),
    "a strange permission": (first("user_group", settings='{"can_join_group": 5}'), "'user_group' cannot"),
    "a strange field": (with_rows("profile_field", lambda rows: rows.append(FIELD)), "'profile_field'"),
    "a strange path": (first("attachment", path_id="soup"), "'attachment' cannot be read"),
    "a path that leads outside": (
        first("attachment", path_id="1/../../etc/passwd"), "names its file wrongly: ../..",
    ),
    "a path with folders": (
        with_rows("attachment", lambda rows: rows[0].update(path_id=f"{rows[0]['path_id']}/soup")),
        "no such 'path_id'",
    ),
    "a strange picture of a person": (first("account", avatar_key="../x"), "names its file wrongly"),
    "a strange emoji": (with_rows("custom_emoji", lambda rows: rows.append(EMOJI)), "no such 'content_type'"),
    "a header in a media type": (
        first("attachment", content_type="text/plain\r\nX-Evil: 1"), "no such 'content_type'",
    ),
    "a strange draft": (with_rows("draft", lambda rows: rows.append({**DRAFT, "type": "nope"})), "'draft'"),
    "strange recipients": (
        with_rows("draft", lambda rows: rows.append({**DRAFT, "recipients": "[[]]"})), "draft",
    ),
    "a strange policy": (with_rows("topic_policy", lambda rows: rows.append(POLICY)), "'topic_policy'"),
    "a strange reaction": (with_rows("reaction", lambda rows: rows.append(REACTION)), "'reaction_type'"),
    "a strange status": (with_rows("user_status", lambda rows: rows.append(STATUS)), "'reaction_type'"),
    "a strange recipient": (first("recipient", kind="soup"), "no such 'kind'"),
    "a strange role": (first("account", role=7), "Users reads"),
    "a strange visibility": (first("account", email_visibility=7), "Users reads"),
    "a strange bot type": (first("account", bot_type=7), "'account' cannot be read"),
    "a strange source of a picture": (first("account", avatar_source="X"), "no such 'avatar_source'"),
    "strange permissions": (first("channel", permissions='{"can_subscribe_group": 5}'), "'channel'"),
    "a strange policy of topics": (first("channel", topics_policy="soup"), "no such 'topics_policy'"),
    "settings that are none": (first("account", settings="true"), "'account' cannot be read"),
    "a strange setting": (first("account", settings='{"color_scheme": "soup"}'), "no such 'color_scheme'"),
    "a setting beyond all bounds": (
        first("account", settings='{"email_notifications_batching_period_seconds": 4611686018427387904}'),
        "no such 'email_notifications_batching_period_seconds'",
    ),
    "a year without a calendar": (first("account", date_joined=2**53), "no such 'date_joined'"),
    "a time before all others": (first("account", date_joined=-1), "no such 'date_joined'"),
    "a message after all calendars": (first("message", timestamp=2**40), "no such 'timestamp'"),
    "an edit after all calendars": (
        first("message", last_edit_timestamp=2**40), "no such 'last_edit_timestamp'",
    ),
    "a message for later before all calendars": (
        with_rows("scheduled_message", lambda rows: rows.append(SCHEDULED)), "no such 'due'",
    ),
    "a hold after all calendars": (
        with_rows("legal_hold", lambda rows: rows.append(HOLD)), "no such 'set_at'",
    ),
    "a file after all calendars": (first("attachment", created=2**50), "no such 'created'"),
    "an entry after all calendars": (
        with_rows("audit_entry", lambda rows: rows.append(ENTRY)), "no such 'at'",
    ),
    "no id": (first("user_group", id=0), "no such 'id'"),
    "an id behind which nothing is": (first("attachment", id=2**63 - 1), "no such 'id'"),
    "a lost group of a role": (
        with_rows("user_group", lambda rows: rows.pop(0)), "the group 'role:nobody' is not there",
    ),
    "deep settings": (first("account", settings="[" * 5000 + "]" * 5000), "'account' cannot be read"),
    "deep data": (first("organization", data="[" * 5000 + "]" * 5000), "cannot be read"),
    "deep recipients": (
        with_rows("draft", lambda rows: rows.append({**DRAFT, "recipients": "[" * 5000})), "draft",
    ),
}  # fmt: skip


def require_refused(path: Path, url: str, folder: Path, reason: str) -> None:
    """Check that an archive is refused, and that nothing of it is there."""
    with pytest.raises(BadArchive, match=reason):
        restored(path, url, folder)
    require_nothing(url, folder)


def require_nothing(url: str, folder: Path) -> None:
    with closing(open_storage(url)) as storage, storage.backend.connection():
        for table in EXPORTED:
            name = table._meta.table_name
            ((count,),) = storage.backend.database.execute_sql(f"SELECT count(*) FROM {name}").fetchall()
            assert count == OF_NEW_STORES.get(name, 0), name
    assert [path for path in folder.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("name", SEALED)
def test_a_bad_archive_leaves_no_trace(name: str, archive: Path, stores: Stores, tmp_path: Path) -> None:
    members = members_of(archive)
    change, reason = SEALED[name]
    change(members)
    if name == "no manifest":
        del members["manifest.json"]
    write_members(archive, members, sealed=name != "no manifest")
    require_refused(archive, stores("sqlite", None), tmp_path / "target", reason)


@pytest.mark.parametrize("name", ["draft", "message"])
@pytest.mark.parametrize("method", [ZIP_BZIP2, ZIP_LZMA])
def test_other_compressions_are_refused(
    name: str, method: int, archive: Path, sqlite_url: str, tmp_path: Path
) -> None:
    """Whether or not they are damaged as well."""
    write_members(archive, members_of(archive), methods={f"tables/{name}.jsonl": method})
    whole = archive.read_bytes()
    require_refused(archive, sqlite_url, tmp_path / "target", "another method than Deflate")
    for at in range(40, min(len(whole), 20_000), 997):
        archive.write_bytes(whole[:at] + b"\xff\0\xff" + whole[at + 3 :])
        require_refused(archive, sqlite_url, tmp_path / "target", ".")


def test_damaged_bytes_never_raise_anything_else(archive: Path, sqlite_url: str, tmp_path: Path) -> None:
    whole = archive.read_bytes()
    exported = [*EXPORTED_TABLES.values()]
    refused = 0
    for at in range(0, len(whole), 61):
        archive.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        try:
            with reading.Archive(archive, exported) as opened:
                opened.verify()
        except BadArchive:
            refused += 1
    assert refused


def test_an_archive_that_was_packed_again_is_restored(archive: Path, sqlite_url: str, tmp_path: Path) -> None:
    """As file managers pack a folder: with an outer folder, with folders as members, in another order."""
    members = members_of(archive)
    with ZipFile(archive, "w", ZIP_DEFLATED) as file:
        for folder in ("team/", "team/tables/", "team/files/"):
            file.writestr(folder, b"")
        for name, data in sorted(members.items()):
            file.writestr(f"team/{name}", data)
    assert restored(archive, sqlite_url, tmp_path / "target").messages == len(rows_of(members, "message"))


def test_settings_of_earlier_versions_are_restored(archive: Path, sqlite_url: str, tmp_path: Path) -> None:
    """An earlier version may have accepted values that this one refuses, and had settings that are gone."""
    members = members_of(archive)
    kept = {"emojiset": "drawn", "color_scheme": 99, "twenty_four_hour_time": None, "soup_of_the_day": [1]}
    first("account", settings=json.dumps(kept))(members)
    write_members(archive, members)
    assert restored(archive, sqlite_url, tmp_path / "target").users == len(rows_of(members, "account"))


IMAGES = {
    "without a size": {"width": 0, "height": 0, "state": "failed"},
    "of a negative size": {"height": -1},
    "in an unknown state": {"state": "soup"},
    "of an unknown type": {"content_type": "image/soup"},
    "of nothing": {"attachment_id": 999},
}


@pytest.mark.parametrize("name", IMAGES)
def test_images_that_cannot_be_are_read_again(
    name: str, archive: Path, stores: Stores, tmp_path: Path
) -> None:
    """Previews are made again; nothing else is missing because of them."""
    with closing(World(stores("sqlite", found_world), data_dir=tmp_path / "first")) as first:
        first["ada"].says(f"[x]({shows_image(first['ada'])})")
        (good,) = first.storage.read(lambda snapshot: snapshot.images.of_files([AttachmentId(1)])).values()
        path = exported(first, tmp_path / "images.zip")
    members = members_of(path)
    with_rows("uploaded_image", lambda rows: rows[0].update(IMAGES[name]))(members)
    write_members(path, members)
    url = f"sqlite:///{tmp_path / 'target.db'}"
    with closing(open_storage(url)) as storage:
        storage.migrate()
    restored(path, url, tmp_path / "target")
    with closing(World(url, data_dir=tmp_path / "target")) as target:
        found = target.storage.read(lambda snapshot: snapshot.images.of_files([AttachmentId(1)]))
        if name == "of nothing":
            assert target.count("uploaded_image") == 0
        else:
            assert (found[AttachmentId(1)].width, found[AttachmentId(1)].height) == (good.width, good.height)


@pytest.mark.parametrize("name", ["an unknown sender", "a row twice", "one address twice", "a wrong place"])
def test_both_databases_refuse_rows_that_do_not_fit(
    name: str, archive: Path, postgres_url: str, tmp_path: Path
) -> None:
    members = members_of(archive)
    change, reason = SEALED[name]
    change(members)
    write_members(archive, members)
    require_refused(archive, postgres_url, tmp_path / "target", reason)


def test_every_cut_and_many_flipped_bytes_are_noticed(archive: Path, sqlite_url: str, tmp_path: Path) -> None:
    whole = archive.read_bytes()
    for length in (0, 10, len(whole) // 2, len(whole) - 1):
        archive.write_bytes(whole[:length])
        require_refused(archive, sqlite_url, tmp_path / "target", ".")
    members = members_of_bytes(whole, tmp_path)
    for name in members:
        changed = {**members, name: members[name][:-1] + b"#"}
        write_members(archive, changed, sealed=False)
        require_refused(archive, sqlite_url, tmp_path / "target", ".")
        write_members(archive, {one: data for one, data in members.items() if one != name}, sealed=False)
        require_refused(archive, sqlite_url, tmp_path / "target", ".")


def members_of_bytes(data: bytes, folder: Path) -> Members:
    path = folder / "whole.zip"
    path.write_bytes(data)
    return members_of(path)


def test_a_bomb_is_not_unpacked(
    archive: Path, sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    members = members_of(archive)
    members["tables/draft.jsonl"] = b" " * 10_000_000 + b"\n"
    write_members(archive, members)
    monkeypatch.setattr(reading, "SMALL", 2**20)
    monkeypatch.setattr(reading, "MAX_RATIO", 100)  # no honest member reaches the real one
    require_refused(archive, sqlite_url, tmp_path / "target", "far more")


def test_not_more_is_read_than_the_manifest_says(archive: Path, sqlite_url: str, tmp_path: Path) -> None:
    members = members_of(archive)
    members["tables/message.jsonl"] *= 3
    write_members(archive, members, sealed=False)
    require_refused(archive, sqlite_url, tmp_path / "target", "checksum of tables/message.jsonl")


def test_an_organization_is_never_replaced(archive: Path, stores: Stores, tmp_path: Path) -> None:
    url = stores("sqlite", found_world)
    with pytest.raises(BadRequest, match="organization already"):
        restored(archive, url, tmp_path / "target")
    with closing(World(url)) as world:
        assert world["ada"].reads() == []


def test_a_failed_import_leaves_files_that_were_there(archive: Path, stores: Stores, tmp_path: Path) -> None:
    """Another organization, or the same at another database, may use the same store of files."""
    folder = tmp_path / "target"
    restored(archive, stores("sqlite", None), folder)
    before = {path for path in folder.rglob("*") if path.is_file()}
    another = f"sqlite:///{tmp_path / 'another.db'}"
    with closing(open_storage(another)) as storage:
        storage.migrate()
    members = members_of(archive)
    change, reason = SEALED["an unknown sender"]
    change(members)
    write_members(archive, members)
    with pytest.raises(BadArchive, match=reason):
        restored(archive, another, folder)
    assert {path for path in folder.rglob("*") if path.is_file()} == before


def test_nobody_has_a_password_or_an_old_key(stores: Stores, store_kind: str, tmp_path: Path) -> None:
    with closing(World(stores(store_kind, found_world), data_dir=tmp_path / "source")) as world:
        world.change_user("ada", password_hash=PASSWORD)
        fingerprint = "0123abcd"
        world.change_organization(secret_fingerprint=fingerprint)
        old = dict(world.keys)
        path = exported(world, tmp_path / "archive.zip")
    everything = b"".join(members_of(path).values())
    for secret in (PASSWORD, fingerprint, *old.values()):
        assert secret.encode() not in everything
    url = f"sqlite:///{tmp_path / 'target.db'}" if store_kind == "sqlite" else stores("postgresql", None)
    with closing(open_storage(url)) as storage:
        storage.migrate()
        assert storage.read(lambda snapshot: snapshot.organization.find()) is None  # and is remembered
        restore_archive(make_services(settings(url, tmp_path / "target"), storage), path)
        users = storage.read(lambda snapshot: snapshot.users.all())
        assert {user.password_hash for user in users} == {None}
        organization = storage.read(lambda snapshot: snapshot.organization.get())
        assert organization.secret_fingerprint not in ("", fingerprint)
    with closing(World(url, data_dir=tmp_path / "target")) as target:
        assert not set(target.keys.values()) & set(old.values())
        assert target["ada"].get("/users/me")["email"] == world.users["ada"].email


def test_a_killed_import_leaves_nothing_but_files_and_can_be_repeated(
    archive: Path, stores: Stores, store_kind: str, tmp_path: Path
) -> None:
    url, folder = stores(store_kind, None), tmp_path / "target"
    for step in ("verify", "restore"):
        done = subprocess.run(
            [sys.executable, __file__, url, str(folder), str(archive), step], timeout=PATIENCE, check=False,
            env={**os.environ, "PYTHONPATH": str(PROJECT)},  # noqa: TID251
        )  # fmt: skip
        assert done.returncode == -signal.SIGKILL
        with closing(open_storage(url)) as storage:
            assert storage.read(lambda snapshot: snapshot.organization.find()) is None
    done_again = restored(archive, url, folder)
    assert (done_again.files, done_again.already) == (1, 1)
    with closing(World(url, data_dir=folder)) as world:
        assert view_of(world["ada"])["messages"]


def die_at(step: str) -> Callable[[str, int], None]:
    def progress(now: str, done: int) -> None:
        if now == step:
            os.kill(os.getpid(), signal.SIGKILL)

    return progress


if __name__ == "__main__":
    _, place, data, source, when = sys.argv
    opened = open_storage(place)
    restore_archive(make_services(settings(place, Path(data)), opened), Path(source), progress=die_at(when))
