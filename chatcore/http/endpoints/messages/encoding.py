"""The JSON of messages, remembered between requests."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Final, TypeAlias, cast

import msgspec

from chatcore.application.messages.fetching import Reading
from chatcore.domain.ids import MessageId, UserId
from chatcore.domain.messages.flags import Flag, flags_as_sent
from chatcore.domain.messages.messages import Message
from chatcore.events.payloads.messages import MessageOptions, MessageShape, message_shape
from chatcore.http.pipeline.encoding import encode
from chatcore.storage.generations import Generations
from chatcore.storage.messages.sizes import SIZE_OF_PART, size_of_parts
from chatcore.storage.slices import in_slices

SIZE_OF_FORM: Final = 300
"""Bytes of a remembered form of a message besides its JSON; all forms share the message with its texts."""

FORMS: Final = 4
"""How many forms of a message are remembered, for clients and readers that receive it differently."""

Form: TypeAlias = tuple[tuple[object, ...], msgspec.Raw]
"""The values that the JSON of a message was made of, and the JSON without its end: the reader's flags and the
closing brace.
"""

REMEMBERED: Final[Generations[tuple[MessageId, int], tuple[Form, ...]]] = Generations(8 * 2**20)
"""The forms of messages, by id and time, as organizations of one process have the same ids. A form is used
for what it was made of alone, so that nothing has to be forgotten when something changes.
"""


class MatchShape(msgspec.Struct, frozen=True):
    """The content and topic of a message with the words of a search marked."""

    match_content: str
    match_subject: str


def encode_messages(
    readings: Sequence[Reading],
    reader: UserId | None,
    options: MessageOptions,
    matches: Sequence[MatchShape | None],
) -> list[MessageShape]:
    """Return the encoded messages, each with its match if it has one, as a list that only the encoder may
    read: its items are parts of messages.

    The comma between two items of a list is the one between two fields, too. So no message is copied before
    the answer is encoded.
    """
    parts: list[msgspec.Raw] = []
    for reading, match in zip(in_slices(readings), matches, strict=True):
        parts.append(_encode_form(reading, reader, options))
        if match is not None:
            parts.append(msgspec.Raw(encode(match)[1:-1]))
        parts.append(_encode_flags(reading.flags))
    return cast("list[MessageShape]", parts)


def _encode_form(reading: Reading, reader: UserId | None, options: MessageOptions) -> msgspec.Raw:
    """Return the encoded shape of a message without its end, as remembered or made anew."""
    message, _, sender, people, channel_name, edits = reading
    conversation = message.conversation
    # In the place of the reader, so that all readers for whom the rest is equal share a form.
    recipient_id = None if conversation is None or reader is None else conversation.recipient_id_for(reader)
    values = (message, sender, people, channel_name, edits, recipient_id, options)
    key = (message.id, message.timestamp)
    forms = REMEMBERED.get(key) or ()
    for values_then, encoded in forms:
        if values_then == values:
            return encoded
    encoded = msgspec.Raw(encode(reading_shape(reading, reader, options))[:-1])
    forms = ((values, encoded), *_kept_forms(forms, message)) if forms else ((values, encoded),)
    size = size_of_parts(message)
    for _, one in forms:
        size += SIZE_OF_FORM + SIZE_OF_PART * len(people) + len(one)
    REMEMBERED.put(key, forms, size)
    return encoded


def _kept_forms(forms: Iterable[Form], message: Message) -> Iterator[Form]:
    """Yield the forms that are kept beside a new one of a message, at most `FORMS - 1`.

    A form that was made of an earlier object of the message would hold its texts a second time. So it gets
    the present one. A form of a message with edits holds texts of these, too, and is dropped.
    """
    present = (
        ((message, *made_of[1:]), one)
        for made_of, one in forms
        if made_of[0] is message or (not message.edits and made_of[0] == message)
    )
    return islice(present, FORMS - 1)


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


@cache
def _encode_flags(flags: Flag) -> msgspec.Raw:
    """Return the end of an encoded message: the flags, and the closing brace."""
    return msgspec.Raw(b'"flags":%b}' % encode(flags_as_sent(flags)))
