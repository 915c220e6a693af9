"""After a move, what people have is as before, but for links; what waits in a queue stays behind."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from chatcore.application import units
from chatcore.application.mail import outbox
from chatcore.domain.files.thumbnails import ImageState
from chatcore.domain.ids import AttachmentId
from chatcore.domain.mail.mails import MailKind
from tests.conftest import Stores
from tests.worlds.archives import exported, restored
from tests.worlds.files import fetches
from tests.worlds.images import make_thumbnails, shows_image, thumbnail, thumbnails_wait
from tests.worlds.joining import ORIGIN, invites, joins_by, makes_link, member, opens
from tests.worlds.mail import link_in, sent
from tests.worlds.organization import MakeWorld, Someone, World
from tests.worlds.pictures import png

Move = Callable[[World], World]
LIMITED = {"invite_as": 600, "invite_expires_in_minutes": None}


@pytest.fixture
def world(make_world: MakeWorld, tmp_path: Path) -> World:
    return make_world(data_dir=tmp_path / "old", mail_folder=tmp_path / "mail")


@pytest.fixture
def move(stores: Stores, store_kind: str, tmp_path: Path) -> Iterator[Move]:
    """A function that moves an organization to the other database, on a server with the same secret."""
    with ExitStack() as stack:

        def run(world: World) -> World:
            path = exported(world, tmp_path / "archive.zip")
            url = stores("postgresql" if store_kind == "sqlite" else "sqlite", None)
            restored(path, url, tmp_path / "new")
            moved = World(url, data_dir=tmp_path / "new", mail_folder=tmp_path / "mail")
            stack.callback(moved.close)
            return moved

        yield run


def invitations(someone: Someone) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = someone.get("/invites")["invites"]
    return found


def path_of(invitation: dict[str, Any]) -> str:
    return str(invitation["link_url"]).removeprefix(ORIGIN)


def test_invitations_move_and_get_new_links(world: World, move: Move) -> None:
    old = makes_link(world["olga"], **LIMITED)
    invites(world["ada"], "ned@example.org", stream_ids=[world.id("secret")])
    mailed = link_in(sent(world)[-1])
    before = invitations(world["olga"])
    assert len(before) == 2
    moved = move(world)
    after = invitations(moved["olga"])
    assert [{**one, "link_url": None} for one in after] == [{**one, "link_url": None} for one in before]
    for path in (old, mailed):
        assert opens(world, path).status_code == 200
        assert opens(moved, path).status_code == 404
    (link,) = [path_of(one) for one in after if one["is_multiuse"]]
    assert link != old
    assert joins_by(moved, link, "nia", email="nia@example.org").status_code == 200
    joined = member(moved, "nia@example.org")
    assert joined is not None
    assert joined["role"] == LIMITED["invite_as"]
    (by_address,) = [one["id"] for one in after if not one["is_multiuse"]]
    moved["ada"].post(f"/invites/{by_address}/resend")
    assert joins_by(moved, link_in(sent(moved)[-1]), "ned").status_code == 200
    assert member(moved, "ned@example.org") is not None


def test_images_show_their_thumbnails(world: World, move: Move) -> None:
    ada = world["ada"]
    shown = shows_image(ada)
    messages = [ada.says(f"[x.png]({shown})")]
    with thumbnails_wait(world):
        waiting = shows_image(ada, name="y.png")
        messages.append(ada.says(f"[y.png]({waiting})"))
    moved = move(world)

    def htmls(one: World) -> list[str]:
        return [one["ada"].get(f"/messages/{message}")["message"]["content"] for message in messages]

    assert htmls(moved) == htmls(world)
    assert "image-loading-placeholder" in htmls(moved)[1]
    answer = fetches(moved["ada"], thumbnail(shown))
    assert (answer.status_code, answer.data) == (200, fetches(ada, thumbnail(shown)).data)
    assert moved.count("uploaded_image") == 2
    for one in (world, moved):
        make_thumbnails(one)
    assert htmls(moved) == htmls(world)
    assert thumbnail(waiting) in htmls(moved)[1]
    assert fetches(moved["ada"], thumbnail(waiting)).status_code == 200


def test_a_mail_that_was_received_is_known(world: World, move: Move) -> None:
    channel_id = world.channels["lunch"].id
    world.storage.write(lambda tx: tx.mail_receipts.add(channel_id, "key", world.svc.now, 0))
    moved = move(world)
    assert moved.storage.read(lambda snapshot: snapshot.mail_receipts.has(channel_id, "key"))


def test_calls_of_bots_and_mails_that_wait_stay_behind(world: World, move: Move) -> None:
    ada = world["ada"]
    bot = {"full_name": "Oracle", "short_name": "oracle", "bot_type": 3, "payload_url": '"http://a.example/"'}
    bot_id = ada.post("/bots", **bot)["user_id"]
    ada.says(f"@**Oracle|{bot_id}** soup?")
    ada.patch("/settings", email="lovelace@example.org")
    units.write(world.svc, outbox.put, MailKind.INVITATION, "ned@example.org", inviter="Ada")
    queued = ("bot_call", "mail", "confirmation")
    assert all(world.count(table) for table in queued)
    moved = move(world)
    assert [moved.count(table) for table in queued] == [0, 0, 0]
    (found,) = [one for one in moved["ada"].get("/bots")["bots"] if one["username"].startswith("oracle")]
    assert found["services"][0]["base_url"] == "http://a.example/"


@pytest.mark.parametrize("size", [(16_320, 12_240), (9_000, 12_000), (70_000, 70_000)])
def test_a_picture_of_any_size_moves(world: World, move: Move, size: tuple[int, int]) -> None:
    """The header of one that is too large to be decoded still says how large it is."""
    shown = shows_image(world["ada"], png(*size))
    moved = move(world)
    for one in (world, moved):
        (image,) = one.storage.read(lambda snapshot: snapshot.images.of_files([AttachmentId(1)])).values()
        assert (image.width, image.height, image.state) == (*size, ImageState.FAILED)
    assert fetches(moved["ada"], shown).status_code == 200
    assert fetches(moved["ada"], thumbnail(shown)).status_code == 404
