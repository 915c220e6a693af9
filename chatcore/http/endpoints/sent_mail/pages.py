"""The page on which people end mails of a kind, without logging in.

A link shows the page and changes nothing. Its form does, and so does the request that mail programs send when
somebody unsubscribes there (RFC 8058).
"""

from chatcore.application.sent_mail import unsubscribing
from chatcore.application.services import Services
from chatcore.http.bodies.incoming import Incoming
from chatcore.http.pages.html import LinkParams, page
from chatcore.http.pipeline.auth import Caller
from chatcore.http.response import Response


def show_unsubscribe(svc: Services, caller: Caller, request: Incoming, p: LinkParams) -> Response:
    """Show the page that asks whether to end mails of a kind: the link in each of them leads here."""
    mails = unsubscribing.look_at_unsubscribing(svc, p.token)
    return page("Unsubscribe", f"Do you want no more {mails}?", inputs=[], button="Unsubscribe")


def unsubscribe(svc: Services, caller: Caller, request: Incoming, p: LinkParams) -> Response:
    """End the mails of a kind to the person who got the link, also when asked again."""
    mails = unsubscribing.unsubscribe(svc, p.token)
    return page("Done", f"You get no more {mails}. The settings of your account bring them back.")
