"""Forms of events about users; none if the user is not visible to the listener."""

from collections.abc import Callable, Hashable
from typing import TypeVar

from chatcore.domain.ids import UserId
from chatcore.domain.people import presence as presences
from chatcore.domain.people.users import may_see_email
from chatcore.events import happened
from chatcore.events.payloads.users import (
    UNKNOWN_USER_NAME,
    avatar_fields,
    avatar_is_left_to_client,
    known_profile,
    known_value,
    unknown_person,
    user_shape,
)
from chatcore.events.sending.event import Fields
from chatcore.events.sending.formatter import Formatter, form, nobody_else, same_client_and_people
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


def _knows(listener: Listener, user_id: UserId) -> bool:
    return listener.knows is None or listener.knows(user_id)


def _added(event: happened.UserAdded, listener: Listener) -> Fields | None:
    if _knows(listener, event.user_id) and not event.out_of_sight:
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
    return {"type": event.type, "op": "add", "person": shape}


def _removed(event: happened.UserRemoved, listener: Listener) -> Fields:
    person = {"user_id": event.user_id, "full_name": UNKNOWN_USER_NAME}
    return {"type": event.type, "op": "remove", "person": person}


def _changed(event: happened.PersonChanged, listener: Listener) -> Fields:
    knows = listener.knows
    if knows is None or not event.lists_users:
        return _update(event.user_id, event.changes)
    return _update(
        event.user_id,
        {
            name: known_value(value, knows) if isinstance(value, dict) else value
            for name, value in event.changes.items()
        },
    )


def _address(event: happened.AddressChanged, listener: Listener) -> Fields | None:
    sees = may_see_email(listener.actor, event.person)
    if not sees and not event.also_hidden:
        return None
    return _update(event.user_id, {"delivery_email": event.person.email if sees else None})


def _avatar(event: happened.AvatarChanged, listener: Listener) -> Fields | None:
    by_client = listener.registration.client_gravatar and avatar_is_left_to_client(
        listener.actor, event.person
    )
    if event.follows_from_address and by_client:
        return None
    return _update(event.user_id, avatar_fields(event.person))


def _status(event: happened.StatusChanged, listener: Listener) -> Fields:
    return {"type": event.type, "user_id": event.user_id, **event.changes}


def _invitations(event: happened.InvitationsChanged, listener: Listener) -> Fields:
    return {"type": event.type}


def _presence(event: happened.PresenceChanged, listener: Listener) -> Fields:
    presence = presences.Presence(event.active_at, event.connected_at)
    if listener.capabilities.simplified_presence_events:
        return {"type": event.type, "presences": {str(event.user_id): presences.modern_form(presence)}}
    fields = {
        "type": event.type,
        "user_id": event.user_id,
        "server_timestamp": event.at,
        "presence": presences.by_client(presence),
    }
    return fields if listener.registration.slim_presence else {**fields, "email": event.email}


def _update(user_id: UserId, changes: Fields) -> Fields:
    return {"type": happened.PersonChanged.type, "op": "update", "person": {"user_id": user_id, **changes}}


def _of_visible(
    event_class: type[P],
    fields: Callable[[P, Listener], Fields | None],
    same_for: Callable[[P, Listener], Hashable] = nobody_else,
) -> Formatter[P]:
    """Return a formatter that notifies only listeners to whom the user is visible."""

    def for_viewer(event: P, listener: Listener) -> Fields | None:
        return fields(event, listener) if _knows(listener, event.user_id) else None

    return form(event_class, for_viewer, same_for)


FORMATTERS = (
    form(happened.UserAdded, _added, nobody_else),
    form(happened.UserRemoved, _removed),
    _of_visible(happened.PersonChanged, _changed, same_client_and_people),
    _of_visible(happened.AddressChanged, _address),
    _of_visible(happened.AvatarChanged, _avatar),
    _of_visible(happened.StatusChanged, _status, same_client_and_people),
    _of_visible(happened.PresenceChanged, _presence),
    form(happened.InvitationsChanged, _invitations),
)
