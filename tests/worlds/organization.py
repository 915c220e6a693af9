"""A small organization that tests use over HTTP, as its people would.

    ada.says("soup is ready", "lunch", "today")
    assert bea.reads()[-1]["content"] == "<p>soup is ready</p>"

Every answer is validated against our own OpenAPI document before a test receives it.
"""

import json
import os
import threading
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from importlib import import_module
from typing import Any, TypeVar

import msgspec
import pytest
from werkzeug.test import Client, TestResponse

from chatcore.application.archives.rows import find_problem
from chatcore.application.people.logins import login_as
from chatcore.bootstrap import make_application, make_services
from chatcore.domain.channels.channels import Channel
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.ids import ChannelId, MessageId, QueueId, UserId
from chatcore.domain.limits import Limits
from chatcore.domain.messages.messages import Reaction
from chatcore.domain.organization.organization import Organization
from chatcore.domain.people.users import BotType, User
from chatcore.domain.roles import Role
from chatcore.domain.topics import VisibilityPolicy
from chatcore.events.audience import Everyone
from chatcore.events.happened import AlertWordsChanged
from chatcore.events.payloads.event import PAYLOADS
from chatcore.http.pipeline.routing import API_PREFIX
from chatcore.settings import Settings
from chatcore.storage import Storage, StorageClosed, StorageNotReady, Transaction
from chatcore.storage.conformance.makers import subscribe
from storage_backends import open_storage
from storage_backends.sql.memory import kinds_changed_by
from tests.conftest import Stores
from tests.waiting import PATIENCE, until
from tests.worlds.checked_answers import Described
from tests.worlds.registering import NO_TURN
from tests.worlds.scenes.audited import watch_units

T = TypeVar("T")

WATCH = "CHATCORE_TESTS_WATCH"
"""Environment: people, as in `bea,gus`; what each sees after a request is compared with what was told."""
NOW = 1_750_000_000
DAY = 86_400
HOST = "chat.example.org"
FROM = {"REMOTE_ADDR": "192.0.2.1"}

PEOPLE: Mapping[str, Mapping[str, Any]] = {
    "olga": {"role": Role.OWNER},
    "adi": {"role": Role.ADMINISTRATOR},
    "mona": {"role": Role.MODERATOR},
    "ada": {},
    "bea": {},
    "cem": {},
    "gus": {"role": Role.GUEST},
}
"""The people; ada owns the bot robo."""

CHANNELS: Mapping[str, Mapping[str, Any]] = {
    "lunch": {},
    "secret": {"invite_only": True},
    "vault": {"invite_only": True, "history_public_to_subscribers": False},
    "plaza": {"is_web_public": True},
    "attic": {"is_archived": True},
}
SUBSCRIBED: Mapping[str, Sequence[str]] = {
    "lunch": ("ada", "bea", "gus"),
    "secret": ("ada", "bea"),
    "vault": ("ada",),
    "plaza": ("ada",),
    "attic": ("ada",),
}


class Clock:
    """Seconds since 1970; the time changes only when a test sets it."""

    def __init__(self) -> None:
        self.now = float(NOW)
        self.passed = 1000.0

    def __call__(self) -> float:
        return self.now

    def monotonic(self) -> float:
        return self.passed

    def advance(self, seconds: float) -> None:
        self.now += seconds
        self.passed += seconds

    def jump(self, seconds: float) -> None:
        """Move the wall clock forward or back; monotonic time does not change."""
        self.now += seconds


def found(storage: Storage) -> None:
    """Make the organization in an empty store."""
    storage.write(_found)


def _found(tx: Transaction) -> None:
    system = _add_user(tx, "system", full_name="Notification Bot", is_bot=True, bot_type=1)
    tx.organization.put(
        Organization(name="Analytical Society", date_created=NOW - 90 * DAY, notification_bot_id=system.id)
    )
    users = {name: _add_user(tx, name, **fields) for name, fields in PEOPLE.items()}
    _add_user(tx, "robo", is_bot=True, bot_type=int(BotType.GENERIC), bot_owner_id=users["ada"].id)
    for name, fields in CHANNELS.items():
        channel = _add_channel(tx, name, creator_id=users["olga"].id, **fields)
        subscribe(tx, channel.id, *(users[one].id for one in SUBSCRIBED[name]))


