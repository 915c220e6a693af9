"""Changing a message: its text here, its topic or channel by `moving`."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec

from chatcore.application import units
from chatcore.application.delivery import file_links
from chatcore.application.delivery.arrival_flags import flags_of_text
from chatcore.application.delivery.card_fetching import want_cards
from chatcore.application.delivery.mentions import require_may_mention
from chatcore.application.delivery.rendering import RenderedText, render_text, with_current_images
from chatcore.application.messages import moving
from chatcore.application.messages.access import ReadableMessage, changeable_message, require_can_post_in
from chatcore.application.messages.edit_history import note_edit
from chatcore.application.messages.sending import require_may_write_to
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, unit_of_work
from chatcore.application.visibility.message_audiences import audiences_of
from chatcore.domain.choices import require_one_of
from chatcore.domain.errors import BadRequest, nothing_to_change
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import MessageId, UserId
from chatcore.domain.messages.editing import (
    content_for_editing,
    require_expected_content,
    require_may_edit_content,
)
from chatcore.domain.messages.flags import OF_TEXT, Flag
from chatcore.domain.messages.messages import Edit, Message
from chatcore.domain.messages.moving import CHANGE_ONE, PROPAGATE_MODES
from chatcore.domain.narrow.words import content_words
from chatcore.domain.organization.audit import AuditKind
from chatcore.events.happened import MessageEdited
from chatcore.events.payloads.uploads import AttachmentObject


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageChange:
    """The requested changes of a message; None leaves a part unchanged."""

    content: str | None = None
    topic: str | None = None
    channel_id: int | None = None
    propagate_mode: str = CHANGE_ONE
    """Selection of the messages of the topic that move with this one."""
    notify_old_topic: bool = False
    notify_new_topic: bool = True
    prev_content_sha256: str | None = None
    """Digest of the text that the client has seen; a different current text is not replaced."""

    @property
    def moves(self) -> bool:
        return self.topic is not None or self.channel_id is not None


def update_message(
    svc: Services, actor: Actor, message_id: int, change: MessageChange
) -> Sequence[AttachmentObject]:
    """Change a message, and return the author's files that no message links to any more.

    Setting the same text again is no change.

    :raises BadRequest: nothing to change, no such message, or no permission (any more)
    :raises InvalidParameter: unknown propagate_mode
    :raises ExpectationMismatch: the text is not the one that the client has seen
    :raises ChannelWildcardNotAllowed, TopicWildcardNotAllowed: a mention of too many people, without
        permission
    :raises MoveTimeLimitExceeded: a part of the topic is too old to be moved
    :raises MustBeKept: a hold is on the message, and an earlier version of it would be lost; or on the
        channel that it would leave
    """
    if change.content is not None and change.channel_id is not None:
        raise BadRequest("Cannot change message content while changing channel")
    require_one_of("propagate_mode", change.propagate_mode, PROPAGATE_MODES)
    if change.propagate_mode != CHANGE_ONE and not change.moves:
        raise BadRequest("Invalid propagate_mode without topic edit")
    text = None
    if change.content is not None:
        text = _render(svc, actor, message_id, content_for_editing(change.content, svc.limits))
    detached_files = _store_edit(svc, actor, message_id, change, text)
    if text is not None:
        want_cards(svc, MessageId(message_id), actor, text)
    return detached_files


def _render(svc: Services, actor: Actor, message_id: int, content: str) -> RenderedText:
    """Render the new text of a message. It shows no files that the message names without a link to them."""
    text = render_text(svc, actor, content)
    path_ids = frozenset(text.effects.attachments)
    hidden = units.read(svc, _find_hidden_files, MessageId(message_id), path_ids) if path_ids else frozenset()
    return render_text(svc, actor, content, files=path_ids - hidden) if hidden else text


def _find_hidden_files(view: View, message_id: MessageId, path_ids: frozenset[str]) -> frozenset[str]:
    """Return those of the files that the message names without a link to them; none if it does not exist."""
    message = view.snapshot.messages.find(message_id)
    if message is None:
        return frozenset()
    return file_links.named_without_link(view.snapshot, message, path_ids)


@unit_of_work
def _store_edit(
    unit: Unit, me: Actor, message_id: int, change: MessageChange, text: RenderedText | None
) -> Sequence[AttachmentObject]:
    """Check all changes of a message, then store and announce them."""
    tx = unit.tx
    readable = changeable_message(tx, me, message_id)
    message = readable.message
    plan = None
    if change.moves:
        plan = moving.plan_move(
            unit, readable, me, change.topic, change.channel_id, propagate_mode=change.propagate_mode
        )
    if text is None and plan is None:
        raise nothing_to_change()
    require_expected_content(message.content, change.prev_content_sha256)
    if text is not None:
        require_may_edit(unit, me, readable)
        require_may_mention(unit, me, text.effects, readable.channel, message.topic)
        is_changed = text.content != message.content
        text = with_current_images(unit, text, message.sender_id) if is_changed else None
    if text is None and plan is None:
        return ()
    event = MessageEdited(
        user_id=me.user_id,
        edit_timestamp=unit.now,
        message_id=message.id,
        message_ids=(message.id,),
        channel_id=message.channel_id,
        channel_name="" if readable.channel is None else readable.channel.name,
    )
    edit = Edit(user_id=me.user_id, timestamp=unit.now)
    detached_files: Sequence[AttachmentObject] = ()
    if text is not None:
        edit = replace(edit, prev_content=message.content, prev_rendered_content=message.rendered_content)
        event = msgspec.structs.replace(
            event,
            orig_content=message.content,
            orig_rendered_content=message.rendered_content,
            content=text.content,
            rendered_content=text.html,
            is_me_message=message._replace(content=text.content).is_me_message,
        )
        message, detached_files = _store_text(unit, message, text)
    if plan is not None:
        moving.carry_out(unit, plan, edit, event)
        if message.sender_id != me.user_id or len(plan.messages) > 1:
            before = {"channel_id": plan.move.source.id, "message_count": len(plan.messages)}
            after = {"channel_id": plan.move.target.id}
            unit.record(AuditKind.MESSAGES_MOVED, message.id, before=before, after=after)
        moving.notify_topics(
            unit, plan, me, old_topic=change.notify_old_topic, new_topic=change.notify_new_topic
        )
    else:
        note_edit(unit, message.id, edit)
        for _, audience in audiences_of(tx, readable.channel, [message]):
            tx.announce(event, audience)
    return detached_files


def require_may_edit(view: View, actor: Actor, readable: ReadableMessage) -> None:
    """Check the rules of editing a message, and that the actor may still send messages to its place.

    :raises BadRequest: the time to edit is over, or the actor may not post there any more
    """
    message = readable.message
    require_may_edit_content(message, actor, view.snapshot.organization.get(), view.now)
    if message.conversation is not None:
        people = view.snapshot.users.by_ids(message.conversation.user_ids)
        require_may_write_to(view, actor, list(people.values()), message.conversation)
    elif readable.channel is not None:
        require_can_post_in(view.snapshot, actor, readable.channel)


def _store_text(
    unit: Unit, message: Message, text: RenderedText
) -> tuple[Message, Sequence[AttachmentObject]]:
    """Replace the text of a message, with the consequences for its readers; return the changed message, and
    the files to which it had links and has none any more.
    """
    tx = unit.tx
    detached_files = file_links.relink(
        unit, message.id, message.sender_id, text.content, text.effects.attachments, message
    )
    edited = message._replace(
        content=text.content,
        rendered_content=text.html,
        has_link=text.effects.has_link,
        has_image=text.effects.has_image,
        has_attachment=bool(tx.attachments.of_messages([message.id])),
        channel_wildcard=text.effects.channel_wildcard,
        last_edit_timestamp=unit.now,
    )
    tx.edits.change_content(edited, content_words(edited.rendered_content))
    tx.flags.on_edit(edited, _flags_of_readers(unit, edited, text))
    return edited, detached_files


def _flags_of_readers(view: View, message: Message, text: RenderedText) -> dict[UserId, Flag]:
    """Return the flags of the users whom the new text mentions, among those who have the message in their
    history: an edit adds it to nobody's.
    """
    flags = flags_of_text(view, text, message.recipient, message.sender_id)
    readers = view.snapshot.flags.of_readers(message, flags.keys()) if flags else {}
    return {user_id: theirs & OF_TEXT for user_id, theirs in flags.items() if user_id in readers}
