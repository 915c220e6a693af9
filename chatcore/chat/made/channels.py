"""Channels, subscriptions and topics.

Made by scripts/build_chat.py, not by hand.
"""

from collections.abc import Sequence

from chatcore.application.channels import (
    archiving,
    defaults,
    email_addresses,
    listing,
    subscribers,
    subscription_settings,
)
from chatcore.application.channels.subscribing import SubscribeResult
from chatcore.application.channels.unsubscribing import UnsubscribeResult
from chatcore.application.messages import marking
from chatcore.chat.given import (
    Names,
    SubscriptionChanges,
    WantedChannels,
    all_names,
    all_subscription_changes,
    all_wanted_channels,
    number,
    optional,
    text,
    user_id_of,
)
from chatcore.chat.part import Part
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ChannelId, UserId
from chatcore.events.payloads.channels import ChannelShape


class Channels(Part):
    def get(self, actor: Actor, channel_id: int) -> ChannelShape:
        """Get a channel that the caller may see.

        :raises BadRequest: no such channel for the actor
        """
        return listing.get_channel(self._svc, self._acting(actor), number(channel_id=channel_id))

    def id_of(self, actor: Actor, name: str) -> ChannelId:
        """Get the id of a channel by its name.

        :raises BadRequest: no channel of that name, or no access; one answer for both
        """
        return listing.channel_id_of(self._svc, self._acting(actor), text(name=name))

    def archive(self, actor: Actor, channel_id: int) -> None:
        """Archive a channel: it can still be read, and nothing in it changes.

        :effect: all its messages count as read from then on, also for people who return
        :raises BadRequest: no such channel for the actor, no permission, or it is archived already
        """
        archiving.archive_channel(self._svc, self._acting(actor), number(channel_id=channel_id))

    def add_default(self, actor: Actor, channel_id: int) -> None:
        """Make a channel a default channel, to which new users are subscribed.

        :raises InsufficientRole: the actor is not an administrator
        :raises BadRequest: no such channel, a private or archived one, or it is a default channel already
        """
        defaults.add_default_channel(self._svc, self._acting(actor), number(channel_id=channel_id))

    def remove_default(self, actor: Actor, channel_id: int) -> None:
        """Remove a channel from the default channels.

        :raises InsufficientRole: the actor is not an administrator
        :raises BadRequest: no such channel
        """
        defaults.remove_default_channel(self._svc, self._acting(actor), number(channel_id=channel_id))

    def email_address(self, actor: Actor, channel_id: int, sender_id: int | Actor | None = None) -> str:
        """Get an address for mail to a channel.

        :param sender_id: the account that sends what arrives: the actor, one of the actor's bots, or the
            notification bot, which is the default
        :raises BadRequest: no such channel for the actor, no permission to send to it, or another sender
        """
        return email_addresses.email_address(
            self._svc,
            self._acting(actor),
            number(channel_id=channel_id),
            optional(user_id_of, sender_id=sender_id),
        )

    def replace_email_addresses(
        self, actor: Actor, channel_id: int, sender_id: int | Actor | None = None
    ) -> str:
        """End all addresses for mail to a channel, as somebody who may administer it, and get a new one.

        :raises BadRequest: no such channel for the actor, no permission to administer it or to send to it, or
            another sender
        """
        return email_addresses.replace_addresses(
            self._svc,
            self._acting(actor),
            number(channel_id=channel_id),
            optional(user_id_of, sender_id=sender_id),
        )

    def subscribers(self, actor: Actor, channel_id: int) -> Sequence[UserId]:
        """List the subscribers of a channel.

        :returns: ids of the active subscribers, ascending
        :raises BadRequest: no such channel for the actor
        """
        return subscribers.subscribers(self._svc, self._acting(actor), number(channel_id=channel_id))

    def is_subscriber(self, actor: Actor, user_id: int | Actor, channel_id: int) -> bool:
        """Get whether a user is subscribed to a channel.

        :returns: whether the user is an active subscriber
        :raises BadRequest: no such channel or user for the actor
        """
        return subscribers.is_subscriber(
            self._svc, self._acting(actor), user_id_of(user_id=user_id), number(channel_id=channel_id)
        )

    def change_subscriptions(
        self, actor: Actor, add: WantedChannels, delete: Names
    ) -> tuple[SubscribeResult, UnsubscribeResult]:
        """Subscribe the actor to some channels and unsubscribe from others: all requested changes, or none.

        :raises BadRequest: nothing to do, or a reason for which `subscribe` or `unsubscribe` is refused
        """
        return subscribers.change_subscriptions(
            self._svc, self._acting(actor), all_wanted_channels(add=add), all_names(delete=delete)
        )

    def change_settings(self, actor: Actor, changes: SubscriptionChanges) -> None:
        """Set properties of the actor's subscriptions: all of them or none.

        :raises BadRequest: an unknown property or value, or a channel to which the actor is not subscribed
        """
        subscription_settings.change_settings(
            self._svc, self._acting(actor), all_subscription_changes(changes=changes)
        )

    def mark_as_read(self, actor: Actor, channel_id: int) -> None:
        """Mark all messages of a channel as read.

        :raises BadRequest: no such channel for the actor
        """
        marking.mark_channel_as_read(self._svc, self._acting(actor), number(channel_id=channel_id))


class Topics(Part):
    def mark_as_read(self, actor: Actor, channel_id: int, topic: str) -> None:
        """Mark all messages of a topic as read, in steps between which other writers run.

        :raises BadRequest: no such channel for the actor, or the actor never received a message of the topic
        """
        marking.mark_topic_as_read(
            self._svc, self._acting(actor), number(channel_id=channel_id), text(topic=topic)
        )
