"""Messages that a program schedules, reminders, and messages that are too old."""

import pytest

from chatcore import BadRequest, Chat, NoSuchReminder, NoSuchScheduledMessage, open_chat
from tests.waiting import until
from tests.worlds.organization import DAY, NOW, Clock


def contents(chat: Chat) -> list[str]:
    owner = chat.users.actor("owner@example.com")
    return [one.message.content for one in chat.messages.fetch(owner, narrow=[["is", "dm"]]).readings]


def test_a_program_schedules_messages_and_delivers_them() -> None:
    clock = Clock()
    with open_chat(clock=clock, first_messages=False) as chat:
        owner = chat.users.actor("owner@example.com")
        chat.channels.subscribe(owner, ["garden"])
        garden = chat.channels.id_of(owner, "garden")
        to_garden = chat.scheduled_messages.create(owner, "mint", NOW + 60, channel=garden, topic="tea")
        to_self = chat.scheduled_messages.create(owner, "leek", NOW + 30, to=owner)
        chat.scheduled_messages.edit(owner, to_garden, topic="herbs", at=NOW + 20)
        chat.scheduled_messages.edit(owner, to_self, content="kale")
        found = chat.scheduled_messages.list(owner)
        assert [(one["to"], one.get("topic"), one["content"]) for one in found] == [
            (garden, "herbs", "mint"),
            ((owner.user_id,), None, "kale"),
        ]
        assert chat.scheduled_messages.deliver_due() == 20
        chat.scheduled_messages.delete(owner, to_garden)
        clock.advance(30)
        assert chat.scheduled_messages.deliver_due() == float("inf")
        assert contents(chat) == ["kale"]
        with pytest.raises(NoSuchScheduledMessage):
            chat.scheduled_messages.delete(owner, to_self)
        with pytest.raises(BadRequest, match="recipients"):
            chat.scheduled_messages.create(owner, "mint", NOW + 60)


def test_a_program_has_reminders() -> None:
    clock = Clock()
    with open_chat(clock=clock, first_messages=False) as chat:
        owner = chat.users.actor("owner@example.com")
        message_id = chat.messages.send(owner, "mint", to=owner).message_id
        chat.reminders.create(owner, message_id, NOW + 60, note="tea")
        gone = chat.reminders.create(owner, message_id, NOW + 60)
        chat.reminders.delete(owner, gone)
        with pytest.raises(NoSuchReminder):
            chat.reminders.delete(owner, gone)
        assert [one["reminder_target_message_id"] for one in chat.reminders.list(owner)] == [message_id]
        clock.advance(60)
        chat.scheduled_messages.deliver_due()
        assert "> tea" in contents(chat)[1]


def test_a_program_that_calls_once_a_day_deletes_what_is_too_old() -> None:
    clock = Clock()
    with open_chat(clock=clock, first_messages=False) as chat:
        owner = chat.users.actor("owner@example.com")
        chat.organization.change({"message_retention_days": 3}, by=owner)
        chat.messages.send(owner, "mint", to=owner)
        deleted = []
        for _ in range(5):
            deleted.append(chat.retention.delete_due())
            clock.advance(DAY + 1)
        assert deleted == [0, 0, 0, 1, 0]


def test_a_program_that_calls_seldom_answers_for_the_clock() -> None:
    clock = Clock()
    with open_chat(clock=clock, first_messages=False) as chat:
        owner = chat.users.actor("owner@example.com")
        chat.organization.change({"message_retention_days": 3}, by=owner)
        chat.messages.send(owner, "mint", to=owner)
        for _ in range(3):
            clock.advance(7 * DAY)
            assert chat.retention.delete_due() == 0
        assert chat.retention.delete_due(at_once=True) == 1


@pytest.mark.parametrize("begin", [Chat.deliver_on_time, Chat.application])
def test_a_program_delivers_in_the_background(begin: object) -> None:
    assert callable(begin)
    clock = Clock()
    with open_chat(clock=clock, first_messages=False) as chat:
        owner = chat.users.actor("owner@example.com")
        begin(chat)
        chat.scheduled_messages.create(owner, "mint", NOW + 60, to=owner)
        assert contents(chat) == []
        clock.advance(60)
        until(lambda: contents(chat) == ["mint"])
