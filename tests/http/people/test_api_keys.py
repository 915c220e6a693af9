"""Rotating API keys of users and bots: the sessions that end, permissions, and events."""

from collections.abc import Callable
from io import BytesIO

import pytest
from werkzeug.test import Client

from tests.security.attacking import nothing_changes
from tests.worlds.organization import API_PREFIX, FROM, Someone, World
from tests.worlds.toys import MULTIPART, multipart


def test_with_the_old_key_nobody_gets_in_or_goes_on_waiting(world: World, ada: Someone) -> None:
    bea, line = world["bea"], ada.opens_queue("message")
    of_bea = bea.opens_queue("message")
    world.keys["ada"] = ada.post("/users/me/api_key/regenerate")["api_key"]
    ada.refused("GET", "/users/me", status=401, code="UNAUTHORIZED")
    ada = Someone(world, "ada")
    ada.refused("GET", "/events", code="BAD_EVENT_QUEUE_ID", queue_id=line.id, last_event_id=-1)
    ada.says("soup")
    assert len(of_bea.events()) == 1, "the queues of others go on"


class Late(BytesIO):
    """A request body that arrives only after another action is done."""

    def __init__(self, body: bytes, meanwhile: Callable[[], object]) -> None:
        super().__init__(body)
        self._meanwhile: Callable[[], object] | None = meanwhile

    def read(self, size: int | None = -1, /) -> bytes:
        if self._meanwhile is not None:
            self._meanwhile = self._meanwhile() and None
        return super().read(size)


FORM = "application/x-www-form-urlencoded", b"type=direct&to=[]&content=soup"
FILE = MULTIPART, multipart(("file", b"soup"), head='; filename="a.txt"')


@pytest.mark.parametrize(
    ("method", "path", "sent"),
    [("GET", "/drafts", FORM), ("POST", "/messages", FORM), ("POST", "/user_uploads", FILE)],
)
def test_sec_29_a_request_begun_with_the_old_key_is_not_done_with_it(
    world: World, method: str, path: str, sent: tuple[str, bytes]
) -> None:
    """An account that is deactivated between the head of a request and its body is refused, too."""
    content_type, body = sent

    def renew() -> None:
        world.keys["ada"] = Someone(world, "ada").post("/users/me/api_key/regenerate")["api_key"]
        world.clock.advance(2)

    def deactivate() -> None:
        world["olga"].delete(f"/users/{world['ada'].id}")
        world.clock.advance(2)

    for meanwhile, code in ((renew, "UNAUTHORIZED"), (deactivate, "USER_DEACTIVATED")):
        ada = Someone(world, "ada")
        answer = Client(world.application).open(
            f"{API_PREFIX}{path}",
            method=method,
            headers={**ada.headers, "Content-Type": content_type},
            input_stream=Late(body, meanwhile),
            environ_base=FROM,
            content_length=len(body),
        )
        assert (answer.status_code, answer.get_json()["code"]) == (401, code)


def test_only_the_owner_of_a_bot_is_notified_of_its_new_key(world: World) -> None:
    robo = world["robo"]
    lines = {name: world[name].registers(event_types=["realm_bot"]) for name in ("ada", "bea", "adi", "olga")}
    of_bot, own = f"/bots/{robo.id}", "/users/me"
    for name, path in (("ada", of_bot), ("adi", of_bot), ("robo", own)):
        key = Someone(world, name).post(f"{path}/api_key/regenerate")["api_key"]
        announced = {"user_id": robo.id, "api_key": key}
        assert [event["bot"] for event in lines["ada"].events()] == [announced]
        world.keys["robo"] = key
        assert Someone(world, "robo").get("/users/me")["user_id"] == robo.id
        (bot,) = world["ada"].post("/register", fetch_event_types=["realm_bot"])["realm_bots"]
        assert bot["api_key"] == key
    assert [lines[name].events() for name in ("bea", "adi", "olga")] == [[], [], []]


@pytest.mark.parametrize(
    ("who", "whose", "text"),
    [
        ("bea", "robo", "Insufficient permission"),
        ("bea", "ada", "Insufficient permission"),
        ("gus", "nobody", "Insufficient permission"),
        ("adi", "ada", "No such bot"),
        ("adi", "nobody", "No such bot"),
        ("olga", "system", "No such bot"),
        ("adi", "deactivated", "No such bot"),
        ("ada", "deactivated", "Insufficient permission"),
    ],
)
def test_others_get_no_key(world: World, who: str, whose: str, text: str) -> None:
    if whose == "deactivated":
        whose = "robo"
        world.change_user("robo", is_active=False)
    bot_id = 999_999 if whose == "nobody" else world[whose].id
    with nothing_changes(world):
        refusal = world[who].refused("POST", f"/bots/{bot_id}/api_key/regenerate")
    assert refusal["msg"] == text


def test_a_bot_gives_no_other_bot_a_key(world: World) -> None:
    """Bots with the role of administrators are refused, too: their leaked keys must not open others."""
    world.change_user("robo", role=200)
    echo = world.add_user("echo", is_bot=True, bot_type=1, bot_owner_id=world["bea"].id)
    with nothing_changes(world):
        world["robo"].refused("POST", f"/bots/{echo.id}/api_key/regenerate")
    assert world["adi"].post(f"/bots/{echo.id}/api_key/regenerate")["api_key"]


def test_the_key_of_an_owners_bot_is_for_owners(world: World) -> None:
    world.change_user("robo", role=100)
    path = f"/bots/{world['robo'].id}/api_key/regenerate"
    with nothing_changes(world):
        world["adi"].refused("POST", path, code="UNAUTHORIZED_PRINCIPAL")
    assert world["olga"].post(path)["api_key"]
