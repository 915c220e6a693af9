"""Invitations, and the pages to which their links and those of other mails lead."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from chatcore.application.invitations.inviting import resend
from chatcore.application.invitations.listing import revoke, revoke_link
from chatcore.http.endpoints.invitations import html, invitations, pages
from chatcore.http.operations import operation
from chatcore.http.parameters.declaring import NoParams, Params
from chatcore.http.pipeline.auth import Auth
from chatcore.http.pipeline.routing import AnyRoute, Method, RawRoute, Route
from chatcore.http.response import Response

FORM: Final = "application/x-www-form-urlencoded"
LINK: Final = "/{token}"
INVITATION: Final = {"invitation_id": "invite_id"}


def page_route(
    method: Method, path: str, params: type[Params], handler: Callable[..., Response]
) -> RawRoute[Any]:
    """Return the route of a page of plain HTML, for people who are not logged in."""
    return RawRoute(
        method,
        path,
        params,
        handler,
        auth=Auth.NONE,
        prefix="",
        body=FORM if method == "POST" else "",
        answers="text/html",
        refuse=html.refusal,
    )


ROUTES: Final[Sequence[AnyRoute]] = (
    Route("GET", "/invites", NoParams, invitations.list_invitations),
    Route("POST", "/invites", invitations.InviteParams, invitations.invite),
    Route("POST", "/invites/multiuse", invitations.OfferParams, invitations.make_link),
    operation("DELETE", "/invites/multiuse/{invite_id:int}", revoke_link, names=INVITATION),
    operation("DELETE", "/invites/{invite_id:int}", revoke, names=INVITATION),
    operation("POST", "/invites/{invite_id:int}/resend", resend, names=INVITATION),
    page_route("GET", "/join", NoParams, pages.show_ask_to_join),
    page_route("POST", "/join", NoParams, pages.ask_to_join),
    page_route("GET", f"/join{LINK}", pages.LinkParams, pages.show_join),
    page_route("POST", f"/join{LINK}", pages.LinkParams, pages.join),
    page_route("GET", f"/confirm{LINK}", pages.LinkParams, pages.show_confirm),
    page_route("POST", f"/confirm{LINK}", pages.LinkParams, pages.confirm),
    page_route("GET", "/reset", NoParams, pages.show_ask_for_password),
    page_route("POST", "/reset", NoParams, pages.ask_for_password),
    page_route("GET", f"/reset{LINK}", pages.LinkParams, pages.show_password),
    page_route("POST", f"/reset{LINK}", pages.LinkParams, pages.choose_password),
)
