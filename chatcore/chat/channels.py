"""Channels, subscriptions and topics."""

from collections.abc import Mapping, Sequence

from msgspec import UNSET, UnsetType

from chatcore.application.channels import (
    editing,
    listing,
    subscribing,
    topic_settings,
    unsubscribing,
)
from chatcore.application.channels.creation import Creation
from chatcore.application.channels.editing import ChannelChanges
from chatcore.application.channels.subscribing import SubscribeResult
from chatcore.application.channels.subscription_plans import Subscribe, WantedChannel
from chatcore.application.channels.unsubscribing import UnsubscribeResult
from chatcore.application.messages import deleting_topics
from chatcore.application.received_mail import receiving
from chatcore.application.visibility.group_settings import SettingChange
from chatcore.chat.given import (
    Names,
    People,
    Pieces,
    Setting,
    a_policy,
    all_names,
    all_people,
    all_pieces,
    number,
    number_or_text,
    optional,
    setting_changes_by_name,
    settings_by_name,
    text,
    truth,
)
from chatcore.chat.made import channels as made
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import MessageId
from chatcore.domain.topics import TopicsPolicy, VisibilityPolicy
from chatcore.events.payloads.channels import ChannelShape, IncludeSubscribers, SubscriptionShape


class Channels(made.Channels):
    def list(
        self,
        actor: Actor,
        *,
        public: bool = True,
        web_public: bool = False,
        subscribed: bool = True,
        owner_subscribed: bool = False,
        can_access_content: bool = False,
        all: bool = False,
        archived: bool = False,
        with_default: bool = False,
    ) -> Sequence[ChannelShape]:
        """List the selected channels that the actor may know of, by name.

        The keywords select the union of several sets; `all` selects every channel that the actor may know of.
        """
        return listing.list_channels(
            self._svc,
            self._acting(actor),
            listing.Which(
                public=truth(public=public),
                web_public=truth(web_public=web_public),
                subscribed=truth(subscribed=subscribed),
                owner_subscribed=truth(owner_subscribed=owner_subscribed),
                can_access_content=truth(can_access_content=can_access_content),
                all=truth(all=all),
                archived=truth(archived=archived),
                with_default=truth(with_default=with_default),
            ),
        )

    def update(
        self,
        actor: Actor,
        channel_id: int,
        *,
        name: str | None = None,
        description: str | None = None,
        is_private: bool | None = None,
        is_web_public: bool | None = None,
        history_public_to_subscribers: bool | None = None,
        is_default: bool | None = None,
        is_archived: bool | None = None,
        message_retention_days: int | UnsetType | None = UNSET,
        topics_policy: str | None = None,
        folder_id: int | UnsetType | None = UNSET,
        permissions: Mapping[str, SettingChange | Setting] = {},
    ) -> None:
        """Change a channel: all requested changes, or none. Each changed property has its own event.

        None leaves a property unchanged; as *folder_id* it takes the channel out of its folder. `is_archived`
        can only be set to False.

        :raises BadRequest: no such channel for the actor, no permission, or an invalid value
        :raises InvalidParameter: no such policy, permission or number of days
        :raises ChannelAlreadyExists: another channel has the name
        :raises InsufficientRole: the actor is not an administrator, and the change is about default channels
        :raises ExpectationMismatch: a permission does not have the old value that the client expects
        """
        editing.update_channel(
            self._svc,
            self._acting(actor),
            number(channel_id=channel_id),
            ChannelChanges(
                name=optional(text, name=name),
                description=optional(text, description=description),
                is_private=optional(truth, is_private=is_private),
                is_web_public=optional(truth, is_web_public=is_web_public),
                history_public_to_subscribers=optional(
                    truth, history_public_to_subscribers=history_public_to_subscribers
                ),
                is_default=optional(truth, is_default=is_default),
                is_archived=optional(truth, is_archived=is_archived),
                message_retention_days=optional(number, message_retention_days=message_retention_days),
                topics_policy=optional(text, topics_policy=topics_policy),
                folder_id=optional(number, folder_id=folder_id),
                permissions=setting_changes_by_name(permissions=permissions),
            ),
        )

    def receive_mail(self, address: str, mail: Pieces) -> MessageId | None:
        """Post a mail in the channel that has the address; the address gives the right to it.

        None for a mail that is dropped: a second delivery, or one that a program has sent by itself.

        :raises NoSuchLetterbox: nobody has made the address
        :raises MailTooLarge, UnreadableMail: the mail is not taken
        :raises TooManyMails: the channel takes no more mails at present
        :raises ChatError: the accounts of the address may not post in the channel any more
        """
        return receiving.receive_mail(self._svc, text(address=address), b"".join(all_pieces(mail=mail)))

    def subscriptions(
        self, actor: Actor, *, include_subscribers: IncludeSubscribers = False
    ) -> Sequence[SubscriptionShape]:
        """Return the actor's active subscriptions, by channel name."""
        return listing.own_subscriptions(
            self._svc, self._acting(actor), include_subscribers=include_subscribers
        )

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
        folder_id: int | None = None,
        permissions: Mapping[str, Setting] | None = None,
        announce: bool = False,
        authorization_errors_fatal: bool = True,
        send_new_subscription_messages: bool = True,
        must_be_new: bool = False,
    ) -> SubscribeResult:
        """Subscribe the actor, or exactly the *principals* (one or several people): all requested changes, or
        none.

        Missing channels are created with the properties in the other keywords; *permissions* have the names
        of `domain.groups.permissions.CHANNEL_PERMISSIONS`. A *color* looks like "#76ce90"; None selects a
        free one. *message_retention_days* None inherits from the organization; -1 is for ever. Without
        *authorization_errors_fatal*, channels for which the actor has no permission are left out. With
        *must_be_new*, none of the names may exist yet.

        The result has four fields: `subscribed` and `already_subscribed`, names of channels by the id of each
        person; `unauthorized`, the names left out; and `created`, the ids of new channels.

        :raises BadRequest: the actor is a guest, an unknown person, or no permission for a channel, to create
            one or to add others
        :raises InvalidParameter: the properties of new channels are invalid
        :raises ChannelAlreadyExists: with *must_be_new*, a channel exists already
        :raises RateLimited: more channels than the actor may create on one day, or too many returns of one
            person
        """
        cmd = Subscribe(
            channels=[
                WantedChannel(
                    name=name,
                    description=text(description=description),
                    color=optional(text, color=color),
                )
                for name in all_names(names=names)
            ],
            principals=optional(all_people, principals=principals),
            creation=Creation(
                invite_only=truth(invite_only=invite_only),
                is_web_public=truth(is_web_public=is_web_public),
                is_default_stream=truth(is_default_stream=is_default_stream),
                history_public_to_subscribers=optional(
                    truth, history_public_to_subscribers=history_public_to_subscribers
                ),
                message_retention_days=optional(number, message_retention_days=message_retention_days),
                topics_policy=text(topics_policy=topics_policy),
                folder_id=optional(number, folder_id=folder_id),
                permissions=settings_by_name(permissions=permissions or {}),
                announce=truth(announce=announce),
            ),
            authorization_errors_fatal=truth(authorization_errors_fatal=authorization_errors_fatal),
            send_new_subscription_messages=truth(
                send_new_subscription_messages=send_new_subscription_messages
            ),
            must_be_new=truth(must_be_new=must_be_new),
        )
        return subscribing.subscribe(self._svc, self._acting(actor), cmd)

    def unsubscribe(self, actor: Actor, *names: Names, principals: People | None = None) -> UnsubscribeResult:
        """Unsubscribe one or several people from channels; without *principals*, the actor.

        :raises BadRequest: an unknown channel or person, or no permission to unsubscribe others
        """
        return unsubscribing.unsubscribe(
            self._svc,
            self._acting(actor),
            channel_names=all_names(names=names),
            principals=optional(all_people, principals=principals),
        )


