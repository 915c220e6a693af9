"""The state of a registration and the events after it come to the state of a later registration."""

import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from chatcore.application.accounts import NewUser, create_user
from chatcore.application.users import add_alert_words, remove_alert_words
from chatcore.domain.topics import VisibilityPolicy
from tests.events.applying import Known, apply, count, counted, known, seen
from tests.http.test_events import ALL_CAPABILITIES
from tests.http.world import Line, Someone, World

EVERYTHING: dict[str, Any] = {
    "include_subscribers": True,
    "client_gravatar": False,
    "client_capabilities": ALL_CAPABILITIES,
}
WATCHERS = ("olga", "ada", "bea", "cem", "gus", "robo")
"""An owner, somebody who is everywhere, a member, one who comes late, a guest, and a bot."""


class Watcher:
    """A client that registered once and has listened since."""

    def __init__(self, who: Someone) -> None:
        self.who = who
        self._line: Line = who.registers(**EVERYTHING)
        self._now: Known = known(self._line.state)

    def require_up_to_date(self) -> None:
        """Fail where what it has made of the events is not what a new registration gets."""
        for event in self._line.events():
            self._now = apply(self._now, event)
        fresh = self.who.registers(**EVERYTHING).state
        mine, theirs = seen(self._now), seen(known(fresh))
        for name, value in theirs.items():
            if name != "newest":
                assert mine[name] == value, f"{self.who.name}: {name}"
        assert theirs["newest"] <= mine["newest"], "one may have lost sight of it"
        assert count(self._now) == counted(fresh)


@pytest.fixture
def watchers(world: World) -> list[Watcher]:
    return [Watcher(world[name]) for name in WATCHERS]


def require_up_to_date(watchers: Iterable[Watcher]) -> None:
    for watcher in watchers:
        watcher.require_up_to_date()


# -- one thing after another ------------------------------------------------------------------------


def test_nothing_happened(watchers: list[Watcher]) -> None:
    require_up_to_date(watchers)


def test_messages(world: World, ada: Someone, watchers: list[Watcher]) -> None:
    for channel in ("lunch", "secret", "vault", "plaza"):
        ada.says("soup", channel)
        ada.says("@**all**, @**Bea** and @**Robo**: soup", channel, "Called")
    ada.says("soup", topic="")
    ada.writes("hello", "bea")
    ada.writes("hello", "bea", "cem", read_by_sender=True)
    ada.writes("to me", "ada")
    world["bea"].writes("hello", "ada")
    require_up_to_date(watchers)


def test_flags(ada: Someone, bea: Someone, watchers: list[Watcher]) -> None:
    sent = [
        ada.says("soup"),
        ada.says("@**Bea**", "secret"),
        ada.writes("hello", "bea"),
        ada.writes("x", "bea", "cem"),
    ]
    bea.flagged("read", *sent)
    bea.flagged("starred", *sent[1:])
    bea.flagged("read", *sent, op="remove")
    bea.flagged("starred", sent[2], op="remove")
    bea.world["cem"].flagged("starred", sent[0])
    require_up_to_date(watchers)


def test_joining_and_leaving(world: World, ada: Someone, watchers: list[Watcher]) -> None:
    cem, bea, gus = (world[name] for name in ("cem", "bea", "gus"))
    cem.joins("lunch", "plaza")
    ada.joins("secret", "vault", principals=[cem.id, gus.id])
    ada.says("@**all** soup", "vault")
    bea.leaves("secret", "lunch")
    gus.leaves("lunch", "secret")
    require_up_to_date(watchers)
    ada.joins("secret", principals=[bea.id])
    bea.joins("lunch")
    cem.leaves("vault")
    require_up_to_date(watchers)


def test_new_channels(world: World, ada: Someone, watchers: list[Watcher]) -> None:
    ada.joins("garden", topics_policy="disable_empty_topic")
    ada.joins("shed", invite_only=True)
    world["cem"].joins("garden")
    ada.joins("cellar", invite_only=True, history_public_to_subscribers=True, principals=[world["gus"].id])
    require_up_to_date(watchers)


def test_topics(world: World, ada: Someone, bea: Someone, watchers: list[Watcher]) -> None:
    for name in ("ada", "bea"):
        world.choose(name, automatically_follow_topics_policy=2)
    ada.says("@**Bea** soup?", topic="called")
    bea.says("yes", topic="Another")
    require_up_to_date(watchers)


