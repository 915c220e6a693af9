"""Navigation views; each belongs to one account."""

from collections.abc import Sequence
from typing import Protocol

from chatcore.domain.channels.navigation_views import NavigationView
from chatcore.domain.ids import UserId


class NavigationViews(Protocol):
    def of_user(self, user_id: UserId) -> Sequence[NavigationView]:
        """Return the account's views, by fragment."""

    def put(self, user_id: UserId, view: NavigationView) -> None:
        """Write a view of the account, new or changed."""

    def remove(self, user_id: UserId, fragment: str) -> bool:
        """Remove a view of the account; return whether it existed."""