class Topics(made.Topics):
    def set_policy(
        self, actor: Actor, channel_id: int, topic: str, policy: VisibilityPolicy | str | int
    ) -> None:
        """Set the actor's policy for a topic, which need not have any messages. Setting the same policy again
        changes nothing.

        A policy can be removed in a channel that the actor can no longer read.

        :raises BadRequest: no such policy, an invalid topic, no such channel for the actor, or too
            many
        """
        topic_settings.set_visibility_policy(
            self._svc,
            self._acting(actor),
            number(channel_id=channel_id),
            text(topic=topic),
            a_policy(policy=policy),
        )

    def mute(self, actor: Actor, channel: int | str, topic: str, *, muted: bool = True) -> None:
        """Mute a topic of a channel with an id or a name, or end that. Ending it changes no other policy.

        :raises BadRequest: an invalid topic, no such channel for the actor, or too many policies
        """
        topic_settings.mute_topic(
            self._svc,
            self._acting(actor),
            number_or_text(channel=channel),
            text(topic=topic),
            muted=truth(muted=muted),
        )

    def list(self, actor: Actor | None, channel_id: int) -> Sequence[tuple[str, MessageId]]:
        """Return a channel's topics, each with its newest message, newest first.

        With protected history, only topics of messages that the actor has received.

        :raises BadRequest: there is no such channel, or no access to what is in it; one answer for both
        :raises LoginRequired: no actor, and the channel is not open to the web
        """
        return listing.topics(self._svc, self._acting_if_any(actor), number(channel_id=channel_id))[0]

    def delete(self, actor: Actor, channel_id: int, topic: str) -> None:
        """Delete the messages of a topic that the actor may read, newest first; long topics take a while.

        :raises BadRequest: no such channel for the actor, or an archived one
        :raises InsufficientRole: the actor may not delete every message there
        :raises MustBeKept: a hold is on the channel, or on somebody who took part in the topic
        """
        number(channel_id=channel_id)
        text(topic=topic)
        while not deleting_topics.delete_topic(self._svc, self._acting(actor), channel_id, topic):
            pass
