"""Payloads of events about users; none if the user is not visible to the listener."""

from collections.abc import Callable, Hashable
from typing import TypeVar

from chatcore.domain.ids import Position, UserId
from chatcore.domain.people import presence as presences
from chatcore.domain.people.users import may_see_email
from chatcore.events import happened
from chatcore.events.payloads.objects import UserObject
from chatcore.events.payloads.parts import Payload
from chatcore.events.payloads.users import (
    UNKNOWN_USER_NAME,
    InvitationsEvent,
    PresenceEvent,
    StatusEvent,
    UserAddEvent,
    UserChanges,
    UserRemoveEvent,
    UserUpdateEvent,
    avatar_fields,
    avatar_is_left_to_client,
    known_profile,
    known_value,
    unknown_person,
    user_shape,
)
from chatcore.events.sending.event import written_as
from chatcore.events.sending.formatter import Formatter, nobody_else, one_payload, same_client_and_people
from chatcore.events.sending.listener import Listener

AboutUser = (
    happened.UserAdded
    | happened.PersonChanged
    | happened.AddressChanged
    | happened.AvatarChanged
    | happened.StatusChanged
    | happened.PresenceChanged
)
P = TypeVar("P", bound=AboutUser)


def _format_user_added(
    event: happened.UserAdded, listener: Listener, position: Position
) -> UserAddEvent | None:
    if listener.sees(event.user_id) and not event.out_of_sight:
        profile_data = event.profile_data
        if listener.knows is not None and event.listing:
            profile_data = known_profile(profile_data, event.listing, listener.knows)
        shape = user_shape(
            event.person,
            listener.actor,
            client_gravatar=listener.registration.client_gravatar,
            profile_data=profile_data,
        )
    elif listener.capabilities.user_list_incomplete:
        return None
    else:
        shape = user_shape(unknown_person(event.user_id, listener.host), None, profile_data={})
    return {"type": "realm_user", "op": "add", "person": written_as(UserObject, shape), "id": position}


def _format_user_removed(
    event: happened.UserRemoved, listener: Listener, position: Position
) -> UserRemoveEvent:
    return {
        "type": "realm_user",
        "op": "remove",
        "person": {"user_id": event.user_id, "full_name": UNKNOWN_USER_NAME},
        "id": position,
    }


def _format_person_changed(
    event: happened.PersonChanged, listener: Listener, position: Position
) -> UserUpdateEvent:
    changes, knows = event.changes, listener.knows
    if knows is not None and event.lists_users and "custom_profile_field" in changes:
        changes = {**changes, "custom_profile_field": known_value(changes["custom_profile_field"], knows)}
    return _format_update(event.user_id, changes, position)


def _format_address_changed(
    event: happened.AddressChanged, listener: Listener, position: Position
) -> UserUpdateEvent | None:
    sees_address = may_see_email(listener.actor, event.person)
    if not sees_address and not event.also_hidden:
        return None
    address = event.person.email if sees_address else None
    return _format_update(event.user_id, {"delivery_email": address}, position)


def _format_avatar_changed(
    event: happened.AvatarChanged, listener: Listener, position: Position
) -> UserUpdateEvent | None:
    client_makes_picture = listener.registration.client_gravatar and avatar_is_left_to_client(
        listener.actor, event.person
    )
    if event.follows_from_address and client_makes_picture:
        return None
    return _format_update(event.user_id, avatar_fields(event.person), position)


def _format_status_changed(
    event: happened.StatusChanged, listener: Listener, position: Position
) -> StatusEvent:
    return {"type": "user_status", "user_id": event.user_id, **event.changes, "id": position}


def _format_invitations_changed(
    event: happened.InvitationsChanged, listener: Listener, position: Position
) -> InvitationsEvent:
    return {"type": "invites_changed", "id": position}


def _format_presence_changed(
    event: happened.PresenceChanged, listener: Listener, position: Position
) -> PresenceEvent:
    presence = presences.Presence(event.active_at, event.connected_at)
    if listener.capabilities.simplified_presence_events:
        times = presences.modern_form(presence)
        return {"type": "presence", "presences": {str(event.user_id): times}, "id": position}
    if listener.registration.slim_presence:
        return {
            "type": "presence",
            "user_id": event.user_id,
            "server_timestamp": event.at,
            "presence": presences.by_client(presence),
            "id": position,
        }
    return {
        "type": "presence",
        "user_id": event.user_id,
        "server_timestamp": event.at,
        "presence": presences.by_client(presence),
        "email": event.email,
        "id": position,
    }


def _format_update(user_id: UserId, changes: UserChanges, position: Position) -> UserUpdateEvent:
    return {
        "type": "realm_user",
        "op": "update",
        "person": {"user_id": user_id, **changes},
        "id": position,
    }


def _of_visible(
    event_class: type[P],
    format_event: Callable[[P, Listener, Position], Payload | None],
    same_for: Callable[[P, Listener], Hashable] = nobody_else,
) -> Formatter[P]:
    """Return a formatter that notifies only listeners to whom the user is visible."""

    def format_for_viewer(event: P, listener: Listener, position: Position) -> Payload | None:
        return format_event(event, listener, position) if listener.sees(event.user_id) else None

    return one_payload(event_class, format_for_viewer, same_for)


FORMATTERS = (
    one_payload(happened.UserAdded, _format_user_added, nobody_else),
    one_payload(happened.UserRemoved, _format_user_removed),
    _of_visible(happened.PersonChanged, _format_person_changed, same_client_and_people),
    _of_visible(happened.AddressChanged, _format_address_changed),
    _of_visible(happened.AvatarChanged, _format_avatar_changed),
    _of_visible(happened.StatusChanged, _format_status_changed, same_client_and_people),
    _of_visible(happened.PresenceChanged, _format_presence_changed),
    one_payload(happened.InvitationsChanged, _format_invitations_changed),
)
