"""Leaving a channel and coming back: periods without messages between them are joined, invisibly to users."""

import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chatcore.domain.ids import ChannelId, MessageId
from chatcore.domain.limits import Limits
from chatcore.domain.messages.messages import channel_message
from chatcore.domain.roles import Role
from chatcore.storage import Transaction
from chatcore.storage.conformance.makers import subscribe, unsubscribe
from storage_backends.sql.narrow.query import MAX_ENDED
from tests.conftest import Template
from tests.worlds.organization import MakeWorld, Someone, World, as_text

PLACES = ("vault", "lunch", "secret")
"""Protected, public and shared history."""
READERS = ("cem", "gus")
STEPS = 50


class Story:
    """Random operations in one organization, and the same in *apart*, an organization in which periods are
    never joined.
    """

    def __init__(self, world: World, *, apart: bool) -> None:
        self.world = world
        self.apart = apart
        world.change_user("ada", role=Role.OWNER)
        world.change_organization(message_edit_history_visibility_policy="all")
        self.inside: set[tuple[str, str]] = {("gus", "lunch")}
        self.sent: list[int] = []
        self.lines, self.resting = (
            {name: world[name].registers(fetch_event_types=[]) for name in READERS} for _ in range(2)
        )
        self.received: dict[str, list[dict[str, Any]]] = {name: [] for name in READERS}

    def step(self, chance: random.Random) -> None:
        weights = {"turn": 10, "say": 4, "move": 3, "edit": 1, "react": 1, "delete": 1, "type": 1, "read": 1}
        (act,) = chance.choices(list(weights), list(weights.values()))
        self.world.clock.advance(1)
        getattr(self, act)(chance)
        for name, line in self.lines.items():
            self.received[name] += line.events()

    def turn(self, chance: random.Random) -> None:
        who, place = chance.choices(READERS, (4, 1))[0], chance.choice(PLACES)
        ada, principals = self.world["ada"], [self.world[who].id]
        if (who, place) in self.inside:
            ada.leaves(place, principals=principals)
        else:
            if self.apart:  # nobody who comes has been there before
                self._move_periods("until_position IS NOT NULL")
            ada.joins(place, principals=principals, send_new_subscription_messages=False)
            if self.apart:
                self._move_periods("user_id < 0")
        self.inside ^= {(who, place)}

    def _move_periods(self, which: str) -> None:
        """Give periods to somebody who is not there, and back."""
        self.world.sql(f"UPDATE subscription_period SET user_id = -user_id WHERE {which}")

    def say(self, chance: random.Random) -> None:
        self.sent.append(self.world["ada"].says("soup", chance.choice(PLACES), chance.choice("ab")))

    def move(self, chance: random.Random) -> None:
        if self.sent:
            self._patch(chance, stream_id=self.world.id(chance.choice(PLACES)), topic=chance.choice("abc"))

    def edit(self, chance: random.Random) -> None:
        if self.sent:
            self._patch(chance, content=f"stew {chance.random()}")

    def _patch(self, chance: random.Random, **changes: Any) -> None:
        path = f"/messages/{chance.choice(self.sent)}"
        changes |= {"send_notification_to_new_thread": False}
        self.world["ada"].request("PATCH", path, **changes)  # refused where it is there already

    def react(self, chance: random.Random) -> None:
        if self.sent:
            path = f"/messages/{chance.choice(self.sent)}/reactions"
            self.world["ada"].request("POST", path, emoji_name=chance.choice(("tada", "heart")))

    def delete(self, chance: random.Random) -> None:
        if self.sent:
            self.world["ada"].delete(f"/messages/{self.sent.pop(chance.randrange(len(self.sent)))}")

    def type(self, chance: random.Random) -> None:
        channel_id = self.world.id(chance.choice(PLACES))
        self.world["ada"].post("/typing", type="channel", op="start", stream_id=channel_id, topic="a")

    def read(self, chance: random.Random) -> None:
        self.world[chance.choice(READERS)].post("/mark_all_as_read")

    def seen(self) -> Iterator[object]:
        """Everything the readers see that depends on periods: messages, flags and counts."""
        for reader in map(self.world.__getitem__, READERS):
            yield reader.name
            for narrow in ((), *((f"channel:{place}",) for place in PLACES), ("is:unread",)):
                yield narrow, [(one["id"], one["flags"], one["content"]) for one in reader.reads(*narrow)]
            for place in PLACES:
                yield place, reader.request("GET", f"/users/me/{self.world.id(place)}/topics").get_json()
            for message_id in self.sent:
                yield message_id, reader.request("GET", f"/messages/{message_id}").get_json()
                yield message_id, reader.request("GET", f"/messages/{message_id}/history").get_json()


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize("seed", [0, 4, 7])
def test_nobody_sees_that_periods_are_joined(
    make_world: MakeWorld, sqlite_template: Template, tmp_path: Path, seed: int
) -> None:
    reference = tmp_path / "reference.db"
    shutil.copyfile(sqlite_template(), reference)
    story = Story(make_world(), apart=False)
    other = Story(World(f"sqlite:///{reference}"), apart=True)
    try:
        for chances in (random.Random(seed), random.Random(seed + 100)):
            state = chances.getstate()
            for one in (story, other):
                chances.setstate(state)
                for _ in range(STEPS // 2):
                    one.step(chances)
            assert story.inside == other.inside
            assert list(story.seen()) == list(other.seen())
        for name in READERS:
            assert story.received[name] == other.received[name]
            require_nothing_of_other_times(story, other, name)
        assert story.world.count("subscription_period") < other.world.count("subscription_period")
    finally:
        other.world.close()


def require_nothing_of_other_times(story: Story, other: Story, name: str) -> None:
    """Compare events of a queue that was not polled meanwhile.

    For a private channel that the user has left, the story has no more events than the other one
    (`events.audience.SubscribersOf`); for a channel with a current period it may have more, all within that
    period.
    """
    reader = other.world.users[name].id
    apart = {event["id"] for event in other.resting[name].events()}
    for event in story.resting[name].events():
        if event["id"] not in apart:
            channel_id = ChannelId(event.get("message", event)["stream_id"])
            found = other.world.storage.read(
                lambda snapshot, channel_id=channel_id: snapshot.subscriptions.periods(channel_id, [reader])  # type: ignore[misc]
            )
            assert any(period.covers(event["id"]) for period in found[reader]), event


def test_rejoining_without_messages_in_between_leaves_no_trace(world: World, ada: Someone) -> None:
    before = world.count("subscription_period")
    for _ in range(15):
        world.storage.write(lambda tx: tx.draw(100))
        ada.leaves("lunch", "plaza")
        ada.joins("plaza", "lunch")
    assert world.count("subscription_period") == before


def test_joining_and_leaving_too_often_is_refused_until_tomorrow(make_world: MakeWorld) -> None:
    world = make_world(limits=Limits(max_returns_per_user_and_day=2, max_returns_per_user=3))
    ada, bea = world["ada"], world["bea"]

    def leaves() -> None:
        bea.leaves("lunch")
        ada.says("soup")

    for _ in range(2):
        leaves()
        bea.joins("lunch")
    leaves()
    wanted = as_text([{"name": "lunch"}])
    parameters = {"subscriptions": wanted}
    answer = bea.refused("POST", "/users/me/subscriptions", status=429, code="RATE_LIMIT_HIT", **parameters)
    assert "lunch" not in [one["name"] for one in bea.get("/users/me/subscriptions")["subscriptions"]]
    world.clock.advance(answer["retry-after"])
    bea.joins("lunch")
    leaves()
    bea.refused("POST", "/users/me/subscriptions", **parameters)
    ada.joins("plaza", principals=[bea.id])


MANY = MAX_ENDED + 6
FROM_ADA = "sender:ada@example.org"


def test_a_reader_with_very_many_periods_gets_whole_pages(world: World, ada: Someone, bea: Someone) -> None:
    """The nearest periods are looked at first, and messages of other channels may lie behind further ones."""
    vault, me = ChannelId(world.id("vault")), world.users["bea"].id
    read = [ada.says("soup") for _ in range(20)]

    def come_and_go(tx: Transaction) -> None:
        for _ in range(MANY):
            subscribe(tx, vault, me)
            read.append(post(tx))
            unsubscribe(tx, vault, me)
            post(tx)
        subscribe(tx, vault, me)

    def post(tx: Transaction) -> int:
        number = MessageId(tx.draw())
        message = channel_message(
            id=number, sender_id=world.users["ada"].id, channel_id=vault, topic="today", content="soup",
            rendered_content="<p>soup</p>", timestamp=world.svc.now,
        )  # fmt: skip
        tx.messages.add(message, ["soup"])
        return number

    world.storage.write(come_and_go)
    read += [ada.says("soup") for _ in range(20)]
    assert world.count("subscription_period") > MANY
    for count in (30, MAX_ENDED, MANY, MANY + 20, MANY + 40):
        assert bea.finds(FROM_ADA, num_before=count) == read[-count:]
        assert bea.finds(FROM_ADA, anchor=read[-21], num_before=count - 1) == read[-20 - count : -20]
        page = bea.finds(FROM_ADA, anchor="oldest", num_before=0, num_after=count)
        assert page == read[:count]
        page = bea.finds(FROM_ADA, anchor=read[20], num_before=0, num_after=count - 1)
        assert page == read[20 : 20 + count]
