"""Fields that are not in the stored events, but read when an event is formatted for its receivers
(`docs/decisions/0024`).

Lists that clients receive whole are read from the snapshot alone, as the hub has no services.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable
from typing import Final, Literal, TypeAlias, assert_never, cast

import msgspec

from chatcore.application.channels.default_groups import default_group_objects
from chatcore.application.delivery.file_links import newest_links
from chatcore.application.organization.custom_emoji import custom_emoji_shapes
from chatcore.application.organization.linkifiers import linkifier_objects
from chatcore.application.organization.playgrounds import playground_objects
from chatcore.application.organization.profile_fields import field_objects
from chatcore.application.people.muted_users import muted_user_objects
from chatcore.application.people.welcome import step_objects
from chatcore.domain.channels.channels import has_metadata_access, is_subscribed
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import AttachmentId, Position, UserId
from chatcore.domain.topics import VisibilityPolicy
from chatcore.events import happened
from chatcore.events.audience import Users
from chatcore.events.payloads.channels import (
    DefaultChannelGroupsEvent,
    DefaultChannelsEvent,
    MutedTopicsEvent,
)
from chatcore.events.payloads.configuration import LinkifiersEvent, PlaygroundsEvent, ProfileFieldsEvent
from chatcore.events.payloads.emoji import EmojiEvent
from chatcore.events.payloads.settings import AlertWordsEvent, MutedUsersEvent, OnboardingStepsEvent
from chatcore.events.queue import Capabilities, Registration
from chatcore.events.sending import NOTHING_LATE, EventToSend, LateData, WholeList
from chatcore.storage import Snapshot


def muted_topics(snapshot: Snapshot, actor: Actor, client: Capabilities) -> list[list[str | int]]:
    """Return the muted topics for older clients: channel name, topic, and the time of muting; only of
    channels that are still visible to the actor and that the client supports.
    """
    policies = snapshot.topic_policies.of_user(actor.user_id)
    muted = [
        (channel_id, topic, updated)
        for (channel_id, _), (topic, policy, updated) in policies.items()
        if policy == VisibilityPolicy.MUTED
    ]
    if not muted:
        return []
    mine = snapshot.subscriptions.of_user(actor.user_id)
    names = {
        channel.id: channel.name
        for channel in snapshot.channels.by_ids({channel_id for channel_id, *_ in muted}).values()
        if client.archived_channels or not channel.is_archived
        if has_metadata_access(channel, actor, subscribed=is_subscribed(mine.get(channel.id)))
    }
    empty = "" if client.empty_topic_name else snapshot.organization.get().empty_topic_display_name
    return [
        [names[channel_id], topic or empty, updated]
        for channel_id, topic, updated in muted
        if channel_id in names
    ]


ListPayload: TypeAlias = (
    AlertWordsEvent
    | DefaultChannelGroupsEvent
    | DefaultChannelsEvent
    | EmojiEvent
    | LinkifiersEvent
    | MutedTopicsEvent
    | MutedUsersEvent
    | OnboardingStepsEvent
    | PlaygroundsEvent
    | ProfileFieldsEvent
)


ListType: TypeAlias = Literal[
    "alert_words",
    "custom_profile_fields",
    "default_stream_groups",
    "default_streams",
    "muted_topics",
    "muted_users",
    "onboarding_steps",
    "realm_emoji",
    "realm_linkifiers",
    "realm_playgrounds",
]
UNPLACED: Final = Position(0)
"""In place of the position of a payload, which `WholeList` knows when it is sent."""


def _list_payload(
    event_type: ListType, snapshot: Snapshot, actor: Actor, client: Capabilities
) -> ListPayload:
    """Return the list that events of a type carry, as the client of the actor receives it."""
    match event_type:
        case "alert_words":
            words = [*snapshot.alert_words.of_user(actor.user_id)]
            return {"type": "alert_words", "alert_words": words, "id": UNPLACED}
        case "muted_topics":
            topics = muted_topics(snapshot, actor, client)
            return {"type": "muted_topics", "muted_topics": topics, "id": UNPLACED}
        case "muted_users":
            users = muted_user_objects(snapshot, actor)
            return {"type": "muted_users", "muted_users": users, "id": UNPLACED}
        case "onboarding_steps":
            steps = step_objects(snapshot, snapshot.users.get(actor.user_id))
            return {"type": "onboarding_steps", "onboarding_steps": steps, "id": UNPLACED}
        case "realm_emoji":
            emoji = msgspec.to_builtins(custom_emoji_shapes(snapshot))
            return {"type": "realm_emoji", "op": "update", "realm_emoji": emoji, "id": UNPLACED}
        case "custom_profile_fields":
            return {"type": "custom_profile_fields", "fields": field_objects(snapshot), "id": UNPLACED}
        case "realm_linkifiers":
            linkifiers = linkifier_objects(snapshot)
            return {"type": "realm_linkifiers", "realm_linkifiers": linkifiers, "id": UNPLACED}
        case "realm_playgrounds":
            playgrounds = playground_objects(snapshot)
            return {"type": "realm_playgrounds", "realm_playgrounds": playgrounds, "id": UNPLACED}
        case "default_stream_groups":
            groups = default_group_objects(snapshot, for_guest=actor.is_guest)
            return {"type": "default_stream_groups", "default_stream_groups": groups, "id": UNPLACED}
        case "default_streams":
            ids: list[int] = [] if actor.is_guest else [*snapshot.organization.get().default_channel_ids]
            return {"type": "default_streams", "default_streams": ids, "id": UNPLACED}
        case _:
            assert_never(event_type)


def _sharing_key(event_type: ListType, actor: Actor, client: Capabilities) -> Hashable:
    """Return a value that is equal for the listeners who receive the same list in events of a type."""
    match event_type:
        case "custom_profile_fields" | "realm_emoji" | "realm_linkifiers" | "realm_playgrounds":
            return None
        case "default_stream_groups" | "default_streams":
            return actor.is_guest
        case "muted_topics":
            return actor.user_id, client
        case "alert_words" | "muted_users" | "onboarding_steps":
            return actor.user_id
        case _:
            assert_never(event_type)


class LateFields:
    """Late fields of some events, for one listener after another; lists that several listeners share are read
    once.
    """

    def __init__(self, snapshot: Snapshot, events: Iterable[EventToSend]) -> None:
        self._snapshot = snapshot
        self._types: defaultdict[UserId | None, set[ListType]] = defaultdict(set)
        self._files: defaultdict[UserId, set[AttachmentId]] = defaultdict(set)
        self._lists: dict[tuple[ListType, Hashable], WholeList] = {}
        for logged in events:
            to = logged.audience.user_ids if isinstance(logged.audience, Users) else (None,)
            for user_id in to:
                if isinstance(logged.event, happened.ListChanged):
                    self._types[user_id].add(cast(ListType, logged.event.type))
                elif isinstance(logged.event, happened.FilesChanged) and user_id is not None:
                    self._files[user_id].update(file.id for file in logged.event.files)

    def for_listener(self, actor: Actor, registration: Registration) -> LateData:
        """Return the data for the events that a queue of the actor with this registration wants."""
        if not self._types and not self._files:
            return NOTHING_LATE
        types = filter(registration.wants, {*self._types[None], *self._types[actor.user_id]})
        client = registration.capabilities
        lists: dict[str, WholeList] = {
            event_type: self._whole_list(event_type, actor, client) for event_type in types
        }
        files = self._files[actor.user_id]
        if not files or not registration.wants(happened.FilesChanged.type):
            return LateData(lists)
        return LateData(lists, newest_links(self._snapshot, actor, files))

    def _whole_list(self, event_type: ListType, actor: Actor, client: Capabilities) -> WholeList:
        """Return the list of this type for the client; made once for all who receive the same one."""
        key = (event_type, _sharing_key(event_type, actor, client))
        if key not in self._lists:
            self._lists[key] = WholeList(_list_payload(event_type, self._snapshot, actor, client))
        return self._lists[key]
