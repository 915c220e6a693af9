"""Deleting what is older than it is kept; the rule is tested in tests/domain/retention, and clocks that are
set in test_clock.py.
"""

from collections import Counter
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from chatcore.application.retention import deleting, scopes
from chatcore.application.retention.deleting import AnotherDeletes, delete_batches, delete_due
from chatcore.application.retention.estimating import estimate
from chatcore.application.retention.scopes import Amount
from chatcore.domain.retention.holds import NOT_STORED, Hold
from chatcore.runtime.measures import RETENTION_FILES, RETENTION_MESSAGES
from chatcore.storage import StorageNotReady
from tests.application.retention.days import pass_days
from tests.conftest import Stores
from tests.worlds.files import PNG, attachments, can_read, files_world, stored_files, uploads
from tests.worlds.organization import DAY, World, found, is_

__all__ = ["files_world"]


def keep(world: World, days: int | None, *channels: str) -> None:
    """Let channels keep their messages for some days; without any, the organization."""
    for channel in channels:
        world.sql("UPDATE channel SET message_retention_days = ? WHERE id = ?", days, world.id(channel))
    if not channels:
        world.change_organization(message_retention_days=days)


def hold(world: World, *, person: str | None = None, channel: str | None = None) -> None:
    world.storage.write(
        lambda tx: tx.holds.add(
            Hold(
                id=NOT_STORED,
                user_id=None if person is None else world.users[person].id,
                channel_id=None if channel is None else world.channels[channel].id,
                reason="case 7",
                set_at=world.svc.now,
                set_by=world.users["olga"].id,
            )
        )
    )


def stored(world: World) -> set[int]:
    """Return the ids of all messages of the tests' people."""
    backend = world.storage.backend
    with backend.connection():
        return {row[0] for row in backend.database.execute_sql("SELECT id FROM message").fetchall()}


def amounts(found: Any) -> dict[str, Amount]:
    by_name: dict[str, Amount] = {}
    for place, amount in found:
        name = "direct" if place.channel is None else place.channel.name
        by_name[name] = by_name.get(name, Amount()) + amount
    return {name: amount for name, amount in by_name.items() if amount.messages}


def test_each_place_keeps_its_messages_as_it_says(world: World) -> None:
    ada = world["ada"]
    keep(world, 30)
    keep(world, 7, "lunch")
    keep(world, -1, "plaza")
    old = {place: ada.says("old", place) for place in ("lunch", "secret", "plaza")}
    direct = ada.writes("old", "bea")
    pass_days(world, 7)
    delete_due(world.svc)
    assert {*old.values(), direct} <= stored(world)
    world.clock.advance(1)
    delete_due(world.svc)
    assert stored(world) == {old["secret"], old["plaza"], direct}
    pass_days(world, 23)
    fresh = ada.says("fresh")
    delete_due(world.svc)
    assert stored(world) == {old["plaza"], fresh}


def test_without_a_number_of_days_nothing_is_deleted(world: World) -> None:
    message_id = world["ada"].says("soup")
    world.clock.advance(40_000 * DAY)
    delete_due(world.svc)
    assert message_id in stored(world)
    assert world.count("retention_mark") == 0


def test_archived_channels_delete_too(world: World) -> None:
    message_id = world["ada"].says("soup")
    keep(world, 1, "lunch")
    world.archive("lunch")
    pass_days(world, 2)
    delete_due(world.svc)
    assert message_id not in stored(world)


def test_everything_of_a_message_goes_with_it(world: World) -> None:
    ada, bea = world["ada"], world["bea"]
    poll = ada.says("/poll Soup?\nyes\nno")
    message_id = ada.says("soup", topic="menu")
    ada.patch(f"/messages/{message_id}", content="salad")
    bea.post(f"/messages/{message_id}/reactions", emoji_name="balloon")
    bea.flagged("starred", message_id)
    keep(world, 1)
    pass_days(world, 2)
    delete_due(world.svc)
    assert not {poll, message_id} & stored(world)
    tables = ("message_search", "message_edit", "reaction", "submessage", "message_flag", "attachment_link")
    assert [world.count(table) for table in tables] == [0] * len(tables)
    assert bea.finds(is_("search", "salad")) == []
    assert bea.finds(is_("is", "starred")) == []


