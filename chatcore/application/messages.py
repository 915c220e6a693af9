"""Sending and fetching messages."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from chatcore.application.accessible import accessible_users
from chatcore.application.delivery import (
    Draft,
    Sent,
    Text,
    deliver,
    digest,
    render_text,
    require_may_mention_groups,
)
from chatcore.application.gather import current, viewer_of, with_flags
from chatcore.application.names import NamesFor
from chatcore.application.services import Services
from chatcore.application.users import people_for
from chatcore.domain.access import may_read
from chatcore.domain.channels import (
    Channel,
    has_content_access,
    has_metadata_access,
    require_can_post,
)
from chatcore.domain.clients import marks_own_messages_read
from chatcore.domain.errors import (
    BadRequest,
    ChannelDoesNotExist,
    ChannelWildcardNotAllowed,
    LoginRequired,
    TopicWildcardNotAllowed,
    invalid_message,
)
from chatcore.domain.flags import NEVER_RECEIVED, Flag
from chatcore.domain.groups import Actor
from chatcore.domain.ids import ChannelId, MessageId, QueueId, UserId
from chatcore.domain.messages import Message, content_for_sending
from chatcore.domain.narrow import Narrow
from chatcore.domain.narrow.history import first_unread_in
from chatcore.domain.narrow.parse import parse
from chatcore.domain.narrow.window import (
    Anchor,
    Lookup,
    Page,
    Window,
    anchor_at,
    page_of,
    select,
)
from chatcore.domain.narrow.without_login import parse_without_login
from chatcore.domain.recipients import ChannelRecipient, DirectRecipient, conversation_of
from chatcore.domain.topics import topic_for_sending, topic_key
from chatcore.domain.users import User
from chatcore.domain.viewer import Viewer
from chatcore.events.shapes import Person
from chatcore.storage import Snapshot, Transaction

# -- sending ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Send:
    """What every message has that is to be sent.

    `read_by_sender` None leaves it to the name of the client. `queue_id` and `local_id` come together: the
    event for that queue carries the local id, and a repeated request with both makes no second message.
    """

    content: str
    client: str = ""
    read_by_sender: bool | None = None
    queue_id: str | None = None
    local_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SendToChannel(Send):
    channel: int | str
    """Id or name."""
    topic: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SendDirect(Send):
    to: Sequence[int] | Sequence[str]
    """Ids or addresses; the sender is always one of the people."""


def send(svc: Services, actor: Actor, cmd: SendToChannel | SendDirect) -> Sent:
    """Send a message and announce it to those who receive it.

    :raises BadRequest: text, topic or recipients outside the rules, or no permission
    :raises ChannelDoesNotExist: the channel is not there for the sender
    :raises ChannelWildcardNotAllowed, TopicWildcardNotAllowed: too many people, and not allowed to
    """
    if (cmd.queue_id is None) != (cmd.local_id is None):
        raise BadRequest("queue_id and local_id must be given together")
    if cmd.local_id is not None and len(cmd.local_id) > svc.limits.max_local_id_length:
        raise BadRequest(f"local_id is too long (limit: {svc.limits.max_local_id_length} characters)")
    content = content_for_sending(cmd.content, svc.limits)
    text = render_text(svc, actor, content)
    if isinstance(cmd, SendToChannel):
        return svc.storage.write(lambda tx: _send_to_channel(svc, tx, actor, cmd, text))
    return svc.storage.write(lambda tx: _send_direct(svc, tx, actor, cmd, text))


def preview(svc: Services, actor: Actor, content: str) -> str:
    """The HTML that the text would have as a message of the actor.

    :raises BadRequest: text outside the rules
    """
    return render_text(svc, actor, content_for_sending(content, svc.limits)).html


def _send_to_channel(svc: Services, tx: Transaction, actor: Actor, cmd: SendToChannel, text: Text) -> Sent:
    actor = current(tx, actor, svc.now)
    channel = tx.channels.find_by_name(cmd.channel) if isinstance(cmd.channel, str) else None
    if not isinstance(cmd.channel, str):
        channel = tx.channels.find(cmd.channel)
    asked = [actor.user_id] if actor.owner is None else [actor.user_id, actor.owner.user_id]
    subscribed = frozenset() if channel is None else tx.subscriptions.subscribed_among(channel.id, asked)
    if channel is None or not _knows_of(channel, actor, subscribed):
        raise ChannelDoesNotExist(cmd.channel)
    organization = tx.organization.get()
    topic = topic_for_sending(
        cmd.topic,
        empty_display_name=organization.empty_topic_display_name,
        policy=organization.effective_topics_policy(channel.topics_policy),
        limits=svc.limits,
    )
    require_can_post(
        channel,
        actor,
        subscribed=actor.user_id in subscribed,
        owner_subscribed=actor.owner is not None and actor.owner.user_id in subscribed,
    )
    recipient = ChannelRecipient(channel.id, topic)
    if (repeated := _already_sent(tx, actor, cmd, recipient, text)) is not None:
        return repeated
    may_mention_many = organization.permits("can_mention_many_users_group", actor)
    limit = svc.limits.wildcard_mention_free_up_to
    if text.effects.channel_wildcard and channel.subscriber_count > limit and not may_mention_many:
        raise ChannelWildcardNotAllowed
    if text.effects.topic_wildcard and not may_mention_many:
        participants = tx.messages.participants(channel.id, topic_key(topic)) | {actor.user_id}
        if len(participants) > limit:
            raise TopicWildcardNotAllowed
    require_may_mention_groups(tx, actor, text.effects)
    sender = tx.users.get(actor.user_id)
    return deliver(
        svc,
        tx,
        Draft(
            sender=sender,
            recipient=recipient,
            channel=channel,
            people=(sender,),
            text=text,
            client=cmd.client,
            read_by_sender=_read_by_sender(svc, cmd),
            queue_id=_own_queue(tx, actor, cmd),
            local_id=cmd.local_id,
        ),
    )


def _knows_of(channel: Channel, actor: Actor, subscribed: Collection[UserId]) -> bool:
    if has_metadata_access(channel, actor, subscribed=actor.user_id in subscribed):
        return True
    owner = actor.owner
    return owner is not None and has_metadata_access(channel, owner, subscribed=owner.user_id in subscribed)


def _send_direct(svc: Services, tx: Transaction, actor: Actor, cmd: SendDirect, text: Text) -> Sent:
    actor = current(tx, actor, svc.now)
    people = _people(svc, tx, actor, cmd.to)
    user_ids = frozenset(user.id for user in people)
    known = tx.conversations.find(user_ids)
    _require_may_write_to(svc, tx, actor, people, known)
    recipient = known or tx.conversations.get_or_add(user_ids)
    if (repeated := _already_sent(tx, actor, cmd, recipient, text)) is not None:
        return repeated
    require_may_mention_groups(tx, actor, text.effects)
    sender = next(user for user in people if user.id == actor.user_id)
    return deliver(
        svc,
        tx,
        Draft(
            sender=sender,
            recipient=recipient,
            channel=None,
            people=tuple(people),
            text=text,
            client=cmd.client,
            read_by_sender=_read_by_sender(svc, cmd),
            queue_id=_own_queue(tx, actor, cmd),
            local_id=cmd.local_id,
        ),
    )


def _people(svc: Services, tx: Transaction, actor: Actor, to: Sequence[int] | Sequence[str]) -> list[User]:
    """The people of a direct message, the sender included.

    :raises BadRequest: nobody, or somebody who is not there or deactivated
    """
    if not to:
        raise BadRequest("Message must have recipients")
    if len(to) > svc.limits.max_ids_per_request:
        raise BadRequest("Too many recipients")
    named: list[User] = []
    names = NamesFor(svc, tx, actor)
    unique: Iterable[int | str] = dict.fromkeys(to)
    for one in unique:
        user = names.find_user(one)
        if user is None or not user.is_active:
            raise BadRequest(f"Invalid user ID {one}" if isinstance(one, int) else f"Invalid email '{one}'")
        named.append(user)
    user_ids = conversation_of(actor.user_id, [user.id for user in named])
    return list(tx.users.by_ids(user_ids).values())


def _require_may_write_to(
    svc: Services,
    tx: Transaction,
    actor: Actor,
    people: Sequence[User],
    known: DirectRecipient | None,
) -> None:
    """The organization's rules about direct messages; bots write to, and are written to by, anybody.

    :raises BadRequest: somebody whom a limited guest does not know, nobody of them may have direct
        messages, or the sender may not begin
    """
    others = [user for user in people if user.id != actor.user_id]
    if actor.is_bot or all(user.is_bot for user in others):
        return
    organization = tx.organization.get()
    if not all(map(accessible_users(tx, organization, actor, people), [user.id for user in people])):
        raise BadRequest("You do not have permission to access some of the recipients.")
    actors = tx.users.actors([user.id for user in people], svc.now)
    if not any(organization.permits("direct_message_permission_group", one) for one in actors.values()):
        raise BadRequest("Direct messages are disabled in this organization.")
    if organization.permits("direct_message_initiator_group", actor):
        return
    if known is None or not tx.conversations.has_messages(known.conversation_id):
        raise BadRequest("You do not have permission to initiate direct message conversations.")


def _read_by_sender(svc: Services, cmd: Send) -> bool:
    if cmd.read_by_sender is not None:
        return cmd.read_by_sender
    return marks_own_messages_read(cmd.client, svc.settings.compat_brand)


def _own_queue(tx: Transaction, actor: Actor, cmd: Send) -> QueueId | None:
    """The queue for the local echo; one that is gone or somebody else's gets none."""
    if cmd.queue_id is None:
        return None
    queue = tx.queues.find(cmd.queue_id)
    return queue.id if queue is not None and queue.user_id == actor.user_id else None


