"""Registrations of phones for push messages. They are checked and not stored, because there is no push
service yet.
"""

import re
from typing import Final

from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor

MAX_TOKEN_LENGTH: Final = 4096
_HEX: Final = re.compile(r"[0-9a-fA-F]+", re.ASCII)


def require_token(actor: Actor, token: str, *, is_hex: bool = False) -> None:
    """Refuse a token that is not valid for any device.

    :raises BadRequest: the actor is a bot; or the token is empty, too long, or (with *is_hex*) not
        hexadecimal
    """
    if actor.is_bot:
        raise BadRequest("This endpoint does not accept bot requests.")
    if not 0 < len(token) <= MAX_TOKEN_LENGTH:
        raise BadRequest("Empty or invalid length token")
    if is_hex and not _HEX.fullmatch(token):
        raise BadRequest("Invalid APNS token")
