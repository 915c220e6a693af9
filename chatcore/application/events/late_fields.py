"""Fields that are not in the stored events, but read when an event is formatted for its receivers
(`docs/decisions/0024`).

Lists that clients receive whole are read from the snapshot alone, as the hub has no services.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Final, NamedTuple, TypeAlias

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
    muted = {
        channel_and_key: (topic, updated)
        for channel_and_key, (topic, policy, updated) in snapshot.topic_policies.of_user(
            actor.user_id
        ).items()
        if policy == VisibilityPolicy.MUTED
    }
    if not muted:
        return []
    mine = snapshot.subscriptions.of_user(actor.user_id)
    names = {
        channel.id: channel.name
        for channel in snapshot.channels.by_ids({channel_id for channel_id, _ in muted}).values()
        if client.archived_channels or not channel.is_archived
        if has_metadata_access(channel, actor, subscribed=is_subscribed(mine.get(channel.id)))
    }
    empty = "" if client.empty_topic_name else snapshot.organization.get().empty_topic_display_name
    return [
        [names[channel_id], topic or empty, updated]
        for (channel_id, _), (topic, updated) in muted.items()
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


class LateList(NamedTuple):
    """A reader of the list for events of a type, with a key that is equal for listeners who share the
    list.
    """

    payload: Callable[[Snapshot, Actor, Capabilities], ListPayload]
    same_for: Callable[[Actor, Capabilities], Hashable]


def _same_for_all(actor: Actor, client: Capabilities) -> None:
    return None


def _same_user(actor: Actor, client: Capabilities) -> Hashable:
    return actor.user_id


def _same_user_and_client(actor: Actor, client: Capabilities) -> Hashable:
    return actor.user_id, client


UNPLACED: Final = Position(0)
"""In place of the position of a payload, which `WholeList` knows when it is sent."""

LATE_LISTS: Mapping[str, LateList] = {
    "alert_words": LateList(
        lambda s, a, _: {
            "type": "alert_words",
            "alert_words": [*s.alert_words.of_user(a.user_id)],
            "id": UNPLACED,
        },
        _same_user,
    ),
    "muted_topics": LateList(
        lambda s, a, c: {"type": "muted_topics", "muted_topics": muted_topics(s, a, c), "id": UNPLACED},
        _same_user_and_client,
    ),
    "muted_users": LateList(
        lambda s, a, _: {"type": "muted_users", "muted_users": muted_user_objects(s, a), "id": UNPLACED},
        _same_user,
    ),
    "onboarding_steps": LateList(
        lambda s, a, _: {
            "type": "onboarding_steps",
            "onboarding_steps": step_objects(s, s.users.get(a.user_id)),
            "id": UNPLACED,
        },
        _same_user,
    ),
    "realm_emoji": LateList(
        lambda s, a, _: {
            "type": "realm_emoji",
            "op": "update",
            "realm_emoji": msgspec.to_builtins(custom_emoji_shapes(s)),
            "id": UNPLACED,
        },
        _same_for_all,
    ),
    "custom_profile_fields": LateList(
        lambda s, a, _: {"type": "custom_profile_fields", "fields": field_objects(s), "id": UNPLACED},
        _same_for_all,
    ),
    "realm_linkifiers": LateList(
        lambda s, a, _: {
            "type": "realm_linkifiers",
            "realm_linkifiers": linkifier_objects(s),
            "id": UNPLACED,
        },
        _same_for_all,
    ),
    "realm_playgrounds": LateList(
        lambda s, a, _: {
            "type": "realm_playgrounds",
            "realm_playgrounds": playground_objects(s),
            "id": UNPLACED,
        },
        _same_for_all,
    ),
    "default_stream_groups": LateList(
        lambda s, a, _: {
            "type": "default_stream_groups",
            "default_stream_groups": default_group_objects(s, for_guest=a.is_guest),
            "id": UNPLACED,
        },
        lambda a, _: a.is_guest,
    ),
    "default_streams": LateList(
        lambda s, a, _: {
            "type": "default_streams",
            "default_streams": [] if a.is_guest else [*s.organization.get().default_channel_ids],
            "id": UNPLACED,
        },
        lambda a, _: a.is_guest,
    ),
}
"""Readers by event type."""


class LateFields:
    """Late fields of some events, for one listener after another; lists that several listeners share are read
    once.
    """

    def __init__(self, snapshot: Snapshot, events: Iterable[EventToSend]) -> None:
        self._snapshot = snapshot
        self._types: defaultdict[UserId | None, set[str]] = defaultdict(set)
        self._files: defaultdict[UserId, set[AttachmentId]] = defaultdict(set)
        self._lists: dict[tuple[str, Hashable], WholeList] = {}
        for logged in events:
            to = logged.audience.user_ids if isinstance(logged.audience, Users) else (None,)
            for user_id in to:
                if isinstance(logged.event, happened.ListChanged):
                    self._types[user_id].add(logged.event.type)
                elif isinstance(logged.event, happened.FilesChanged) and user_id is not None:
                    self._files[user_id].update(file.id for file in logged.event.files)

    def to(self, actor: Actor, registration: Registration) -> LateData:
        if not self._types and not self._files:
            return NOTHING_LATE
        types = filter(registration.wants, {*self._types[None], *self._types[actor.user_id]})
        client = registration.capabilities
        lists = {event_type: self._whole_list(event_type, actor, client) for event_type in types}
        wanted = self._files[actor.user_id] if registration.wants(happened.FilesChanged.type) else ()
        if not wanted:
            return LateData(lists)
        return LateData(lists, newest_links(self._snapshot, actor, wanted))

    def _whole_list(self, event_type: str, actor: Actor, client: Capabilities) -> WholeList:
        """Return the list of this type for the client; made once for all who receive the same one."""
        late_list = LATE_LISTS[event_type]
        key = (event_type, late_list.same_for(actor, client))
        if key not in self._lists:
            self._lists[key] = WholeList(late_list.payload(self._snapshot, actor, client))
        return self._lists[key]
