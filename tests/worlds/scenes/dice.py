"""The base of random actions: the seed, the record of actions, and the objects to act on."""

import random
from typing import Any

from tests.worlds.clients.kinds import VIEWERS
from tests.worlds.groups import MODERATORS
from tests.worlds.organization import Someone
from tests.worlds.scenes.everything import Scene


class Dice:
    """A source of actions; all of them follow from the seed."""

    def __init__(self, scene: Scene, seed: int) -> None:
        self.world = scene.world
        self.dice = random.Random(seed)
        self.sent: list[int] = []
        self.in_channels: list[int] = []
        """Ids of messages that were sent to a channel."""
        self.fields: list[int] = []
        self.drafts: list[int] = []
        self.snippets: list[int] = []
        self.scheduled: list[int] = []
        self.reminders: list[int] = []
        self.done: list[str] = []
        """The record of actions, for debugging."""

    def ask(self, who: Someone, method: str, path: str, **parameters: Any) -> dict[str, Any] | None:
        """Send a request; return the answer, or None if it is refused."""
        response = who.request(method, path, **parameters)
        if response.status_code != 200:
            self.done[-1] += " (refused)"
            return None
        answer: dict[str, Any] = response.get_json()
        return answer

    # -- what it is about ---------------------------------------------------------------------------

    def by_the_owner(self, method: str, path: str, **parameters: Any) -> dict[str, Any]:
        return self.ask(self.world["olga"], method, path, **parameters) or {}

    def channel(self) -> str:
        made = [name for name in self.world.channels if name.startswith("channel ")]
        return self.dice.choice(["lunch", "lunch", "secret", "secret", "vault", "plaza", *made[-2:]])

    def channel_id(self) -> int:
        return self.world.id(self.channel())

    def topic(self) -> str:
        return self.dice.choice(["a", "A", "b", "", "quiet"])

    def text(self) -> str:
        texts = ["soup", "@**Bea**", "@**all** hello", "@**topic** hi", "@**Robo|9**", "@*cooks*", "/poll"]
        return self.dice.choice(texts)

    def people(self, most: int) -> list[int]:
        return [self.world[name].id for name in self.dice.sample([*VIEWERS], self.dice.randint(1, most))]

    def group(self) -> int:
        last = self.world.storage.read(lambda snapshot: snapshot.groups.count())
        return self.dice.randint(MODERATORS, last)

    def value(self) -> object:
        if self.dice.random() < 0.3:
            return self.group()
        return {"direct_members": self.people(2), "direct_subgroups": [self.group()]}

    def flag(self) -> dict[str, str]:
        return {"op": self.dice.choice(["add", "remove"]), "flag": self.dice.choice(["read", "starred"])}
