"""Unused files: no message links to them, and their owner has nothing unsent that names them."""

from collections.abc import Callable
from urllib.parse import quote

import pytest

from chatcore.application.files.upkeep import delete_unused, drop_unused, list_files
from tests.worlds.files import attachments, files_world, stored_files, uploads
from tests.worlds.organization import NOW, Someone, World

__all__ = ["files_world"]

DAY = 86_400
Names = Callable[[Someone, str], object]

UNSENT: dict[str, Names] = {
    "a draft": lambda ada, url: ada.post(
        "/drafts", drafts=[{"type": "", "to": [], "topic": "", "content": f"[soup]({url})", "timestamp": NOW}]
    ),
    "a draft with an encoded address": lambda ada, url: ada.post(
        "/drafts",
        drafts=[{"type": "", "to": [], "topic": "", "content": f"[soup]({quote(url)})", "timestamp": NOW}],
    ),
    "a scheduled message": lambda ada, url: ada.post(
        "/scheduled_messages",
        type="direct",
        to=[ada.id],
        content=f"[soup]({url})",
        scheduled_delivery_timestamp=NOW + 400 * DAY,
    ),
    "a reminder": lambda ada, url: ada.post(
        "/reminders",
        message_id=ada.says("soup"),
        note=f"[soup]({url})",
        scheduled_delivery_timestamp=NOW + 400 * DAY,
    ),
    "a saved snippet": lambda ada, url: ada.post("/saved_snippets", title="Soup", content=f"[soup]({url})"),
}


def unused_files(world: World) -> list[str]:
    return [listed.attachment.name for listed in list_files(world.svc, unused_for=DAY)]


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize("kind", UNSENT)
def test_a_file_that_its_owner_has_not_sent_yet_is_used(files_world: World, kind: str) -> None:
    world, ada = files_world, files_world["ada"]
    UNSENT[kind](ada, uploads(ada, b"soup", "sööp ü.txt")["url"])
    uploads(ada, b"stew", "stew.txt")
    world.clock.advance(DAY)
    assert unused_files(world) == ["stew.txt"]
    assert [file.name for file in delete_unused(world.svc, DAY)] == ["stew.txt"]
    for _ in range(3):
        world.clock.advance(world.svc.limits.unlinked_upload_lifetime)
        drop_unused(world.svc)
    assert [file["name"] for file in attachments(ada)] == ["sööp ü.txt"]


def test_a_text_of_somebody_else_does_not_keep_a_file(files_world: World) -> None:
    world, ada, bea = files_world, files_world["ada"], files_world["bea"]
    url = uploads(ada)["url"]
    UNSENT["a draft"](bea, url)
    world.clock.advance(world.svc.limits.unlinked_upload_lifetime)
    drop_unused(world.svc)
    assert (attachments(ada), stored_files(world)) == ([], [])


def test_files_that_are_kept_do_not_keep_others_from_being_dropped(
    files_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chatcore.application.files.upkeep.SWEEP_SIZE", 1)
    world, ada = files_world, files_world["ada"]
    UNSENT["a draft"](ada, uploads(ada, b"kept", "kept.txt")["url"])
    uploads(ada, b"lost", "lost.txt")
    world.clock.advance(world.svc.limits.unlinked_upload_lifetime)
    for _ in range(2):
        drop_unused(world.svc)
    assert [file["name"] for file in attachments(ada)] == ["kept.txt"]


def test_all_files_are_listed_over_pages(files_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chatcore.application.files.upkeep.PAGE", 1)
    world, ada, bea = files_world, files_world["ada"], files_world["bea"]
    for someone, name in ((ada, "a"), (bea, "b"), (ada, "c")):
        uploads(someone, b"soup", name)
    assert [listed.attachment.name for listed in list_files(world.svc)] == ["a", "b", "c"]
    assert [listed.attachment.name for listed in list_files(world.svc, owner_id=ada.actor.user_id)] == [
        "a",
        "c",
    ]
