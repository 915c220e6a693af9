"""Forms of reaction events."""

from typing import Any

from chatcore.events.shapes.users import Person
from chatcore.events.types import ReactionChanged


def reaction_fields(event: ReactionChanged, who: Person) -> dict[str, Any]:
    """Return the event's fields; *who* reacted, as visible to the listener. `user` is for older clients."""
    return {
        "type": event.type,
        "op": event.op,
        "message_id": event.message_id,
        "user_id": who.id,
        "user": {
            "user_id": who.id,
            "email": who.api_email,
            "full_name": who.full_name,
            "is_mirror_dummy": False,
        },
        "emoji_name": event.emoji_name,
        "emoji_code": event.emoji_code,
        "reaction_type": event.reaction_type,
    }
