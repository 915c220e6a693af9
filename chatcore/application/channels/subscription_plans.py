"""Plans of requests to subscribe: all checks come before all changes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from chatcore.application.channels.creation import Creation, require_may_create
from chatcore.application.units import View, read_only
from chatcore.application.visibility.addresses import find_users
from chatcore.application.visibility.group_settings import check_group_setting
from chatcore.domain.channels import channels as rules
from chatcore.domain.channels.channels import Channel, is_subscribed
from chatcore.domain.channels.editing import require_retention
from chatcore.domain.channels.folders import require_usable
from chatcore.domain.channels.subscription_settings import read_color
from chatcore.domain.choices import require_one_of
from chatcore.domain.errors import BadRequest, ChannelAlreadyExists, InsufficientPermission
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.permissions import CHANNEL_PERMISSIONS
from chatcore.domain.limits import Limits
from chatcore.domain.organization.administration import require_no_guest
from chatcore.domain.people.users import User
from chatcore.domain.topics import TopicsPolicy
from chatcore.storage import Snapshot


@dataclass(frozen=True, slots=True)
class WantedChannel:
    """A channel to subscribe to, created if it does not exist."""

    name: str
    description: str = ""
    color: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscribe:
    """A request to subscribe. `principals` are ids or addresses; None is the actor alone, a list is exactly
    those in it.
    """

    channels: Sequence[WantedChannel]
    principals: Sequence[int] | Sequence[str] | None = None
    creation: Creation = field(default_factory=Creation)
    authorization_errors_fatal: bool = True
    send_new_subscription_messages: bool = True
    must_be_new: bool = False
    """Whether the request is refused if a channel of these names exists."""


@dataclass(frozen=True, slots=True)
class SubscriptionPlan:
    people: Sequence[User]
    allowed: Sequence[tuple[Channel, WantedChannel]]
    missing: Sequence[WantedChannel]
    """Channels to create, with names and descriptions as they are stored."""
    unauthorized: Sequence[str]
    """The names of channels that the actor has no permission for."""


@read_only
def plan(view: View, me: Actor, cmd: Subscribe) -> SubscriptionPlan:
    """Plan the changes for the actor; nothing is written yet.

    :raises BadRequest: a guest, an unknown person, or no permission for a channel, to create one or to add
        others
    :raises ChannelAlreadyExists: a channel exists, and all have to be new
    """
    require_no_guest(me)
    people = _people_to_subscribe(view, me, cmd)
    requested = {rules.channel_key(wanted.name): _with_read_color(wanted) for wanted in cmd.channels}
    existing = view.snapshot.channels.by_names([wanted.name for wanted in requested.values()])
    if cmd.must_be_new:
        _checked_new_channels(view, me, cmd.creation, list(requested.values()))
        for key in existing:
            raise ChannelAlreadyExists(requested[key].name)
    allowed, unauthorized = _divide_by_access(view.snapshot, me, cmd.creation, requested, existing)
    if unauthorized and cmd.authorization_errors_fatal:
        raise BadRequest(f"Unable to access channel ({', '.join(unauthorized)}).")
    _require_may_add(view.snapshot, me, people, [channel for channel, _ in allowed])
    new = [wanted for key, wanted in requested.items() if key not in existing]
    missing = _checked_new_channels(view, me, cmd.creation, new)
    limit = view.limits.max_channels
    if missing and view.snapshot.channels.count() + len(missing) > limit:
        raise BadRequest(f"There can be {limit} channels at most, archived ones too.")
    return SubscriptionPlan(people, allowed, missing, unauthorized)


def _divide_by_access(
    snapshot: Snapshot,
    actor: Actor,
    creation: Creation,
    requested: Mapping[str, WantedChannel],
    existing: Mapping[str, Channel],
) -> tuple[list[tuple[Channel, WantedChannel]], list[str]]:
    """Return the existing channels that the actor may read, and the names of the others; both mappings are by
    `channel_key`.

    If the actor does not know of a channel, the permission to create it is checked first, so that the answer
    is the same as for a free name.
    """
    mine = snapshot.subscriptions.of_user(actor.user_id)
    allowed, unauthorized = [], []
    for key, wanted in requested.items():
        channel = existing.get(key)
        if channel is None:
            require_may_create(snapshot.organization.get(), actor, creation)
            continue
        subscribed = is_subscribed(mine.get(channel.id))
        if not rules.has_metadata_access(channel, actor, subscribed=subscribed):
            require_may_create(snapshot.organization.get(), actor, creation)
        if rules.has_content_access(channel, actor, subscribed=subscribed):
            allowed.append((channel, wanted))
        else:
            unauthorized.append(wanted.name.strip())
    return allowed, unauthorized


def _with_read_color(wanted: WantedChannel) -> WantedChannel:
    return wanted if wanted.color is None else replace(wanted, color=read_color(wanted.color))


def require_not_too_many(limits: Limits, channels: int, people: int) -> None:
    """Refuse a request that is too large.

    :raises BadRequest: more subscriptions than one request may concern, or more people
    """
    limit = limits.max_subscriptions_per_request
    if channels * people > limit:
        raise BadRequest(f"Too many channels and people in one request (limit: {limit} subscriptions)")
    if max(channels, people) > limits.max_ids_per_request:
        raise BadRequest("Too many channels or principals")


def _people_to_subscribe(view: View, actor: Actor, cmd: Subscribe) -> Sequence[User]:
    """Return the accounts that the command names; the actor's own if it names none."""
    count = 1 if cmd.principals is None else len(cmd.principals)
    require_not_too_many(view.limits, len(cmd.channels), count)
    if cmd.principals is None:
        return [view.snapshot.users.get(actor.user_id)]
    return principals_of(view, actor, cmd.principals)


