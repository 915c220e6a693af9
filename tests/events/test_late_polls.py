"""Clients that poll at once and clients that poll late end with the same state, whatever happened to a
message and its channels; a late poll reveals no more than a prompt one."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.worlds.clients.kinds import MODERN, OLD, Client
from tests.worlds.organization import MakeWorld, World

Deed = Callable[[World, int], TestResponse]
SUBSCRIPTIONS = "/users/me/subscriptions"


def moves_to(channel: str, topic: str = "hush") -> Deed:
    """A move by ada, who is subscribed to all of these channels."""

    def deed(world: World, message_id: int) -> TestResponse:
        to = {"stream_id": world.id(channel), "topic": topic, "propagate_mode": "change_all"}
        return world["ada"].request("PATCH", f"/messages/{message_id}", **to)

    return deed


def becomes(channel: str, **changes: bool) -> Deed:
    return lambda world, _: world["olga"].request("PATCH", f"/streams/{world.id(channel)}", **changes)


def leave(channel: str) -> Deed:
    """Return bea and gus, as far as they are in the world."""

    def deed(world: World, _: int) -> TestResponse:
        world["gus"].request("DELETE", SUBSCRIPTIONS, subscriptions=[channel])
        return world["bea"].request("DELETE", SUBSCRIPTIONS, subscriptions=[channel])

    return deed


def come_to(channel: str) -> Deed:
    def deed(world: World, _: int) -> TestResponse:
        who, wanted = [world[name].id for name in ("bea", "gus")], [{"name": channel}]
        return world["ada"].request("POST", SUBSCRIPTIONS, subscriptions=wanted, principals=who)

    return deed


DEEDS: Mapping[str, Deed] = {
    "into the open": moves_to("plaza"),
    "into the secret": moves_to("secret"),
    "into the vault": moves_to("vault"),
    "plaza closes": becomes("plaza", is_private=True),
    "plaza protects": becomes("plaza", is_private=True, history_public_to_subscribers=False),
    "lunch closes": becomes("lunch", is_private=True),
    "lunch protects": becomes("lunch", is_private=True, history_public_to_subscribers=False),
    "they leave lunch": leave("lunch"),
    "they leave the secret": leave("secret"),
    "they come to plaza": come_to("plaza"),
    "they come to the vault": come_to("vault"),
    "deleted": lambda world, number: world["ada"].request("DELETE", f"/messages/{number}"),
}

LIVES = [
    ("lunch", "into the open", "plaza protects"),
    ("lunch", "into the open", "lunch closes", "plaza closes"),
    ("lunch", "into the open", "they leave lunch", "lunch closes"),
    ("lunch", "they come to plaza", "into the open", "lunch protects", "they leave lunch"),
    ("lunch", "into the secret", "they leave the secret", "deleted"),
    ("lunch", "into the secret", "deleted", "they leave the secret"),
    ("lunch", "into the secret", "they leave the secret", "into the vault"),
    ("lunch", "into the open", "into the secret", "plaza closes", "they leave the secret"),
    ("lunch", "deleted", "lunch protects", "they leave lunch"),
    ("secret", "they come to plaza", "into the open", "they leave the secret"),
    ("secret", "they come to the vault", "into the vault", "they leave the secret"),
]


@pytest.mark.parametrize("life", LIVES, ids=": ".join)
def test_prompt_and_late_clients_end_alike(make_world: MakeWorld, life: tuple[str, ...]) -> None:
    world = make_world()
    where, *deeds = life
    message_id = world["ada"].says("soup", where)
    for name in ("bea", "cem", "gus"):
        world[name].request("POST", "/messages/flags", messages=[message_id], op="add", flag="starred")
    kinds = [("bea", MODERN), ("bea", OLD), ("cem", MODERN), ("gus", MODERN), ("olga", MODERN)]
    prompt, late = ([Client(world[name], kind) for name, kind in kinds] for _ in range(2))
    for name in deeds:
        assert DEEDS[name](world, message_id).status_code == 200, name
        for client in prompt:
            client.listen()
    for client in late:
        client.listen()
    wrong = [f"{when}: {one}" for when, clients in (("prompt", prompt), ("late", late)) for client in clients
             for one in client.differences()]  # fmt: skip
    assert not wrong, "\n".join(["", *wrong])


@pytest.mark.parametrize(
    ("deed", "seen"),
    [
        ("plaza protects", {"orig_subject": "today", "new_stream_id": "plaza"}),
        ("lunch protects", {"orig_subject": "hush", "subject": "hush", "new_stream_id": "plaza"}),
    ],
)
def test_a_late_poll_reveals_nothing_of_a_topic_that_is_private_now(
    make_world: MakeWorld, deed: str, seen: dict[str, Any]
) -> None:
    """The only event is the deletion of the message."""
    world = make_world()
    line = world["cem"].opens_queue("update_message", "delete_message", "message")
    message_id = world["ada"].says("soup")
    world["ada"].says("@**Cem** stays", topic="today")
    line.events()
    world["cem"].flagged("starred", message_id)  # whom it concerns without being subscribed
    moves_to("plaza")(world, message_id)
    DEEDS[deed](world, message_id)
    (event,) = line.events("update_message")
    announced = {name: event[name] for name in ("orig_subject", "subject", "new_stream_id") if name in event}
    assert announced == {**seen, "new_stream_id": world.id("plaza")}
    hidden = "hush" if deed == "plaza protects" else "today"
    assert hidden not in json.dumps(event)
