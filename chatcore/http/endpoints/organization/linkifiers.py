"""The organization's linkifiers."""

from collections.abc import Sequence

from chatcore.application.organization import linkifiers
from chatcore.application.services import Services
from chatcore.events.payloads.configuration import LinkifierObject
from chatcore.http.parameters.declaring import NoParams
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Answer


class LinkifiersAnswer(Answer, frozen=True, kw_only=True):
    linkifiers: Sequence[LinkifierObject]


def list_linkifiers(svc: Services, caller: Caller, p: NoParams) -> LinkifiersAnswer:
    """List the linkifiers in the order in which they are applied."""
    return LinkifiersAnswer(linkifiers=linkifiers.list_linkifiers(svc))
