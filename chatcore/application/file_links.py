"""The messages that link to uploaded files: who may read the files by them, and what their owners see."""

from collections.abc import Collection, Mapping, Sequence

from chatcore.application.gather import reader_of, with_flags
from chatcore.domain.access import may_read
from chatcore.domain.groups import Actor
from chatcore.domain.ids import AttachmentId
from chatcore.domain.uploads import Attachment, Linking
from chatcore.storage import Snapshot

BATCH = 1000
"""Messages that are looked at together."""
MESSAGES_TOLD = 25
"""Messages that link to a file, the newest ones, of which its owner is told."""


def readable_files(
    snapshot: Snapshot, actor: Actor | None, attachments: Sequence[Attachment]
) -> list[Attachment]:
    """Those of the files that the actor may read."""
    readable = {a.id for a in attachments if actor is not None and a.owner_id == actor.user_id}
    for newest in (MESSAGES_TOLD, None):  # mostly a few are enough
        links = snapshot.attachments.links([a.id for a in attachments if a.id not in readable], newest)
        readable |= readable_links(snapshot, actor, links).keys()
        # What is open to the web is also open to those who are logged in.
        rest = {file_id: linking for file_id, linking in links.items() if file_id not in readable}
        readable |= readable_links(snapshot, None, rest).keys()
    return [attachment for attachment in attachments if attachment.id in readable]


def readable_links(
    snapshot: Snapshot, actor: Actor | None, links: Mapping[AttachmentId, Sequence[Linking]]
) -> dict[AttachmentId, list[Linking]]:
    """Of the messages that link to files, those that the actor may read; files without any are left out."""
    if not links or (actor is None and not snapshot.organization.get().enable_spectator_access):
        return {}
    viewer = reader_of(snapshot, actor)
    message_ids = sorted({link.message_id for linking in links.values() for link in linking})
    readable = set()
    for start in range(0, len(message_ids), BATCH):
        messages = snapshot.messages.outlines(message_ids[start : start + BATCH])
        channels = snapshot.channels.by_ids({m.channel_id for m in messages if m.channel_id is not None})
        reader = with_flags(snapshot, viewer, messages)
        readable |= {message.id for message in messages if may_read(message, reader, channels)}
    kept = {
        attachment_id: [link for link in linking if link.message_id in readable]
        for attachment_id, linking in links.items()
    }
    return {attachment_id: linking for attachment_id, linking in kept.items() if linking}


def newest_links(
    snapshot: Snapshot, owner: Actor, attachment_ids: Collection[AttachmentId]
) -> Mapping[AttachmentId, Sequence[Linking]]:
    """The messages that an owner of files is told of; files without any are left out."""
    return readable_links(snapshot, owner, snapshot.attachments.links(attachment_ids, newest=MESSAGES_TOLD))