def _require_may_add(
    snapshot: Snapshot, actor: Actor, people: Sequence[User], channels: Sequence[Channel]
) -> None:
    if all(user.id == actor.user_id for user in people):
        return
    if not all(may_add_others(snapshot, actor, channel) for channel in channels):
        raise InsufficientPermission


def may_add_others(snapshot: Snapshot, actor: Actor, channel: Channel) -> bool:
    """Whether the actor may subscribe others to a channel that the actor may read."""
    permission = "can_add_subscribers_group"
    return (
        actor.role.is_administrator
        or snapshot.organization.get().permits(permission, actor)
        or rules.is_channel_admin(channel, actor)
        or channel.permits(permission, actor)
    )


def _checked_new_channels(
    view: View, actor: Actor, creation: Creation, new: Sequence[WantedChannel]
) -> Sequence[WantedChannel]:
    """Check that the actor may create the channels; return them with names and descriptions as they are
    stored.

    :raises BadRequest: no permission, too many channels, or an invalid name, description or folder
    :raises InvalidParameter: no such policy, permission or number of days
    """
    if not new:
        return new
    limit = view.limits.max_new_channels_per_request
    if len(new) > limit:
        raise BadRequest(f"Too many new channels in one request (limit: {limit})")
    require_may_create(view.snapshot.organization.get(), actor, creation)
    require_one_of("topics_policy", creation.topics_policy, TopicsPolicy.ALL)
    require_retention(creation.message_retention_days)
    if creation.folder_id is not None:
        require_usable(view.snapshot.channel_folders.all(), creation.folder_id)
    for name, value in creation.permissions.items():
        require_one_of("permissions", name, CHANNEL_PERMISSIONS)
        check_group_setting(view, CHANNEL_PERMISSIONS[name], value)
    return [
        replace(
            wanted,
            name=rules.checked_channel_name(wanted.name, view.limits),
            description=rules.checked_description(wanted.description, view.limits),
        )
        for wanted in new
    ]


def principals_of(view: View, actor: Actor, principals: Sequence[int] | Sequence[str]) -> list[User]:
    """Return the people named by ids or addresses, each once.

    :raises BadRequest: an unknown or deactivated user
    """
    users = find_users(view, actor, principals)
    for named in principals:
        if named not in users or not users[named].is_active:
            described = f"user ID: {named}" if isinstance(named, int) else f"email '{named}'"
            raise BadRequest(f"Invalid {described}")
    return list({user.id: user for user in users.values()}.values())
