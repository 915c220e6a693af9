"""Adding and removing reactions to messages."""

from typing import Annotated

from chatcore.application.arguments import Id, about
from chatcore.application.delivery.emoji import emoji_names
from chatcore.application.delivery.topic_policies import set_topic_policy
from chatcore.application.messages.access import ReadableMessage, changeable_message
from chatcore.application.units import Unit, unit_of_work
from chatcore.application.visibility.message_audiences import audiences_of
from chatcore.domain.groups.actors import Actor
from chatcore.domain.messages.flags import Flag, Op
from chatcore.domain.messages.messages import Reaction
from chatcore.domain.messages.reactions import new_reaction, reaction_to_remove
from chatcore.domain.people.automatic_policies import policy_by_taking_part
from chatcore.domain.people.settings import AutomaticPolicy
from chatcore.domain.people.users import User
from chatcore.events.happened import ReactionChanged
from chatcore.events.payloads.users import person

ReactedTo = Annotated[Id, about("The message's id.")]


@unit_of_work
def add_reaction(
    unit: Unit,
    me: Actor,
    message_id: ReactedTo,
    name: Annotated[str, about("A name of the emoji.")],
    code: Annotated[str | None, about("The emoji's code; by default the name decides.")] = None,
    reaction_type: Annotated[str | None, about("The kind of emoji; by default the name decides.")] = None,
) -> None:
    """React to a message with an emoji.

    :effect: the message enters the actor's history, and by their settings subscribers may thereby
        follow or unmute its topic
    :param code: None if the name decides, as *reaction_type*
    :raises BadRequest: no such message for the actor, no such emoji, or too many different ones
    :raises ReactionExists:
    """
    readable = changeable_message(unit.tx, me, message_id)
    message, known_emoji = readable.message, emoji_names(unit, name)
    reaction = new_reaction(
        message, me.user_id, known_emoji, unit.limits, name=name, code=code, reaction_type=reaction_type
    )
    user = unit.tx.users.get(me.user_id)
    unit.tx.reactions.add(message.id, reaction)
    if message.id not in readable.viewer.flags:  # it enters the actor's history
        unit.tx.flags.set(me.user_id, [message], Flag.HISTORICAL, historical=[message.id])
    _apply_automatic_policy(unit, user, readable)
    _announce_reaction(unit, "add", user, readable, reaction)


@unit_of_work
def remove_reaction(
    unit: Unit,
    me: Actor,
    message_id: ReactedTo,
    name: Annotated[str | None, about("A name of the emoji.")] = None,
    code: Annotated[str | None, about("The emoji's code, instead of a name.")] = None,
    reaction_type: Annotated[
        str | None, about("The kind of emoji; by default the code is that of a Unicode emoji.")
    ] = None,
) -> None:
    """Remove one of the caller's reactions.

    :param name: the reaction is named by this name or by *code*
    :raises BadRequest: no such message for the actor, or no such emoji
    :raises NoSuchReaction:
    """
    readable = changeable_message(unit.tx, me, message_id)
    message, known_emoji = readable.message, emoji_names(unit, name or "")
    reaction = reaction_to_remove(
        message, me.user_id, known_emoji, name=name, code=code, reaction_type=reaction_type
    )
    unit.tx.reactions.remove(message.id, reaction)
    _announce_reaction(unit, "remove", unit.tx.users.get(me.user_id), readable, reaction)


def _apply_automatic_policy(unit: Unit, user: User, readable: ReadableMessage) -> None:
    """Apply the user's automatic topic policy: for subscribers, a reaction counts as taking part in the
    topic.
    """
    message, channel = readable.message, readable.channel
    if user.is_bot or channel is None or not readable.viewer.is_subscribed_to(channel.id):
        return
    old = unit.tx.topic_policies.find(user.id, channel.id, message.topic_key or "")
    is_muted = readable.viewer.has_muted_channel(channel.id)
    policy = policy_by_taking_part(user, old, {AutomaticPolicy.PARTICIPATED}, is_muted=is_muted)
    if policy is not None:
        set_topic_policy(unit, user.id, channel, message.topic, policy)


def _announce_reaction(unit: Unit, op: Op, user: User, readable: ReadableMessage, reaction: Reaction) -> None:
    event = ReactionChanged(
        op=op,
        message_id=readable.message.id,
        user=person(user, unit.svc.settings.host),
        emoji_name=reaction.emoji_name,
        emoji_code=reaction.emoji_code,
        reaction_type=reaction.reaction_type,
    )
    for _, audience in audiences_of(unit.tx, readable.channel, [readable.message]):
        unit.tx.announce(event, audience)
