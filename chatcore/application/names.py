"""The names in what a client sends, looked up for one reader."""

from chatcore.application.gather import viewer_of, with_flags
from chatcore.application.services import Services
from chatcore.domain import users as rules
from chatcore.domain.access import may_read
from chatcore.domain.groups import Actor
from chatcore.domain.ids import ChannelId, MessageId, UserId
from chatcore.domain.recipients import ChannelRecipient, Recipient
from chatcore.domain.users import User, placeholder_email
from chatcore.storage import Snapshot


class NamesFor:
    """A `domain.narrow.directory.Directory` on a snapshot."""

    def __init__(self, svc: Services, snapshot: Snapshot, actor: Actor | None) -> None:
        self._svc = svc
        self._snapshot = snapshot
        self._actor = actor

    def channel(self, name_or_id: str | int) -> ChannelId | None:
        if isinstance(name_or_id, str):
            channel = self._snapshot.channels.find_by_name(name_or_id)
        else:
            channel = self._snapshot.channels.find(name_or_id)
        if channel is None or (self._actor is None and not channel.is_web_public):
            return None
        return channel.id

    def user(self, email_or_id: str | int) -> UserId | None:
        user = self.find_user(email_or_id)
        return None if user is None else user.id

    def find_user(self, email_or_id: str | int) -> User | None:
        """A user by id, by placeholder address, or by a real address that the reader may see."""
        if isinstance(email_or_id, int):
            return self._snapshot.users.find(email_or_id)
        email = email_or_id.strip().lower()
        local, _, host = email.partition("@")
        number = local.removeprefix("user")
        if host == self._svc.settings.host and number.isascii() and number.isdigit() and len(number) < 18:
            by_id = self._snapshot.users.find(int(number))
            if by_id is not None and placeholder_email(by_id.id, host) == email:
                return by_id
        user = self._snapshot.users.find_by_email(email)
        if user is None or not rules.may_see_email(self._actor, user):
            return None
        return user

    def recipient(self, message_id: MessageId) -> Recipient | None:
        message = self._snapshot.messages.find(message_id)
        if message is None:
            return None
        channel_ids = [] if message.channel_id is None else [message.channel_id]
        viewer, channels = viewer_of(self._snapshot, self._actor, also=channel_ids)
        viewer = with_flags(self._snapshot, viewer, [message])
        if not may_read(message, viewer, channels):
            return None
        if message.conversation is not None:
            return message.conversation
        assert message.channel_id is not None
        return ChannelRecipient(message.channel_id, message.topic)
