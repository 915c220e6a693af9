"""The endpoint that sends messages."""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType

from chatcore.application.arguments import about
from chatcore.application.messages import sending
from chatcore.application.services import Services
from chatcore.domain.errors import BadRequest
from chatcore.domain.messages.recipients import missing_topic, only_channel
from chatcore.domain.messages.widgets import Widget
from chatcore.http.parameters.declaring import REQUIRED, Params, Text, also
from chatcore.http.parameters.recipients import DIRECT, IGNORED_FOR_PEOPLE, RecipientType
from chatcore.http.pipeline.auth import Caller, declared_client
from chatcore.http.pipeline.routing import Answer


class WidgetParam(msgspec.Struct, frozen=True, kw_only=True):
    widget_type: Text
    extra_data: dict[str, Any]


class SendParams(Params, kw_only=True, frozen=True):
    type: Annotated[
        RecipientType,
        about("The kind of recipient; 'stream' and 'private' are older names of 'channel' and 'direct'."),
    ]
    to: Annotated[
        int | str | list[int | str] | None,
        about("The name or id of a channel; for a direct message, a list of ids or of addresses of people."),
        REQUIRED,
    ] = None
    content: Annotated[Text, about("The text, in Markdown.")]
    topic: Annotated[
        Text | None,
        also("subject"),
        IGNORED_FOR_PEOPLE,
        about("The topic in the channel."),
    ] = None
    queue_id: Annotated[
        Text | None,
        about("The id of the client's event queue, if the client already shows the message (local echo)."),
    ] = None
    local_id: Annotated[
        Text | None, about("The client's own id of the message, which the event for that queue repeats.")
    ] = None
    read_by_sender: Annotated[
        bool | None,
        about("Whether the message counts as read by its sender; by default the name of the client decides."),
    ] = None
    client: Annotated[Text, about("The name of the client, if it differs from that in the User-Agent.")] = ""
    widget_content: Annotated[
        WidgetParam | None,
        about(
            "The widget that clients show in place of the text; by default a text that begins with"
            " '/poll' or '/todo' makes one."
        ),
    ] = None


class SendAnswer(Answer, frozen=True, kw_only=True):
    id: int
    automatic_new_visibility_policy: int | UnsetType = UNSET


def send(svc: Services, caller: Caller, p: SendParams) -> SendAnswer:
    """Send a message to a channel or directly to people."""
    sent = sending.send(svc, caller.actor, _command_to_send(caller, p))
    policy = sent.automatic_new_visibility_policy
    return SendAnswer(
        id=sent.message_id, automatic_new_visibility_policy=UNSET if policy is None else int(policy)
    )


def _command_to_send(caller: Caller, p: SendParams) -> sending.SendToChannel | sending.SendDirect:
    client, widget = declared_client(p.client) or caller.client, _read_widget(p.widget_content)
    if p.type in DIRECT:
        return sending.SendDirect(
            to=_read_people(p.to),
            content=p.content,
            client=client,
            read_by_sender=p.read_by_sender,
            queue_id=p.queue_id,
            local_id=p.local_id,
            widget=widget,
        )
    if p.topic is None:
        raise missing_topic()
    return sending.SendToChannel(
        channel=_read_channel(p.to),
        topic=p.topic,
        content=p.content,
        client=client,
        read_by_sender=p.read_by_sender,
        queue_id=p.queue_id,
        local_id=p.local_id,
        widget=widget,
    )


def _read_widget(sent: WidgetParam | None) -> Widget | None:
    return None if sent is None else Widget(sent.widget_type, sent.extra_data)


def _read_channel(to: int | str | list[int | str] | None) -> int | str | None:
    """Return a channel's id or name, alone or as the one element of a list; None if there is none.

    :raises BadRequest: a list of none, or of several
    """
    if isinstance(to, list):
        return only_channel(to)
    return None if to == "" else to


def _read_people(to: int | str | list[int | str] | None) -> list[int] | list[str]:
    """Return the people as ids, or as addresses from a list or from comma-separated text. The list can be
    empty, which the use case refuses.

    :raises BadRequest: ids and addresses in one list
    """
    if isinstance(to, str):
        to = list(to.split(","))
    if to is None or isinstance(to, int):
        return []
    if all(isinstance(person, int) for person in to):
        return [person for person in to if isinstance(person, int)]
    if all(isinstance(person, str) for person in to):
        return [email for person in to if isinstance(person, str) and (email := person.strip())]
    raise BadRequest("Recipient lists may contain emails or user IDs, but not both.")
