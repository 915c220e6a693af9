"""An organization as an object in another Python program: `chat.messages.send(actor, …)`.

Each method is one use case of `chatcore.application`, with the services filled in.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from chatcore.application import (
    account_states,
    accounts,
    channel_archiving,
    channel_creation,
    channel_editing,
    channels,
    deleting,
    drafts,
    editing,
    events,
    fetching,
    file_access,
    flags,
    messages,
    organizations,
    subscribing,
    topics,
    unsubscribing,
    uploads,
    user_updates,
    users,
)
from chatcore.application.accounts import Login, NewUser
from chatcore.application.channel_editing import ChannelChanges
from chatcore.application.delivery import Sent
from chatcore.application.events import Registered
from chatcore.application.fetching import Fetched
from chatcore.application.file_access import OpenFile
from chatcore.application.flags import Changed
from chatcore.application.services import Services
from chatcore.application.subscribing import SubscribeResult
from chatcore.application.subscription_plans import Subscribe, Wanted
from chatcore.application.unsubscribing import UnsubscribeResult
from chatcore.application.user_updates import UserChange
from chatcore.domain.drafts import DraftContent
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups import Actor
from chatcore.domain.ids import DraftId, MessageId, UserId
from chatcore.domain.moving import CHANGE_ONE
from chatcore.domain.narrow.window import read_message_ids
from chatcore.domain.roles import Role
from chatcore.domain.topics import VisibilityPolicy
from chatcore.domain.uploads import UNNAMED, Attachment, original_name
from chatcore.events.queue import Registration
from chatcore.events.shapes.drafts import DraftShape
from chatcore.events.shapes.users import UserShape
from chatcore.http.longpoll import wait_for_events

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication


class Chat:
    """One organization. Close it when the program ends, or use it in a `with` statement."""

    def __init__(self, services: Services, make_application: "Callable[[Services], WSGIApplication]") -> None:
        self.services = services
        self._make_application = make_application
        self.users = Users(services)
        self.channels = Channels(services)
        self.messages = Messages(services)
        self.events = Events(services)
        self.drafts = Drafts(services)
        self.files = Files(services)

    def application(self) -> "WSGIApplication":
        """The HTTP API as a WSGI application, to be served or mounted under a prefix."""
        return self._make_application(self.services)

    def allow_public_access(self, *, allowed: bool = True) -> None:
        """Let callers without an account read the channels that are open to the web, or keep them out."""
        organizations.allow_public_access(self.services, allowed=allowed)

    def close(self) -> None:
        """Answer who waits for events, and let go of the store."""
        self.services.hub.stop()
        self.services.storage.close()

    def __enter__(self) -> "Chat":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class _Face:
    def __init__(self, services: Services) -> None:
        self._svc = services


class Users(_Face):
    def create(
        self,
        email: str,
        full_name: str,
        *,
        role: Role = Role.MEMBER,
        password: str | None = None,
        is_bot: bool = False,
        owner: Actor | None = None,
    ) -> Actor:
        """Make an account. Raises BadRequest for an address that is taken or a name outside the rules."""
        new = NewUser(
            email=email,
            full_name=full_name,
            role=role,
            password=password,
            is_bot=is_bot,
            bot_owner_id=None if owner is None else owner.user_id,
        )
        return self.actor(accounts.create_user(self._svc, new).email)

    def actor(self, email: str) -> Actor:
        """Who acts as the user with this address. Raises BadRequest when there is no such active user."""

        def read(snapshot: Any) -> Actor:
            user = accounts.find_by_api_email(self._svc, snapshot, email)
            if user is None or not user.is_active:
                raise BadRequest(f"Invalid email '{email}'")
            actor: Actor = snapshot.users.actors([user.id], self._svc.now)[user.id]
            return actor

        return self._svc.storage.read(read)

    def login(self, actor: Actor) -> Login:
        """The address and API key with which HTTP clients act as this user."""
        (login,) = accounts.login_of(self._svc, [actor.user_id])
        return login

    def list(self, actor: Actor) -> Sequence[UserShape]:
        """Every user as the actor may see them."""
        return users.list_users(self._svc, actor)

    def update(
        self,
        actor: Actor,
        target: int | str,
        *,
        full_name: str | None = None,
        role: Role | None = None,
        new_email: str | None = None,
    ) -> None:
        """Change an account, named by id or address, as an administrator.

        Raises what `chatcore.application.user_updates.update_user` does.
        """
        change = UserChange(full_name=full_name, role=role, new_email=new_email)
        user_updates.update_user(self._svc, actor, target, change)

    def deactivate(self, actor: Actor, user_id: UserId) -> None:
        """Take an account out of use, as an administrator.

        Raises what `chatcore.application.account_states.deactivate_user` does.
        """
        account_states.deactivate_user(self._svc, actor, user_id)

    def reactivate(self, actor: Actor, user_id: UserId) -> None:
        """Bring an account back, as an administrator.

        Raises what `chatcore.application.account_states.reactivate_user` does.
        """
        account_states.reactivate_user(self._svc, actor, user_id)

    def allow_creating_users(self, email: str, *, allowed: bool = True) -> None:
        """Give or take the permission to make accounts over HTTP, which only administrators can use."""
        accounts.allow_creating_users(self._svc, email, allowed=allowed)

    def allow_email_changes(self, email: str, *, allowed: bool = True) -> None:
        """Give or take the permission to change other people's addresses, which only owners can use."""
        accounts.allow_email_changes(self._svc, email, allowed=allowed)