def _add_user(tx: Transaction, name: str, **fields: Any) -> User:
    defaults = {"email": f"{name}@example.org", "full_name": name.title(), "date_joined": NOW - 60 * DAY}
    return tx.users.add({**defaults, **fields})


def _add_channel(tx: Transaction, name: str, **fields: Any) -> Channel:
    return tx.channels.add({"name": name, "date_created": NOW - 60 * DAY, **fields})


class World:
    """The organization: its contents, changes to it that bypass the API, and its people."""

    def __init__(self, url: str, *, limits: Limits | None = None, **settings: Any) -> None:
        self.url = url
        self.clock = Clock()
        self.storage = open_storage(url)
        rules = {**NO_TURN, **settings.pop("rate_limit_rules", {})}
        given = {"secret_key": b"s" * 32, "external_url": f"https://{HOST}", **settings}
        self.svc = make_services(
            Settings(database_url=url, rate_limit_rules=rules, **given),
            self.storage,
            clock=self.clock,
            monotonic=self.clock.monotonic,
            limits=limits,
        )
        self.application = make_application(self.svc)
        self.answers = Described(self.application, is_described=not self.svc.settings.compat_brand)
        self.users: dict[str, User] = {}
        self.channels: dict[str, Channel] = {}
        self._people: dict[str, Someone] = {}
        self._crowd = 0
        self.watch: Callable[[str], AbstractContextManager[None]] = lambda request: nullcontext()
        """Called with each request that may change something, around it; see `clients.watching`."""
        self.keys: dict[str, str] = {}
        self.take_keys()
        if not self.users:
            found(self.storage)
            self.take_keys()

    def close(self) -> None:
        self.svc.hub.stop()
        self.storage.close()

    def know(self, snapshot: Any) -> None:
        self.users = {user.email.partition("@")[0]: user for user in snapshot.users.all()}
        self.channels = {channel.name: channel for channel in snapshot.channels.all()}

    def take_keys(self) -> None:
        """Give everybody the present key: that of a bot ends where its role follows its owner's."""
        self.storage.read(self.know)
        self.keys = {name: login_as(self.svc, user).api_key for name, user in self.users.items()}
        for name, person in self._people.items():
            person.headers["Authorization"] = basic(self.users[name].email, self.keys[name])

    # -- behind the API's back ----------------------------------------------------------------------

    def add_user(self, name: str, **fields: Any) -> "Someone":
        self.users[name] = self.storage.write(lambda tx: _add_user(tx, name, **fields))
        self.keys[name] = login_as(self.svc, self.users[name]).api_key
        return self[name]

    def add_channel(self, name: str, *subscribers: str, **fields: Any) -> int:
        def write(tx: Transaction) -> Channel:
            channel = _add_channel(tx, name, **{"creator_id": self.users["olga"].id, **fields})
            subscribe(tx, channel.id, *(self.users[one].id for one in subscribers))
            return channel

        self.channels[name] = self.storage.write(write)
        return self.id(name)

    def add_people(self, count: int, *, to: str) -> list[UserId]:
        """Add many people, subscribed to a channel."""
        first, self._crowd = self._crowd, self._crowd + count

        def write(tx: Transaction) -> list[UserId]:
            rows = [
                {"email": f"p{i}@example.org", "full_name": f"Person {i}", "date_joined": NOW}
                for i in range(first, first + count)
            ]
            user_ids = list(tx.users.add_many(rows))
            subscribe(tx, self.channels[to].id, *user_ids)
            return user_ids

        return self.storage.write(write)

    def change_user(self, name: str, **fields: Any) -> None:
        self.storage.write(lambda tx: tx.users.update(self.users[name].id, **fields))

    def choose(self, name: str, **settings: Any) -> None:
        """Set some of a user's personal settings."""
        self.change_user(name, settings=settings)

    def change_organization(self, **fields: Any) -> None:
        self.storage.write(lambda tx: tx.organization.put(replace(tx.organization.get(), **fields)))

    def open_to_the_web(self) -> None:
        self.change_organization(enable_spectator_access=True)

    def mute(self, name: str, channel: str) -> None:
        self.sql(
            "UPDATE subscription SET is_muted = ? WHERE user_id = ? AND channel_id = ?",
            True, self.users[name].id, self.id(channel),
        )  # fmt: skip

    def set_policy(self, name: str, channel: str, topic: str, policy: VisibilityPolicy) -> None:
        channel_id = ChannelId(self.channels[channel].id)
        self.storage.write(
            lambda tx: tx.topic_policies.put(channel_id, topic, {self.users[name].id: policy}, self.svc.now)
        )

    def policy(self, name: str, channel: str, topic: str) -> int:
        channel_id = ChannelId(self.channels[channel].id)
        return int(
            self.storage.read(lambda s: s.topic_policies.find(self.users[name].id, channel_id, topic.lower()))
        )

    def archive(self, channel: str) -> None:
        self.sql("UPDATE channel SET is_archived = ? WHERE id = ?", True, self.id(channel))

    def protect(self, channel: str) -> None:
        """Make a channel private, with a history protected from later subscribers."""
        protected = "invite_only = ?, history_public_to_subscribers = ?"
        self.sql(f"UPDATE channel SET {protected} WHERE id = ?", True, False, self.id(channel))

    def permit(self, channel: str, **permissions: GroupSetting) -> None:
        """Set permissions of a channel; all others are those of a new channel."""
        values = msgspec.json.encode(permissions).decode()
        self.sql("UPDATE channel SET permissions = ? WHERE id = ?", values, self.id(channel))

    def set_topics_policy(self, channel: str, policy: str) -> None:
        self.sql("UPDATE channel SET topics_policy = ? WHERE id = ?", policy, self.id(channel))

    def react(self, name: str, message_id: int) -> None:
        reaction = Reaction(
            user_id=self.users[name].id,
            emoji_name="tada",
            emoji_code="1f389",
            reaction_type="unicode_emoji",
        )
        self.storage.write(lambda tx: tx.reactions.add(MessageId(message_id), reaction))

    def happens(self) -> None:
        """Write an event that no client of the tests waits for."""
        self.storage.write(lambda tx: tx.announce(AlertWordsChanged(), Everyone()))

    def sql(self, statement: str, *parameters: object) -> None:
        """Run a statement alone, as all writers do: a transaction that has begun would not notice it, and go
        on with what it remembers.
        """
        dialect, kinds = self.storage.backend.dialect, kinds_changed_by(statement)

        def write(tx: Any) -> None:
            tx.session.recall.note_changes(kinds)
            self.storage.backend.database.execute_sql(
                statement.replace("?", dialect.options["param"]), parameters
            )

        self.storage.write(write)

    def count(self, table: str) -> int:
        """Count the rows of a table."""
        backend = self.storage.backend
        with backend.connection():
            (rows,) = backend.database.execute_sql(f"SELECT count(*) FROM {table}").fetchone()
        return int(rows)

    # -- who and what -------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> "Someone":
        if name not in self._people:
            self._people[name] = Someone(self, name)
        return self._people[name]

    @property
    def nobody(self) -> "Someone":
        """Return a client without an account."""
        return Someone(self, None)

    def id(self, channel: str) -> int:
        return int(self.channels[channel].id)

    def actor(self, name: str) -> Actor:
        user_id = self.users[name].id
        return self.storage.read(lambda snapshot: snapshot.users.actors([user_id], self.svc.now)[user_id])


