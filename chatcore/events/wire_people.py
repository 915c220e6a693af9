"""Forms of events about users; none if the user is not visible to the listener."""

from collections.abc import Mapping
from typing import Any, assert_never

import msgspec

from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.people import presence as presences
from chatcore.domain.people.users import may_see_email
from chatcore.events import types as happened
from chatcore.events.queue import Registration
from chatcore.events.shapes.users import (
    UNKNOWN_USER_NAME,
    avatar_fields,
    avatar_is_left_to_client,
    known_profile,
    known_value,
    unknown_person,
    user_shape,
)
from chatcore.events.wire_groups import Knows

AnyPersonEvent = (
    happened.UserAdded
    | happened.UserRemoved
    | happened.PersonChanged
    | happened.AddressChanged
    | happened.AvatarChanged
    | happened.StatusChanged
    | happened.PresenceChanged
)


def is_the_same_for_all(event: AnyPersonEvent) -> bool:
    """Whether the form is the same for everybody to whom the user is visible."""
    return isinstance(event, happened.PersonChanged | happened.StatusChanged | happened.UserRemoved)


def person_fields(
    event: AnyPersonEvent, actor: Actor, registration: Registration, host: str, knows: Knows | None
) -> dict[str, Any] | None:
    """Return the event's fields; None to not notify the listener. *knows* None: all users are visible."""
    known = knows is None or knows(event.user_id)
    match event:
        case happened.UserAdded():
            if knows is not None and event.listing:
                profile_data = known_profile(event.profile_data, event.listing, knows)
                event = msgspec.structs.replace(event, profile_data=profile_data)
            return _added(event, actor, registration, host, known=known and not event.out_of_sight)
        case happened.UserRemoved():
            person = {"user_id": event.user_id, "full_name": UNKNOWN_USER_NAME}
            return {"type": event.type, "op": "remove", "person": person}
        case _ if not known:
            return None
        case happened.PersonChanged() if event.lists_users and knows is not None:
            changes = {name: known_value(value, knows) for name, value in event.changes.items()}
            return _update(event.user_id, changes)
        case happened.PersonChanged():
            return _update(event.user_id, event.changes)
        case happened.AddressChanged():
            sees = may_see_email(actor, event.person)
            if not sees and not event.also_hidden:
                return None
            return _update(event.user_id, {"delivery_email": event.person.email if sees else None})
        case happened.AvatarChanged():
            by_client = registration.client_gravatar and avatar_is_left_to_client(actor, event.person)
            if event.follows_from_address and by_client:
                return None
            return _update(event.user_id, avatar_fields(event.person))
        case happened.StatusChanged():
            return {"type": event.type, "user_id": event.user_id, **event.changes}
        case happened.PresenceChanged():
            return _presence(event, registration)
        case _:
            assert_never(event)


def _presence(event: happened.PresenceChanged, registration: Registration) -> dict[str, Any]:
    presence = presences.Presence(event.active_at, event.connected_at)
    if registration.capabilities.simplified_presence_events:
        return {"type": event.type, "presences": {str(event.user_id): presences.modern_form(presence)}}
    fields = {
        "type": event.type,
        "user_id": event.user_id,
        "server_timestamp": event.at,
        "presence": presences.by_client(presence),
    }
    return fields if registration.slim_presence else {**fields, "email": event.email}


def _added(
    event: happened.UserAdded, actor: Actor, registration: Registration, host: str, *, known: bool
) -> dict[str, Any] | None:
    if known:
        shape = user_shape(
            event.person,
            actor,
            client_gravatar=registration.client_gravatar,
            profile_data=event.profile_data,
        )
    elif registration.capabilities.user_list_incomplete:
        return None
    else:
        shape = user_shape(unknown_person(event.user_id, host), None, profile_data={})
    return {"type": event.type, "op": "add", "person": shape}


def _update(user_id: UserId, changes: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "realm_user", "op": "update", "person": {"user_id": user_id, **changes}}
