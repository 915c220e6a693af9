"""The JSON shape of a bot as those who manage it get it, in the register state and in events."""

from typing import Any

from chatcore.events.shapes.users import Person, avatar_url

NO_KEY = ""
"""What stands for a bot's key where it is told to anybody but its owner."""


def bot_shape(bot: Person, api_key: str) -> dict[str, Any]:
    """With the key, which nobody but the owner gets."""
    return {
        "user_id": bot.id,
        "full_name": bot.full_name,
        "email": bot.api_email,
        "bot_type": bot.bot_type,
        "owner_id": bot.bot_owner_id,
        "is_active": bot.is_active,
        "avatar_url": avatar_url(bot),
        "api_key": api_key,
        "default_sending_stream": None,
        "default_events_register_stream": None,
        "default_all_public_streams": False,
        "services": [],
    }
