"""Presences of users as they are sent."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from chatcore.application.services import Services
from chatcore.application.units import View
from chatcore.application.visibility.known_users import accessible_users
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.organization.organization import Organization
from chatcore.domain.people.presence import HISTORY_DAYS, NO_UPDATE, Presence, modern_form, older_form
from chatcore.domain.people.users import User, api_email
from chatcore.domain.times import SECONDS_PER_DAY
from chatcore.events.happened import PresenceChanged


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedPresences:
    """Selection and form of presences: *slim* is by user id, otherwise by API address."""

    slim: bool = False
    history_days: int = HISTORY_DAYS
    after: int = NO_UPDATE
    """Only presences changed since this number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Presences:
    """The presences for a client."""

    presences: Mapping[str, Mapping[str, Any]]
    server_timestamp: float
    presence_last_update_id: int


def make_presence_changed(svc: Services, user: User, presence: Presence) -> PresenceChanged:
    """Return the event that announces a user's presence."""
    return PresenceChanged(
        user_id=user.id,
        email=api_email(user, svc.settings.host),
        active_at=presence.active_at,
        connected_at=presence.connected_at,
        at=svc.clock(),
    )


def select_presences(
    view: View, organization: Organization, wanted: WantedPresences
) -> Mapping[UserId, Presence]:
    """Return the selected presences, also of deactivated and invisible users."""
    if organization.presence_disabled:
        return {}
    oldest = max(0, view.now - wanted.history_days * SECONDS_PER_DAY)
    return view.snapshot.presences.since(wanted.after, oldest)


def visible_presences(
    view: View,
    actor: Actor,
    wanted: WantedPresences,
    users: Mapping[UserId, User] | None = None,
) -> Presences:
    """Return the selected presences of active users who are visible to the actor, as they are sent.

    *users* are all existing users, if the caller has read them already.
    """
    organization = view.snapshot.organization.get()
    selected = select_presences(view, organization, wanted)
    if users is None:
        users = view.snapshot.users.by_ids(selected.keys())
    knows = accessible_users(view.snapshot, organization, actor, users.values())
    visible = [
        (users[user_id], presence)
        for user_id, presence in selected.items()
        if users[user_id].is_active and knows(user_id)
    ]
    presences: dict[str, Mapping[str, Any]]
    if wanted.slim:
        presences = {str(user.id): modern_form(presence) for user, presence in visible}
    else:
        host = view.svc.settings.host
        presences = {api_email(user, host): older_form(presence) for user, presence in visible}
    return Presences(
        presences=presences,
        server_timestamp=view.svc.clock(),
        presence_last_update_id=view.snapshot.presences.newest_update(),
    )
