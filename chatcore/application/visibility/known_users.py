"""The users who are visible to an actor.

Only guests can be limited, by `can_access_all_users_group`. No list of people shows deactivated users.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache

from chatcore.domain.channels.channels import Channel
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.organization.organization import Organization
from chatcore.domain.people.users import User
from chatcore.events.sending.listener import Knows
from chatcore.storage import Snapshot


def accessible_users(
    snapshot: Snapshot, organization: Organization, actor: Actor | None, users: Iterable[User]
) -> Callable[[UserId], bool]:
    """Return a predicate: whether the actor may know of a user.

    A limited guest knows their own account, the bots among *users*, the subscribers of the channels that they
    are subscribed to, and the people with whom they have direct messages.
    """
    if actor is None or not is_limited(organization, actor):
        return _knows_everybody
    subscriptions = snapshot.subscriptions.of_user(actor.user_id)
    channels = [channel_id for channel_id, subscription in subscriptions.items() if subscription.active]
    known = {actor.user_id}
    known.update(user.id for user in users if user.is_bot)
    for subscribers in snapshot.subscriptions.subscribers_of(channels).values():
        known.update(subscribers)
    for conversation in snapshot.conversations.of_user(actor.user_id):
        known.update(conversation.user_ids)
    return known.__contains__


def is_limited(organization: Organization, actor: Actor) -> bool:
    """Whether users can exist that the actor may not know of."""
    return actor.is_guest and organization.hides_users_from_guests


def known_subscriber_count(
    channel: Channel, organization: Organization, actor: Actor | None, *, subscribed: bool
) -> int:
    """Return the number of subscribers that the actor may know; 0 for a limited guest who is not
    subscribed.
    """
    if actor is None or subscribed or not is_limited(organization, actor):
        return channel.subscriber_count
    return 0


TYPES_NAMING_PEOPLE = frozenset(
    {
        "message", "presence", "reaction", "realm", "realm_user", "stream", "subscription", "typing",
        "user_group", "user_status",
    }
)  # fmt: skip
"""The types of events that some users receive without the people who are not visible to them."""


def known_to(snapshot: Snapshot, organization: Organization, actor: Actor) -> Knows | None:
    """Return a predicate for a limited guest: whether the guest may know of a user. Return None for all other
    users, who may know of everybody.

    The predicate reads the snapshot when called, so call it only while the snapshot lasts.
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
    """Return such predicates for those of the actors who are limited; they remain usable after the snapshot.

    They are for events of these *types*; if events of these types mention no people, the predicates are false
    for all users.
    """
    limited = [actor for actor in actors if is_limited(organization, actor)]
    naming = TYPES_NAMING_PEOPLE.intersection(types)
    if not (naming and limited):
        return {actor.user_id: _knows_nobody for actor in limited}
    # Events of messages and reactions carry themselves which of their people are bots.
    users = snapshot.users.all() if naming - {"message", "reaction"} else ()
    return {actor.user_id: accessible_users(snapshot, organization, actor, users) for actor in limited}


def deactivated_among(snapshot: Snapshot, user_ids: Collection[UserId]) -> frozenset[UserId]:
    """Return those of the users who are left out of values because their accounts are deactivated."""
    if not user_ids:
        return frozenset()
    return frozenset(user.id for user in snapshot.users.by_ids(user_ids).values() if not user.is_active)


def unseen_among(snapshot: Snapshot, actor: Actor | None, user_ids: Collection[UserId]) -> frozenset[UserId]:
    """Return those of the users who are left out of values for the actor: deactivated users, and users whom
    the actor may not know of.
    """
    unseen = deactivated_among(snapshot, user_ids)
    knows = None if actor is None or not user_ids else known_to(snapshot, snapshot.organization.get(), actor)
    if knows is None:
        return unseen
    return unseen.union(user_id for user_id in user_ids if not knows(user_id))


def _knows_nobody(user_id: UserId) -> bool:
    return False


def _knows_everybody(user_id: UserId) -> bool:
    return True
