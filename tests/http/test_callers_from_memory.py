"""A caller who is in memory is the one of the store: another process's changes count at once."""

from base64 import b64encode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from io import BytesIO
from threading import get_ident
from types import SimpleNamespace

import pytest
from werkzeug.test import Client, TestResponse

from chatcore import open_chat
from chatcore.chat import Chat
from chatcore.domain.groups.actors import Actor
from chatcore.domain.roles import Role
from storage_backends.sql.store import SqlStorage

OWNER, MEMBER = "ada@example.com", "bob@example.com"


@dataclass
class Two:
    """Two processes of one organization: requests of a member go to the first, changes to the second."""

    first: Chat
    second: Chat
    clock: SimpleNamespace
    """The time of the first process, in `seconds`."""
    key: str = ""
    client: Client = field(init=False)

    def __post_init__(self) -> None:
        self.second.users.create(MEMBER, "Bob")
        self.key = self.first.users.renew_own_key(self.member)
        self.client = Client(self.first.application())

    @property
    def owner(self) -> Actor:
        return self.second.users.actor(OWNER)

    @property
    def member(self) -> Actor:
        return self.second.users.actor(MEMBER)

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Basic {b64encode(f'{MEMBER}:{self.key}'.encode()).decode()}"}

    def newest(self) -> int:
        """Return the id of the newest message."""
        return self.second.messages.fetch(self.owner).page.message_ids[-1]

    def call(self, method: str, path: str, **parameters: str) -> TestResponse:
        values = {"query_string" if method == "GET" else "data": parameters}
        return self.client.open(f"/api/v1/{path}", method=method, headers=self.headers, **values)


@pytest.fixture
def two(store_url: str) -> Iterator[Two]:
    with ExitStack() as stack:
        clock = SimpleNamespace(seconds=0)
        first = stack.enter_context(open_chat(store_url, owner_email=OWNER, monotonic=lambda: clock.seconds))
        second = stack.enter_context(open_chat(store_url))
        two = Two(first, second, clock)
        two.second.channels.subscribe(two.owner, "kitchen")
        two.second.channels.subscribe(two.member, "kitchen")
        yield two


REQUESTS = (
    ("GET", "users/me", {}),
    ("POST", "messages", {"type": "stream", "to": '"kitchen"', "topic": "t", "content": "soup"}),
    ("POST", "messages/render", {"content": "needs no transaction"}),
    ("POST", "messages", {"type": "nonsense"}),
)


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize(("method", "path", "parameters"), REQUESTS)
def test_a_renewed_key_ends_the_old_one_at_once(
    two: Two, method: str, path: str, parameters: dict[str, str]
) -> None:
    allowed = 400 if "nonsense" in parameters.values() else 200
    assert two.call(method, path, **parameters).status_code == allowed
    old, two.key = two.key, two.second.users.renew_own_key(two.member)
    assert two.call(method, path, **parameters).status_code == allowed
    two.key, newest = old, two.newest()
    assert two.call(method, path, **parameters).status_code == 401
    assert two.newest() == newest


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize(("method", "path", "parameters"), REQUESTS)
def test_a_deactivated_account_is_refused_at_once(
    two: Two, method: str, path: str, parameters: dict[str, str]
) -> None:
    two.call(method, path, **parameters)
    two.second.users.deactivate(two.owner, two.member.user_id)
    answer = two.call(method, path, **parameters)
    assert (answer.status_code, answer.get_json()["code"]) == (401, "USER_DEACTIVATED")


def test_a_new_role_counts_at_once(two: Two) -> None:
    for role, status in ((Role.ADMINISTRATOR, 200), (Role.MEMBER, 400), (Role.ADMINISTRATOR, 200)):
        two.second.users.set_role(MEMBER, role)
        assert two.call("PATCH", "realm", description=f"by {role}").status_code == status
        assert two.call("GET", "users/me").get_json()["is_admin"] == (role == Role.ADMINISTRATOR)


class SlowBody(BytesIO):
    """A body that takes some seconds, in which somebody joins."""

    def __init__(self, two: Two, content: bytes) -> None:
        super().__init__(content)
        self._two = two

    def read(self, size: int | None = -1, /) -> bytes:
        self._two.second.users.create(f"guest{self._two.clock.seconds}@example.com", "Guest")
        with ThreadPoolExecutor(1) as others:
            others.submit(self._two.first.users.actor, MEMBER).result()  # another request reads it
        self._two.clock.seconds += 5
        return super().read(size)


def test_a_slow_body_arrives_although_other_accounts_change(two: Two) -> None:
    assert two.call("GET", "users/me").status_code == 200
    content = b"type=stream&to=%22kitchen%22&topic=t&content=slow"
    answer = two.client.post(
        "/api/v1/messages",
        headers=two.headers,
        input_stream=SlowBody(two, content),
        content_length=len(content),
        content_type="application/x-www-form-urlencoded",
    )
    assert answer.status_code == 200, answer.text


MOST_STATEMENTS = {
    "sqlite": {
        ("GET", "events"): 1,  # first, so that there is nothing new
        ("GET", "users/me"): 5,
        ("POST", "messages"): 9,
        ("GET", "messages"): 7,
        ("POST", "messages/render"): 3,
    },
    "postgresql": {
        ("GET", "events"): 1,
        ("GET", "users/me"): 3,
        ("POST", "messages"): 5,
        ("GET", "messages"): 5,
        ("POST", "messages/render"): 1,
    },
}
"""The statements of a request whose caller is in memory, by the kind of store. Those that begin and end its
transactions are counted on SQLite only.
"""
TRIES = 8
"""Requests of which the one with the fewest statements counts: the first write of a connection has more."""


def test_common_requests_need_few_statements(two: Two, store_kind: str) -> None:
    storage = two.first.services.storage
    assert isinstance(storage, SqlStorage)
    queue = two.call("POST", "register", event_types='["message"]').get_json()
    polling = {
        "queue_id": queue["queue_id"],
        "last_event_id": str(queue["last_event_id"]),
        "dont_block": "true",
    }
    parameters = {
        ("GET", "messages"): {"anchor": "newest", "num_before": "100", "num_after": "0"},
        ("POST", "messages"): REQUESTS[1][2],
        ("POST", "messages/render"): REQUESTS[2][2],
        ("GET", "events"): polling,
    }
    senders: list[int] = []

    def note(*_: object) -> None:
        senders.append(get_ident())  # the threads of the store send statements of their own

    storage.backend.database.query_hooks.append(note)
    counts = {}
    most = MOST_STATEMENTS[store_kind]
    for method, path in most:
        values = parameters.get((method, path), {})
        tries = []
        for _ in range(TRIES):
            senders.clear()
            assert two.call(method, path, **values).status_code == 200
            tries.append(senders.count(get_ident()))
        counts[method, path] = min(tries)
    assert {key: count for key, count in counts.items() if count > most[key]} == {}
