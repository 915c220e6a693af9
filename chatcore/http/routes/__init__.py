"""Tables of endpoints, one row each, one table for each noun."""

from typing import Final

from chatcore.http.pipeline.routing import AnyRoute
from chatcore.http.routes import (
    archives,
    bots,
    channels,
    events,
    files,
    groups,
    invitations,
    messages,
    organization,
    people,
    push,
    retention,
    scheduled,
    sent_mail,
    sign_on,
)

ROUTES: Final[tuple[AnyRoute, ...]] = (
    *events.ROUTES,
    *organization.ROUTES,
    *people.ROUTES,
    *bots.ROUTES,
    *messages.ROUTES,
    *scheduled.ROUTES,
    *channels.ROUTES,
    *groups.ROUTES,
    *files.ROUTES,
    *invitations.ROUTES,
    *sent_mail.ROUTES,
    *push.ROUTES,
    *archives.ROUTES,
    *retention.ROUTES,
    *sign_on.ROUTES,
)