class Channels(_Face):
    def subscribe(
        self,
        actor: Actor,
        *names: str,
        principals: Sequence[UserId] | None = None,
        invite_only: bool = False,
    ) -> SubscribeResult:
        """Subscribe the actor, or exactly the principals, making channels that do not exist."""
        cmd = Subscribe(
            channels=[Wanted(name) for name in names],
            principals=principals,
            creation=channel_creation.Creation(invite_only=invite_only),
        )
        return subscribing.subscribe(self._svc, actor, cmd)

    def unsubscribe(self, actor: Actor, *names: str) -> UnsubscribeResult:
        return unsubscribing.unsubscribe(self._svc, actor, names)

    def update(self, actor: Actor, channel_id: int, changes: ChannelChanges) -> None:
        """Change a channel. Raises what `chatcore.application.channel_editing.update_channel` does."""
        channel_editing.update_channel(self._svc, actor, channel_id, changes)

    def archive(self, actor: Actor, channel_id: int) -> None:
        """Archive a channel; an update with `is_archived=False` brings it back."""
        channel_archiving.archive_channel(self._svc, actor, channel_id)

    def topics(self, actor: Actor, channel: str) -> Sequence[tuple[str, MessageId]]:
        """Topics with their newest message, newest first."""
        channel_id = channels.channel_id_of(self._svc, actor, channel)
        return channels.topics(self._svc, actor, channel_id)[0]

    def set_topic_policy(self, actor: Actor, channel: str, topic: str, policy: VisibilityPolicy) -> None:
        """Mute, unmute or follow a topic for the actor, or take that back."""
        channel_id = channels.channel_id_of(self._svc, actor, channel)
        topics.set_visibility_policy(self._svc, actor, channel_id, topic, policy)


class Messages(_Face):
    def send(
        self,
        actor: Actor,
        content: str,
        *,
        channel: int | str | None = None,
        topic: str = "",
        to: Sequence[int] | Sequence[str] = (),
        client: str = "python",
    ) -> Sent:
        """Send to a channel and topic, or directly *to* people by ids or addresses.

        Raises what `chatcore.application.messages.send` does.
        """
        cmd: messages.SendToChannel | messages.SendDirect
        if channel is not None:
            cmd = messages.SendToChannel(channel=channel, topic=topic, content=content, client=client)
        else:
            cmd = messages.SendDirect(to=to, content=content, client=client)
        return messages.send(self._svc, actor, cmd)

    def fetch(
        self,
        actor: Actor | None,
        *,
        narrow: object = None,
        anchor: str | int = "newest",
        num_before: int = 100,
        num_after: int = 0,
        include_anchor: bool = True,
        message_ids: Sequence[int] | None = None,
    ) -> Fetched:
        """Messages of a narrow around an anchor, ascending, or those with the given ids.

        *narrow* is what clients send, decoded: ``[{"operator": "channel", "operand": "lunch"}]``.
        Raises BadNarrow, BadRequest.
        """
        if message_ids is not None:
            wanted = read_message_ids(message_ids, {}, self._svc.limits)
            return fetching.fetch(self._svc, actor, narrow, wanted)
        part = fetching.Range(
            anchor=anchor,
            num_before=num_before,
            num_after=num_after,
            include_anchor=include_anchor,
        )
        return fetching.fetch(self._svc, actor, narrow, part)

    def edit(
        self,
        actor: Actor,
        message_id: int,
        content: str | None = None,
        *,
        topic: str | None = None,
        channel: int | None = None,
        propagate_mode: str = CHANGE_ONE,
    ) -> None:
        """Give a message another text, or move it, alone or with others of its topic.

        Raises what `chatcore.application.editing.update_message` does.
        """
        change = editing.Change(
            content=content, topic=topic, channel_id=channel, propagate_mode=propagate_mode
        )
        editing.update_message(self._svc, actor, message_id, change)

    def delete(self, actor: Actor, message_id: int) -> None:
        """Delete a message for everybody. Raises BadRequest for one that is not the actor's to delete."""
        deleting.delete_message(self._svc, actor, message_id)

    def update_flags(self, actor: Actor, message_ids: Sequence[int], *, op: str, flag: str) -> Changed:
        """Set or clear `read`, `starred` or `collapsed`."""
        return flags.update_flags(self._svc, actor, message_ids, op=op, flag=flag)