def test_a_muted_channel(world: World, ada: Someone) -> None:
    world.mute("bea", "lunch")
    world.set_policy("bea", "lunch", "quiet", VisibilityPolicy.MUTED)
    watcher = Watcher(world["bea"])
    ada.says("soup")
    ada.says("@**Bea** soup", topic="called")
    ada.says("hush", topic="quiet")
    world["bea"].says("soup", topic="mine")
    watcher.require_up_to_date()


def test_alert_words_and_new_people(world: World, ada: Someone, watchers: list[Watcher]) -> None:
    add_alert_words(world.svc, ada.actor, ["soup", "fire"])
    remove_alert_words(world.svc, ada.actor, ["SOUP"])
    create_user(world.svc, NewUser(email="dan@example.org", full_name="Dan"))
    world["ada"].says("fire")
    require_up_to_date(watchers)


def test_a_channel_that_sleeps(world: World, ada: Someone) -> None:
    world.clock.advance(200 * 86_400)
    watchers = [Watcher(world[name]) for name in WATCHERS]
    ada.says("is anybody here?")
    require_up_to_date(watchers)


# -- anything after anything ------------------------------------------------------------------------


class Life:
    """People doing what they like, some of which they may not."""

    def __init__(self, world: World, seed: int) -> None:
        self.world = world
        self.rng = random.Random(seed)
        self.sent: list[int] = []
        self.channels = ["lunch", "secret", "vault", "plaza"]
        self.deeds: list[Callable[[Someone], object]] = [
            self.says, self.says, self.says, self.writes, self.flags, self.flags, self.joins, self.leaves,
            self.brings, self.makes, self.ranges,
        ]  # fmt: skip

    def goes_on(self, steps: int) -> None:
        for _ in range(steps):
            self.rng.choice(self.deeds)(self.world[self.rng.choice(WATCHERS)])

    def says(self, who: Someone) -> None:
        text = self.rng.choice(
            ["soup", "@**Bea**", "@**all** hello", "@**topic** hi", "@**Robo|9**", "/me waves"]
        )
        response = who.request(
            "POST", "/messages", type="channel", content=text,
            to=self.rng.choice(self.channels), topic=self.rng.choice(["a", "A", "b", "", "✔ b"]),
            read_by_sender=self.rng.random() < 0.5,
        )  # fmt: skip
        if response.status_code == 200:
            self.sent.append(response.get_json()["id"])

    def writes(self, who: Someone) -> None:
        self.sent.append(who.writes("hello", *self.rng.sample(WATCHERS, self.rng.randrange(1, 4))))

    def flags(self, who: Someone) -> None:
        some = self.rng.sample(self.sent, min(len(self.sent), self.rng.randrange(1, 4)))
        who.request(
            "POST", "/messages/flags", messages=some,
            op=self.rng.choice(["add", "remove"]), flag=self.rng.choice(["read", "starred"]),
        )  # fmt: skip

    def ranges(self, who: Someone) -> None:
        narrow = self.rng.choice([[], [["is", "unread"]], [["channel", "lunch"]], [["is", "dm"]]])
        who.request(
            "POST", "/messages/flags/narrow", anchor="newest", num_before=self.rng.randrange(5), num_after=0,
            narrow=narrow, op=self.rng.choice(["add", "remove"]), flag=self.rng.choice(["read", "starred"]),
        )  # fmt: skip

    def joins(self, who: Someone) -> None:
        wanted = [{"name": self.rng.choice(self.channels)}]
        who.request("POST", "/users/me/subscriptions", subscriptions=wanted)

    def brings(self, who: Someone) -> None:
        wanted = [{"name": self.rng.choice(self.channels)}]
        others = [self.world[name].id for name in self.rng.sample(WATCHERS, 2)]
        who.request("POST", "/users/me/subscriptions", subscriptions=wanted, principals=others)

    def leaves(self, who: Someone) -> None:
        left = [self.rng.choice(self.channels)]
        who.request("DELETE", "/users/me/subscriptions", subscriptions=left)

    def makes(self, who: Someone) -> None:
        if len(self.channels) > 8:
            return
        self.channels.append(f"channel {len(self.channels)}")
        who.request(
            "POST", "/users/me/subscriptions", subscriptions=[{"name": self.channels[-1]}],
            invite_only=self.rng.random() < 0.5, history_public_to_subscribers=self.rng.random() < 0.5,
        )  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_whatever_people_do(world: World, seed: int) -> None:
    life = Life(world, seed)
    watchers = [Watcher(world[name]) for name in WATCHERS]
    for _ in range(4):
        life.goes_on(25)
        require_up_to_date(watchers)
        watchers.append(Watcher(world[life.rng.choice(WATCHERS)]))
