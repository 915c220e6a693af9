"""Which users there are for somebody.

Only guests can be limited, by `can_access_all_users_group`. Deactivated users are shown in no list of people.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from functools import cache

from chatcore.domain.channels import Channel
from chatcore.domain.groups import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.organization import Organization
from chatcore.domain.users import User
from chatcore.storage import Snapshot


def accessible_users(
    snapshot: Snapshot, organization: Organization, actor: Actor | None, users: Iterable[User]
) -> Callable[[UserId], bool]:
    """Whether a user is one that the actor may know of.

    A limited guest knows itself, those of *users* that are bots, the subscribers of its channels and the
    people it has direct messages with.
    """
    if actor is None or not is_limited(organization, actor):
        return _everybody
    subscriptions = snapshot.subscriptions.of_user(actor.user_id)
    channels = [channel_id for channel_id, mine in subscriptions.items() if mine.active]
    known = {actor.user_id}
    known.update(user.id for user in users if user.is_bot)
    for subscribers in snapshot.subscriptions.subscribers_of(channels).values():
        known.update(subscribers)
    for conversation in snapshot.conversations.of_user(actor.user_id):
        known.update(conversation.user_ids)
    return known.__contains__


def is_limited(organization: Organization, actor: Actor) -> bool:
    """Whether there are users that the actor may not know of."""
    return actor.is_guest and organization.limits_guests


def as_counted_by(
    channel: Channel, organization: Organization, actor: Actor | None, *, subscribed: bool
) -> Channel:
    """The channel with as many subscribers as the actor is told of; a limited guest is told of none in a
    channel that it is not in.
    """
    if actor is None or subscribed or not is_limited(organization, actor):
        return channel
    return replace(channel, subscriber_count=0)


Knows = Callable[[UserId], bool]

TELL_OF_PEOPLE = frozenset(
    {
        "message", "presence", "reaction", "realm", "realm_user", "stream", "subscription", "typing",
        "user_group", "user_status",
    }
)  # fmt: skip
"""The types of events that some are told without people of whom they may not know."""


def known_to(snapshot: Snapshot, organization: Organization, actor: Actor) -> Knows | None:
    """Whether a limited guest may know of a user; None for everybody else, who may know of all.

    It is looked up when it is asked for, so ask while the snapshot lasts.
    """
    if not is_limited(organization, actor):
        return None

    @cache
    def known() -> Knows:
        return accessible_users(snapshot, organization, actor, snapshot.users.all())

    return lambda user_id: known()(user_id)


def known_to_each(
    snapshot: Snapshot, organization: Organization, actors: Iterable[Actor], types: Collection[str]
) -> Mapping[UserId, Knows]:
    """The same for several actors, those that are not limited left out, to be asked afterwards too.

    It is asked for to form events of these *types*; where these tell of no people, nobody is known.
    """
    limited = [actor for actor in actors if is_limited(organization, actor)]
    telling = TELL_OF_PEOPLE.intersection(types)
    if not (telling and limited):
        return {actor.user_id: _nobody for actor in limited}
    # Events of messages and reactions say themselves who of their people is a bot.
    users = snapshot.users.all() if telling - {"message", "reaction"} else ()
    return {actor.user_id: accessible_users(snapshot, organization, actor, users) for actor in limited}


def deactivated_among(snapshot: Snapshot, user_ids: Collection[UserId]) -> frozenset[UserId]:
    """Those of the users that are not shown in values, because their accounts are deactivated."""
    if not user_ids:
        return frozenset()
    return frozenset(user.id for user in snapshot.users.by_ids(user_ids).values() if not user.is_active)


def unseen_among(snapshot: Snapshot, actor: Actor | None, user_ids: Collection[UserId]) -> frozenset[UserId]:
    """Those of the users that the actor is not shown in values: deactivated, or not to be known of."""
    unseen = deactivated_among(snapshot, user_ids)
    knows = None if actor is None or not user_ids else known_to(snapshot, snapshot.organization.get(), actor)
    if knows is None:
        return unseen
    return unseen.union(user_id for user_id in user_ids if not knows(user_id))


def _nobody(user_id: UserId) -> bool:
    return False


def _everybody(user_id: UserId) -> bool:
    return True