def _already_sent(
    tx: Transaction, actor: Actor, cmd: Send, recipient: ChannelRecipient | DirectRecipient, text: Text
) -> Sent | None:
    """What an earlier request with the same queue and local id has sent.

    :raises BadRequest: that was another message
    """
    queue_id = _own_queue(tx, actor, cmd)
    if queue_id is None or cmd.local_id is None:
        return None
    echo = tx.queues.find_echo(queue_id, cmd.local_id)
    if echo is None:
        return None
    message_id, sent_digest = echo
    if sent_digest != digest(recipient, text.content):
        raise BadRequest("local_id was used for another message already")
    return Sent(message_id)


# -- fetching ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reading:
    """A message as one reader gets it, with the people and the channel that it is shown with."""

    message: Message
    flags: Flag
    sender: Person
    people: tuple[Person, ...]
    channel_name: str


@dataclass(frozen=True, slots=True)
class Fetched:
    """A part of a narrow, ascending; `narrow` is as it was understood."""

    page: Page
    readings: tuple[Reading, ...]
    narrow: Narrow
    empty_topic_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """Around an anchor; the counts have been checked (see `domain.narrow.window`)."""

    anchor: Anchor
    num_before: int
    num_after: int
    include_anchor: bool = True


def fetch(
    svc: Services, actor: Actor | None, raw_narrow: object, part: Range | Collection[MessageId]
) -> Fetched:
    """Messages of a narrow: a range around an anchor, or those with the given ids that may be read.

    Without an actor, only what the organization has opened to the web.

    :raises BadRequest, BadNarrow: a narrow that cannot be read
    :raises LoginRequired: no actor, and more was asked for than is open
    """

    def read(snapshot: Snapshot) -> Fetched:
        narrow, viewer, channels = read_narrow(svc, snapshot, actor, raw_narrow)
        if isinstance(part, Range):
            page = find_page(snapshot, narrow, viewer, channels, part)
            messages = snapshot.messages.by_ids(page.message_ids)
            viewer = with_flags(snapshot, viewer, messages)
        else:
            messages, viewer = _readable(snapshot, part, viewer)
            kept = set(snapshot.search.among(narrow, viewer, channels, [m.id for m in messages]))
            messages = [message for message in messages if message.id in kept]
            page = page_of([message.id for message in messages])
        readings = _readings(svc, snapshot, viewer, messages)
        empty = snapshot.organization.get().empty_topic_display_name
        return Fetched(page, tuple(readings), narrow, empty)

    return svc.storage.read(read)


