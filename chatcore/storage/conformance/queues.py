"""`chatcore.storage.events`: queues."""

from chatcore.domain.ids import MessageId, Position, QueueId, UserId
from chatcore.events.audience import Everyone
from chatcore.events.queue import Capabilities, Queue, Registration
from chatcore.storage.conformance.makers import a_town, an_event, error_of
from chatcore.storage.transaction import Storage, Transaction

FULL = Registration(
    event_types=("message", "realm_user"),
    apply_markdown=True,
    all_public_streams=True,
    narrow=(("channel", "Plaza"), ("is", "mentioned")),
    capabilities=Capabilities(empty_topic_name=True, archived_channels=True),
    lifespan=1200,
)


def add_queue(
    storage: Storage,
    name: str,
    user_id: UserId,
    now: float = 10.0,
    registration: Registration = Registration(),  # noqa: B008
) -> Queue:
    """Add a queue as a registration does: created at the position of a snapshot, and written afterwards."""
    at = storage.read(lambda snapshot: snapshot.log.head())
    queue = Queue(
        id=QueueId(name),
        user_id=user_id,
        registration=registration,
        created_at=at,
        acknowledged=at,
        last_seen=now,
    )
    storage.write(lambda tx: tx.queues.add(queue))
    return queue


def find(storage: Storage, name: str) -> Queue | None:
    return storage.read(lambda snapshot: snapshot.queues.find(name))


def touch(storage: Storage, name: str, at: int, seen: float, now: float = 1e9) -> None:
    storage.write(lambda tx: tx.queues.touch({QueueId(name): (Position(at), seen)}, now))


def test_a_queue_comes_back_as_it_was_added(storage: Storage) -> None:
    town = a_town(storage)
    assert storage.read(lambda snapshot: snapshot.queues.count()) == 0
    queue = add_queue(storage, "q1", town.ada, 12.5, FULL)
    assert storage.read(lambda snapshot: snapshot.queues.count()) == 1
    assert find(storage, "q1") == queue
    assert find(storage, "q2") is None


def test_the_owners_of_queues_are_found(storage: Storage) -> None:
    town = a_town(storage)
    for name, user_id in (("q1", town.ada), ("q2", town.ada), ("q3", town.ben)):
        add_queue(storage, name, user_id)
    for asked, owners in (
        ([], set()),
        ([town.ada, town.cem], {town.ada}),
        ([town.ben, town.ada], {town.ada, town.ben}),
    ):
        assert storage.read(lambda snapshot: snapshot.queues.owners_among(asked)) == owners  # noqa: B023


def test_a_queue_comes_with_the_newest_head(storage: Storage) -> None:
    town = a_town(storage)
    head = storage.read(lambda snapshot: snapshot.log.head())
    assert storage.queue_and_head("q1") == (None, head)
    queue = add_queue(storage, "q1", town.ada, 12.5, FULL)
    add_queue(storage, "q2", town.ada)
    new = storage.write(lambda tx: tx.announce(an_event("now"), Everyone()))
    assert storage.queue_and_head("q1") == (queue, new)
    storage.write(lambda tx: tx.queues.remove([queue.id]))
    assert storage.queue_and_head("q1") == (None, new)


def test_queues_are_listed(storage: Storage) -> None:
    town = a_town(storage)
    late, early, other = (
        add_queue(storage, name, user_id, now)
        for name, user_id, now in (("a", town.ada, 20.0), ("b", town.ada, 10.0), ("c", town.ben, 15.0))
    )
    assert list(storage.read(lambda snapshot: snapshot.queues.of_user(town.ada))) == [early, late]
    assert list(storage.read(lambda snapshot: snapshot.queues.all())) == [late, early, other]
    wanted = [QueueId("c"), QueueId("a"), QueueId("gone")]
    queues = storage.read(lambda snapshot: snapshot.queues.by_ids(wanted))
    assert queues == {QueueId("a"): late, QueueId("c"): other}