class Someone:
    """A person, a bot, or a client without an account, with an HTTP client."""

    def __init__(self, world: World, name: str | None) -> None:
        self.world = world
        self.name = name
        self.client = Client(world.answers)
        self.headers: dict[str, str] = {"User-Agent": "tests/1.0", "Host": HOST}
        if name is not None:
            self.headers["Authorization"] = basic(world.users[name].email, world.keys[name])

    @property
    def id(self) -> int:
        assert self.name is not None
        return int(self.world.users[self.name].id)

    @property
    def email(self) -> str:
        assert self.name is not None
        return self.world.users[self.name].email

    @property
    def actor(self) -> Actor:
        assert self.name is not None
        return self.world.actor(self.name)

    # -- requests -----------------------------------------------------------------------------------

    def request(self, method: str, path: str, **parameters: Any) -> TestResponse:
        """Return the answer, whatever it is, after validation against our OpenAPI document.

        Capabilities that are given as an object get the one that no client leaves out.
        """
        if isinstance(capabilities := parameters.get("client_capabilities"), dict):
            parameters["client_capabilities"] = {"notification_settings_null": False, **capabilities}
        texts = {name: as_text(value) for name, value in parameters.items()}
        where = {"query_string": texts} if method == "GET" else {"data": texts}
        watched = (
            nullcontext() if method == "GET" else self.world.watch(f"{self.name} {method} {path} {texts}")
        )
        with watched:
            return self.client.open(
                API_PREFIX + path, method=method, headers=self.headers, environ_base=FROM, **where
            )

    def get(self, path: str, **parameters: Any) -> dict[str, Any]:
        return succeeded(self.request("GET", path, **parameters))

    def post(self, path: str, **parameters: Any) -> dict[str, Any]:
        return succeeded(self.request("POST", path, **parameters))

    def put(self, path: str, **parameters: Any) -> dict[str, Any]:
        return succeeded(self.request("PUT", path, **parameters))

    def patch(self, path: str, **parameters: Any) -> dict[str, Any]:
        return succeeded(self.request("PATCH", path, **parameters))

    def delete(self, path: str, **parameters: Any) -> dict[str, Any]:
        return succeeded(self.request("DELETE", path, **parameters))

    def refused(
        self, method: str, path: str, *, status: int = 400, code: str = "BAD_REQUEST", **parameters: Any
    ) -> dict[str, Any]:
        """Send a request that must be refused with this status and code; return the envelope."""
        response = self.request(method, path, **parameters)
        answer: dict[str, Any] = response.get_json()
        assert (response.status_code, answer.get("code")) == (status, code), answer
        assert answer["result"] == "error"
        assert answer["msg"]
        return answer

    # -- what people do -----------------------------------------------------------------------------

    def says(self, content: str, channel: str = "lunch", topic: str = "today", **more: Any) -> int:
        """Send to a channel; return the id."""
        return self.sends(content, channel, topic, **more)["id"]  # type: ignore[no-any-return]

    def sends(
        self, content: str, channel: str = "lunch", topic: str = "today", **more: Any
    ) -> dict[str, Any]:
        """Send to a channel; return the whole answer."""
        return self.post(
            "/messages", type="channel", to=json.dumps(channel), topic=topic, content=content, **more
        )

    def writes(self, content: str, *names: str, **more: Any) -> int:
        """Send directly; return the id."""
        to = [self.world[name].id for name in names]
        return self.post("/messages", type="direct", to=to, content=content, **more)["id"]  # type: ignore[no-any-return]

    def page(self, *narrow: Any, **parameters: Any) -> dict[str, Any]:
        """Fetch a part of a narrow: by default its newest 100."""
        window = {"anchor": "newest", "num_before": 100, "num_after": 0}
        if "message_ids" in parameters:
            window = {}
        return self.get("/messages", narrow=[*map(term, narrow)], **{**window, **parameters})

    def reads(self, *narrow: Any, **parameters: Any) -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = self.page(*narrow, **parameters)["messages"]
        return messages

    def finds(self, *narrow: Any, **parameters: Any) -> list[int]:
        """Return the ids of a narrow."""
        return [message["id"] for message in self.reads(*narrow, **parameters)]

    def message(self, message_id: int, **parameters: Any) -> dict[str, Any]:
        message: dict[str, Any] = self.get(f"/messages/{message_id}", **parameters)["message"]
        return message

    def flags(self, message_id: int) -> set[str]:
        return set(self.message(message_id)["flags"])

    def flagged(self, flag: str, *message_ids: int, op: str = "add") -> dict[str, Any]:
        """Change a flag; return the answer."""
        return self.post("/messages/flags", messages=list(message_ids), op=op, flag=flag)

    def joins(self, *channels: str, **parameters: Any) -> dict[str, Any]:
        """Subscribe; return the answer."""
        wanted = [{"name": name} for name in channels]
        answer = self.post("/users/me/subscriptions", subscriptions=wanted, **parameters)
        self.world.storage.read(self.world.know)
        return answer

    def leaves(self, *channels: str, **parameters: Any) -> dict[str, Any]:
        return self.delete("/users/me/subscriptions", subscriptions=list(channels), **parameters)

    def registers(self, **parameters: Any) -> "Line":
        """Make an event queue."""
        return Line(self, self.post("/register", **parameters))

    def opens_queue(self, *event_types: str, **parameters: Any) -> "Line":
        """Make an event queue for some types, without state."""
        return self.registers(event_types=list(event_types), fetch_event_types=[], **parameters)


