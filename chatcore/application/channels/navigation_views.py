"""Navigation views, shared by all clients of their owner."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, TypeAlias

from chatcore.application.arguments import about
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, read_only, unit_of_work
from chatcore.domain.channels import navigation_views as rules
from chatcore.domain.channels.navigation_views import NavigationView, NoSuchView
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.events.audience import Users
from chatcore.events.happened import NavigationViewAdded, NavigationViewChanged, NavigationViewRemoved
from chatcore.events.payloads.folders import NavigationViewObject, navigation_view_object
from chatcore.storage import Snapshot

Fragment: TypeAlias = Annotated[str, about("The view's fragment.")]
NameOfView: TypeAlias = Annotated[str | None, about("The name of a view that is not built into clients.")]


@read_only
def list_views(view: View, me: Actor) -> Sequence[NavigationViewObject]:
    """List the caller's navigation views.

    :returns: views by fragment
    """
    return view_objects(view.snapshot, me.user_id)


def view_objects(snapshot: Snapshot, user_id: UserId) -> list[NavigationViewObject]:
    """Return an account's views as they are sent."""
    return [navigation_view_object(view) for view in snapshot.navigation_views.of_user(user_id)]


def add_view(
    svc: Services,
    actor: Actor,
    fragment: Annotated[str, about("The part of the client's address after the #.")],
    *,
    is_pinned: Annotated[bool, about("Whether clients always show the view.")],
    name: NameOfView = None,
) -> None:
    """Add a navigation view.

    :raises BadRequest: an invalid fragment or name, a built-in view with a name, another view without one, a
        fragment that has a view already, or too many views
    """
    _store_view(svc, actor, rules.checked_view(fragment, is_pinned=is_pinned, name=name))


@unit_of_work
def _store_view(unit: Unit, me: Actor, view: NavigationView) -> None:
    known = unit.tx.navigation_views.of_user(me.user_id)
    limit = unit.limits.max_navigation_views_per_user
    if any(other.fragment == view.fragment for other in known):
        raise BadRequest("Navigation view already exists.")
    if len(known) >= limit:
        raise BadRequest(f"You cannot have more than {limit} navigation views.")
    unit.tx.navigation_views.put(me.user_id, view)
    unit.tx.announce(NavigationViewAdded(view=navigation_view_object(view)), Users((me.user_id,)))


def update_view(
    svc: Services,
    actor: Actor,
    fragment: Fragment,
    *,
    is_pinned: Annotated[bool | None, about("Whether clients always show the view.")] = None,
    name: NameOfView = None,
) -> None:
    """Change a navigation view.

    :param is_pinned: None leaves it unchanged, as *name*
    :raises NoSuchView: the actor has no view of this fragment
    :raises BadRequest: no value, an invalid name, or a built-in view with a name
    """
    _store_values(svc, actor, fragment, rules.checked_values(fragment, is_pinned=is_pinned, name=name))


@unit_of_work
def _store_values(unit: Unit, me: Actor, fragment: str, values: Mapping[str, str | bool]) -> None:
    view = _find_view(unit.tx, me.user_id, fragment)
    differing = {key: value for key, value in values.items() if value != getattr(view, key)}
    if differing:
        unit.tx.navigation_views.put(me.user_id, replace(view, **differing))  # type: ignore[arg-type]
        unit.tx.announce(NavigationViewChanged(fragment=fragment, data=differing), Users((me.user_id,)))


@unit_of_work
def remove_view(unit: Unit, me: Actor, fragment: Fragment) -> None:
    """Remove a navigation view.

    :raises NoSuchView: the actor has no view of this fragment
    """
    if not unit.tx.navigation_views.remove(me.user_id, fragment):
        raise NoSuchView
    unit.tx.announce(NavigationViewRemoved(fragment=fragment), Users((me.user_id,)))


def _find_view(snapshot: Snapshot, user_id: UserId, fragment: str) -> NavigationView:
    for view in snapshot.navigation_views.of_user(user_id):
        if view.fragment == fragment:
            return view
    raise NoSuchView
