"""The organization's linkifiers."""

from collections.abc import Sequence
from typing import Annotated

from chatcore.application.arguments import about
from chatcore.application.organization import linkifiers
from chatcore.application.services import Services
from chatcore.events.shapes.configuration import LinkifierObject
from chatcore.http.auth import Caller
from chatcore.http.endpoints.organization.answers import NewIdAnswer
from chatcore.http.parameters.declaring import NoParams, Params, Text
from chatcore.http.routing import Answer, Done


class LinkifiersAnswer(Answer, frozen=True, kw_only=True):
    linkifiers: Sequence[LinkifierObject]


def list_linkifiers(svc: Services, caller: Caller, p: NoParams) -> LinkifiersAnswer:
    """List the linkifiers in the order in which they are applied."""
    return LinkifiersAnswer(linkifiers=linkifiers.list_linkifiers(svc))


class AddLinkifierParams(Params, kw_only=True, frozen=True):
    pattern: Annotated[Text, about("A regular expression of linear time (RE2), with named groups.")]
    url_template: Annotated[Text, about("A URL template (RFC 6570).")]


def add_linkifier(svc: Services, caller: Caller, p: AddLinkifierParams) -> NewIdAnswer:
    """Add a linkifier after all others."""
    return NewIdAnswer(id=linkifiers.add_linkifier(svc, caller.actor, p.pattern, p.url_template))


class UpdateLinkifierParams(Params, kw_only=True, frozen=True):
    filter_id: Annotated[int, about("The linkifier's id.")]
    pattern: Annotated[Text, about("A regular expression of linear time (RE2), with named groups.")]
    url_template: Annotated[Text, about("A URL template (RFC 6570).")]


def update_linkifier(svc: Services, caller: Caller, p: UpdateLinkifierParams) -> Done:
    """Change a linkifier."""
    linkifiers.update_linkifier(svc, caller.actor, p.filter_id, p.pattern, p.url_template)
    return Done()


class RemoveLinkifierParams(Params, kw_only=True, frozen=True):
    filter_id: Annotated[int, about("The linkifier's id.")]


def remove_linkifier(svc: Services, caller: Caller, p: RemoveLinkifierParams) -> Done:
    """Remove a linkifier."""
    linkifiers.remove_linkifier(svc, caller.actor, p.filter_id)
    return Done()


class ReorderLinkifiersParams(Params, kw_only=True, frozen=True):
    ordered_linkifier_ids: Annotated[list[int], about("All ids, in the new order.")]


def reorder_linkifiers(svc: Services, caller: Caller, p: ReorderLinkifiersParams) -> Done:
    """Set the order in which linkifiers are applied."""
    linkifiers.reorder_linkifiers(svc, caller.actor, p.ordered_linkifier_ids)
    return Done()
