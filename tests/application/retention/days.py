"""Days that pass while a server notes how far its log has come."""

from chatcore.domain.retention.due import ClockMark, is_clock_proven
from chatcore.storage import Transaction
from tests.worlds.organization import DAY, World


def pass_days(world: World, days: int) -> None:
    """Let days pass on a clock that is proven afterwards."""
    world.clock.advance(days * DAY)
    prove_clock(world)


def prove_clock(world: World) -> None:
    """Note a mark as a server would have done two days ago, but at the present end of the log: it makes no
    message younger.
    """

    def write(tx: Transaction) -> None:
        if not is_clock_proven(tx.retention.marks(), world.svc.now):
            tx.retention.note(ClockMark(at=world.svc.now - 2 * DAY, position=tx.draw()))

    world.storage.write(write)
