"""Forms of typing events."""

from collections.abc import Callable
from typing import Any

from chatcore.events import types as happened
from chatcore.events.queue import Registration
from chatcore.events.shapes.users import Person

AnyTypingEvent = happened.TypingInChannel | happened.TypingDirectly


def typing_fields(
    event: AnyTypingEvent,
    registration: Registration,
    *,
    topic: Callable[[str], str],
    seen: Callable[[Person], Person],
) -> dict[str, Any] | None:
    """Return the event's fields; None if the client does not accept the event.

    *topic* and *seen* convert a topic and a person to the form that the listener receives.
    """
    fields = {"type": event.type, "op": event.op, "sender": _who(seen(event.sender))}
    if isinstance(event, happened.TypingDirectly):
        recipients = [_who(seen(one)) for one in event.people]
        return {**fields, "message_type": "direct", "recipients": recipients}
    if not registration.capabilities.stream_typing_notifications:
        return None
    where = {"stream_id": event.channel_id, "topic": topic(event.topic)}
    return {**fields, "message_type": "stream", **where}


def _who(person: Person) -> dict[str, object]:
    return {"user_id": person.id, "email": person.api_email}