class Line:
    """An event queue, read by its owner."""

    def __init__(self, owner: Someone, state: dict[str, Any]) -> None:
        self.owner = owner
        self.state = state
        self.id: str = state["queue_id"]
        self.last: int = state["last_event_id"]

    def peek(self, **parameters: Any) -> list[dict[str, Any]]:
        """Return the present events without acknowledging more than before."""
        given = {"queue_id": self.id, "last_event_id": self.last, "dont_block": True, **parameters}
        events: list[dict[str, Any]] = self.owner.get("/events", **given)["events"]
        for event in events:
            assert msgspec.convert(event, PAYLOADS[event["type"], event.get("op")]) == event
        return events

    def events(self, *types: str) -> list[dict[str, Any]]:
        """Return new events; the next poll acknowledges them."""
        found = []
        while events := self.peek():
            found += events
            self.last = events[-1]["id"]
        ids = [event["id"] for event in found]
        assert ids == sorted(set(ids)), "events come ascending, none twice"
        return [event for event in found if not types or event["type"] in types]

    @property
    def is_closed(self) -> bool:
        """Whether the server has dropped the queue."""
        queue_id = QueueId(self.id)
        return not self.owner.world.storage.read(lambda snapshot: snapshot.queues.by_ids([queue_id]))

    def messages(self) -> list[int]:
        """Return the ids of the new messages."""
        return [event["message"]["id"] for event in self.events("message")]

    def refused(self, code: str = "BAD_EVENT_QUEUE_ID", **parameters: Any) -> dict[str, Any]:
        given = {"queue_id": self.id, "last_event_id": self.last, "dont_block": True, **parameters}
        return self.owner.refused("GET", "/events", code=code, **given)

    def waits(self) -> "Poll":
        """Start a poll that waits, in its own thread."""
        return Poll(self)

    def polls(self) -> "Poll":
        """Start a poll in its own thread, which may wait for more than events."""
        return Poll(self, until_it_waits=False)