def test_readers_are_told_and_nobody_else(world: World) -> None:
    ada, bea, cem = (world[name] for name in ("ada", "bea", "cem"))
    keep(world, 1)
    channel = [ada.says(f"{number}", "secret", topic="menu") for number in range(3)]
    other = ada.says("other", "secret", topic="other")
    direct = ada.writes("for you", "bea")
    bea.flagged("starred", channel[0])
    pass_days(world, 2)
    lines = {
        someone: someone.registers(client_capabilities={"bulk_message_deletion": True})
        for someone in (ada, bea, cem)
    }
    delete_due(world.svc)
    for someone in (ada, bea):
        deleted = lines[someone].events("delete_message")
        assert sorted(event["message_ids"] for event in deleted) == [channel, [other], [direct]]
        assert {event.get("topic") for event in deleted} == {"menu", "other", None}
    assert lines[cem].events("delete_message") == []
    assert bea.reads() == []


def test_history_is_told_to_those_who_received_it(world: World) -> None:
    keep(world, 1)
    ada, bea = world["ada"], world["bea"]
    first = ada.says("soup", "vault")
    ada.joins("vault", principals=[bea.id])
    second = ada.says("salad", "vault")
    pass_days(world, 2)
    line = bea.opens_queue("delete_message", client_capabilities={"bulk_message_deletion": True})
    delete_due(world.svc)
    assert not {first, second} & stored(world)
    told = [event["message_ids"] for event in line.events("delete_message")]
    assert [second] in told
    assert [first] not in told


def test_files_go_with_the_last_message_that_links_to_them(files_world: World) -> None:
    world, ada = files_world, files_world["ada"]
    keep(world, 1, "lunch")
    here, both = (uploads(ada, b"soup", f"{name}.txt")["url"] for name in ("here", "both"))
    unlinked = uploads(ada, b"draft", "draft.txt")["url"]
    ada.says(f"[here]({here}) [both]({both})")
    ada.says(f"[both]({both})", "secret")
    pass_days(world, 2)
    line = ada.opens_queue("attachment")
    before = len(stored_files(world))
    assert amounts(estimate(world.svc)) == {"lunch": Amount(messages=1, files=1, size=4)}
    assert amounts(delete_batches(world.svc)) == {"lunch": Amount(messages=1, files=1, size=4)}
    assert [can_read(ada, url) for url in (here, both, unlinked)] == [False, True, True]
    assert len(stored_files(world)) == before - 1
    assert "remove" in {event["op"] for event in line.events("attachment")}
    assert {file["name"] for file in attachments(ada)} == {"both.txt", "draft.txt"}
    keep(world, 1, "secret")
    assert amounts(delete_batches(world.svc)) == {"secret": Amount(messages=1, files=1, size=4)}
    assert len(stored_files(world)) == before - 2


def test_thumbnails_go_with_their_file(files_world: World) -> None:
    world, ada = files_world, files_world["ada"]
    keep(world, 1)
    before = stored_files(world)
    ada.says(f"[picture]({uploads(ada, PNG, 'picture.png')['url']})")
    pass_days(world, 2)
    delete_due(world.svc)
    assert stored_files(world) == before
    assert world.count("uploaded_image") == 0


@pytest.mark.parametrize("kind", ["person", "channel"])
def test_what_is_held_stays(files_world: World, kind: str) -> None:
    world, ada, bea = files_world, files_world["ada"], files_world["bea"]
    keep(world, 1)
    url = uploads(ada, b"soup")["url"]
    by_ada, by_bea = ada.says(f"[soup]({url})"), bea.says("salad")
    elsewhere = ada.says("cake", "secret")
    to_ada, to_cem = bea.writes("for you", "ada"), bea.writes("for you", "cem")
    hold(world, person="ada") if kind == "person" else hold(world, channel="lunch")
    pass_days(world, 40)
    dry = amounts(estimate(world.svc))
    assert amounts(delete_batches(world.svc)) == dry
    kept = {by_ada, elsewhere, to_ada} if kind == "person" else {by_ada, by_bea}
    assert stored(world) == kept
    assert to_cem not in stored(world)
    assert can_read(ada, url)


def test_files_of_somebody_held_stay_without_messages(files_world: World) -> None:
    world, ada, bea = files_world, files_world["ada"], files_world["bea"]
    keep(world, 1)
    url = uploads(ada, b"soup")["url"]
    ada.says(f"[soup]({url})")
    bea.says(f"[soup]({url})")
    unlinked = uploads(ada, b"draft")["url"]
    world.sql("UPDATE message SET sender_id = ? WHERE sender_id = ?", bea.id, ada.id)
    hold(world, person="ada")
    pass_days(world, 90)
    assert amounts(estimate(world.svc))["lunch"].files == 0
    delete_due(world.svc)
    world.svc.hub.chores[-1]()
    assert not stored(world)
    assert can_read(ada, url)
    assert can_read(ada, unlinked)


