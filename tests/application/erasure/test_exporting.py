"""The data of one person in an archive: what is in it, and who may have it."""

import json
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from chatcore.application.archives.format import BadArchive
from chatcore.application.archives.one_person import delete_outdated
from chatcore.application.archives.to_file import export_to_file
from chatcore.application.archives.working import write_requested
from chatcore.application.erasure.steps import remove_archives
from chatcore.domain.people.users import EmailVisibility
from chatcore.domain.roles import Role
from storage_backends.sql.archives.person import PARTS
from tests.application.archives.test_round_trip import new_store
from tests.worlds.archives import restored
from tests.worlds.files import fetches, form, part, send_form, uploads
from tests.worlds.organization import DAY, MakeWorld, Someone, World, succeeded
from tests.worlds.pictures import picture


@pytest.fixture
def world(make_world: MakeWorld, tmp_path: Path) -> World:
    return make_world(data_dir=tmp_path / "data")


def exports(someone: Someone) -> Sequence[dict[str, Any]]:
    found: Sequence[dict[str, Any]] = someone.get("/users/me/exports")["exports"]
    return found


def own_archive(someone: Someone) -> ZipFile:
    someone.post("/users/me/exports")
    write_requested(someone.world.svc)
    return ZipFile(BytesIO(fetches(someone, exports(someone)[-1]["export_url"]).data))


def rows(archive: ZipFile, table: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in archive.read(f"tables/{table}.jsonl").splitlines()]


def text_of(archive: ZipFile) -> str:
    return "\n".join(archive.read(name).decode(errors="replace") for name in archive.namelist())


def test_it_has_what_the_person_has_said_kept_and_received_directly(world: World) -> None:
    ada, bea, cem = world["ada"], world["bea"], world["cem"]
    ada.says("mine")
    bea.says("in the channel")
    bea.writes("to ada", "ada")
    bea.writes("to cem", "cem")
    snippet = {"title": "kept", "content": "a snippet"}
    ada.post("/saved_snippets", **snippet)
    ada.post(
        "/drafts", drafts=[{"type": "private", "to": [], "topic": "", "content": "later", "timestamp": 1}]
    )
    ada.post(f"/users/me/muted_users/{cem.id}")
    ada.post("/users/me/alert_words", alert_words=["ladder"])
    link = uploads(ada, b"tomatoes")["url"]
    uploads(bea, b"of another")
    archive = own_archive(ada)
    assert {row["content"] for row in rows(archive, "message")} >= {"mine", "to ada"}
    assert not {row["content"] for row in rows(archive, "message")} & {"in the channel", "to cem"}
    assert [row["content"] for row in rows(archive, "saved_snippet")] == ["a snippet"]
    assert [row["content"] for row in rows(archive, "draft")] == ["later"]
    assert [row["muted_id"] for row in rows(archive, "muting_period")] == [cem.id]
    assert [row["word"] for row in rows(archive, "alert_word")] == ["ladder"]
    assert {row["id"] for row in rows(archive, "account")} == {ada.id, world["robo"].id}
    assert {row["full_name"] for row in rows(archive, "known_person")} == {"Ada", "Bea"}
    assert {row["name"] for row in rows(archive, "channel")} >= {"lunch", "secret", "vault"}
    files = [archive.read(name) for name in archive.namelist() if name.startswith("files/")]
    assert files == [b"tomatoes"]
    assert link.rpartition("/")[2] in text_of(archive)
    manifest = json.loads(archive.read("manifest.json"))
    assert manifest["scope"] == "person"
    assert {*manifest["tables"]} == {part.table.name for part in PARTS}


