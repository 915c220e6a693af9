"""Tables of endpoints, one row each, one table for each noun."""

from collections.abc import Mapping
from typing import Final

from chatcore.http.endpoints.sign_on import scim
from chatcore.http.pipeline.envelope import Form
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

FORMS: Final[Mapping[str, Form]] = {scim.PATH: scim.refuse}
"""The forms of refusals below some paths, where the envelope is none of the protocol."""
