"""Channels, subscriptions and topics."""

from collections.abc import Mapping, Sequence

from chatcore.application import (
    channel_archiving,
    channel_editing,
    channels,
    default_channels,
    deleting_topics,
    reading,
    subscribing,
    subscription_settings,
    topics,
    unsubscribing,
)
from chatcore.application import subscribers as in_channels
from chatcore.application.channel_creation import Creation
from chatcore.application.channel_editing import ChannelChanges
from chatcore.application.subscribing import SubscribeResult
from chatcore.application.subscription_plans import Subscribe, Wanted
from chatcore.application.unsubscribing import UnsubscribeResult
from chatcore.chat.given import Names, People, all_names, all_people
from chatcore.chat.noun import Noun, use_case, use_case_with
from chatcore.domain.groups import Actor, GroupSetting
from chatcore.domain.ids import MessageId
from chatcore.domain.topics import TopicsPolicy


class Channels(Noun):
    list = use_case_with(channels.list_channels, channels.Which)
    get = use_case(channels.get_channel)
    id_of = use_case(channels.channel_id_of)
    update = use_case_with(channel_editing.update_channel, ChannelChanges)
    archive = use_case(channel_archiving.archive_channel)
    add_default = use_case(default_channels.add_default_channel)
    remove_default = use_case(default_channels.remove_default_channel)
    subscribers = use_case(in_channels.subscribers)
    is_subscriber = use_case(in_channels.is_subscriber)
    subscriptions = use_case(channels.own_subscriptions)
    change_subscriptions = use_case(in_channels.change_subscriptions)
    change_settings = use_case(subscription_settings.change_settings)
    mark_as_read = use_case(reading.mark_channel_as_read)

    def subscribe(
        self,
        actor: Actor,
        *names: Names,
        principals: People | None = None,
        description: str = "",
        color: str | None = None,
        invite_only: bool = False,
        is_web_public: bool = False,
        is_default_stream: bool = False,
        history_public_to_subscribers: bool | None = None,
        message_retention_days: int | None = None,
        topics_policy: str = TopicsPolicy.INHERIT,
        permissions: Mapping[str, GroupSetting] | None = None,
        announce: bool = False,
        authorization_errors_fatal: bool = True,
        send_new_subscription_messages: bool = True,
        must_be_new: bool = False,
    ) -> SubscribeResult:
        """Subscribe the actor, or exactly the *principals*, one or several people; all of it or nothing.

        Channels that do not exist are made, as the other keywords say; *permissions* are by the names of
        `domain.groups.CHANNEL_PERMISSIONS`. A *color* is like "#76ce90", None picks a free one. Days of
        retention are None as in the organization, -1 for ever. Without *authorization_errors_fatal*, channels
        that the actor has no right to are left out. With *must_be_new*, there may be none of these names yet.

        :raises BadRequest: a guest, no right to a channel, to make one or to add others, an unknown person
        :raises InvalidParameter: channels cannot be made like this
        :raises ChannelAlreadyExists: where all have to be new
        :raises RateLimited: more channels or returns than are allowed on one day
        """
        cmd = Subscribe(
            channels=[
                Wanted(name=name, description=description, color=color) for name in all_names("names", names)
            ],
            principals=None if principals is None else all_people("principals", principals),
            creation=Creation(
                invite_only=invite_only,
                is_web_public=is_web_public,
                is_default_stream=is_default_stream,
                history_public_to_subscribers=history_public_to_subscribers,
                message_retention_days=message_retention_days,
                topics_policy=topics_policy,
                permissions=permissions or {},
                announce=announce,
            ),
            authorization_errors_fatal=authorization_errors_fatal,
            send_new_subscription_messages=send_new_subscription_messages,
            must_be_new=must_be_new,
        )
        return subscribing.subscribe(self._svc, actor, cmd)

    def unsubscribe(self, actor: Actor, *names: Names, principals: People | None = None) -> UnsubscribeResult:
        """Take one or several people out of channels; without *principals*, the actor.

        :raises BadRequest: an unknown channel or person, or no right to take others out
        """
        return unsubscribing.unsubscribe(
            self._svc,
            actor,
            channel_names=all_names("names", names),
            principals=None if principals is None else all_people("principals", principals),
        )


class Topics(Noun):
    set_policy = use_case(topics.set_visibility_policy)
    mark_as_read = use_case(reading.mark_topic_as_read)

    def list(self, actor: Actor | None, channel_id: int) -> Sequence[tuple[str, MessageId]]:
        """A channel's topics, each with its newest message, newest first.

        With protected history, only topics of messages that were received.

        :raises BadRequest: there is no such channel, or no access to what is in it; one answer for both
        :raises LoginRequired: no actor, and the channel is not open to the web
        """
        return channels.topics(self._svc, actor, channel_id)[0]

    def delete(self, actor: Actor, channel_id: int, topic: str) -> None:
        """Delete the messages of a topic that the actor may read, newest first; long topics take a while.

        :raises BadRequest: no such channel for the actor, or an archived one
        :raises InsufficientRole: the actor may not delete every message there
        """
        while not deleting_topics.delete_topic(self._svc, actor, channel_id, topic):
            pass
