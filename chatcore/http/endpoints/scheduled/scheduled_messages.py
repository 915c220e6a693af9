"""Scheduling messages and changing them."""

from typing import Annotated

from chatcore.application.arguments import Id, SeenContent, about
from chatcore.application.scheduled import scheduled_messages
from chatcore.application.services import Services
from chatcore.domain.scheduled.scheduled_messages import DestinationKind
from chatcore.http.parameters.declaring import Params, Text
from chatcore.http.parameters.recipients import DIRECT, IGNORED_FOR_PEOPLE, RecipientType
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Answer, Done


class CreateParams(Params, frozen=True, kw_only=True):
    type: Annotated[
        RecipientType,
        about("The kind of recipient; 'stream' and 'private' are older names of 'channel' and 'direct'."),
    ]
    to: Annotated[int | list[int], about("The id of a channel; for a direct message, the ids of people.")]
    content: Annotated[Text, about("The text, in Markdown.")]
    topic: Annotated[Text | None, IGNORED_FOR_PEOPLE, about("The topic in the channel.")] = None
    scheduled_delivery_timestamp: Annotated[
        int, about("The time at which to send the message, in seconds since 1970.")
    ]
    read_by_sender: Annotated[
        bool | None,
        about("Whether the message counts as read by its sender; by default the name of the client decides."),
    ] = None


class NewScheduledMessageAnswer(Answer, frozen=True, kw_only=True):
    scheduled_message_id: int


def create(svc: Services, caller: Caller, p: CreateParams) -> NewScheduledMessageAnswer:
    """Schedule a message: it is sent later."""
    wanted = scheduled_messages.MessageToSchedule(
        kind=_destination_kind(p.type),
        to=_as_list(p.to),
        topic=p.topic,
        content=p.content,
        due=p.scheduled_delivery_timestamp,
        client=caller.client,
        read_by_sender=p.read_by_sender,
    )
    scheduled_id = scheduled_messages.schedule_message(svc, caller.actor, wanted)
    return NewScheduledMessageAnswer(scheduled_message_id=scheduled_id)


class EditParams(Params, frozen=True, kw_only=True):
    scheduled_message_id: Annotated[Id, about("The scheduled message's id.")]
    type: Annotated[RecipientType | None, about("The new kind of recipient, together with 'to'.")] = None
    to: Annotated[int | list[int] | None, about("The new channel, or the new people.")] = None
    content: Annotated[Text | None, about("A new text.")] = None
    prev_content_sha256: SeenContent = None
    topic: Annotated[Text | None, IGNORED_FOR_PEOPLE, about("A new topic in the channel.")] = None
    scheduled_delivery_timestamp: Annotated[
        int | None, about("A new time; required if the message could not be sent.")
    ] = None


def edit(svc: Services, caller: Caller, p: EditParams) -> Done:
    """Change a scheduled message."""
    change = scheduled_messages.ScheduledChange(
        kind=None if p.type is None else _destination_kind(p.type),
        to=None if p.to is None else _as_list(p.to),
        topic=p.topic,
        content=p.content,
        due=p.scheduled_delivery_timestamp,
    )
    scheduled_messages.edit_scheduled_message(
        svc, caller.actor, p.scheduled_message_id, change, prev_content_sha256=p.prev_content_sha256
    )
    return Done()


def _destination_kind(sent: RecipientType) -> DestinationKind:
    return DestinationKind.DIRECT if sent in DIRECT else DestinationKind.CHANNEL


def _as_list(sent: int | list[int]) -> list[int]:
    return [sent] if isinstance(sent, int) else sent