def test_touching_a_queue_never_moves_it_back(storage: Storage) -> None:
    town = a_town(storage)
    queue = add_queue(storage, "q1", town.ada, now=10.0)
    start = queue.acknowledged
    for at, seen, expected in (
        (start + 5, 20.0, (start + 5, 20.0)),
        (start + 3, 30.0, (start + 5, 30.0)),
        (start + 6, 25.0, (start + 6, 30.0)),
        (start, 5.0, (start + 6, 30.0)),
    ):
        touch(storage, "q1", at, seen)
        touch(storage, "gone", at, seen)
        touched = find(storage, "q1")
        assert touched is not None
        assert (touched.acknowledged, touched.last_seen) == expected
        assert touched.created_at == start


def test_a_time_that_has_not_come_yet_is_replaced(storage: Storage) -> None:
    """The time was stored before the clock was set back."""
    town = a_town(storage)
    add_queue(storage, "q1", town.ada, now=5000.0)
    for seen, now, expected in ((1000.0, 1001.0, 1000.0), (999.0, 1002.0, 1000.0), (1002.0, 1002.0, 1002.0)):
        touch(storage, "q1", 0, seen, now)
        queue = find(storage, "q1")
        assert queue is not None
        assert queue.last_seen == expected


def test_queues_that_are_due_get_one_heartbeat(storage: Storage) -> None:
    town = a_town(storage)
    for name in ("q1", "q2", "q3"):
        add_queue(storage, name, town.ada)

    def beat(tx: Transaction) -> Position:
        position = tx.draw()
        tx.queues.beat([QueueId("q1"), QueueId("q3"), QueueId("gone")], position)
        return position

    position = storage.write(beat)
    queues = storage.read(lambda snapshot: snapshot.queues.all())
    assert [queue.heartbeat for queue in queues] == [position, 0, position]


def test_a_removed_queue_is_gone_with_its_local_ids(storage: Storage) -> None:
    town = a_town(storage)
    add_queue(storage, "q1", town.ada)
    kept = add_queue(storage, "q2", town.ada)
    storage.write(lambda tx: tx.queues.add_echo(QueueId("q1"), "1.1", MessageId(7), "digest"))
    storage.write(lambda tx: tx.queues.add_echo(QueueId("q2"), "1.1", MessageId(8), "digest"))
    storage.write(lambda tx: tx.queues.remove([QueueId("q1"), QueueId("gone")]))
    assert list(storage.read(lambda snapshot: snapshot.queues.all())) == [kept]
    assert storage.read(lambda snapshot: snapshot.queues.find_echo("q1", "1.1")) is None
    assert storage.read(lambda snapshot: snapshot.queues.find_echo("q2", "1.1")) == (8, "digest")


def test_a_local_id_leads_to_the_message_that_was_sent_with_it(storage: Storage) -> None:
    town = a_town(storage)
    add_queue(storage, "q1", town.ada)
    storage.write(lambda tx: tx.queues.add_echo(QueueId("q1"), "42.01", MessageId(7), "digest"))
    assert storage.read(lambda snapshot: snapshot.queues.find_echo("q1", "42.01")) == (7, "digest")
    assert storage.read(lambda snapshot: snapshot.queues.find_echo("q1", "42.02")) is None
    assert storage.read(lambda snapshot: snapshot.queues.find_echo("q2", "42.01")) is None


def test_a_local_id_is_used_once(storage: Storage) -> None:
    town = a_town(storage)
    add_queue(storage, "q1", town.ada)
    storage.write(lambda tx: tx.queues.add_echo(QueueId("q1"), "42.01", MessageId(7), "digest"))
    error_of(
        Exception,
        lambda: storage.write(lambda tx: tx.queues.add_echo(QueueId("q1"), "42.01", MessageId(8), "digest")),
    )
    assert storage.read(lambda snapshot: snapshot.queues.find_echo("q1", "42.01")) == (7, "digest")