def get(svc: Services, actor: Actor | None, message_id: int) -> tuple[Reading, str]:
    """One message, and what the organization calls the empty topic.

    :raises BadRequest: there is none, or it may not be read; one answer for both
    :raises LoginRequired: no actor, and the message is not open to the web
    """

    def read(snapshot: Snapshot) -> tuple[Reading, str]:
        organization = snapshot.organization.get()
        viewer = Viewer() if actor is None else viewer_of(snapshot, actor)[0]
        if actor is None and not organization.enable_spectator_access:
            raise LoginRequired
        messages, viewer = _readable(snapshot, [MessageId(message_id)], viewer)
        if not messages:
            raise invalid_message() if actor is not None else LoginRequired()
        (reading,) = _readings(svc, snapshot, viewer, messages)
        return reading, organization.empty_topic_display_name

    return svc.storage.read(read)


def read_narrow(
    svc: Services, snapshot: Snapshot, actor: Actor | None, raw_narrow: object
) -> tuple[Narrow, Viewer, Mapping[ChannelId, Channel]]:
    """A client's narrow, and the reader with the channels that it may look into."""
    organization = snapshot.organization.get()
    names = NamesFor(svc, snapshot, actor)
    empty_topic_name = organization.empty_topic_display_name
    if actor is not None:
        narrow = parse(
            raw_narrow, names, me=actor.user_id, limits=svc.limits, empty_topic_name=empty_topic_name
        )
    else:
        allowed = None
        if organization.enable_spectator_access:
            allowed = parse_without_login(
                raw_narrow,
                names,
                snapshot.channels.public(),
                limits=svc.limits,
                empty_topic_name=empty_topic_name,
            )
        if allowed is None:
            raise LoginRequired
        narrow = allowed
    viewer, channels = viewer_of(
        snapshot, actor, also=narrow.channel_ids, all_public=narrow.public_channels is not None
    )
    return narrow, viewer, channels


