"""Late polls after a channel's history became protected: they tell of messages what readers may read now."""

import json
from collections.abc import Callable, Mapping

import pytest

from chatcore.application.visibility.message_audiences import audiences_of
from chatcore.domain.ids import MessageId
from chatcore.domain.limits import Limits
from chatcore.events.happened import MessageRendered
from chatcore.storage.transaction import Transaction
from tests.worlds.organization import Line, MakeWorld, World

Change = Callable[[World, int], object]
TYPES = ("update_message", "reaction", "submessage", "delete_message", "typing_edit_message")
FROM_THE_LOG = Limits(max_events_per_read=2, max_remembered_events=1)


def is_rendered(world: World, message_id: int) -> None:
    def write(tx: Transaction) -> None:
        (message,) = tx.messages.by_ids([MessageId(message_id)])
        html = "<p>hush</p>"
        event = MessageRendered(message_id=message.id, content="", rendered_content=html, edit_timestamp=1)
        for _, audience in audiences_of(tx, world.channels["plaza"], [message]):
            tx.announce(event, audience)

    world.storage.write(write)


CHANGES: Mapping[str, Change] = {
    "edited": lambda world, number: world["ada"].patch(f"/messages/{number}", content="hush"),
    "renamed": lambda world, number: world["ada"].patch(
        f"/messages/{number}", topic="hush", send_notification_to_new_thread=False
    ),
    "rendered": is_rendered,
    "reacted to": lambda world, number: world["ada"].post(f"/messages/{number}/reactions", emoji_name="tada"),
    "no longer reacted to": lambda world, number: world["ada"].delete(
        f"/messages/{number}/reactions", emoji_name="thumbs_up"
    ),
    "voted on": lambda world, number: world["ada"].post(
        "/submessage",
        message_id=number,
        msg_type="widget",
        content='{"type": "question", "question": "hush"}',
    ),
    "being edited": lambda world, number: world["ada"].post(f"/messages/{number}/typing", op="start"),
    "deleted": lambda world, number: world["olga"].delete(f"/messages/{number}"),
}


def protects(world: World, channel: str) -> None:
    changes = {"is_private": True, "history_public_to_subscribers": False}
    world["olga"].patch(f"/streams/{world.id(channel)}", **changes)


def kinds(line: Line) -> list[str]:
    return [event["type"] for event in line.events()]


@pytest.mark.parametrize("limits", [Limits(), FROM_THE_LOG], ids=["from memory", "from the log"])
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("who", ["came later", "came later and starred it", "was there", "came back"])
def test_a_late_poll_tells_changes_of_messages_that_may_be_read_now(
    make_world: MakeWorld, who: str, change: str, limits: Limits
) -> None:
    world = make_world(limits=limits)
    ada, bea = world["ada"], world["bea"]
    if who in ("was there", "came back"):
        bea.joins("plaza")
    old = ada.says("/poll soup" if change == "voted on" else "soup", "plaza")
    ada.post(f"/messages/{old}/reactions", emoji_name="thumbs_up")
    if who == "came back":
        bea.leaves("plaza")
    bea.joins("plaza")
    if who == "came later and starred it":
        bea.flagged("starred", old)
    prompt, late = (bea.opens_queue(*TYPES) for _ in range(2))
    CHANGES[change](world, old)
    told = kinds(prompt)
    assert told
    protects(world, "plaza")
    if change != "deleted":
        status = bea.request("GET", f"/messages/{old}").status_code
        assert status == (400 if who == "came later" else 200)
    assert kinds(late) == ([] if who == "came later" else told)


@pytest.mark.parametrize("change", ["renamed", "deleted"])
@pytest.mark.parametrize("who", ["came later", "was there in between", "was there at last", "starred one"])
def test_a_late_poll_tells_what_happened_to_many_messages_to_who_has_one_of_them(
    world: World, who: str, change: str
) -> None:
    ada, bea = world["ada"], world["bea"]
    ada.joins("plaza")
    bea.joins("plaza")
    bea.leaves("plaza")
    first = ada.says("soup", "plaza")
    if who.startswith("was there"):
        bea.joins("plaza")
    if who == "was there in between":
        bea.leaves("plaza")
    ada.says("more soup", "plaza")
    bea.joins("plaza")
    if who == "starred one":
        bea.flagged("starred", first)
    line = bea.opens_queue("update_message", "delete_message")
    if change == "renamed":
        how = {"propagate_mode": "change_all", "send_notification_to_new_thread": False}
        ada.patch(f"/messages/{first}", topic="hush", **how)
    else:
        world["olga"].post(f"/streams/{world.id('plaza')}/delete_topic", topic_name="today")
    protects(world, "plaza")
    assert (kinds(line) == []) is (who in ("came later", "was there in between"))


@pytest.mark.parametrize("starred", [False, True])
def test_a_late_poll_tells_of_a_move_without_the_place_that_is_protected_now(
    world: World, starred: bool
) -> None:
    """Bea came to lunch later than the message, and to plaza later than its move there."""
    ada, bea = world["ada"], world["bea"]
    ada.joins("plaza")
    bea.leaves("lunch")
    soup, salad = ada.says("soup", topic="kitchen"), ada.says("salad", "plaza", topic="garden")
    bea.joins("lunch")
    if starred:
        bea.flagged("starred", soup, salad)
    line = bea.opens_queue("update_message")
    for message_id, channel in ((soup, "plaza"), (salad, "lunch")):
        ada.patch(f"/messages/{message_id}", stream_id=world.id(channel), topic="today")
    protects(world, "lunch")
    seen = json.dumps(line.events())
    assert '"orig_subject": "garden"' in seen
    assert ('"orig_subject": "kitchen"' in seen) is starred


def test_a_star_from_after_a_move_does_not_show_where_the_message_was(world: World) -> None:
    ada, bea = world["ada"], world["bea"]
    bea.leaves("lunch")
    soup = ada.says("soup", topic="kitchen")
    bea.joins("lunch")
    line = bea.opens_queue("update_message")
    ada.patch(f"/messages/{soup}", content="hush")
    ada.patch(f"/messages/{soup}", stream_id=world.id("plaza"), topic="today")
    bea.flagged("starred", soup)
    protects(world, "lunch")
    (event,) = line.events()
    assert event["new_stream_id"] == world.id("plaza")
    assert "kitchen" not in json.dumps(event)
    assert "hush" not in json.dumps(event)


def test_a_late_poll_tells_who_kept_a_message_that_it_has_gone_out_of_sight(world: World) -> None:
    ada, bea = world["ada"], world["bea"]
    bea.leaves("lunch")
    soup = ada.says("soup")
    bea.joins("lunch")
    bea.flagged("starred", soup)
    line = bea.opens_queue("delete_message")
    ada.patch(f"/messages/{soup}", stream_id=world.id("vault"))
    protects(world, "lunch")
    assert kinds(line) == ["delete_message"]
