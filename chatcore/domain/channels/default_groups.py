"""Groups of channels that new people can choose together when they come."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from chatcore.domain.channels.channels import Channel, channel_key
from chatcore.domain.characters import check_characters, check_name, length, visible
from chatcore.domain.errors import BadRequest, too_long
from chatcore.domain.ids import ChannelId, DefaultGroupId

MAX_NAME_LENGTH: Final = 60
MAX_DESCRIPTION_LENGTH: Final = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultGroup:
    id: DefaultGroupId
    name: str
    description: str
    channel_ids: tuple[ChannelId, ...]
    """Ascending; no channel in it is private or archived."""


NOT_STORED = DefaultGroupId(0)
"""The id of a group that has none yet."""


def checked_name(raw: str) -> str:
    """Check the name of a group and return it stripped.

    :raises BadRequest: empty, too long, or with forbidden characters
    """
    name = raw.strip()
    if length(name) > MAX_NAME_LENGTH or not visible(name):
        raise BadRequest(f"The name of a default channel group has 1 to {MAX_NAME_LENGTH} characters.")
    check_name(name, "default channel group name")
    return name


def checked_description(raw: str) -> str:
    """Check the description of a group.

    :raises BadRequest: too long, or with forbidden characters
    """
    if len(raw) > MAX_DESCRIPTION_LENGTH:
        raise too_long("description", MAX_DESCRIPTION_LENGTH)
    check_characters(raw.replace("\n", " "), "description")
    return raw


def require_free_name(groups: Collection[DefaultGroup], name: str) -> None:
    """Refuse the name of another group, ignoring case.

    :raises BadRequest: the name is taken
    """
    if any(channel_key(group.name) == channel_key(name) for group in groups):
        raise BadRequest(f"Default channel group '{name}' already exists")


def find(groups: Collection[DefaultGroup], group_id: int) -> DefaultGroup:
    """Return the group with this id.

    :raises BadRequest: there is none
    """
    for group in groups:
        if group.id == group_id:
            return group
    raise BadRequest(f"Default channel group with id '{group_id}' does not exist.")


def channels_by_names(names: Sequence[str], by_key: Mapping[str, Channel]) -> Sequence[Channel]:
    """Return the channels with these names; *by_key* has channels by the keys of their names.

    :raises BadRequest: a name without a channel
    """
    for name in names:
        if channel_key(name) not in by_key:
            raise BadRequest(f"Invalid channel name '{name}'")
    return [by_key[channel_key(name)] for name in dict.fromkeys(names)]


def with_channels(
    group: DefaultGroup, channels: Collection[Channel], default_ids: Collection[ChannelId]
) -> tuple[ChannelId, ...]:
    """Return the channels of a group together with new ones.

    :raises BadRequest: a channel that is in the group already, a default channel, a private or archived one
    """
    for channel in channels:
        if channel.id in group.channel_ids:
            raise BadRequest(
                f"Channel '{channel.name}' is already present in default channel group '{group.name}'"
            )
        if channel.id in default_ids:
            raise BadRequest(f"'{channel.name}' is a default channel and cannot be added to '{group.name}'")
        if channel.invite_only or channel.is_archived:
            raise BadRequest(f"'{channel.name}' is private or archived and cannot be added to a group")
    return tuple(sorted({*group.channel_ids, *(channel.id for channel in channels)}))


def without_channels(group: DefaultGroup, channels: Collection[Channel]) -> tuple[ChannelId, ...]:
    """Return the channels of a group without some of them.

    :raises BadRequest: a channel that is not in the group
    """
    for channel in channels:
        if channel.id not in group.channel_ids:
            raise BadRequest(
                f"Channel '{channel.name}' is not present in default channel group '{group.name}'"
            )
    gone = {channel.id for channel in channels}
    return tuple(channel_id for channel_id in group.channel_ids if channel_id not in gone)
