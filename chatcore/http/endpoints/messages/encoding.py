"""The JSON of messages, remembered between requests."""

from functools import cache
from itertools import islice
from typing import Final, TypeAlias, cast

import msgspec

from chatcore.application.messages.fetching import Reading
from chatcore.domain.ids import MessageId, UserId
from chatcore.domain.messages.flags import Flag, flags_as_sent
from chatcore.events.payloads.messages import MessageOptions, MessageShape, message_shape
from chatcore.http.pipeline.routing import encode
from chatcore.storage.generations import Generations
from chatcore.storage.messages.sizes import size_of_texts

SIZE_OF_FORM: Final = 300
"""Bytes of a remembered form of a message besides its JSON; all forms share the message with its texts."""

FORMS: Final = 4
"""How many forms of a message are remembered, for clients and readers that receive it differently."""

Form: TypeAlias = tuple[tuple[object, ...], bytes]
"""The values that the JSON of a message was made of, and the JSON without the reader's flags."""

REMEMBERED: Final[Generations[tuple[MessageId, int], tuple[Form, ...]]] = Generations(8 * 2**20)
"""The forms of messages, by id and time, as organizations of one process have the same ids. A form is used
for what it was made of alone, so that nothing has to be forgotten when something changes.
"""


class MatchShape(msgspec.Struct, frozen=True):
    """The content and topic of a message with the words of a search marked."""

    match_content: str
    match_subject: str


def encode_message(
    reading: Reading, reader: UserId | None, options: MessageOptions, match: MatchShape | None = None
) -> MessageShape:
    """Return the encoded shape of a message, for a search with its *match*."""
    message, _, sender, people, channel_name, edits = reading
    conversation = message.conversation
    # The only part that depends on the reader: all readers share the forms of channels and groups.
    recipient_id = None if conversation is None or reader is None else conversation.recipient_id_for(reader)
    given = (message, sender, people, channel_name, edits, recipient_id, options)
    key = (message.id, message.timestamp)
    forms = REMEMBERED.get(key) or ()
    for known, encoded in forms:
        if known == given:
            return _completed(encoded, reading.flags, match)
    encoded = encode(reading_shape(reading, reader, options))
    present = (((message, *known[1:]), one) for known, one in forms if known[0] == message)
    forms = ((given, encoded), *islice(present, FORMS - 1))
    size = size_of_texts(message) + sum(len(one) + SIZE_OF_FORM for _, one in forms)
    REMEMBERED.put(key, forms, size)
    return _completed(encoded, reading.flags, match)


def reading_shape(reading: Reading, reader: UserId | None, options: MessageOptions) -> MessageShape:
    """Return the shape of a message as its reader sees it, without the reader's flags."""
    return message_shape(
        reading.message,
        sender=reading.sender,
        people=reading.people,
        channel_name=reading.channel_name,
        reader=reader,
        options=options,
        edits=reading.edits,
    )


def _completed(encoded: bytes, flags: Flag, match: MatchShape | None) -> MessageShape:
    matches = b"" if match is None else b"," + encode(match)[1:-1]
    return cast("MessageShape", msgspec.Raw(encoded[:-1] + matches + _encoded_flags(flags)))


@cache
def _encoded_flags(flags: Flag) -> bytes:
    return b',"flags":' + encode(flags_as_sent(flags)) + b"}"
