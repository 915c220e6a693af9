"""Changing the HTML of sent messages, when more is known of what they link to than when they were sent."""

from collections.abc import Callable, Iterable
from typing import Final

from chatcore.application import units
from chatcore.application.delivery.rendering import RenderedText, render_text
from chatcore.application.services import Services
from chatcore.application.units import Unit, View
from chatcore.application.visibility.message_audiences import audiences_of
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import AttachmentId, MessageId
from chatcore.domain.messages.messages import Message
from chatcore.domain.narrow.words import content_words
from chatcore.events.happened import MessageRendered
from chatcore.storage import Snapshot

BATCH: Final = 100
"""Messages changed in one unit of work."""


def render_again(svc: Services, author: Actor, message: Message) -> RenderedText:
    """Render the text of a stored message again.

    Times without a date stay on the day on which the text was written. Only files that the message is linked
    to already are shown: if others wrote a part of the text, it must not give readers other files of the
    author.
    """
    return render_text(
        svc,
        author,
        message.content,
        files=units.read(svc, _find_linked_files, message.id),
        written=message.last_edit_timestamp or message.timestamp,
    )


def _find_linked_files(view: View, message_id: MessageId) -> frozenset[str]:
    return frozenset(file.path_id for file in view.snapshot.attachments.of_messages([message_id]))


def change_html(
    unit: Unit,
    messages: Iterable[Message],
    new_html: Callable[[Message], str],
) -> None:
    """Change the HTML of messages, findable by the words of the new one; notify their readers."""
    change_texts(unit, messages, lambda message: message._replace(rendered_content=new_html(message)))


def change_texts(unit: Unit, messages: Iterable[Message], new: Callable[[Message], Message]) -> None:
    """Change the HTML of messages, and their text where that says the same; otherwise as `change_html`."""
    for message in messages:
        changed = new(message)
        if changed == message:
            continue
        unit.tx.edits.change_content(changed, content_words(changed.rendered_content))
        event = MessageRendered(
            message_id=changed.id,
            content=changed.content,
            rendered_content=changed.rendered_content,
            edit_timestamp=unit.now,
        )
        channel = unit.tx.channels.find(message.channel_id) if message.channel_id is not None else None
        for _, audience in audiences_of(unit.tx, channel, [message]):
            unit.tx.announce(event, audience)


def messages_with(
    snapshot: Snapshot, file_id: AttachmentId, is_meant: Callable[[Message], bool]
) -> list[Message]:
    """Return the newest messages that link to a file and are meant: all of them, or one more than a batch."""
    links = snapshot.attachments.links([file_id]).get(file_id, ())
    ids = [link.message_id for link in reversed(links)]
    messages: list[Message] = []
    for start in range(0, len(ids), BATCH):
        read = snapshot.messages.by_ids(ids[start : start + BATCH])
        messages += [message for message in read if is_meant(message)]
        if len(messages) > BATCH:
            break
    return messages[: BATCH + 1]