class Drafts(_Face):
    def create(self, actor: Actor, *wanted: DraftContent) -> Sequence[DraftId]:
        """Store drafts. Raises BadRequest, and stores none, when one is outside the rules."""
        return drafts.create_drafts(self._svc, actor, wanted)

    def edit(self, actor: Actor, draft_id: int, wanted: DraftContent) -> None:
        drafts.edit_draft(self._svc, actor, draft_id, wanted)

    def delete(self, actor: Actor, draft_id: int) -> None:
        drafts.delete_draft(self._svc, actor, draft_id)

    def list(self, actor: Actor) -> Sequence[DraftShape]:
        """The actor's drafts, the one edited last at the end."""
        return drafts.list_drafts(self._svc, actor)


class Files(_Face):
    def upload(
        self, actor: Actor, name: str, pieces: Iterable[bytes], *, content_type: str = ""
    ) -> Attachment:
        """Store a file; send its `url` in a message to share it. Raises what `application.uploads` does."""
        return uploads.upload(self._svc, actor, original_name(name) or UNNAMED, content_type, pieces)

    def open(self, actor: Actor | None, path_id: str) -> OpenFile:
        """A file that the actor may read; close it afterwards. Raises NoSuchFile."""
        return file_access.open_file(self._svc, actor, path_id)

    def delete(self, actor: Actor, attachment_id: int) -> None:
        uploads.delete_file(self._svc, actor, attachment_id)


class Events(_Face):
    def register(
        self,
        actor: Actor,
        *,
        event_types: Sequence[str] | None = None,
        fetch_event_types: Collection[str] | None = None,
        apply_markdown: bool = True,
    ) -> Registered:
        """A queue and the state it starts from; see `poll` for what comes after it."""
        registration = Registration(
            event_types=None if event_types is None else tuple(event_types), apply_markdown=apply_markdown
        )
        return events.register(self._svc, actor, registration, fetch_event_types)

    def poll(
        self, actor: Actor, queue_id: str, last_event_id: int, *, dont_block: bool = False
    ) -> Sequence[dict[str, Any]]:
        """The events after *last_event_id*, as clients get them; waits for one, at most a minute."""
        found = wait_for_events(self._svc, actor, queue_id, last_event_id, dont_block=dont_block)
        return [msgspec.json.decode(event, type=dict[str, Any]) for event in found]

    @contextmanager
    def follow(
        self, actor: Actor, *, event_types: Sequence[str] | None = None
    ) -> Iterator[Iterator[dict[str, Any]]]:
        """The events from now on, one after another; the queue is deleted at the end."""
        registered = self.register(actor, event_types=event_types, fetch_event_types=())
        assert registered.queue_id is not None
        try:
            yield self._follow(actor, registered.queue_id, registered.last_event_id)
        finally:
            events.delete_queue(self._svc, actor, registered.queue_id)

    def _follow(self, actor: Actor, queue_id: str, last_event_id: int) -> Iterator[dict[str, Any]]:
        while True:
            for event in self.poll(actor, queue_id, last_event_id):
                last_event_id = event["id"]
                if event["type"] != "heartbeat":
                    yield event