class Poll:
    """A poll that waits for events while the test continues."""

    def __init__(self, line: Line, *, until_it_waits: bool = True) -> None:
        self._line = line
        self._response: TestResponse | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        hub, queue_id = line.owner.world.svc.hub, QueueId(line.id)
        head = line.owner.world.storage.read(lambda snapshot: snapshot.log.head())
        before = hub.waiter_of(queue_id)
        self._thread.start()

        def waits() -> bool:
            """Whether the poll waits and nothing earlier can wake it, so that the hub does not make it look
            again.
            """
            return hub.position >= head and hub.waiter_of(queue_id) not in (None, before)

        if until_it_waits:
            until(lambda: waits() or self.is_over)

    def _run(self) -> None:
        self._response = self._line.owner.request(
            "GET", "/events", queue_id=self._line.id, last_event_id=self._line.last
        )

    @property
    def is_over(self) -> bool:
        return not self._thread.is_alive()

    def response(self) -> TestResponse:
        self._thread.join(PATIENCE)
        assert self._response is not None, "the poll still waits"
        return self._response

    def answer(self) -> list[dict[str, Any]]:
        """Return the events of the poll's answer."""
        events: list[dict[str, Any]] = succeeded(self.response())["events"]
        return events


# -- small things -----------------------------------------------------------------------------------


