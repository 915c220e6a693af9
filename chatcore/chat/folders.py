"""Channel folders, navigation views and default channel groups: the order of channels in clients."""

from chatcore.application.channels import default_groups
from chatcore.application.channels.default_groups import Op
from chatcore.chat.given import Names, all_names, number, text
from chatcore.chat.made import folders as made
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import DefaultGroupId


class DefaultChannelGroups(made.DefaultChannelGroups):
    """Groups of channels that new people can choose."""

    def create(self, actor: Actor, name: str, description: str, channels: Names) -> DefaultGroupId:
        """Create a group of channels.

        :raises InsufficientRole: the actor is not an administrator
        :raises BadRequest: an invalid or taken name, an invalid description, one group too many, or a channel
            that is unknown, private, archived or a default channel
        """
        return default_groups.create_group(
            self._svc,
            self._acting(actor),
            text(name=name),
            text(description=description),
            all_names(channels=channels),
        )

    def update_channels(self, actor: Actor, group_id: int, op: Op, channels: Names) -> None:
        """Add channels to a group, or remove them from it.

        :raises InsufficientRole: the actor is not an administrator
        :raises InvalidParameter: another *op*
        :raises BadRequest: no such group, or a channel that is unknown, or cannot be added or removed
        """
        default_groups.update_channels(
            self._svc, self._acting(actor), number(group_id=group_id), op, all_names(channels=channels)
        )
