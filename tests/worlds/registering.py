"""A small organization for tests of registration."""

import json
from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from chatcore.application.events.hub import EventHub
from chatcore.application.registration import state as register_state
from chatcore.application.services import Services
from chatcore.domain.channels.channels import Channel
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import MessageId, UserId
from chatcore.domain.limits import Limits
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.messages import Message, channel_message
from chatcore.domain.organization.organization import Organization
from chatcore.domain.people.users import User
from chatcore.domain.rate_limits import RULES
from chatcore.domain.roles import Role
from chatcore.domain.topics import VisibilityPolicy
from chatcore.events.queue import Capabilities, Registration
from chatcore.runtime.rate_limits import RateLimits
from chatcore.settings import Settings
from chatcore.storage import Storage, Transaction
from chatcore.storage.conformance.makers import subscribe, unsubscribe

NOW = 1_750_000_000
JOINED = NOW - 90 * 86_400

CHANNELS: Mapping[str, Mapping[str, Any]] = {
    "attic": {"is_archived": True},
    "lab": {"invite_only": True},
    "lunch": {},
    "square": {"is_web_public": True},
    "vault": {"invite_only": True, "history_public_to_subscribers": False},
}
PEOPLE: Mapping[str, Mapping[str, Any]] = {
    "ada": {"role": Role.OWNER},
    "mary": {"role": Role.MODERATOR},
    "grace": {},
    "eve": {},
    "gil": {"role": Role.GUEST},
    "ida": {"is_active": False},
}
SUBSCRIBED = {"lunch": ("ada", "grace", "eve", "gil", "ida"), "lab": ("grace", "eve"), "attic": ("grace",)}
LEFT = {"lunch": ("eve",), "lab": ("eve",)}

NO_TURN: Mapping[str, str] = {
    name: "off" for name in RULES if not name.startswith(("authenticate_", "password_"))
}
"""Rate limits of a world. They are high, because tests send more requests in a
second than people in an hour.
"""


def services(storage: Storage, *, development: bool = False) -> Services:
    settings = Settings(
        secret_key=b"s" * 32, external_url="https://chat.example.org", development=development
    )

    def clock() -> float:
        return float(NOW)

    return Services(
        storage=storage,
        settings=settings,
        clock=clock,
        monotonic=clock,
        hub=EventHub(storage, clock, Limits(), settings, clock),
        rate_limits=RateLimits(clock, NO_TURN),
    )


class World:
    """A small organization; `state` is the state that one of its people would receive on registration."""

    def __init__(self, storage: Storage, **settings: Any) -> None:
        self.storage = storage
        self.svc = services(storage)
        self.users: dict[str, User] = {}
        self.channels: dict[str, Channel] = {}
        storage.write(lambda tx: self._create_organization(tx, settings))

    def _create_organization(self, tx: Transaction, settings: Mapping[str, Any]) -> None:
        tx.organization.put(Organization(name="Analytical Society", date_created=JOINED, **settings))
        for name, fields in PEOPLE.items():
            defaults = {"email": f"{name}@example.org", "full_name": name.title(), "date_joined": JOINED}
            self.users[name] = tx.users.add({**defaults, **fields})
        for name, fields in CHANNELS.items():
            defaults = {"name": name, "date_created": JOINED, "creator_id": self.id("ada")}
            self.channels[name] = tx.channels.add({**defaults, **fields})
        for name, people in SUBSCRIBED.items():
            subscribe(tx, self.channels[name].id, *map(self.id, people))
        for name, people in LEFT.items():
            unsubscribe(tx, self.channels[name].id, *map(self.id, people))

    def id(self, name: str) -> UserId:
        return self.users[name].id

    def actor(self, name: str | None) -> Actor | None:
        if name is None:
            return None
        found = self.storage.read(lambda snapshot: snapshot.users.actors([self.id(name)], NOW))
        return found[self.id(name)]

    def state(self, name: str | None, *args: Any, **options: Any) -> dict[str, Any]:
        """Return the answer of `fetch` as the client receives it, decoded from JSON."""
        decoded: dict[str, Any] = json.loads(msgspec.json.encode(self.fetch(name, *args, **options)))
        return decoded

    def fetch(
        self,
        name: str | None,
        types: Collection[str] | None = None,
        *,
        include_subscribers: Any = None,
        registration: Registration | None = None,
        **capabilities: bool,
    ) -> dict[str, Any]:
        """Return the answer as the library gives it."""
        actor = self.actor(name)
        registered = registration or Registration(
            client_gravatar=actor is not None, capabilities=Capabilities(**capabilities)
        )
        return self.storage.read(
            lambda snapshot: register_state.fetch_state(
                snapshot,
                actor,
                register_state.wanting(types),
                registration=registered,
                svc=self.svc,
                now=NOW,
                include_subscribers=include_subscribers,
            )
        )

    def post(self, channel: str, topic: str, *, sender: str = "ada", **more: Any) -> MessageId:
        flags: Mapping[str, Flag] = more.pop("flags", {})

        def write(tx: Transaction) -> MessageId:
            message = channel_message(
                channel_id=self.channels[channel].id,
                topic=topic,
                id=MessageId(tx.draw()),
                **self._text(sender),
                **more,
            )
            tx.messages.add(message, ["soup"])
            tx.flags.on_arrival(message, {self.id(who): flag for who, flag in flags.items()})
            tx.channels.note_message(self.channels[channel].id, NOW)
            return message.id

        return self.storage.write(write)

    def send(self, *people: str, flags: Mapping[str, Flag] | None = None) -> MessageId:
        """Send a direct message; the first person is the sender."""

        def write(tx: Transaction) -> MessageId:
            conversation = tx.conversations.get_or_add(frozenset(self.id(who) for who in people))
            message = Message(id=MessageId(tx.draw()), conversation=conversation, **self._text(people[0]))
            tx.messages.add(message, ["soup"])
            tx.flags.on_arrival(message, {self.id(who): flag for who, flag in (flags or {}).items()})
            return message.id

        return self.storage.write(write)

    def _text(self, sender: str) -> dict[str, Any]:
        return {
            "sender_id": self.id(sender),
            "content": "Soup?",
            "rendered_content": "<p>Soup?</p>",
            "timestamp": NOW,
        }

    def set_policy(self, name: str, channel: str, topic: str, policy: VisibilityPolicy) -> None:
        channel_id = self.channels[channel].id
        self.storage.write(lambda tx: tx.topic_policies.put(channel_id, topic, {self.id(name): policy}, NOW))


VERSION_FIELDS = {"service_version", "service_feature_level", "service_merge_base"}


def fill(world: World) -> None:
    """Add an object of every kind."""
    world.post("lunch", "Soup", flags={"grace": Flag.MENTIONED | Flag.STARRED})
    world.post("lunch", "", flags={})
    world.send("ada", "grace")
    world.send("ada", "grace", "gil")
    for name in ("ada", "grace", "gil"):
        world.set_policy(name, "lunch", "Soup", VisibilityPolicy.MUTED)
    world.storage.write(lambda tx: tx.alert_words.add(world.id("grace"), ["soup"]))
