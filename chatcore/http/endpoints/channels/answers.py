"""Answers of the endpoints that are made from use cases."""

from collections.abc import Sequence

from chatcore.events.payloads.channels import ChannelShape
from chatcore.events.payloads.folders import NavigationViewObject
from chatcore.http.pipeline.routing import Answer


class ChannelAnswer(Answer, frozen=True, kw_only=True):
    stream: ChannelShape


class ChannelIdAnswer(Answer, frozen=True, kw_only=True):
    stream_id: int


class SubscribersAnswer(Answer, frozen=True, kw_only=True):
    subscribers: list[int]


class IsSubscribedAnswer(Answer, frozen=True, kw_only=True):
    is_subscribed: bool


class DeleteTopicAnswer(Answer, frozen=True, kw_only=True):
    complete: bool


class EmailAddressAnswer(Answer, frozen=True, kw_only=True):
    email: str


class NewDefaultGroupAnswer(Answer, frozen=True, kw_only=True):
    group_id: int


class NewFolderAnswer(Answer, frozen=True, kw_only=True):
    channel_folder_id: int


class ViewsAnswer(Answer, frozen=True, kw_only=True):
    navigation_views: Sequence[NavigationViewObject]
