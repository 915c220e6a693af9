"""A call of a bot, with what has to be known to answer it."""

from collections.abc import Sequence
from dataclasses import dataclass

from chatcore.application.messages.access import readable_message
from chatcore.application.messages.sending import SendDirect, SendToChannel
from chatcore.application.units import View, is_open
from chatcore.application.visibility.users import people_for
from chatcore.domain.bots.answers import BotAnswer
from chatcore.domain.bots.calls import BotCall, can_be_called
from chatcore.domain.bots.settings import BotSettings
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.messages.messages import Message
from chatcore.domain.messages.recipients import DirectRecipient
from chatcore.domain.people.users import User
from chatcore.events.payloads.users import Person

CLIENT = "OutgoingWebhook"
"""The client of messages by which bots answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """A call, its bot and its message as they are now."""

    call: BotCall
    bot: User
    actor: Actor
    settings: BotSettings
    message: Message
    sender: Person
    people: Sequence[Person]
    channel_name: str
    empty_topic: str

    def reply(self, answer: BotAnswer) -> SendToChannel | SendDirect:
        """Return the message by which the bot answers, in the same conversation."""
        recipient = self.message.recipient
        if isinstance(recipient, DirectRecipient):
            return SendDirect(
                to=sorted(recipient.user_ids),
                content=answer.content,
                widget=answer.widget,
                client=CLIENT,
            )
        return SendToChannel(
            channel=recipient.channel_id,
            topic=recipient.topic,
            content=answer.content,
            widget=answer.widget,
            client=CLIENT,
        )


def look_up(view: View, call: BotCall) -> Called | None:
    """Return a call with its facts; None if the bot or the message is gone, or the message is where the bot
    may not read it.
    """
    bot = view.snapshot.users.find(call.bot_id)
    actor = view.snapshot.users.actors([call.bot_id], view.now).get(call.bot_id)
    if bot is None or actor is None or not can_be_called(bot) or not is_open(view):
        return None
    try:
        message = readable_message(view.snapshot, actor, call.message_id).message
    except BadRequest:
        return None
    ids = [message.sender_id]
    if message.conversation is not None:
        ids += message.conversation.user_ids
    users = list(view.snapshot.users.by_ids(ids).values())
    people = people_for(view.snapshot, actor, users, view.svc.settings.host)
    channel = None if message.channel_id is None else view.snapshot.channels.find(message.channel_id)
    return Called(
        call=call,
        bot=bot,
        actor=actor,
        settings=view.snapshot.bots.settings(bot.id),
        message=message,
        sender=people[message.sender_id],
        people=list(people.values()),
        channel_name="" if channel is None else channel.name,
        empty_topic=view.snapshot.organization.get().empty_topic_display_name,
    )
