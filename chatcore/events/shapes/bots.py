"""The JSON shape of a bot for users who manage it, in the register state and in events."""

from typing import Any

from chatcore.events.shapes.users import Person, avatar_url

NO_KEY = ""
"""Replaces a bot's key for everybody but its owner."""


def bot_shape(bot: Person, api_key: str) -> dict[str, Any]:
    """Return the shape of a bot. Only its owner may receive the key."""
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
