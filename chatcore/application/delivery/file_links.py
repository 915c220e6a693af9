"""Links from messages to uploaded files: the access that they give, and events for owners of the files."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from urllib.parse import unquote

from chatcore.application.units import Unit, View
from chatcore.application.visibility.viewers import viewer_without_channels, with_flags
from chatcore.domain.errors import BadRequest
from chatcore.domain.files.uploads import Attachment, Linking, plain_path_ids
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import AttachmentId, MessageId, UserId
from chatcore.domain.messages.access import may_read
from chatcore.domain.messages.messages import Message
from chatcore.events.audience import Users
from chatcore.events.happened import FilesChanged
from chatcore.events.happened.files import FilesOp
from chatcore.events.payloads.uploads import AttachmentObject, attachment_object
from chatcore.storage import Snapshot, Transaction

BATCH = 1000
"""Number of messages examined together."""
MESSAGES_NAMED = 25
"""Maximum number of linking messages, the newest ones, that a file's owner receives."""


def readable_files(
    snapshot: Snapshot, actor: Actor | None, attachments: Sequence[Attachment]
) -> list[Attachment]:
    """Return those of the files that the actor may read."""
    readable = {a.id for a in attachments if actor is not None and a.owner_id == actor.user_id}
    for newest in (MESSAGES_NAMED, None):  # usually the newest few suffice
        links = snapshot.attachments.links([a.id for a in attachments if a.id not in readable], newest)
        readable |= readable_links(snapshot, actor, links).keys()
        # Files that are open to the web are also open to users who are logged in.
        rest = {file_id: linking for file_id, linking in links.items() if file_id not in readable}
        readable |= readable_links(snapshot, None, rest).keys()
    return [attachment for attachment in attachments if attachment.id in readable]


def readable_links(
    snapshot: Snapshot, actor: Actor | None, links: Mapping[AttachmentId, Sequence[Linking]]
) -> dict[AttachmentId, list[Linking]]:
    """Return those linking messages that the actor may read, by file; files without any are left out."""
    if not links or (actor is None and not snapshot.organization.get().enable_spectator_access):
        return {}
    viewer = viewer_without_channels(snapshot, actor)
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
    """Return the linking messages that an owner of files receives; files without any are left out."""
    return readable_links(snapshot, owner, snapshot.attachments.links(attachment_ids, newest=MESSAGES_NAMED))


def permitted_path_ids(path_ids: frozenset[str], files: frozenset[str] | None) -> frozenset[str]:
    """Return those path ids that are among *files*; all of them if it is None."""
    return path_ids if files is None else files & path_ids


def linkable(
    view: View,
    author_id: UserId,
    content: str,
    path_ids: Collection[str],
    files: frozenset[str] | None = None,
) -> Sequence[Attachment]:
    """Return the files that a text names and its author may read: a link gives no access to others.

    *path_ids* are those of its links; *files*, if given, are the only ones that it may name.

    :raises BadRequest: more files than one message may link to
    """
    written = plain_path_ids(content).union(path_ids)
    decoded = map(unquote, written)  # they may come from an address, percent-encoded
    named = permitted_path_ids(written.union(decoded), files)
    attachments = view.snapshot.attachments.by_path_ids(named) if named else ()
    if len(attachments) > view.limits.max_files_per_message:
        raise BadRequest(f"A message can link to {view.limits.max_files_per_message} files at most.")
    if not attachments:
        return ()
    author = view.snapshot.users.actors([author_id], view.now).get(author_id)
    return () if author is None else readable_files(view.snapshot, author, attachments)


def link(tx: Transaction, message_id: MessageId, attachments: Sequence[Attachment]) -> None:
    """Link a new message to these files, and notify their owners."""
    if attachments:
        tx.attachments.link([attachment.id for attachment in attachments], message_id)
        announce_files(tx, "update", attachments)


def relink(
    unit: Unit,
    message_id: MessageId,
    author_id: UserId,
    content: str,
    path_ids: Collection[str],
    old: Message,
) -> Sequence[AttachmentObject]:
    """Update the links of an edited message with this text; return the author's files that no message links
    to any more.

    The author can read the files to which the message linked before, so these stay linked if the text still
    names them. Files that the *old* message named without a link get none: others may have written that part.
    A message that is held stays linked to all files that it had.
    """
    before = {attachment.id: attachment for attachment in unit.tx.attachments.of_messages([message_id])}
    after = {
        attachment.id: attachment
        for attachment in linkable(unit, author_id, content, path_ids)
        if attachment.id in before or not _names(old, attachment.path_id)
    }
    link(unit.tx, message_id, [a for a in after.values() if a.id not in before])
    gone = [a for a in before.values() if a.id not in after]
    if not gone or unit.tx.holds.present().have_message(old):
        return ()
    unit.tx.attachments.unlink([message_id], unit.now, keep=after.keys())
    announce_files(unit.tx, "update", gone)
    linked = unit.tx.attachments.links([a.id for a in gone], newest=1)
    return [attachment_object(a, ()) for a in gone if a.owner_id == author_id and a.id not in linked]


def named_without_link(snapshot: Snapshot, old: Message, path_ids: Collection[str]) -> frozenset[str]:
    """Return those path ids that a message names without being linked to them: an edit shows nothing of
    these, as `relink` gives no link.
    """
    linked = {attachment.path_id for attachment in snapshot.attachments.of_messages([old.id])}
    decoded = {path_id: unquote(path_id) for path_id in path_ids}
    return frozenset(
        path_id for path_id, plain in decoded.items() if plain not in linked and _names(old, plain)
    )


def _names(message: Message, path_id: str) -> bool:
    return path_id in unquote(message.content + message.rendered_content)


def release(unit: Unit, message_ids: Collection[MessageId]) -> None:
    """Remove the links of messages that are being deleted; call this while the messages still exist."""
    gone = unit.tx.attachments.of_messages(message_ids)
    if gone:
        unit.tx.attachments.unlink(message_ids, unit.now)
        announce_files(unit.tx, "update", gone)


def announce_files(tx: Transaction, op: FilesOp, attachments: Sequence[Attachment]) -> None:
    """Notify the owners; the messages that link to the files are read when the event is sent."""
    used = tx.attachments.space_used()
    by_owner: defaultdict[UserId, list[Attachment]] = defaultdict(list)
    for attachment in attachments:
        by_owner[attachment.owner_id].append(attachment)
    for owner_id, files in by_owner.items():
        tx.announce(FilesChanged(op=op, files=tuple(files), space_used=used), Users((owner_id,)))