def at_once(*works: Callable[[], T]) -> list[T]:
    """Run functions in threads that start together; return their results. The first error is raised."""
    results: dict[int, T] = {}
    errors: list[BaseException] = []
    ready = threading.Barrier(len(works))

    def run(number: int, work: Callable[[], T]) -> None:
        try:
            ready.wait(PATIENCE)
            results[number] = work()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=pair, daemon=True) for pair in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive(), "it hangs"
    if errors:
        raise errors[0]
    return [results[number] for number in range(len(works))]


def term(given: Any) -> Any:
    """Return `"channel:lunch"` for the pair; `"-channel:lunch"` negated; anything else unchanged."""
    if not isinstance(given, str):
        return given
    operator, _, operand = given.partition(":")
    if operator.startswith("-"):
        return {"operator": operator[1:], "operand": operand, "negated": True}
    return [operator, operand]


def is_(operator: str, operand: object, *, negated: bool = False) -> dict[str, object]:
    """Return a term in its object form."""
    return {"operator": operator, "operand": operand, "negated": negated}


def as_text(value: object) -> str:
    """Return a parameter as clients write it: text as it is, everything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value)


def basic(email: str, key: str) -> str:
    return "Basic " + b64encode(f"{email}:{key}".encode()).decode()


def succeeded(response: TestResponse) -> dict[str, Any]:
    answer: dict[str, Any] = response.get_json()
    assert response.status_code == 200, answer
    assert (answer["result"], answer["msg"]) == ("success", "")
    return answer


# -- fixtures ---------------------------------------------------------------------------------------

MakeWorld = Callable[..., World]


def require_restorable(world: World) -> None:
    """Check that whatever a test has written can be exported and restored."""
    with suppress(StorageClosed, StorageNotReady):
        assert world.storage.read(find_problem) is None


@pytest.fixture
def make_world(stores: Stores, store_kind: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[MakeWorld]:
    """Return a function that makes the organization with its own settings or limits; a second call starts
    another server on the same store.
    """
    made: list[World] = []
    url = stores(store_kind, found)
    watch_units(monkeypatch)

    def make(**settings: Any) -> World:
        made.append(World(url, **settings))
        if names := os.environ.get(WATCH):  # noqa: TID251
            import_module("tests.worlds.clients.watching").watch(made[-1], names.split(","), monkeypatch)
        return made[-1]

    yield make
    try:
        if store_kind == "sqlite":  # what is written is the same on each database
            for world in made:
                require_restorable(world)
    finally:
        for world in made:
            world.close()


@pytest.fixture
def world(make_world: MakeWorld) -> World:
    return make_world()


@pytest.fixture
def ada(world: World) -> Someone:
    return world["ada"]


@pytest.fixture
def bea(world: World) -> Someone:
    return world["bea"]


@pytest.fixture
def cem(world: World) -> Someone:
    return world["cem"]


@pytest.fixture
def gus(world: World) -> Someone:
    """A guest."""
    return world["gus"]


@pytest.fixture
def robo(world: World) -> Someone:
    """Ada's bot."""
    return world["robo"]


@pytest.fixture
def olga(world: World) -> Someone:
    """The owner."""
    return world["olga"]
