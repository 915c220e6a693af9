"""Endpoints that edit and move messages, and return their history."""

from functools import partial
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

from chatcore.application.arguments import SeenContent, about
from chatcore.application.messages import edit_history, editing
from chatcore.application.services import Services
from chatcore.domain.messages.editing import Version
from chatcore.events.payloads.messages import EditShape, MessageOptions, edit_shape
from chatcore.events.payloads.uploads import AttachmentObject
from chatcore.http.parameters.declaring import Params, Text, also
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Answer
from chatcore.markup import html_diffs
from chatcore.runtime.work import Work


class UpdateParams(Params, kw_only=True, frozen=True):
    message_id: Annotated[int, about("The message's id.")]
    topic: Annotated[Text | None, also("subject"), about("The topic to move it to.")] = None
    propagate_mode: Annotated[
        Literal["change_one", "change_later", "change_all"],
        about("The messages that move: only this one, also those after it in the topic, or the whole topic."),
    ] = "change_one"
    send_notification_to_old_thread: Annotated[
        bool, about("Send a notice about the move to the old topic.")
    ] = False
    send_notification_to_new_thread: Annotated[
        bool, about("Send a notice about the move to the new topic.")
    ] = True
    content: Annotated[Text | None, about("The new text, in Markdown.")] = None
    prev_content_sha256: SeenContent = None
    stream_id: Annotated[int | None, about("The channel to move it to.")] = None


class EditMessageAnswer(Answer, frozen=True, kw_only=True):
    detached_uploads: list[AttachmentObject]


def update(svc: Services, caller: Caller, p: UpdateParams) -> EditMessageAnswer:
    """Edit a message, or move it to another topic or channel."""
    change = editing.MessageChange(
        content=p.content,
        topic=p.topic,
        channel_id=p.stream_id,
        propagate_mode=p.propagate_mode,
        notify_old_topic=p.send_notification_to_old_thread,
        notify_new_topic=p.send_notification_to_new_thread,
        prev_content_sha256=p.prev_content_sha256,
    )
    return EditMessageAnswer(
        detached_uploads=list(editing.update_message(svc, caller.actor, p.message_id, change))
    )


class HistoryParams(Params, kw_only=True, frozen=True):
    message_id: Annotated[int, about("The message's id.")]
    allow_empty_topic_name: Annotated[
        bool, about("Return the empty topic as '', not by its display name.")
    ] = False


class VersionShape(EditShape, frozen=True, kw_only=True):
    """A message in the version after an edit, with the changes of that edit."""

    content: str
    rendered_content: str
    topic: str
    content_html_diff: str | UnsetType = UNSET


class HistoryAnswer(Answer, frozen=True, kw_only=True):
    message_history: list[VersionShape]


def history(svc: Services, caller: Caller, p: HistoryParams) -> HistoryAnswer:
    """Get the versions of a message, oldest first."""
    versions = edit_history.edit_history(svc, caller.actor, p.message_id)
    options = MessageOptions(
        media=svc.settings.foreign_media,
        empty_topic_name=None if p.allow_empty_topic_name else versions.empty_topic_name,
    )
    shapes = svc.run_blocking(partial(_version_shapes, versions, options), Work.TEXTS)
    return HistoryAnswer(message_history=shapes)


def _version_shapes(edited: edit_history.History, options: MessageOptions) -> list[VersionShape]:
    """Return the versions; each that changed the content has the differences from the one before, in HTML."""
    edits = [version for version in edited.versions if version.prev_rendered_content is not None]
    shown = options.media.shown
    pairs = [(shown(edit.prev_rendered_content or ""), shown(edit.rendered_content)) for edit in edits]
    diffs = iter(html_diffs(pairs))  # one for each edit
    return [
        _version_shape(version, options, UNSET if version.prev_rendered_content is None else next(diffs))
        for version in edited.versions
    ]


def _version_shape(version: Version, options: MessageOptions, diff: str | UnsetType) -> VersionShape:
    changes = {} if version.edit is None else msgspec.structs.asdict(edit_shape(version.edit, options))
    return VersionShape(
        **{
            **changes,  # those of the version replace equal names
            "content": version.content,
            "rendered_content": options.media.shown(version.rendered_content),
            "content_html_diff": diff,
            "topic": options.show_topic(version.topic),
            "user_id": version.user_id,
            "timestamp": version.timestamp,
        }
    )
