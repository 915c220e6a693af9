"""The HTTP API of the small organization of `tests.worlds.registering`, as its people call it."""

import json
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from werkzeug.test import Client

from chatcore.application.people.logins import api_key
from chatcore.bootstrap import make_application
from chatcore.domain.ids import UserId
from chatcore.domain.people.users import BotType, User
from chatcore.domain.roles import Role
from chatcore.storage import Storage
from tests.worlds.checked_answers import Described
from tests.worlds.registering import JOINED, World

Body = dict[str, Any]


class Api:
    """Requests by people of a `World`, by their names there; None is a call without an account."""

    def __init__(self, storage: Storage, *, compat_brand: str = "", **organization: Any) -> None:
        self.world = World(storage, **organization)
        if compat_brand:
            settings = replace(self.world.svc.settings, compat_brand=compat_brand)
            self.world.svc = replace(self.world.svc, settings=settings)
        self.svc = self.world.svc
        self.client = Client(Described(make_application(self.svc), is_described=not compat_brand))

    def id(self, name: str) -> UserId:
        return self.world.id(name)

    def channel(self, name: str) -> int:
        return self.world.channels[name].id

    def add_person(self, name: str, role: Role = Role.MEMBER, **fields: Any) -> User:
        defaults = {"email": f"{name}@example.org", "full_name": name.title(), "date_joined": JOINED}
        user = self.world.storage.write(lambda tx: tx.users.add({**defaults, "role": role, **fields}))
        self.world.users[name] = user
        return user

    def add_bot(self, name: str, owner: str, role: Role = Role.MEMBER) -> User:
        return self.add_person(
            name, role, is_bot=True, bot_type=int(BotType.GENERIC), bot_owner_id=self.id(owner)
        )

    def call(self, who: str | None, method: str, path: str, /, **parameters: Any) -> tuple[int, Body]:
        """Return status and body. Texts are sent unchanged, everything else as JSON; None is not sent."""
        texts = {
            name: value if isinstance(value, str) else json.dumps(value)
            for name, value in parameters.items()
            if value is not None
        }
        sent: dict[str, Any] = {"query_string" if method == "GET" else "data": texts}
        response = self.client.open(
            f"/api/v1/{path}", method=method, headers=self.headers(who), base_url=self.base_url, **sent
        )
        body: Body = response.get_json()
        return response.status_code, body

    @property
    def base_url(self) -> str:
        return self.svc.settings.external_url

    def headers(self, who: str | None) -> Mapping[str, str]:
        if who is None:
            return {}
        user = self.user(who)
        pair = f"{user.email}:{api_key(self.svc, user.id, user.key_version)}"
        return {"Authorization": f"Basic {b64encode(pair.encode()).decode()}"}

    def user(self, name: str) -> User:
        """Return the account as it is now."""
        return self.svc.storage.read(lambda snapshot: snapshot.users.get(self.id(name)))

    def ok(self, who: str | None, method: str, path: str, /, **parameters: Any) -> Body:
        """Return the answer of a request that must succeed."""
        status, body = self.call(who, method, path, **parameters)
        assert (status, body["result"], body["msg"]) == (200, "success", ""), body
        return body

    def refused(self, who: str | None, method: str, path: str, /, **parameters: Any) -> tuple[str, str]:
        """Return code and text of a refusal, after checking that nothing was written."""
        head = self.svc.storage.read(lambda snapshot: snapshot.log.head())
        status, body = self.call(who, method, path, **parameters)
        assert 400 <= status < 500, body
        assert body["result"] == "error"
        assert self.svc.storage.read(lambda snapshot: snapshot.log.head()) == head
        return body["code"], body["msg"]

    def follow(self, who: str, *event_types: str, **capabilities: bool) -> "Follower":
        """Register a queue that starts now."""
        return Follower(self, who, event_types, capabilities)

    def state(self, who: str | None, *event_types: str, **capabilities: bool) -> Body:
        """Return the initial state that a new client would receive."""
        return self.ok(
            who,
            "POST",
            "register",
            fetch_event_types=list(event_types) or None,
            client_capabilities={"notification_settings_null": True, **capabilities},
        )


MakeApi = Callable[..., Api]


@pytest.fixture
def make_api(storage: Storage) -> Iterator[MakeApi]:
    """Return a function that makes the organization, with the given options, in the store of the test."""
    made: list[Api] = []

    def make(**organization: Any) -> Api:
        made.append(Api(storage, **organization))
        return made[-1]

    yield make
    for api in made:
        api.svc.hub.stop()


@pytest.fixture
def api(make_api: MakeApi) -> Api:
    return make_api()


class Follower:
    """A queue of one person, and its initial state."""

    def __init__(
        self, api: Api, who: str, event_types: tuple[str, ...], capabilities: Mapping[str, bool]
    ) -> None:
        self.api = api
        self.who = who
        self.state = api.ok(
            who,
            "POST",
            "register",
            event_types=list(event_types) or None,
            client_capabilities={"notification_settings_null": True, **capabilities},
        )
        self._last = self.state["last_event_id"]

    def events(self) -> list[Body]:
        """Return the events since the last call, without their ids."""
        queue_id = self.state["queue_id"]
        answer = self.api.ok(
            self.who, "GET", "events", queue_id=queue_id, last_event_id=self._last, dont_block=True
        )
        found: list[Body] = answer["events"]
        self._last = max([event.pop("id") for event in found], default=self._last)
        return found
