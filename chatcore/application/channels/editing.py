"""Changing a channel: its name, description, visibility and permissions."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from msgspec import UNSET, UnsetType

from chatcore.application.channels import default_groups, defaults
from chatcore.application.channels.archiving import administered_channel, restore
from chatcore.application.channels.permission_words import changed_permission
from chatcore.application.delivery import notices
from chatcore.application.delivery.rendering import render_alone
from chatcore.application.services import Services
from chatcore.application.units import Unit, unit_of_work
from chatcore.application.visibility.bot_managers import channel_renamed
from chatcore.application.visibility.channel_changes import (
    announce_gained,
    announce_lost,
    announce_muted_topics,
    requires_archived,
)
from chatcore.application.visibility.group_changes import actors_who_see, users_who_see
from chatcore.application.visibility.group_settings import SettingChange, changed_value
from chatcore.domain.channels import editing as rules
from chatcore.domain.channels.channels import (
    CONTENT_GROUPS,
    METADATA_GROUPS,
    Channel,
    channel_description,
    channel_name,
    stream_post_policy,
)
from chatcore.domain.channels.folders import require_usable
from chatcore.domain.choices import Value, require_one_of
from chatcore.domain.errors import BadRequest, ChannelAlreadyExists
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.permissions import CHANNEL_PERMISSIONS
from chatcore.domain.organization.administration import require_administrator
from chatcore.domain.topics import TopicsPolicy, VisibilityPolicy
from chatcore.events.audience import channel_viewers
from chatcore.events.happened import ChannelUpdated
from chatcore.events.payloads.channels import ChannelConsequences
from chatcore.events.payloads.parts import SettingShape
from chatcore.storage import Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelChanges:
    """The requested changes of a channel; None leaves a property unchanged. `is_archived` can only restore
    the channel.
    """

    name: str | None = None
    description: str | None = None
    is_private: bool | None = None
    is_web_public: bool | None = None
    history_public_to_subscribers: bool | None = None
    is_default: bool | None = None
    is_archived: bool | None = None
    message_retention_days: int | UnsetType | None = UNSET
    topics_policy: str | None = None
    folder_id: int | UnsetType | None = UNSET
    permissions: Mapping[str, SettingChange] = field(default_factory=dict)

    @property
    def about_privacy(self) -> bool:
        given = (self.is_private, self.is_web_public, self.history_public_to_subscribers)
        return given != (None, None, None)


def update_channel(svc: Services, actor: Actor, channel_id: int, changes: ChannelChanges) -> None:
    """Change a channel: all requested changes, or none. Each changed property has its own event.

    :raises BadRequest: no such channel for the actor, no permission, or an invalid value
    :raises InvalidParameter: no such policy, permission or number of days
    :raises ChannelAlreadyExists: another channel has the name
    :raises InsufficientRole: the actor is not an administrator, and the change is about default channels
    :raises ExpectationMismatch: a permission does not have the old value that the client expects
    """
    if changes.is_archived:
        raise BadRequest("A channel is archived by deleting it.")
    if changes.topics_policy is not None:
        require_one_of("topics_policy", changes.topics_policy, TopicsPolicy.ALL)
    if changes.message_retention_days is not UNSET:
        rules.require_retention(changes.message_retention_days)
    for permission in changes.permissions:
        require_one_of("permissions", permission, CHANNEL_PERMISSIONS)
    description = rendered = None
    if changes.description is not None:
        description = channel_description(changes.description, svc.limits)
        rendered = render_alone(svc, [description])[description]
    _store_changes(svc, actor, channel_id, changes, description, rendered)


@unit_of_work
def _store_changes(
    unit: Unit,
    me: Actor,
    channel_id: int,
    changes: ChannelChanges,
    description: str | None,
    rendered: str | None,
) -> None:
    channel = administered_channel(unit.tx, me, channel_id)
    if changes.is_archived is False and channel.is_archived:
        channel = restore(unit, channel, me)
    editing = _Editing(unit, me, channel)
    if changes.name is not None:
        editing.rename(changes.name)
    if description is not None and rendered is not None:
        editing.describe(description, rendered)
    if changes.about_privacy:
        editing.open_or_close(changes)
    if changes.message_retention_days is not UNSET:
        editing.set_retention(changes.message_retention_days)
    if changes.topics_policy is not None:
        editing.set_topics_policy(changes.topics_policy)
    if changes.folder_id is not UNSET:
        editing.put_into_folder(changes.folder_id)
    for name in CHANNEL_PERMISSIONS:
        if name in changes.permissions:
            editing.permit(name, changes.permissions[name])
    editing.finish(is_default=changes.is_default)
    if changes.is_archived is False:
        _require_active_groups(unit.tx, editing.channel)


def _require_active_groups(tx: Transaction, channel: Channel) -> None:
    """Refuse an active channel that has deactivated groups in its permissions: these groups have to be
    reactivated before the channel is restored.
    """
    used = {group for name in CHANNEL_PERMISSIONS for group in channel.permission_value(name).groups}
    if gone := sorted(group.name for group in tx.groups.by_ids(used).values() if group.deactivated):
        raise BadRequest(f"This channel uses a deactivated group: {', '.join(gone)}")


class _Editing:
    """One request to change a channel, in its unit of work.

    It checks and collects changes one by one; `finish` stores and announces all of them.
    """

    def __init__(self, unit: Unit, actor: Actor, channel: Channel) -> None:
        self.unit, self.tx = unit, unit.tx
        self.actor = actor
        self.before = self.channel = channel
        self.organization = unit.tx.organization.get()
        self.subscribed = bool(unit.tx.subscriptions.subscribed_among(channel.id, [actor.user_id]))
        self.planned: list[ChannelUpdated] = []
        self.changes_in_words: list[str] = []
        """The changes as the notification bot reports them, after the author's name."""

    # -- single changes -----------------------------------------------------------------------------

    def rename(self, raw: str) -> None:
        old, name = self.channel.name, channel_name(raw, self.unit.limits)
        if name == old:
            raise BadRequest("Channel already has that name.")
        holder = self.tx.channels.find_by_name(name)
        if holder is not None and holder.id != self.channel.id:
            raise ChannelAlreadyExists(raw)
        self._change("name", name)
        self.changes_in_words.append(
            f"renamed this channel from {notices.as_code(old)} to {notices.as_code(name)}."
        )

    def describe(self, description: str, rendered: str) -> None:
        old = self.channel.description
        if description == old:
            return
        self._change("description", description, {"rendered_description": rendered})
        self.changes_in_words.append(
            f"changed the description of this channel.\n\n* **Old description:**\n{notices.quoted(old)}\n\n"
            f"* **New description:**\n{notices.quoted(description)}"
        )

    def open_or_close(self, changes: ChannelChanges) -> None:
        """Change who can see the channel and its history."""
        rules.require_may_open(self.before, self.actor, subscribed=self.subscribed)
        privacy = rules.changed_privacy(
            self.channel,
            is_private=changes.is_private,
            is_web_public=changes.is_web_public,
            history_public_to_subscribers=changes.history_public_to_subscribers,
        )
        if privacy == rules.privacy_of(self.channel):
            return
        if not rules.is_of_kind(self.channel, privacy):
            rules.require_may_make_kind(
                self.organization,
                self.actor,
                invite_only=privacy["invite_only"],
                is_web_public=privacy["is_web_public"],
            )
        if not privacy["invite_only"] and self.channel.id == self.organization.moderation_request_channel_id:
            raise BadRequest("The channel for moderation requests must be private.")
        old = rules.privacy_in_words(self.channel)
        self._change(
            "invite_only",
            privacy["invite_only"],
            {
                "is_web_public": privacy["is_web_public"],
                "history_public_to_subscribers": privacy["history_public_to_subscribers"],
            },
        )
        new = rules.privacy_in_words(self.channel)
        self.changes_in_words.append(f"changed who can see this channel from **{old}** to **{new}**.")

    def set_retention(self, days: int | None) -> None:
        rules.require_may_set_retention(self.actor)
        if days == self.channel.message_retention_days:
            return
        old = rules.described_retention(self.channel.message_retention_days)
        self._change("message_retention_days", days)
        new = rules.described_retention(days)
        self.changes_in_words.append(
            f"changed how long messages of this channel are kept from **{old}** to **{new}**."
        )

    def set_topics_policy(self, policy: str) -> None:
        old = self.channel.topics_policy
        if policy == old:
            return
        rules.require_may_set_topics_policy(self.organization, self.actor)
        if policy == TopicsPolicy.EMPTY_ONLY and any(
            name for name, _ in self.tx.messages.topics(self.channel.id, None)
        ):
            raise BadRequest("This channel has topics; move their messages to the empty topic first.")
        self._change("topics_policy", policy)
        before, after = (rules.DESCRIBED_POLICY[one] for one in (old, policy))
        self.changes_in_words.append(f"changed the topics of this channel from **{before}** to **{after}**.")

    def put_into_folder(self, folder_id: int | None) -> None:
        """Put the channel into a folder; None takes it out of its folder."""
        if folder_id == self.channel.folder_id:
            return
        if folder_id is not None:
            require_usable(self.tx.channel_folders.all(), folder_id)
        self._change("folder_id", folder_id)

    def permit(self, name: str, change: SettingChange) -> None:
        """Change a permission of the channel."""
        if name in CONTENT_GROUPS:
            rules.require_may_open(self.before, self.actor, subscribed=self.subscribed)
        old = self.channel.permission_value(name)
        value = changed_value(self.unit, CHANNEL_PERMISSIONS[name], old, change)
        if value is None:
            return
        rules.require_may_open_deleting(self.organization, self.actor, {name: value})
        post_policy = stream_post_policy(self.channel)
        self.channel = replace(self.channel, permissions={**self.channel.permissions, name: value})
        self._add_event(name, value.wire())
        if (now_policy := stream_post_policy(self.channel)) != post_policy:
            # Older clients read this property, which follows from the permission.
            self._add_event("stream_post_policy", now_policy)
            self._add_event("is_announcement_only", now_policy == 2)
        names_groups = not self.channel.is_web_public
        self.changes_in_words.append(
            changed_permission(self.tx, CHANNEL_PERMISSIONS[name], old, value, names_groups=names_groups)
        )

    def _change(self, name: str, value: Value, also: ChannelConsequences | None = None) -> None:
        self._add_event(name, value, also)
        fields: dict[str, Any] = {name: value, **(also or {})}
        self.channel = replace(self.channel, **fields)

    def _add_event(
        self, name: str, value: Value | SettingShape, also: ChannelConsequences | None = None
    ) -> None:
        self.planned.append(
            ChannelUpdated(
                channel_id=self.channel.id,
                name=self.channel.name,
                property=name,
                value=value,
                also=also or {},
                knows_archived=requires_archived(self.channel),
            )
        )

    # -- all of them together -----------------------------------------------------------------------

    def finish(self, *, is_default: bool | None) -> None:
        """Store all changes, announce them, and send the notices about them."""
        if is_default is not None:
            require_administrator(self.actor)
            if not is_default:
                defaults.exclude(self.tx, self.channel)
        if is_default or self.channel.id in defaults.default_ids(self.tx):
            defaults.include(self.tx, self.channel)
        if self.channel == self.before:
            return
        if self.channel.invite_only:
            default_groups.exclude(self.tx, self.channel)
        stored = {
            name: getattr(self.channel, name)
            for name in CHANGEABLE
            if getattr(self.channel, name) != getattr(self.before, name)
        }
        self.tx.channels.update(self.channel.id, **stored)
        self._announce_visibility()
        viewers = channel_viewers(self.channel)
        for event in self.planned:
            self.tx.announce(event, viewers)
        if self.channel.name != self.before.name:
            channel_renamed(self.unit, self.channel)
            # These users' lists of muted topics contain the channel's name.
            muters = self.tx.topic_policies.users_with([self.channel.id], VisibilityPolicy.MUTED)
            announce_muted_topics(self.tx, users_who_see(self.unit, self.channel, muters))
        actor = self.tx.users.get(self.actor.user_id)
        for notice in self.changes_in_words:
            notices.channel_changed(self.unit, self.channel, actor, notice)

    def _announce_visibility(self) -> None:
        """Announce changed visibility: new viewers receive `ChannelsCreated` before the property events;
        viewers who lose access receive `ChannelsDeleted` instead of them.
        """
        facts = ("invite_only", "is_web_public")
        same = all(getattr(self.before, name) == getattr(self.channel, name) for name in facts)
        if same and all(
            self.before.permission_value(name) == self.channel.permission_value(name)
            for name in METADATA_GROUPS
        ):
            return
        everybody = [user.id for user in self.tx.users.all() if user.is_active]
        actors = self.tx.users.actors(everybody, self.unit.now)
        saw, see = (actors_who_see(self.tx, channel, actors) for channel in (self.before, self.channel))
        announce_gained(self.unit, [self.channel], see - saw)
        announce_lost(self.unit, [self.channel], saw - see)


CHANGEABLE = (
    "name",
    "description",
    "rendered_description",
    "invite_only",
    "is_web_public",
    "history_public_to_subscribers",
    "message_retention_days",
    "topics_policy",
    "folder_id",
    "permissions",
)
"""The fields of a channel that users can change."""
