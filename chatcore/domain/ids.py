"""The identifiers of the domain; never bare ints in a signature."""

from typing import Final, NewType

UserId = NewType("UserId", int)
GroupId = NewType("GroupId", int)
MessageId = NewType("MessageId", int)
QueueId = NewType("QueueId", str)
DraftId = NewType("DraftId", int)
SubmessageId = NewType("SubmessageId", int)
EmojiId = NewType("EmojiId", int)
AttachmentId = NewType("AttachmentId", int)
FieldId = NewType("FieldId", int)
LinkifierId = NewType("LinkifierId", int)
PlaygroundId = NewType("PlaygroundId", int)

RecipientId = NewType("RecipientId", int)
"""Whatever a message can be addressed to: users, channels and direct-message conversations draw
their ids from one number space, so a recipient id names exactly one of them."""

ChannelId = NewType("ChannelId", RecipientId)
ConversationId = NewType("ConversationId", RecipientId)

Position = NewType("Position", int)
"""A place in the event log. Message ids are positions too (the place of the `message` event), so one
number tells what happened before what."""

MAX_INTEGER: Final = 2**63 - 1
"""Stores count no further: a larger id is nobody's, and no other number is larger either."""
