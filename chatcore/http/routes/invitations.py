"""Invitations, and the pages to which their links and those of other mails lead."""

from collections.abc import Sequence
from typing import Final

from chatcore.application.invitations.inviting import resend
from chatcore.application.invitations.listing import revoke, revoke_link
from chatcore.http.endpoints.invitations import invitations, pages
from chatcore.http.operations import operation
from chatcore.http.pages.html import LINK, LinkParams, page_route
from chatcore.http.parameters.declaring import NoParams
from chatcore.http.pipeline.routing import AnyRoute, Route

INVITATION: Final = {"invitation_id": "invite_id"}


ROUTES: Final[Sequence[AnyRoute]] = (
    Route("GET", "/invites", NoParams, invitations.list_invitations),
    Route("POST", "/invites", invitations.InviteParams, invitations.invite),
    Route("POST", "/invites/multiuse", invitations.OfferParams, invitations.make_link),
    operation("DELETE", "/invites/multiuse/{invite_id:int}", revoke_link, names=INVITATION),
    operation("DELETE", "/invites/{invite_id:int}", revoke, names=INVITATION),
    operation("POST", "/invites/{invite_id:int}/resend", resend, names=INVITATION),
    page_route("GET", "/join", NoParams, pages.show_ask_to_join),
    page_route("POST", "/join", NoParams, pages.ask_to_join),
    page_route("GET", f"/join{LINK}", LinkParams, pages.show_join),
    page_route("POST", f"/join{LINK}", LinkParams, pages.join),
    page_route("GET", f"/confirm{LINK}", LinkParams, pages.show_confirm),
    page_route("POST", f"/confirm{LINK}", LinkParams, pages.confirm),
    page_route("GET", "/reset", NoParams, pages.show_ask_for_password),
    page_route("POST", "/reset", NoParams, pages.ask_for_password),
    page_route("GET", f"/reset{LINK}", LinkParams, pages.show_password),
    page_route("POST", f"/reset{LINK}", LinkParams, pages.choose_password),
)
