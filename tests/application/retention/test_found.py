"""What the store finds is what the rule says."""

import random

import pytest

from chatcore.domain.ids import MessageId
from chatcore.domain.retention.due import Deadline, is_due
from chatcore.domain.retention.holds import Holds
from chatcore.storage.conformance.makers import NOW, Town, a_town, send, send_direct
from chatcore.storage.retention.retention import DueMessage
from chatcore.storage.transaction import Snapshot, Storage, Transaction

MESSAGES = 120


def fill(tx: Transaction, town: Town, chance: random.Random) -> None:
    people = (town.ada, town.ben, town.cem)
    for _ in range(MESSAGES):
        sender, at = chance.choice(people), NOW + chance.randrange(20)
        if chance.random() < 0.4:
            send_direct(tx, sender, *chance.sample(people, chance.randrange(3)), timestamp=at)
        else:
            send(tx, sender, chance.choice((town.plaza, town.office)), timestamp=at)


@pytest.mark.parametrize("seed", range(3))
def test_the_store_finds_what_the_rule_says(storage: Storage, seed: int) -> None:
    chance = random.Random(seed)
    town = a_town(storage)
    storage.write(lambda tx: fill(tx, town, chance))

    def check(snapshot: Snapshot) -> None:
        head = snapshot.log.head()
        messages = snapshot.messages.outlines([MessageId(n) for n in range(head + 1)])
        assert len(messages) == MESSAGES
        for _ in range(40):
            deadline = Deadline(before=NOW + chance.randrange(22), until=chance.randrange(head + 2))
            people = (town.ada, town.ben, town.cem)
            holds = Holds(people=frozenset(chance.sample(people, chance.randrange(3))))
            after = DueMessage(MessageId(chance.randrange(head)), NOW + chance.randrange(20))
            for channel_id in (None, town.plaza, town.office):
                due = [
                    DueMessage(one.id, one.timestamp)
                    for one in sorted(messages, key=lambda one: (one.timestamp, one.id))
                    if one.channel_id == channel_id
                    and is_due(one, deadline, holds)
                    and (one.timestamp, one.id) > (after.timestamp, after.id)
                ]
                found = snapshot.retention.due(channel_id, deadline, holds.people, after=after, limit=9)
                assert found == due[:9]

    storage.read(check)
