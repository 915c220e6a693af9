"""Benchmarks that reach into the product, with the least work: they measure nothing here, but they run."""

from benchmarks import moving, stages
from benchmarks.harness import OWNER
from chatcore import open_chat


def test_each_stage_of_a_request_is_timed(store_url: str) -> None:
    timed = {figure.what for figure in stages.stages_of(store_url, "store", rounds=1)}
    assert timed.issuperset({"send: route", "send: render", "send: statements", "send: commit"})


def test_moves_are_timed(store_url: str) -> None:
    with open_chat(store_url, owner_email=OWNER) as chat:
        owner = chat.users.actor(OWNER)
        chat.channels.subscribe(owner, "lunch")
        chat.messages.send(owner, "soup", channel="lunch", topic="today")
    figures = moving.time_moves(store_url, "store", rounds=1, size=20, people=6)
    assert [figure.what for figure in figures] == [
        "another name of 20 messages",
        "resolving of 20 messages",
        "another channel of 20 messages",
    ]