def test_the_topic_of_an_own_message_is_in_it_if_the_person_can_read_the_message(world: World) -> None:
    """In a channel with protected history: those that the person has starred, not those of others."""
    ada, bea, cem = world["ada"], world["bea"], world["cem"]
    cem.joins("lunch")
    for someone in (ada, bea):
        someone.leaves("lunch")
    bea.flagged("starred", ada.says("plain", "lunch", "Soup"))
    ada.flagged("starred", ada.says("starred", "lunch", "Soup"))
    world.protect("lunch")
    cem.joins("lunch", principals=[ada.id, bea.id])
    found = {row["content"]: row["topic"] for row in rows(own_archive(ada), "message")}
    assert (found["plain"], found["starred"]) == (None, "Soup")


def test_the_picture_is_in_it(world: World) -> None:
    ada = world["ada"]
    succeeded(send_form(ada, form(part(picture(), "me.png")), path="/users/me/avatar"))
    archive = own_archive(ada)
    assert len([name for name in archive.namelist() if name.startswith("files/")]) == 2


def test_it_has_no_secret_and_no_private_data_of_others(world: World) -> None:
    ada, bea, olga = world["ada"], world["bea"], world["olga"]
    world.change_user("bea", email_visibility=EmailVisibility.NOBODY)
    bea.writes("soup?", "ada")
    olga.patch(f"/users/{ada.id}", full_name="Ada L.")
    olga.patch(f"/users/{bea.id}", full_name="Bea B.")
    text = text_of(own_archive(ada))
    assert bea.email not in text
    for name in ("ada", "bea", "robo", "olga"):
        assert world.keys[name] not in text
    assert '"192.0.2.1"' in text  # from where the person has logged in or acted
    assert "Ada L." in text
    assert "password_hash" not in text


def test_the_address_of_an_administrator_is_left_out(world: World) -> None:
    ada, olga = world["ada"], world["olga"]
    olga.patch(f"/users/{ada.id}", full_name="Ada L.")
    (entry,) = [row for row in rows(own_archive(ada), "audit_entry") if row["kind"] == "name_changed"]
    assert (entry["address"], entry["client"], entry["actor_id"]) == ("", "", olga.id)
    assert "Ada L." in entry["personal"]


def test_only_whoever_has_requested_it_downloads_it(world: World) -> None:
    ada = world["ada"]
    own_archive(ada)
    (export,) = exports(ada)
    for other in ("olga", "bea"):
        assert fetches(world[other], export["export_url"]).status_code == 404
        assert exports(world[other]) == []
    assert world["olga"].get("/export/realm")["exports"] == []
    world["olga"].refused("DELETE", f"/export/realm/{export['id']}")
    message = ada.reads("is:dm", apply_markdown=False)[-1]["content"]
    assert export["export_url"] in message
    assert "your data" in message


def test_administrators_export_the_data_of_those_who_consent(world: World) -> None:
    ada, olga = world["ada"], world["olga"]
    world["bea"].refused("POST", f"/users/{ada.id}/exports", code="UNAUTHORIZED_PRINCIPAL")
    olga.refused("POST", f"/users/{ada.id}/exports")
    olga.refused("POST", f"/users/{world['robo'].id}/exports")
    olga.refused("POST", "/users/9999/exports")
    ada.patch("/settings", allow_private_data_export=True)
    olga.post(f"/users/{ada.id}/exports")
    write_requested(world.svc)
    (export,) = exports(olga)
    assert (export["user_id"], export["acting_user_id"]) == (ada.id, olga.id)
    assert fetches(ada, export["export_url"]).status_code == 404
    assert fetches(olga, export["export_url"]).status_code == 200
    assert exports(ada) == []
    (entry,) = olga.get("/audit", kind="data_exported")["entries"]
    assert (entry["actor_id"], entry["target_id"]) == (olga.id, ada.id)


def test_there_are_few_exports_of_a_person_and_one_is_kept(world: World) -> None:
    ada = world["ada"]
    ada.post("/users/me/exports")
    ada.refused("POST", "/users/me/exports")  # one waits
    write_requested(world.svc)
    (first,) = exports(ada)
    for _ in range(2):
        own_archive(ada)
    assert fetches(ada, first["export_url"]).status_code == 404
    assert len([export for export in exports(ada) if export["export_url"]]) == 1
    ada.refused("POST", "/users/me/exports")
    world["robo"].refused("POST", "/users/me/exports")
    ada.patch("/settings", allow_private_data_export=True)
    world["olga"].post(f"/users/{ada.id}/exports")  # nobody uses up what others may
    url = exports(ada)[-1]["export_url"]
    world.clock.advance(8 * DAY)
    delete_outdated(world.svc)
    assert fetches(ada, url).status_code == 404
    ada.post("/users/me/exports")


