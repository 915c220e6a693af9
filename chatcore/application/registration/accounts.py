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
from chatcore.domain.people.users import EmailVisibility, User, may_see_email, visibilities_shown_to
from chatcore.events.payloads.users import UserShape
from chatcore.events.prepared import Prepared
from chatcore.events.sending.event import encode
from chatcore.storage.generations import Made, size_of_text
from chatcore.storage.slices import in_slices

SIZE_OF_SHAPE: Final = 1_400
"""Bytes of a remembered shape with its account."""
SIZE_IN_LIST: Final = 1_550
"""Bytes of a shape in a remembered list with its account and its JSON, besides its profile."""
SIZE_OF_VALUE: Final = 750
"""Bytes of a value in a profile of such a list, as stored, in the shape and in JSON, besides its texts."""

SHAPES: Final[Made[tuple[str, UserId, bool, bool], User, UserShape]] = Made(32 * 2**20)
"""Accounts as callers see them, by host and id, whether they see the address, and whether they make pictures
themselves.
"""


class Accounts(NamedTuple):
    """The accounts by their state, in the order of their ids."""

    active: Sequence[UserShape]
    inactive: Sequence[UserShape]


_Source: TypeAlias = tuple[Sequence[User], UserId | None, Mapping[UserId, Mapping[FieldId, ProfileValue]]]
"""All accounts, the one that is in no list, and the values in profiles."""

_Lists: TypeAlias = tuple[Prepared[UserShape], Prepared[UserShape]]
"""The accounts, as all callers who see the same addresses see them, except for their own account."""

LISTS: Final[Made[tuple[str, frozenset[EmailVisibility], bool], _Source, _Lists]] = Made(128 * 2**20)
"""Lists by host, the addresses that are seen, and whether the callers make pictures themselves."""

NOBODY: Final = UserId(0)


def list_accounts(fetch: Fetch) -> Accounts:
    """Return the accounts as the caller sees them. Those whom a limited guest may not know of are
    placeholders among the active ones, or missing if the client supports that.
    """
    actor = fetch.actor
    if actor is None or fetch.is_limited:
        return _list_each(fetch, actor)
    like_actor = replace(actor, user_id=NOBODY)  # with the same rights, but to whom no account is the own one
    lists = _lists_for_all(fetch, like_actor)
    if lists is None:
        return _list_each(fetch, actor)
    active, inactive = lists
    if may_see_email(like_actor, fetch.user):  # then the own account is as for others
        return Accounts(active, inactive)
    own = _shape(fetch, fetch.user, actor)
    place = bisect_left(active, actor.user_id, key=attrgetter("user_id"))
    assert active[place].user_id == actor.user_id, "whoever acts is active"
    return Accounts(active.replace(place, own, msgspec.Raw(encode(own))), inactive)


def _lists_for_all(fetch: Fetch, viewer: Actor) -> _Lists | None:
    """Return the lists for all callers who see the same addresses as *viewer*, who is none of the accounts;
    None if the lists are too large to be remembered.
    """
    key = (fetch.host, visibilities_shown_to(viewer), fetch.registration.client_gravatar)
    source = (fetch.users, fetch.organization.notification_bot_id, fetch.profile_values)
    lists = LISTS.get(key, source)
    if lists is not None:
        return lists
    size = _size_of_lists(source)
    if not LISTS.takes(size):
        return None
    accounts = _list_each(fetch, viewer)
    lists = _with_json(accounts.active), _with_json(accounts.inactive)
    LISTS.put(key, source, lists, size)
    return lists


def _with_json(shapes: Sequence[UserShape]) -> Prepared[UserShape]:
    return Prepared(shapes, tuple(msgspec.Raw(encode(shape)) for shape in in_slices(shapes)))


def _size_of_lists(source: _Source) -> int:
    """Return about how many bytes lists take with what they are made of: each text of a profile twice, as
    stored (the shape has the same text) and in JSON.
    """
    users, _, profiles = source
    values = [value for of_user in profiles.values() for value in of_user.values()]
    texts = sum(size_of_text(value.value) + size_of_text(value.rendered_value or "") for value in values)
    return SIZE_IN_LIST * len(users) + SIZE_OF_VALUE * len(values) + 2 * texts


def _list_each(fetch: Fetch, viewer: Actor | None) -> Accounts:
    """Return the accounts as the viewer sees them, and as far as the caller may know of them."""
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
    """Return a user as the viewer sees them; a shape that is made of the account alone is remembered."""
    profile_data = {} if viewer is None else fetch.profile_data(user.id)
    is_of_account_alone = viewer is not None and not profile_data
    client_gravatar = fetch.registration.client_gravatar
    key = (fetch.host, user.id, may_see_email(viewer, user), client_gravatar)
    known = SHAPES.get(key, user) if is_of_account_alone else None
    if known is not None:
        if known.profile_data is UNSET:  # a bot
            return known
        return msgspec.structs.replace(known, profile_data={})  # which no other list shares
    shape = user_shape_for(
        user,
        viewer,
        fetch.host,
        client_gravatar=client_gravatar,
        with_is_active=False,
        profile_data=profile_data,
    )
    if is_of_account_alone:
        SHAPES.put(key, user, shape, SIZE_OF_SHAPE)
    return shape