def find_page(
    snapshot: Snapshot,
    narrow: Narrow,
    viewer: Viewer,
    channels: Mapping[ChannelId, Channel],
    part: Range,
) -> Page:
    """The ids of a range of the narrow."""
    if part.anchor is Lookup.FIRST_UNREAD:
        unread = snapshot.search.around(
            first_unread_in(narrow), viewer, channels, anchor=0, before=0, after=1, with_anchor=False
        )
        anchor = anchor_at(next(iter(unread.after), None))
    else:
        anchor = part.anchor
    window = Window(anchor, part.num_before, part.num_after, part.include_anchor)
    if _is_closed(narrow, viewer, channels):
        return Page(anchor, (), found_anchor=False, found_oldest=True, found_newest=True)
    found = snapshot.search.around(
        narrow,
        viewer,
        channels,
        anchor=window.anchor,
        before=window.before,
        after=window.after,
        with_anchor=window.wants_anchor,
    )
    return select(window, found.before, anchor if found.at_anchor else None, found.after)


def _is_closed(narrow: Narrow, viewer: Viewer, channels: Mapping[ChannelId, Channel]) -> bool:
    """Whether the narrow names a channel that the reader cannot look into; it shows as an empty one."""
    return any(
        not has_content_access(
            channels[channel_id], viewer.actor, subscribed=viewer.subscribed_to(channel_id)
        )
        for channel_id in narrow.channel_ids
    )


def _readable(
    snapshot: Snapshot, message_ids: Collection[MessageId], viewer: Viewer
) -> tuple[Sequence[Message], Viewer]:
    """Those of the messages that exist and that the reader may read one by one, and the reader with its
    flags of them.
    """
    messages = snapshot.messages.by_ids(message_ids)
    channels = snapshot.channels.by_ids({m.channel_id for m in messages if m.channel_id is not None})
    viewer = with_flags(snapshot, viewer, messages)
    return [message for message in messages if may_read(message, viewer, channels)], viewer


def _readings(
    svc: Services, snapshot: Snapshot, viewer: Viewer, messages: Sequence[Message]
) -> list[Reading]:
    """The messages with all that is shown beside them; *viewer* has its flags of them."""
    never_received = NEVER_RECEIVED if viewer.user_id is not None else Flag.READ
    people_ids = {message.sender_id for message in messages}
    for message in messages:
        if message.conversation is not None:
            people_ids |= message.conversation.user_ids
    users = snapshot.users.by_ids(people_ids).values()
    people = people_for(snapshot, viewer.actor, users, svc.settings.host)
    channel_names = snapshot.channels.names({m.channel_id for m in messages if m.channel_id is not None})
    return [
        Reading(
            message=message,
            flags=viewer.flags.get(message.id, never_received),
            sender=people[message.sender_id],
            people=tuple(people[user_id] for user_id in message.conversation.user_ids)
            if message.conversation is not None
            else (),
            channel_name="" if message.channel_id is None else channel_names[message.channel_id],
        )
        for message in messages
    ]