def test_nothing_restores_it(world: World, tmp_path: Path) -> None:
    path = tmp_path / "ada.zip"
    done = export_to_file(world.svc, path, person=world["ada"].id)
    assert done.problem is None
    with pytest.raises(BadArchive, match="one person"):
        restored(path, new_store(tmp_path), tmp_path / "new")


def _loses_role(world: World) -> None:
    world.change_user("olga", role=Role.MEMBER)


def _is_deactivated(world: World) -> None:
    world.change_user("olga", is_active=False)


def _withdraws_consent(world: World) -> None:
    world["ada"].patch("/settings", allow_private_data_export=False)


LOSSES = [_loses_role, _is_deactivated, _withdraws_consent]


def requests_data_of_ada(world: World) -> Someone:
    """Have an administrator request the data of a person who consents."""
    world["ada"].patch("/settings", allow_private_data_export=True)
    world["olga"].post(f"/users/{world['ada'].id}/exports")
    return world["olga"]


@pytest.mark.parametrize("lose", [_loses_role, _withdraws_consent])
def test_the_right_to_the_data_of_another_is_looked_at_when_it_is_downloaded(
    world: World, lose: Callable[[World], None]
) -> None:
    olga = requests_data_of_ada(world)
    write_requested(world.svc)
    (export,) = exports(olga)
    assert fetches(olga, export["export_url"]).status_code == 200
    own = own_archive(olga)
    assert len(exports(olga)) == 2
    lose(world)
    assert fetches(olga, export["export_url"]).status_code == 404
    (left,) = exports(olga)
    assert left["user_id"] == olga.id
    assert fetches(olga, left["export_url"]).status_code == 200
    assert "Olga" in text_of(own)


@pytest.mark.parametrize("lose", LOSSES)
def test_the_right_to_the_data_of_another_is_looked_at_when_it_is_written(
    world: World, lose: Callable[[World], None]
) -> None:
    requests_data_of_ada(world)
    lose(world)
    write_requested(world.svc)
    (export,) = world.storage.read(lambda snapshot: snapshot.exports.all())
    assert export.failed_at is not None
    assert list(world.svc.files.sizes()) == []


def test_whoever_is_no_administrator_any_more_gets_no_archive_of_the_organization(world: World) -> None:
    olga = world["olga"]
    queue = olga.opens_queue("realm_export")
    olga.post("/export/realm", export_type=1)
    assert len(queue.events()) == 1
    _loses_role(world)
    write_requested(world.svc)
    assert queue.events() == []
    (export,) = world.storage.read(lambda snapshot: snapshot.exports.all())
    assert export.failed_at is not None


def test_an_archive_of_somebody_erased_meanwhile_is_removed(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    requests_data_of_ada(world)
    finish = world.svc.files.finish

    def erase(key: str) -> None:
        remove_archives(world.svc, world["ada"].id)
        finish(key)

    monkeypatch.setattr(world.svc.files, "finish", erase)
    write_requested(world.svc)
    assert world.storage.read(lambda snapshot: snapshot.exports.all()) == []
    world["olga"].post(f"/users/{world['ada'].id}/exports")

    def erase_after(key: str) -> None:
        finish(key)
        exports = world.storage.read(lambda snapshot: snapshot.exports.all())
        world.storage.write(lambda tx: tx.exports.remove([export.id for export in exports]))

    monkeypatch.setattr(world.svc.files, "finish", erase_after)
    write_requested(world.svc)
    assert list(world.svc.files.sizes()) == []
    assert caplog.records == []
