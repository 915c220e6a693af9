"""Changing a channel: its name, description, visibility and permissions."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeAlias, cast

from msgspec import UNSET, UnsetType

from chatcore.application.channels import default_groups, defaults
from chatcore.application.channels.archiving import administered_channel, restore
from chatcore.application.channels.permission_words import changed_permission
from chatcore.application.delivery import notices
from chatcore.application.delivery.rendering import render_alone
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, unit_of_work
from chatcore.application.visibility.bot_managers import rename_default_channel
from chatcore.application.visibility.channel_changes import (
    announce_muted_topics,
    announce_visible,
    requires_archived,
    withdraw_channels,
)
from chatcore.application.visibility.group_changes import actors_who_see, users_who_see
from chatcore.application.visibility.group_settings import SettingChange, changed_value
from chatcore.domain.channels import editing as rules
from chatcore.domain.channels.channels import (
    CONTENT_GROUPS,
    METADATA_GROUPS,
    Channel,
    checked_channel_name,
    checked_description,
    stream_post_policy,
)
from chatcore.domain.channels.folders import require_usable
from chatcore.domain.choices import Value, require_one_of
from chatcore.domain.errors import BadRequest, ChannelAlreadyExists
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.permissions import CHANNEL_PERMISSIONS
from chatcore.domain.organization.administration import require_administrator
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.organization.audit_values import difference
from chatcore.domain.organization.organization import Organization
from chatcore.domain.topics import TopicsPolicy, VisibilityPolicy
from chatcore.events.audience import channel_viewers
from chatcore.events.happened import ChannelUpdated
from chatcore.events.payloads.channels import ChannelConsequences
from chatcore.events.payloads.parts import SettingShape
from chatcore.storage import Snapshot


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
    rendered = ""
    if changes.description is not None:
        text = checked_description(changes.description, svc.limits)
        changes = replace(changes, description=text)
        rendered = render_alone(svc, [text])[text]
    _store_changes(svc, actor, channel_id, changes, rendered)


@unit_of_work
def _store_changes(unit: Unit, me: Actor, channel_id: int, changes: ChannelChanges, rendered: str) -> None:
    """Make all changes, each on the channel as those before it leave it, then store and announce them.
    *rendered* is the HTML of a new description.
    """
    before = administered_channel(unit.tx, me, channel_id)
    if changes.is_archived is False and before.is_archived:
        before = restore(unit, before, me)
    editor = _Editor(
        view=unit,
        actor=me,
        before=before,
        organization=unit.tx.organization.get(),
        subscribed=bool(unit.tx.subscriptions.subscribed_among(before.id, [me.user_id])),
    )
    channel = before
    made: list[_Change] = []
    for make in _requested_changes(changes, rendered):
        change = make(editor, channel)
        if change is not None:
            channel = replace(channel, **change.fields)
            made.append(change)
    if changes.is_archived is False:
        _require_active_groups(unit.tx, channel)
    _set_default(unit, me, channel, is_default=changes.is_default)
    if channel != before:
        _store_and_announce(unit, me, before, channel, made)


def _require_active_groups(snapshot: Snapshot, channel: Channel) -> None:
    """Refuse to restore a channel with a deactivated group in a permission: such a group has to be
    reactivated before, or replaced in the same request.

    :raises BadRequest: a permission has such a group
    """
    used = {group_id for name in CHANNEL_PERMISSIONS for group_id in channel.permission_value(name).groups}
    groups = snapshot.groups.by_ids(used).values()
    deactivated = sorted(group.name for group in groups if group.deactivated)
    if deactivated:
        raise BadRequest(f"This channel uses a deactivated group: {', '.join(deactivated)}")


# -- single changes ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Editor:
    """The actor who changes a channel, with the facts that the rules about it need."""

    view: View
    actor: Actor
    before: Channel
    """The channel before all changes of the request."""
    organization: Organization
    subscribed: bool


@dataclass(frozen=True, slots=True)
class _Change:
    """One change of a channel."""

    fields: Mapping[str, Any]
    events: Sequence[ChannelUpdated]
    notice: str = ""
    """The change as the notification bot reports it, after the author's name; empty if it does not."""


_MakeChange: TypeAlias = Callable[[_Editor, Channel], _Change | None]
"""Checks one change of the channel as it is by now; None if it stays so."""


