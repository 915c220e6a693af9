"""What is stated and not built: each moves to its chapter with the test that shows it."""

from collections.abc import Mapping

WAITING: Mapping[str, str] = {
    "message.edit-history": "An edited or moved message has its `edit_history`, the newest edit first.",
    "message.edit-history-hidden": "Unless the organization does not let it be seen.",
    "message.last-edit": "`last_edit_timestamp` of an edited content",
    "message.last-moved": "`last_moved_timestamp` of a move to another channel or topic, but for resolving",
    "edit.entry": "An edit has who made it and when, and what it changed: content, channel or topic.",
    "flags.edited": "An edit adds and removes mentions and alert words, and the flags that follow from them.",
    "named.edit-message": "Messages can be edited, moved and deleted.",
    "named.channel-editing": "Channels can be edited and archived.",
    "register.without-bulk-deletion": "Without `bulk_message_deletion` each deletion is told alone.",
    "authentication.tus-cookies": "tus takes the credentials of a browser's cookies too.",
    "event.delete-message": "`delete_message`, of several messages or of one",
    "version.level": "The level is 370 when all changes up to it are there.",
    "change.last-moved": "365: `last_moved_timestamp`",
}
