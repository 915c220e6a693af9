"""Registrations of phones for push messages. They are checked and not stored, because there is no push
service yet.
"""

import re
from typing import Final

from chatcore.domain.errors import BadRequest, ChatError
from chatcore.domain.groups.actors import Actor
from chatcore.domain.organization.administration import require_no_bot

MAX_TOKEN_LENGTH: Final = 4096
_HEX: Final = re.compile(r"[0-9a-fA-F]+", re.ASCII)


class NoPushService(ChatError):
    """The server has no service that brings messages to phones."""

    code = "PUSH_SERVICE_NOT_CONFIGURED"

    def __init__(self) -> None:
        super().__init__("Server is not configured to use push notification service.")


class NoActivePushDevice(ChatError):
    """No phone of the account is registered for encrypted push messages."""

    code = "NO_ACTIVE_PUSH_DEVICE"

    def __init__(self) -> None:
        super().__init__("No active registered push device")


class InvalidPushDeviceToken(ChatError):
    """No phone of the account has the token."""

    code = "INVALID_PUSH_DEVICE_TOKEN"

    def __init__(self) -> None:
        super().__init__("Device not recognized")


def require_token(actor: Actor, token: str, *, is_hex: bool = False) -> None:
    """Refuse a token that is not valid for any device.

    :raises BadRequest: the actor is a bot; or the token is empty, too long, or (with *is_hex*) not
        hexadecimal
    """
    require_person(actor)
    if not 0 < len(token) <= MAX_TOKEN_LENGTH:
        raise BadRequest("Empty or invalid length token")
    if is_hex and not _HEX.fullmatch(token):
        raise BadRequest("Invalid APNS token")


def require_person(actor: Actor) -> None:
    """Refuse a bot, which has no phone.

    :raises BadRequest: the actor is a bot
    """
    require_no_bot(actor)
