"""Initial state: the lists of accounts, remembered for all callers who see the same of them."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Final, NamedTuple, TypeAlias

import msgspec
from msgspec import UNSET

from chatcore.application.registration.fetch import Fetch
from chatcore.application.visibility.users import unknown_user, user_shape_for
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import FieldId, UserId
from chatcore.domain.organization.profile_fields import ProfileValue
from chatcore.domain.people.users import EmailVisibility, User, may_see_email, visible_addresses
from chatcore.events.payloads.prepared import Prepared
from chatcore.events.payloads.users import UserShape
from chatcore.storage.generations import Made, size_of_text
from chatcore.storage.slices import in_slices

SIZE_OF_SHAPE: Final = 1_400
"""Bytes of a remembered shape with its account."""
SIZE_IN_LIST: Final = 1_100
"""Bytes of a shape in a remembered list with its account and its places, besides its JSON."""
SIZE_OF_VALUE: Final = 700
"""Bytes of a value in a profile, in the store's form and in the shape's, besides its texts."""

SHAPES: Final[Made[tuple[str, UserId, bool, bool], User, UserShape]] = Made(32 * 2**20)
"""Accounts as callers see them, by host and id, whether they see the address, and whether they make pictures
themselves.
"""


class Accounts(NamedTuple):
    """The accounts by their state, in the order of their ids."""

    active: Sequence[UserShape]
    inactive: Sequence[UserShape]


class _Shared(NamedTuple):
    """The accounts as all callers see them who see the same addresses, their own excepted."""

    active: Prepared[UserShape]
    inactive: Prepared[UserShape]


_Source: TypeAlias = tuple[Sequence[User], UserId | None, Mapping[UserId, Mapping[FieldId, ProfileValue]]]
"""All accounts, the one that is in no list, and the values in profiles."""

LISTS: Final[Made[tuple[str, frozenset[EmailVisibility], bool], _Source, _Shared]] = Made(64 * 2**20)
"""Lists by host, the addresses that are seen, and whether the callers make pictures themselves."""

NOBODY: Final = UserId(0)


def list_accounts(fetch: Fetch) -> Accounts:
    """Return the accounts as the caller sees them. Those whom a limited guest may not know of are
    placeholders among the active ones, or missing if the client supports that.
    """
    actor, registration = fetch.actor, fetch.registration
    if actor is None or fetch.is_limited:
        return _list_each(fetch, actor)
    key = (fetch.host, visible_addresses(actor), registration.client_gravatar)
    source = (fetch.users, fetch.organization.notification_bot_id, fetch.profile_values)
    another = replace(actor, user_id=NOBODY)
    shared = LISTS.get(key, source)
    if shared is None:
        shared = _Shared(*map(Prepared.of, _list_each(fetch, another)))
        LISTS.put(key, source, shared, _size(shared, source))
    if may_see_email(another, fetch.user):
        return Accounts(*shared)
    place = bisect_left(shared.active, actor.user_id, key=attrgetter("user_id"))
    return Accounts(shared.active.replace(place, _shape(fetch, fetch.user, actor)), shared.inactive)


def _list_each(fetch: Fetch, viewer: Actor | None) -> Accounts:
    active: list[UserShape] = []
    inactive: list[UserShape] = []
    for user in in_slices(fetch.people):
        into = active if user.is_active else inactive
        if fetch.is_accessible(user.id):
            into.append(_shape(fetch, user, viewer))
        elif not fetch.registration.capabilities.user_list_incomplete:
            active.append(unknown_user(user, fetch.host, with_is_active=False))  # in any state
    return Accounts(active, inactive)


def _shape(fetch: Fetch, user: User, viewer: Actor | None) -> UserShape:
    """Return a user as the viewer sees them: remembered, unless that takes more than the account."""
    profile_data = {} if viewer is None else fetch.profile_data(user.id)
    of_account = viewer is not None and not profile_data
    client_gravatar = fetch.registration.client_gravatar
    key = (fetch.host, user.id, may_see_email(viewer, user), client_gravatar)
    if of_account and (shape := SHAPES.get(key, user)) is not None:
        if shape.profile_data is UNSET:  # a bot
            return shape
        return msgspec.structs.replace(shape, profile_data={})  # which no other list shares
    shape = user_shape_for(
        user,
        viewer,
        fetch.host,
        client_gravatar=client_gravatar,
        with_is_active=False,
        profile_data=profile_data,
    )
    if of_account:
        SHAPES.put(key, user, shape, SIZE_OF_SHAPE)
    return shape


def _size(shared: _Shared, source: _Source) -> int:
    """Return about how many bytes lists take with what they were made of."""
    values = [value for of_user in source[-1].values() for value in of_user.values()]
    texts = sum(size_of_text(value.value) + size_of_text(value.rendered_value or "") for value in values)
    return (
        sum(SIZE_IN_LIST + len(bytes(json)) for one in shared for json in one.json)
        + SIZE_OF_VALUE * len(values)
        + texts
    )
