"""Lookup of the names in a client's narrow, for one reader."""

from functools import cached_property

from chatcore.application.units import View
from chatcore.application.visibility.addresses import find_user, known_people
from chatcore.application.visibility.known_channels import find_channel
from chatcore.application.visibility.viewers import viewer_of, with_flags
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ChannelId, MessageId, UserId
from chatcore.domain.messages.access import may_read
from chatcore.domain.messages.recipients import Recipient
from chatcore.domain.people.users import User
from chatcore.events.sending.listener import Knows


class NamesFor:
    """A `domain.narrow.directory.Directory` on a snapshot, for an actor, or for a spectator without one."""

    def __init__(self, view: View, actor: Actor | None) -> None:
        self._view, self._snapshot = view, view.snapshot
        self._actor = actor

    def channel(self, name_or_id: str | int) -> ChannelId | None:
        channel = find_channel(self._snapshot, name_or_id)
        if channel is None or (self._actor is None and not channel.is_web_public):
            return None
        return channel.id

    def user(self, email_or_id: str | int) -> UserId | None:
        user = self.find_user(email_or_id)
        return None if user is None else user.id

    def find_user(self, email_or_id: str | int) -> User | None:
        return find_user(self._view, self._actor, email_or_id, self.knows)

    @cached_property
    def knows(self) -> Knows:
        return known_people(self._snapshot, self._actor)

    def recipient(self, message_id: MessageId) -> Recipient | None:
        message = self._snapshot.messages.find(message_id)
        if message is None:
            return None
        channel_ids = [] if message.channel_id is None else [message.channel_id]
        viewer, channels = viewer_of(self._snapshot, self._actor, also=channel_ids)
        viewer = with_flags(self._snapshot, viewer, [message])
        if not may_read(message, viewer, channels):
            return None
        return message.recipient
