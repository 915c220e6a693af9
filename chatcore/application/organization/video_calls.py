"""Video calls on the operator's BigBlueButton server.

The link to a call is signed and nothing of it is stored; the call begins on its server when the first one
joins.
"""

import secrets
from collections.abc import Mapping
from typing import Annotated, Final

import msgspec

from chatcore.application.arguments import about
from chatcore.application.asking import ask
from chatcore.application.services import Services
from chatcore.application.signing import sign, signed_text
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.organization.settings import BIG_BLUE_BUTTON, VIDEO_PROVIDERS, Choice
from chatcore.domain.organization.video_calls import (
    CallsNotConfigured,
    CallsNotReady,
    VideoCall,
    address_to_create,
    address_to_join,
    checked_call_name,
    require_created,
)
from chatcore.runtime.work import Work
from chatcore.settings import Settings

PURPOSE: Final = "video call"
ANSWER_SECONDS: Final = 5
MAX_ANSWER: Final = 2**16


def providers(settings: Settings) -> Mapping[int, Choice]:
    """Return the providers of video calls that the organization can choose, by their numbers."""
    hidden = () if settings.has_bigbluebutton else (BIG_BLUE_BUTTON,)
    return {number: choice for number, choice in VIDEO_PROVIDERS.items() if number not in hidden}


def new_call(
    svc: Services,
    actor: Actor,
    raw_name: Annotated[str, about("The name of the call; it is cut after 256 characters.")],
    *,
    is_voice_only: Annotated[bool, about("Whether the call begins without cameras.")] = False,
) -> str:
    """Get the link to a new video call on the operator's BigBlueButton server.

    Everybody with an account who opens the link joins the call; the caller is its moderator. Without such a
    server the request is refused.

    :raises CallsNotConfigured: the operator has set no server
    :raises BadRequest: an empty name
    """
    _require_server(svc)
    call = VideoCall(checked_call_name(raw_name), secrets.token_hex(16), actor.user_id, is_voice_only)
    token = sign(svc, PURPOSE, msgspec.json.encode(call).decode())
    return f"/calls/bigbluebutton/join?bigbluebutton={token}"


def address_for(svc: Services, actor: Actor, token: str) -> str:
    """Return the address that brings the actor's browser into a call. The call begins now, unless it has.

    :raises CallsNotConfigured: the operator has set no server any more
    :raises BadRequest: the link is not one of this organization
    :raises CallsNotReady: the server of the calls cannot be reached, or refuses
    """
    _require_server(svc)
    text = signed_text(svc, PURPOSE, token)
    if text is None:
        raise BadRequest("This link to a call is not valid.")
    call = msgspec.json.decode(text, type=VideoCall)
    server, secret = svc.settings.bigbluebutton_url, svc.settings.bigbluebutton_secret
    user = svc.storage.read(lambda snapshot: snapshot.users.get(actor.user_id))
    svc.run_blocking(lambda: _create_call(svc, address_to_create(server, secret, call)), Work.OUTSIDE)
    return address_to_join(server, secret, call, user.id, user.full_name)


def _require_server(svc: Services) -> None:
    if not svc.settings.has_bigbluebutton:
        raise CallsNotConfigured("BigBlueButton is not configured.")


def _create_call(svc: Services, url: str) -> None:
    from chatcore.runtime.outgoing_requests import Outgoing, RequestFailed  # loads an HTTP library

    try:
        answer = ask(svc, Outgoing(url=url, seconds=ANSWER_SECONDS, max_bytes=MAX_ANSWER), "calls")
    except RequestFailed as error:
        raise CallsNotReady("Error connecting to the BigBlueButton server.") from error
    require_created(answer.status, answer.body)
