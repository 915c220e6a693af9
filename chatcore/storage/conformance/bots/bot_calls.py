"""`chatcore.storage.bots.bot_calls`."""

from dataclasses import replace

from chatcore.domain.bots.calls import BEGIN_SECONDS, LEASE_SECONDS, BotCall, DueCall
from chatcore.domain.ids import MessageId, UserId
from chatcore.domain.people.users import BotType
from chatcore.storage.conformance.makers import NOW, add_user, send_direct
from chatcore.storage.transaction import Storage, Transaction

ECHO, PARROT = UserId(7), UserId(8)


def call(bot_id: UserId, message_id: int, due: int = NOW, leased_until: int = 0) -> BotCall:
    return BotCall(
        bot_id=bot_id, message_id=MessageId(message_id), is_mention=True, due=due, leased_until=leased_until
    )


def test_calls_come_back_as_they_were_added_or_changed(storage: Storage) -> None:
    def write(tx: Transaction) -> None:
        first, second = tx.bot_calls.add(call(ECHO, 1)), tx.bot_calls.add(call(ECHO, 2))
        assert (replace(first, id=0), replace(second, id=0)) == (call(ECHO, 1), call(ECHO, 2))
        assert first.id < second.id
        changed = replace(
            first, bot_id=PARROT, message_id=MessageId(3), is_mention=False, due=5, attempts=2, leased_until=9
        )
        tx.bot_calls.update(changed)
        assert (tx.bot_calls.find(first.id), tx.bot_calls.find(second.id)) == (changed, second)
        assert (tx.bot_calls.count(ECHO), tx.bot_calls.count(PARROT), tx.bot_calls.count(UserId(9))) == (
            1,
            1,
            0,
        )
        tx.bot_calls.remove(first.id)
        assert (tx.bot_calls.find(first.id), tx.bot_calls.find(second.id)) == (None, second)

    storage.write(write)


def test_the_calls_that_were_taken_a_while_ago(storage: Storage) -> None:
    def write(tx: Transaction) -> None:
        tx.bot_calls.add(call(ECHO, 1))
        taken = tx.bot_calls.add(call(ECHO, 2, leased_until=NOW + LEASE_SECONDS))
        other = tx.bot_calls.add(call(PARROT, 3, leased_until=NOW + 1 + LEASE_SECONDS))
        assert tx.bot_calls.taken_a_while_ago(NOW + BEGIN_SECONDS - 1) == []
        assert tx.bot_calls.taken_a_while_ago(NOW + BEGIN_SECONDS) == [taken]
        assert {left.id for left in tx.bot_calls.taken_a_while_ago(NOW + LEASE_SECONDS - 1)} == {
            taken.id,
            other.id,
        }
        assert tx.bot_calls.taken_a_while_ago(NOW + LEASE_SECONDS) == [other]
        assert tx.bot_calls.taken_a_while_ago(NOW + LEASE_SECONDS + 1) == []
        assert tx.bot_calls.taken_a_while_ago(NOW - LEASE_SECONDS) == []

    storage.write(write)


def test_the_oldest_due_call_of_each_bot_that_no_process_is_at(storage: Storage) -> None:
    def write(tx: Transaction) -> None:
        echo = [
            tx.bot_calls.add(call(ECHO, number, due)) for number, due in ((1, NOW + 9), (2, NOW), (3, NOW))
        ]
        parrot = tx.bot_calls.add(call(PARROT, 4, NOW - 5))
        assert first_calls(tx, NOW - 9) == []
        assert first_calls(tx, NOW) == [echo[1], parrot]
        assert first_calls(tx, NOW, 1) == [echo[1]]
        assert first_calls(tx, NOW + 9) == [echo[0], parrot]
        tx.bot_calls.update(replace(echo[1], leased_until=NOW + 3))
        assert first_calls(tx, NOW + 2) == [parrot]
        assert first_calls(tx, NOW + 3) == [replace(echo[1], leased_until=NOW + 3), parrot]

    storage.write(write)


def first_calls(tx: Transaction, now: int, limit: int = 10) -> list[BotCall]:
    return [due.call for due in tx.bot_calls.first_of_each_bot(now, limit)]


def test_the_calls_of_busy_callers_are_passed_over(storage: Storage) -> None:
    def write(tx: Transaction) -> None:
        ann, bob = add_user(tx, "Ann").id, add_user(tx, "Bob").id
        by_ann, by_bob = send_direct(tx, ann, bob), send_direct(tx, bob, ann)
        first, second, third = [
            tx.bot_calls.add(call(ECHO, caller.id)) for caller in (by_ann, by_bob, by_ann)
        ]
        gone = tx.bot_calls.add(call(PARROT, by_bob.id + 1))

        def calls_but_of(*but: UserId) -> list[BotCall]:
            return [due.call for due in tx.bot_calls.first_of_each_bot(NOW, 9, but_of=but)]

        assert calls_but_of() == [first, gone]
        assert (calls_but_of(ann), calls_but_of(bob), calls_but_of(ann, bob)) == (
            [second, gone],
            [first, gone],
            [gone],
        )
        tx.bot_calls.remove(first.id)
        assert (calls_but_of(bob), calls_but_of(bob, PARROT)) == ([third, gone], [third])

    storage.write(write)


def test_due_calls_come_by_turns_of_the_owners(storage: Storage) -> None:
    def write(tx: Transaction) -> None:
        ann, bob = add_user(tx, "Ann").id, add_user(tx, "Bob").id
        bots = [
            add_user(
                tx, f"bot{number}", is_bot=True, bot_type=BotType.OUTGOING_WEBHOOK, bot_owner_id=owner
            ).id
            for number, owner in enumerate((ann, ann, ann, bob, bob))
        ]
        message = send_direct(tx, bob, ann)
        calls = [tx.bot_calls.add(call(bot_id, message.id)) for bot_id in bots]
        by_turns = tx.bot_calls.first_of_each_bot(NOW, 4)
        assert by_turns == [
            DueCall(call=calls[number], owner_id=owner, caller_id=bob)
            for number, owner in ((0, ann), (3, bob), (1, ann), (4, bob))
        ]
        counts = [tx.bot_calls.count_of_caller(bots[0], user_id) for user_id in (ann, bob)]
        assert counts == [0, 1]

    storage.write(write)
