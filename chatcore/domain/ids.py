"""Identifier types of the domain. Signatures never use bare ints."""

from typing import Final, NewType

UserId = NewType("UserId", int)
GroupId = NewType("GroupId", int)
MessageId = NewType("MessageId", int)
QueueId = NewType("QueueId", str)
DraftId = NewType("DraftId", int)
SnippetId = NewType("SnippetId", int)
SessionId = NewType("SessionId", int)
ExportId = NewType("ExportId", int)
ScheduledId = NewType("ScheduledId", int)
"""The id of a scheduled message or a reminder."""
SubmessageId = NewType("SubmessageId", int)
EmojiId = NewType("EmojiId", int)
AttachmentId = NewType("AttachmentId", int)
FieldId = NewType("FieldId", int)
LinkifierId = NewType("LinkifierId", int)
PlaygroundId = NewType("PlaygroundId", int)
FolderId = NewType("FolderId", int)
DefaultGroupId = NewType("DefaultGroupId", int)
InvitationId = NewType("InvitationId", int)
MailId = NewType("MailId", int)
HoldId = NewType("HoldId", int)
AuditId = NewType("AuditId", int)
"""The id of an entry of the audit log."""

RecipientId = NewType("RecipientId", int)
"""A destination of messages. Users, channels and direct-message conversations draw their ids from one number
space, so a recipient id identifies exactly one of them.
"""

ChannelId = NewType("ChannelId", RecipientId)
ConversationId = NewType("ConversationId", RecipientId)

Position = NewType("Position", int)
"""A place in the event log. Message ids are also positions (of their `message` event), so comparing two
numbers tells which came first.
"""

MAX_INTEGER: Final = 2**63 - 1
"""The largest integer that stores hold: no entity has a larger id, and no other number is larger."""

MAX_ID: Final = 2**53
"""The largest id that an archive may bring: databases count on from it, and clients read it exactly."""