def _requested_changes(changes: ChannelChanges, rendered: str) -> Iterator[_MakeChange]:
    if changes.name is not None:
        yield partial(_rename_channel, raw=changes.name)
    if changes.description is not None:
        yield partial(_change_description, description=changes.description, rendered=rendered)
    if changes.about_privacy:
        yield partial(_open_or_close, changes=changes)
    if changes.message_retention_days is not UNSET:
        yield partial(_set_retention, days=changes.message_retention_days)
    if changes.topics_policy is not None:
        yield partial(_set_topics_policy, policy=changes.topics_policy)
    if changes.folder_id is not UNSET:
        yield partial(_put_into_folder, folder_id=changes.folder_id)
    for name in CHANNEL_PERMISSIONS:
        if name in changes.permissions:
            yield partial(_change_permission, name=name, change=changes.permissions[name])


def _as_one_event(channel: Channel, fields: Mapping[str, Any], notice: str = "") -> _Change:
    """Return the change of some fields, announced by one event about the first, which carries the rest."""
    (name, value), *others = fields.items()
    event = _update_event(channel, name, value, cast(ChannelConsequences, dict(others)))
    return _Change(fields, [event], notice)


def _update_event(
    channel: Channel, name: str, value: Value | SettingShape, also: ChannelConsequences | None = None
) -> ChannelUpdated:
    return ChannelUpdated(
        channel_id=channel.id,
        name=channel.name,
        property=name,
        value=value,
        also=also or {},
        knows_archived=requires_archived(channel),
    )


def _rename_channel(editor: _Editor, channel: Channel, *, raw: str) -> _Change:
    old = channel.name
    name = checked_channel_name(raw, editor.view.limits)
    if name == old:
        raise BadRequest("Channel already has that name.")
    holder = editor.view.snapshot.channels.find_by_name(name)
    if holder is not None and holder.id != channel.id:
        raise ChannelAlreadyExists(raw)
    notice = f"renamed this channel from {notices.as_code(old)} to {notices.as_code(name)}."
    return _as_one_event(channel, {"name": name}, notice)


def _change_description(
    editor: _Editor, channel: Channel, *, description: str, rendered: str
) -> _Change | None:
    old = channel.description
    if description == old:
        return None
    notice = (
        f"changed the description of this channel.\n\n* **Old description:**\n{notices.quote(old)}\n\n"
        f"* **New description:**\n{notices.quote(description)}"
    )
    return _as_one_event(channel, {"description": description, "rendered_description": rendered}, notice)


def _open_or_close(editor: _Editor, channel: Channel, *, changes: ChannelChanges) -> _Change | None:
    """Change who can see the channel and its history."""
    rules.require_may_share_access(editor.before, editor.actor, subscribed=editor.subscribed)
    privacy = rules.changed_privacy(
        channel,
        is_private=changes.is_private,
        is_web_public=changes.is_web_public,
        history_public_to_subscribers=changes.history_public_to_subscribers,
    )
    if privacy == rules.privacy_of(channel):
        return None
    if not rules.is_of_kind(channel, privacy):
        rules.require_may_make_kind(
            editor.organization,
            editor.actor,
            invite_only=privacy["invite_only"],
            is_web_public=privacy["is_web_public"],
        )
    if not privacy["invite_only"] and channel.id == editor.organization.moderation_request_channel_id:
        raise BadRequest("The channel for moderation requests must be private.")
    old = rules.privacy_in_words(channel)
    new = rules.privacy_in_words(replace(channel, **privacy))
    notice = f"changed who can see this channel from **{old}** to **{new}**."
    return _as_one_event(channel, privacy, notice)


def _set_retention(editor: _Editor, channel: Channel, *, days: int | None) -> _Change | None:
    rules.require_may_set_retention(editor.actor)
    if days == channel.message_retention_days:
        return None
    old = rules.retention_in_words(channel.message_retention_days)
    new = rules.retention_in_words(days)
    notice = f"changed how long messages of this channel are kept from **{old}** to **{new}**."
    return _as_one_event(channel, {"message_retention_days": days}, notice)


def _set_topics_policy(editor: _Editor, channel: Channel, *, policy: str) -> _Change | None:
    if policy == channel.topics_policy:
        return None
    rules.require_may_set_topics_policy(editor.organization, editor.actor)
    if policy == TopicsPolicy.EMPTY_ONLY:
        topics = editor.view.snapshot.messages.topics(channel.id, None)
        if any(name for name, _ in topics):
            raise BadRequest("This channel has topics; move their messages to the empty topic first.")
    old = rules.TOPICS_POLICY_IN_WORDS[channel.topics_policy]
    new = rules.TOPICS_POLICY_IN_WORDS[policy]
    notice = f"changed the topics of this channel from **{old}** to **{new}**."
    return _as_one_event(channel, {"topics_policy": policy}, notice)


