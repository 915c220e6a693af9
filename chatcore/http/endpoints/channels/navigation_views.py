"""Navigation views."""

from collections.abc import Sequence
from typing import Annotated

from chatcore.application.arguments import about
from chatcore.application.channels import navigation_views
from chatcore.application.services import Services
from chatcore.events.shapes.channels import NavigationViewObject
from chatcore.http.auth import Caller
from chatcore.http.parameters.declaring import NoParams, Params, Text
from chatcore.http.routing import Answer, Done

NAME = "The name of a view that is not built into clients."


class ViewsAnswer(Answer, frozen=True, kw_only=True):
    navigation_views: Sequence[NavigationViewObject]


def list_views(svc: Services, caller: Caller, p: NoParams) -> ViewsAnswer:
    """List the caller's navigation views."""
    return ViewsAnswer(navigation_views=navigation_views.list_views(svc, caller.actor))


class AddParams(Params, kw_only=True, frozen=True):
    fragment: Annotated[Text, about("The part of the client's address after the #.")]
    is_pinned: Annotated[bool, about("Whether clients always show the view.")]
    name: Annotated[Text | None, about(NAME)] = None


def add(svc: Services, caller: Caller, p: AddParams) -> Done:
    """Add a navigation view."""
    navigation_views.add_view(svc, caller.actor, p.fragment, is_pinned=p.is_pinned, name=p.name)
    return Done()


class OneParams(Params, kw_only=True, frozen=True):
    fragment: Annotated[Text, about("The view's fragment.")]


class UpdateParams(OneParams, kw_only=True, frozen=True):
    is_pinned: Annotated[bool | None, about("Whether clients always show the view.")] = None
    name: Annotated[Text | None, about(NAME)] = None


def update(svc: Services, caller: Caller, p: UpdateParams) -> Done:
    """Change a navigation view."""
    navigation_views.update_view(svc, caller.actor, p.fragment, is_pinned=p.is_pinned, name=p.name)
    return Done()


def remove(svc: Services, caller: Caller, p: OneParams) -> Done:
    """Remove a navigation view."""
    navigation_views.remove_view(svc, caller.actor, p.fragment)
    return Done()
