"""Navigation views, shared by all clients of their owner."""

from collections.abc import Sequence
from dataclasses import replace

from chatcore.application.services import Services
from chatcore.application.units import refresh_actor
from chatcore.domain.channels import navigation_views as rules
from chatcore.domain.channels.navigation_views import NavigationView, NoSuchView
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.events.audience import Users
from chatcore.events.shapes.channels import NavigationViewObject, navigation_view_shape
from chatcore.events.types import NavigationViewAdded, NavigationViewChanged, NavigationViewRemoved
from chatcore.storage import Snapshot, Transaction


def list_views(svc: Services, actor: Actor) -> Sequence[NavigationViewObject]:
    """List the actor's views, by fragment."""
    return svc.storage.read(lambda snapshot: view_shapes(snapshot, actor.user_id))


def view_shapes(snapshot: Snapshot, user_id: UserId) -> list[NavigationViewObject]:
    """Return an account's views in the form for clients."""
    return [navigation_view_shape(view) for view in snapshot.navigation_views.of_user(user_id)]


def add_view(svc: Services, actor: Actor, fragment: str, *, is_pinned: bool, name: str | None = None) -> None:
    """Add a view, and notify the owner's clients.

    :raises BadRequest: an invalid fragment or name, a built-in view with a name, another view without one, a
        fragment that has a view already, or too many views
    """
    view = rules.new_view(fragment, is_pinned=is_pinned, name=name)

    def write(tx: Transaction) -> None:
        user_id = refresh_actor(tx, actor, svc.now).user_id
        known = tx.navigation_views.of_user(user_id)
        if any(one.fragment == view.fragment for one in known):
            raise BadRequest("Navigation view already exists.")
        if len(known) >= svc.limits.max_navigation_views_per_user:
            limit = svc.limits.max_navigation_views_per_user
            raise BadRequest(f"You cannot have more than {limit} navigation views.")
        tx.navigation_views.put(user_id, view)
        tx.announce(NavigationViewAdded(view=navigation_view_shape(view)), Users((user_id,)))

    svc.storage.write(write)


def update_view(
    svc: Services, actor: Actor, fragment: str, *, is_pinned: bool | None = None, name: str | None = None
) -> None:
    """Change a view, and notify the owner's clients of the changed values; None leaves a value unchanged.

    :raises NoSuchView: the actor has no view of this fragment
    :raises BadRequest: no value, an invalid name, or a built-in view with a name
    """

    def write(tx: Transaction) -> None:
        user_id = refresh_actor(tx, actor, svc.now).user_id
        view = _find(tx, user_id, fragment)
        data = rules.changed_values(view, is_pinned=is_pinned, name=name)
        if data:
            tx.navigation_views.put(user_id, replace(view, **data))  # type: ignore[arg-type]
            tx.announce(NavigationViewChanged(fragment=fragment, data=data), Users((user_id,)))

    svc.storage.write(write)


def remove_view(svc: Services, actor: Actor, fragment: str) -> None:
    """Remove a view, and notify the owner's clients.

    :raises NoSuchView: the actor has no view of this fragment
    """

    def write(tx: Transaction) -> None:
        user_id = refresh_actor(tx, actor, svc.now).user_id
        if not tx.navigation_views.remove(user_id, fragment):
            raise NoSuchView
        tx.announce(NavigationViewRemoved(fragment=fragment), Users((user_id,)))

    svc.storage.write(write)


def _find(snapshot: Snapshot, user_id: UserId, fragment: str) -> NavigationView:
    for view in snapshot.navigation_views.of_user(user_id):
        if view.fragment == fragment:
            return view
    raise NoSuchView
