"""The page to which links in mails lead that end mails of their kind."""

from collections.abc import Sequence
from typing import Final

from chatcore.http.endpoints.sent_mail import pages
from chatcore.http.pages.html import LINK, LinkParams, page_route
from chatcore.http.pipeline.routing import AnyRoute

ROUTES: Final[Sequence[AnyRoute]] = (
    page_route("GET", f"/unsubscribe{LINK}", LinkParams, pages.show_unsubscribe),
    page_route("POST", f"/unsubscribe{LINK}", LinkParams, pages.unsubscribe),
)
