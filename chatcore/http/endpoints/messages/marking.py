"""Endpoints that mark messages as read in a topic, a channel or everywhere."""

from typing import Annotated

from chatcore.application.arguments import ChannelNumber, about
from chatcore.application.messages import marking
from chatcore.application.services import Services
from chatcore.http.parameters.declaring import NoParams, Params, Text
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Answer, Done


class MarkTopicParams(Params, kw_only=True, frozen=True):
    stream_id: ChannelNumber
    topic_name: Annotated[Text, about("The topic.")]


def mark_topic_as_read(svc: Services, caller: Caller, p: MarkTopicParams) -> Done:
    """Mark a topic as read.

    Deprecated: `POST messages/flags/narrow` does this too.
    """
    marking.mark_topic_as_read(svc, caller.actor, p.stream_id, p.topic_name)
    return Done()


class MarkChannelParams(Params, kw_only=True, frozen=True):
    stream_id: ChannelNumber


def mark_channel_as_read(svc: Services, caller: Caller, p: MarkChannelParams) -> Done:
    """Mark a channel as read.

    Deprecated: `POST messages/flags/narrow` does this too.
    """
    marking.mark_channel_as_read(svc, caller.actor, p.stream_id)
    return Done()


class MarkAllAnswer(Answer, frozen=True, kw_only=True):
    complete: bool


def mark_all_as_read(svc: Services, caller: Caller, p: NoParams) -> MarkAllAnswer:
    """Mark everything as read.

    Deprecated: `POST messages/flags/narrow` does this too.
    """
    marking.mark_all_as_read(svc, caller.actor)
    return MarkAllAnswer(complete=True)
