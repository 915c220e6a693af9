"""Reactions to messages: choosing the emoji of a new one and finding the one to remove."""

from collections.abc import Sequence

from chatcore.domain.emoji import UNICODE_EMOJI, EmojiNames, no_such_emoji, require_emoji_type
from chatcore.domain.errors import BadRequest, ChatError
from chatcore.domain.ids import UserId
from chatcore.domain.limits import Limits
from chatcore.domain.messages.messages import Message, Reaction


class ReactionExists(ChatError):
    """The user has already reacted to the message with this emoji."""

    code = "REACTION_ALREADY_EXISTS"

    def __init__(self) -> None:
        super().__init__("Reaction already exists.")


class NoSuchReaction(ChatError):
    """The user has not reacted to the message with this emoji."""

    code = "REACTION_DOES_NOT_EXIST"

    def __init__(self) -> None:
        super().__init__("Reaction doesn't exist.")


def new_reaction(
    message: Message,
    user_id: UserId,
    known: EmojiNames,
    limits: Limits,
    *,
    name: str,
    code: str | None,
    reaction_type: str | None,
) -> Reaction:
    """Return the reaction of a request.

    A user who joins an existing reaction, identified by kind and code, gets its existing name, whatever name
    the request has and even if the emoji can no longer be chosen: clients group users by emoji.

    :raises BadRequest: no such emoji, or too many different ones on one message
    :raises ReactionExists: the user has already reacted with it
    """
    if code is None or reaction_type is None:
        emoji = known.read(name, code, reaction_type)
        code, reaction_type = emoji.code, emoji.reaction_type
    same = _select_reactions(message.reactions, code, reaction_type)
    if any(reaction.user_id == user_id for reaction in same):
        raise ReactionExists
    if same:
        name = same[0].emoji_name
    else:
        name = known.read(name, code, reaction_type).name
        different = {(reaction.reaction_type, reaction.emoji_code) for reaction in message.reactions}
        if len(different) >= limits.max_emoji_per_message:
            raise BadRequest(f"A message can have {limits.max_emoji_per_message} different reactions.")
    return Reaction(user_id=user_id, emoji_name=name, emoji_code=code, reaction_type=reaction_type)


def reaction_to_remove(
    message: Message,
    user_id: UserId,
    known: EmojiNames,
    *,
    name: str | None,
    code: str | None,
    reaction_type: str | None,
) -> Reaction:
    """Return the user's reaction that a request identifies: by its code, or by any name of its emoji.

    A code without a kind is that of a Unicode emoji. The emoji need not be available for new reactions.

    :raises BadRequest: neither name nor code, or an unknown name
    :raises NoSuchReaction: the user has no such reaction
    """
    require_emoji_type(reaction_type)
    own = [reaction for reaction in message.reactions if reaction.user_id == user_id]
    if code is not None:
        matching = _select_reactions(own, code, reaction_type or UNICODE_EMOJI)
    elif name:
        emoji = known.find(name, reaction_type)
        matching = _select_reactions(own, emoji.code, emoji.reaction_type) if emoji else []
        if not matching:  # an emoji that had the name when the user reacted
            of_kind = [each for each in own if reaction_type in (None, each.reaction_type)]
            matching = [each for each in of_kind if each.emoji_name == name]
        if emoji is None and not matching:
            raise no_such_emoji(name)
    else:
        raise BadRequest("One of emoji_name and emoji_code is needed.")
    if not matching:
        raise NoSuchReaction
    return matching[0]


def _select_reactions(reactions: Sequence[Reaction], code: str, reaction_type: str) -> list[Reaction]:
    return [
        reaction
        for reaction in reactions
        if (reaction.emoji_code, reaction.reaction_type) == (code, reaction_type)
    ]
