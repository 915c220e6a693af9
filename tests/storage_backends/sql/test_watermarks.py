"""Rows of read messages are exchanged for rows of unread ones, and no flag changes."""

import random
from collections.abc import Iterator
from contextlib import closing

import pytest

from chatcore.domain.ids import MessageId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.messages import Message
from chatcore.storage.conformance.makers import (
    Town,
    a_town,
    flags,
    mute,
    send,
    send_direct,
    subscribe,
    unmute,
    unread,
)
from chatcore.storage.transaction import Transaction
from storage_backends import open_storage
from storage_backends.sql.messages import watermarks
from storage_backends.sql.store import SqlStorage

STEPS = 80


@pytest.fixture(params=[("sqlite", 12), ("postgres", 2)], ids=["sqlite", "postgresql"])
def stores(request: pytest.FixtureRequest) -> Iterator[tuple[SqlStorage, int]]:
    """A store, and the number of seeds to try on it."""
    kind, seeds = request.param
    with closing(open_storage(request.getfixturevalue(f"{kind}_url"))) as storage:
        yield storage, seeds


class Reader:
    """Ben, who reads, and the messages that are unread."""

    def __init__(self, town: Town, seed: int) -> None:
        self.town = town
        self.random = random.Random(seed)
        self.messages: list[Message] = []
        self.unread: set[MessageId] = set()
        self.has_muted_cem = False

    def step(self, tx: Transaction) -> None:
        actions = {
            self.receives: 35,
            self.reads: 40,
            self.marks_unread: 13,
            self.stars: 4,
            self.mutes: 3,
            self.passes_over: 3,
            self.reads_all: 2,
        }
        (action,) = self.random.choices([*actions], [*actions.values()]) if self.messages else [self.receives]
        action(tx)

    def receives(self, tx: Transaction) -> None:
        town = self.town
        for _ in range(self.random.choice([1, 1, 3, 8])):
            sender = self.random.choice([town.ada, town.cem])
            in_channel = self.random.random() < 0.8
            message = send(tx, sender, town.plaza) if in_channel else send_direct(tx, town.ada, town.ben)
            self.messages.append(message)
            if not (self.has_muted_cem and message.sender_id == town.cem):
                self.unread.add(message.id)

    def some(self, last: int, *, are_unread: bool) -> list[Message]:
        messages = self.messages[-last:]
        some = self.random.sample(messages, min(self.random.choice([1, 1, 2, 5]), len(messages)))
        return [message for message in some if (message.id in self.unread) == are_unread]

    def reads(self, tx: Transaction) -> None:
        if some := self.some(20, are_unread=True):
            tx.flags.set(self.town.ben, some, Flag.READ)
            self.unread.difference_update(message.id for message in some)

    def marks_unread(self, tx: Transaction) -> None:
        if some := self.some(100, are_unread=False):
            tx.flags.clear(self.town.ben, some, Flag.READ)
            self.unread.update(message.id for message in some)

    def stars(self, tx: Transaction) -> None:
        tx.flags.set(self.town.ben, [self.random.choice(self.messages)], Flag.STARRED)

    def mutes(self, tx: Transaction) -> None:
        (unmute if self.has_muted_cem else mute)(tx, self.town.ben, self.town.cem)
        self.has_muted_cem = not self.has_muted_cem

    def passes_over(self, tx: Transaction) -> None:
        tx.flags.pass_over_muted(self.town.ben)

    def reads_all(self, tx: Transaction) -> None:
        tx.flags.mark_all_read([self.town.ben], [self.town.plaza], tx.log.head())
        self.unread -= {message.id for message in self.messages if message.channel_id is not None}


def test_an_exchange_changes_no_flag(stores: tuple[SqlStorage, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watermarks, "COUNT_EVERY", 1)
    monkeypatch.setattr(watermarks, "FEW_ROWS", 0)
    storage, seeds = stores
    town = a_town(storage)
    storage.write(lambda tx: subscribe(tx, town.plaza, town.cem))
    for seed in range(seeds):
        reader = Reader(town, seed)
        storage.write(lambda tx: tx.flags.mark_all_read([town.ben], [town.plaza], tx.log.head()))
        for _ in range(STEPS):
            storage.write(reader.step)
            found = flags(storage, town.ben, *reader.messages)
            read = [bool(mine & Flag.READ) for mine in found]
            assert read == [message.id not in reader.unread for message in reader.messages], seed
            assert set(unread(storage, town.ben, 10_000)) >= reader.unread
        if reader.has_muted_cem:
            storage.write(reader.mutes)
