"""Default channel groups: listing, creating, changing and removing them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias, TypeVar, get_args

from chatcore.application.services import Services
from chatcore.application.units import refresh_actor
from chatcore.domain.channels import default_groups as rules
from chatcore.domain.channels.channels import Channel
from chatcore.domain.channels.default_groups import DefaultGroup
from chatcore.domain.choices import require_one_of
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ChannelId, DefaultGroupId
from chatcore.domain.organization.administration import require_administrator
from chatcore.events.audience import Everyone
from chatcore.events.shapes.channels import DefaultGroupObject, default_group_shape
from chatcore.events.types import DefaultGroupsChanged
from chatcore.storage import Snapshot, Transaction

T = TypeVar("T")
Op: TypeAlias = Literal["add", "remove"]


def list_groups(svc: Services, actor: Actor) -> Sequence[DefaultGroupObject]:
    """List the groups, oldest first; guests see none."""
    return svc.storage.read(
        lambda snapshot: group_shapes(snapshot, for_guest=refresh_actor(snapshot, actor, svc.now).is_guest)
    )


def group_shapes(snapshot: Snapshot, *, for_guest: bool) -> list[DefaultGroupObject]:
    """Return all groups in the form for clients; guests see none."""
    return [] if for_guest else [default_group_shape(group) for group in snapshot.default_groups.all()]


def create_group(
    svc: Services, actor: Actor, name: str, description: str, channel_names: Sequence[str]
) -> DefaultGroupId:
    """Create a group of channels.

    :raises InsufficientRole: the actor is not an administrator
    :raises BadRequest: an invalid or taken name, an invalid description, one group too many, or a channel
        that is unknown, private, archived or a default channel
    """
    name, description = rules.group_name(name), rules.group_description(description)

    def write(tx: Transaction) -> DefaultGroupId:
        known = tx.default_groups.all()
        rules.require_free_name(known, name)
        if len(known) >= svc.limits.max_default_channel_groups:
            limit = svc.limits.max_default_channel_groups
            raise BadRequest(f"There can be {limit} default channel groups at most.")
        group = tx.default_groups.add(name, description)
        channels = _named(svc, tx, channel_names)
        _update(tx, group, channel_ids=rules.with_channels(group, channels, _default_ids(tx)))
        return group.id

    return _administer(svc, actor, write)


def update_group(
    svc: Services, actor: Actor, group_id: int, *, name: str | None = None, description: str | None = None
) -> None:
    """Change the name or description of a group; None leaves it unchanged.

    :raises InsufficientRole: the actor is not an administrator
    :raises BadRequest: nothing to change, no such group, an invalid or taken name, or an invalid description
    """
    if name is None and description is None:
        raise BadRequest('You must pass "new_description" or "new_group_name".')
    name = None if name is None else rules.group_name(name)
    description = None if description is None else rules.group_description(description)

    def write(tx: Transaction) -> None:
        known = tx.default_groups.all()
        group = rules.find(known, group_id)
        if name is not None:
            rules.require_free_name([one for one in known if one.id != group.id], name)
        changed = replace(
            group,
            name=group.name if name is None else name,
            description=group.description if description is None else description,
        )
        if changed != group:
            tx.default_groups.update(changed)
            _announce(tx)

    _administer(svc, actor, write)


def update_channels(svc: Services, actor: Actor, group_id: int, op: Op, channel_names: Sequence[str]) -> None:
    """Add channels to a group, or remove them from it.

    :raises InsufficientRole: the actor is not an administrator
    :raises InvalidParameter: another *op*
    :raises BadRequest: no such group, or a channel that is unknown, or cannot be added or removed
    """
    require_one_of("op", op, get_args(Op))

    def write(tx: Transaction) -> None:
        group = rules.find(tx.default_groups.all(), group_id)
        channels = _named(svc, tx, channel_names)
        if op == "add":
            _update(tx, group, channel_ids=rules.with_channels(group, channels, _default_ids(tx)))
        else:
            _update(tx, group, channel_ids=rules.without_channels(group, channels))

    _administer(svc, actor, write)


def remove_group(svc: Services, actor: Actor, group_id: int) -> None:
    """Remove a group; its channels stay as they are.

    :raises InsufficientRole, BadRequest: the actor is not an administrator; no such group
    """

    def write(tx: Transaction) -> None:
        tx.default_groups.remove(rules.find(tx.default_groups.all(), group_id).id)
        _announce(tx)

    _administer(svc, actor, write)


def exclude(tx: Transaction, channel: Channel) -> None:
    """Remove a channel that becomes private or archived from all groups."""
    with_it = [group for group in tx.default_groups.all() if channel.id in group.channel_ids]
    for group in with_it:
        tx.default_groups.update(replace(group, channel_ids=rules.without_channels(group, [channel])))
    if with_it:
        _announce(tx)


def _administer(svc: Services, actor: Actor, change: Callable[[Transaction], T]) -> T:
    def write(tx: Transaction) -> T:
        require_administrator(refresh_actor(tx, actor, svc.now))
        return change(tx)

    return svc.storage.write(write)


def _named(svc: Services, tx: Transaction, names: Sequence[str]) -> Sequence[Channel]:
    if len(names) > svc.limits.max_channels_per_default_group:
        raise BadRequest("Too many channels")
    return rules.channels_of(names, tx.channels.by_names(names))


def _default_ids(tx: Transaction) -> Sequence[ChannelId]:
    return tx.organization.get().default_channel_ids


def _update(tx: Transaction, group: DefaultGroup, *, channel_ids: tuple[ChannelId, ...]) -> None:
    tx.default_groups.update(replace(group, channel_ids=channel_ids))
    _announce(tx)


def _announce(tx: Transaction) -> None:
    tx.announce(DefaultGroupsChanged(), Everyone(but_guests=True))
