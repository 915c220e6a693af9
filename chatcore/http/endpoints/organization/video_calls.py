"""Links to video calls."""

from html import escape
from typing import Annotated

from chatcore.application.arguments import about
from chatcore.application.organization import video_calls
from chatcore.application.services import Services
from chatcore.domain.errors import ChatError
from chatcore.domain.organization.video_calls import CallsNotConfigured
from chatcore.http.bodies.incoming import Incoming
from chatcore.http.endpoints.organization.answers import CallAnswer
from chatcore.http.pages.html import prefers_page
from chatcore.http.parameters.declaring import Params, Text
from chatcore.http.pipeline.auth import Caller
from chatcore.http.response import Response

PAGE = "<!doctype html><meta charset=utf-8><title>{title}</title><p>{title}<p><a href='{mount}/'>{mount}/</a>"


class JoinParams(Params, kw_only=True, frozen=True):
    bigbluebutton: Annotated[Text, about("The token in the link to the call.")]


def join(svc: Services, caller: Caller, request: Incoming, p: JoinParams) -> Response:
    """Redirect a browser to a video call, which begins when the first one joins."""
    return Response(302, b"", [("Location", video_calls.address_for(svc, caller.actor, p.bigbluebutton))])


def refuse(error: ChatError, request: Incoming) -> Response | None:
    """Return a short page for a browser, and the envelope for others."""
    if not prefers_page(request):
        return None
    page = PAGE.format(title=escape(error.message), mount=escape(request.mount))
    return Response(error.status, page.encode(), [("Vary", "Accept")], "text/html; charset=utf-8")


class ZoomParams(Params, kw_only=True, frozen=True):
    is_video_call: Annotated[bool, about("Whether the call begins with cameras.")] = True


def create_on_zoom(svc: Services, caller: Caller, p: ZoomParams) -> CallAnswer:
    """Get the link to a new video call of Zoom.

    This server has no account there and refuses every request.
    """
    raise CallsNotConfigured("Zoom credentials have not been configured")