def test_batches_are_bounded_and_others_write_between_them(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scopes, "BATCH", 3)
    keep(world, 1)
    for number in range(8):
        world["ada"].says(f"{number}", topic=f"{number % 2}")
    pass_days(world, 2)
    batches = delete_batches(world.svc)
    seen = []
    for _, amount in batches:
        seen.append(amount.messages)
        world["bea"].says("between")
    assert seen == [3, 3, 2]
    assert amounts(estimate(world.svc)) == {}


def test_one_process_deletes_at_a_time(world: World) -> None:
    keep(world, 1)
    world["ada"].says("soup")
    pass_days(world, 2)
    world.storage.write(lambda tx: tx.retention.claim("another", world.svc.now, world.svc.now + 300))
    with pytest.raises(AnotherDeletes):
        [*delete_batches(world.svc)]
    delete_due(world.svc)
    assert stored(world)
    world.clock.advance(300)  # the other one was killed
    delete_due(world.svc)
    assert not stored(world)


def test_a_claim_that_was_lost_deletes_nothing_more(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scopes, "BATCH", 1)
    keep(world, 1)
    messages = [world["ada"].says(f"{number}") for number in range(3)]
    pass_days(world, 2)
    batches = delete_batches(world.svc)
    next(batches)
    world.clock.advance(1000)
    world.storage.write(lambda tx: tx.retention.claim("another", world.svc.now, world.svc.now + 300))
    with pytest.raises(AnotherDeletes):
        next(batches)
    assert stored(world) == {*messages[1:]}


@pytest.mark.parametrize(
    "meanwhile",
    [
        lambda world: hold(world, person="ada"),
        lambda world: hold(world, channel="lunch"),
        lambda world: keep(world, -1, "lunch"),
        lambda world: keep(world, 3, "lunch"),
        lambda world: world.clock.jump(-5 * DAY),
        lambda world: world.sql("UPDATE message SET recipient_id = ?", world.id("plaza")),
    ],
)
def test_what_is_chosen_is_deleted_only_if_it_is_still_due(
    world: World, monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[World], None]
) -> None:
    keep(world, 1, "lunch")
    message_id = world["ada"].says("soup")
    pass_days(world, 2)
    delete = vars(deleting)["_delete_batch"]

    def delete_later(*given: Any) -> Amount:
        meanwhile(world)
        return delete(*given)

    monkeypatch.setattr(deleting, "_delete_batch", delete_later)
    assert amounts(delete_batches(world.svc)) == {}
    assert message_id in stored(world)


def test_a_store_that_refuses_is_tried_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(world, 1)
    message_id = world["ada"].says("soup")
    pass_days(world, 2)
    write = type(world.storage).write

    def is_full(*given: Any) -> Any:
        raise StorageNotReady("the disk is full")

    with monkeypatch.context() as full:
        full.setattr(type(world.storage), "write", is_full)
        with pytest.raises(StorageNotReady):
            delete_due(world.svc)
    assert type(world.storage).write is write
    assert message_id in stored(world)
    delete_due(world.svc)
    assert message_id not in stored(world)


def test_what_was_deleted_is_counted(files_world: World) -> None:
    world, ada = files_world, files_world["ada"]
    counts: Counter[object] = Counter()
    world.svc.measures.listen(lambda family, amount, labels: counts.update({family: int(amount)}))
    keep(world, 1)
    ada.says(f"[soup]({uploads(ada)['url']})")
    ada.says("salad")
    pass_days(world, 2)
    delete_due(world.svc)
    assert (counts[RETENTION_MESSAGES], counts[RETENTION_FILES]) == (2, 1)


def test_organizations_delete_their_own(stores: Stores, store_kind: str) -> None:
    left = []
    for days in (1, -1):
        with closing(World(stores(store_kind, found))) as world:
            keep(world, days)
            world["ada"].says("soup")
            pass_days(world, 2)
            delete_due(world.svc)
            left.append(len(stored(world)))
    assert left == [0, 1]


def test_the_alarm_of_a_server_deletes(world: World) -> None:
    keep(world, 1)
    world["ada"].says("soup")
    pass_days(world, 2)
    task = world.svc.alarms.retention.task
    assert task is not None
    task()
    assert stored(world) == set()
