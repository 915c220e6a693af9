"""Events in the log that this version cannot read, and events that cannot be formed for one queue."""

import pytest

from chatcore.domain.ids import Position
from chatcore.events import sending
from chatcore.events.audience import Everyone
from chatcore.events.sending import EventToSend, Listener
from chatcore.storage import Transaction
from chatcore.storage.conformance.makers import an_event
from storage_backends.sql.statement import Statement
from tests.worlds.organization import Someone, World

OVERWRITE = Statement("UPDATE event SET kind = :kind, body = :body, audience = :audience WHERE id = :id")
EVERYONE = '{"type":"everyone"}'


def write_event(world: World, kind: str, body: str, audience: str | None = None) -> Position:
    """Write an event as a newer version does."""
    given = EVERYONE if audience is None else audience

    def write(tx: Transaction) -> Position:
        at = tx.announce(an_event("here"), Everyone())
        tx.flush()  # type: ignore[attr-defined]
        tx.session.run(OVERWRITE, id=at, kind=kind, body=body, audience=given)  # type: ignore[attr-defined]
        return at

    return world.storage.write(write)


UNREADABLE = [
    pytest.param('{"kind":"FromTheFuture","more":1}', EVERYONE, id="kind"),
    pytest.param('{"kind":"MessageSent","message":"soup"}', EVERYONE, id="fields"),
    pytest.param("#", EVERYONE, id="no JSON"),
    pytest.param('{"kind":"QueueClosed","queue_id":"one"}', '{"type":"friends"}', id="audience"),
]


@pytest.mark.parametrize(("body", "audience"), UNREADABLE)
def test_only_queues_that_want_an_unreadable_event_begin_anew(
    world: World, ada: Someone, bea: Someone, body: str, audience: str
) -> None:
    of_messages, of_all = bea.opens_queue("message"), bea.registers(fetch_event_types=[])
    of_typing = bea.opens_queue("realm_user")
    polls = of_messages.waits(), of_all.waits(), of_typing.waits()
    write_event(world, "message", body, audience)
    for poll in polls[:2]:
        assert poll.response().get_json()["code"] == "BAD_EVENT_QUEUE_ID"
    assert not polls[2].is_over
    for line in (of_messages, of_all):
        line.refused()
    ada.patch("/settings", full_name="Ada L.")
    assert [event["type"] for event in polls[2].answer()] == ["realm_user"]
    assert [event["type"] for event in of_typing.events()] == ["realm_user"]
    again = bea.opens_queue("message")
    sent = ada.says("soup")
    assert again.messages() == [sent]


def test_an_event_that_cannot_be_formatted_ends_one_queue_only(
    world: World,
    ada: Someone,
    bea: Someone,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    broken, good = bea.opens_queue("message"), ada.opens_queue("message")
    polls = broken.waits(), good.waits()
    payloads_for = sending.payloads_for

    def fail(event: EventToSend, listener: Listener, *, after: Position) -> object:
        if listener.queue_id == broken.id:
            raise KeyError("soup")
        return payloads_for(event, listener, after=after)

    monkeypatch.setattr(sending, "payloads_for", fail)
    sent = ada.says("soup")
    assert polls[0].response().get_json()["code"] == "BAD_EVENT_QUEUE_ID"
    assert [event["message"]["id"] for event in polls[1].answer()] == [sent]
    broken.refused()
    assert good.messages() == [sent]
    assert "its client registers anew" in caplog.text