def _put_into_folder(editor: _Editor, channel: Channel, *, folder_id: int | None) -> _Change | None:
    """Put the channel into a folder; None takes it out of its folder."""
    if folder_id == channel.folder_id:
        return None
    if folder_id is not None:
        require_usable(editor.view.snapshot.channel_folders.all(), folder_id)
    return _as_one_event(channel, {"folder_id": folder_id})


def _change_permission(
    editor: _Editor, channel: Channel, *, name: str, change: SettingChange
) -> _Change | None:
    if name in CONTENT_GROUPS:
        rules.require_may_share_access(editor.before, editor.actor, subscribed=editor.subscribed)
    permission = CHANNEL_PERMISSIONS[name]
    old = channel.permission_value(name)
    value = changed_value(editor.view, permission, old, change)
    if value is None:
        return None
    rules.require_may_share_deleting(editor.organization, editor.actor, {name: value})
    permissions = {**channel.permissions, name: value}
    events = [_update_event(channel, name, value.as_sent())]
    post_policy = stream_post_policy(replace(channel, permissions=permissions))
    if post_policy != stream_post_policy(channel):
        # Older clients read these properties, which follow from the permission.
        events.append(_update_event(channel, "stream_post_policy", post_policy))
        events.append(_update_event(channel, "is_announcement_only", post_policy == 2))
    notice = changed_permission(
        editor.view.snapshot, permission, old, value, names_groups=not channel.is_web_public
    )
    return _Change({"permissions": permissions}, events, notice)


# -- all of them together ---------------------------------------------------------------------------


def _set_default(unit: Unit, actor: Actor, channel: Channel, *, is_default: bool | None) -> None:
    """Add the channel to the default channels, or remove it; None changes nothing.

    :raises InsufficientRole: the actor is not an administrator
    :raises BadRequest: a default channel that is private or archived
    """
    if is_default is not None:
        require_administrator(actor)
        if not is_default:
            defaults.exclude(unit, channel)
    # Also one that is a default channel already: another change of the request may have made it private.
    if is_default or channel.id in defaults.default_ids(unit.tx):
        defaults.include(unit, channel)


def _store_and_announce(
    unit: Unit, actor: Actor, before: Channel, channel: Channel, made: Sequence[_Change]
) -> None:
    """Store changes, announce them, and send the notices about them."""
    tx = unit.tx
    if channel.invite_only:
        default_groups.exclude(unit, channel)
    fields = {name: value for change in made for name, value in change.fields.items()}
    differing = {name: value for name, value in fields.items() if value != getattr(before, name)}
    tx.channels.update(channel.id, **differing)
    old, new = difference(before, channel, without={"rendered_description"}, absent=before.permission_value)
    unit.record(AuditKind.CHANNEL_CHANGED, channel.id, before=old, after=new)
    _announce_visibility(unit, before, channel)
    viewers = channel_viewers(channel)
    for change in made:
        for event in change.events:
            tx.announce(event, viewers)
    if channel.name != before.name:
        rename_default_channel(unit, channel)
        # These users' lists of muted topics contain the channel's name.
        muters = tx.topic_policies.users_with([channel.id], VisibilityPolicy.MUTED)
        announce_muted_topics(tx, users_who_see(unit, channel, muters))
    author = tx.users.get(actor.user_id)
    for change in made:
        if change.notice:
            notices.tell_of_change(unit, channel, author, change.notice)


def _announce_visibility(unit: Unit, before: Channel, channel: Channel) -> None:
    """Announce changed visibility; *before* is the channel as it was. New viewers receive `ChannelsCreated`
    before the events about properties. Viewers who lose access receive `ChannelsDeleted` instead; for bots
    among them, messages that mentioned them become read.
    """
    if _facts_of_visibility(before) == _facts_of_visibility(channel):
        return
    everybody = [user.id for user in unit.tx.users.all() if user.is_active]
    actors = unit.tx.users.actors(everybody, unit.now)
    old_viewers = actors_who_see(unit.tx, before, actors)
    new_viewers = actors_who_see(unit.tx, channel, actors)
    announce_visible(unit, [channel], new_viewers - old_viewers)
    withdraw_channels(unit, [channel], old_viewers - new_viewers)


def _facts_of_visibility(channel: Channel) -> Sequence[object]:
    """Return what decides who can see a channel."""
    permissions = [channel.permission_value(name) for name in METADATA_GROUPS]
    return [channel.invite_only, channel.is_web_public, *permissions]
