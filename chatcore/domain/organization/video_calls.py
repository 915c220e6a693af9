"""Video calls of BigBlueButton: addresses that a server's secret signs, and what the server answers."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from chatcore.domain.errors import BadRequest, ChatError

MAX_NAME: Final = 256
"""Characters of a call's name; the rest is cut off, as clients make names from those of conversations."""
_SUCCEEDED: Final = re.compile(rb"<returncode>\s*SUCCESS\s*</returncode>")


class CallsNotConfigured(ChatError):
    """The operator has set no server, or no account, of this provider of video calls."""


class CallsNotReady(BadRequest):
    """The server of video calls cannot be reached, or refuses."""


@dataclass(frozen=True, slots=True)
class VideoCall:
    name: str
    meeting_id: str
    moderator_id: int
    is_voice_only: bool


def checked_call_name(raw: str) -> str:
    """Check the name of a new call and return it stripped, cut off at `MAX_NAME`.

    :raises BadRequest: empty
    """
    name = raw.strip()[:MAX_NAME]
    if not name:
        raise BadRequest("The name of the meeting can't be empty.")
    return name


def address_to_create(server: str, secret: str, call: VideoCall) -> str:
    """Return the address that begins a call on its server; a second request there changes nothing."""
    query = {"name": call.name, "meetingID": call.meeting_id}
    if call.is_voice_only:
        query |= {"lockSettingsDisableCam": "true", "lockSettingsLockOnJoin": "true"}
    return _signed_url(server, secret, "create", query)


def address_to_join(server: str, secret: str, call: VideoCall, user_id: int, full_name: str) -> str:
    """Return the address at which a browser joins a call."""
    role = "MODERATOR" if user_id == call.moderator_id else "VIEWER"
    query = {"meetingID": call.meeting_id, "fullName": full_name, "userID": str(user_id), "role": role}
    return _signed_url(server, secret, "join", query)


def _signed_url(server: str, secret: str, action: str, query: Mapping[str, str]) -> str:
    encoded = urlencode(query)
    checksum = hashlib.sha256(f"{action}{encoded}{secret}".encode()).hexdigest()
    return f"{server}/api/{action}?{encoded}&checksum={checksum}"


def require_created(status: int, body: bytes) -> None:
    """Check the answer to a request that begins a call.

    :raises CallsNotReady: the server has not begun it
    """
    if status != 200 or not _SUCCEEDED.search(body):
        raise CallsNotReady("BigBlueButton server returned an unexpected error.")
