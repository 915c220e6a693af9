"""Calls of bots by messages: rows that are written with the message and answered after it, see
`chatcore.application.bots.calling`.
"""

from chatcore.application.delivery import notices
from chatcore.application.units import Unit
from chatcore.domain.bots.calls import BotCall, calls_services, is_called
from chatcore.domain.ids import MessageId, UserId
from chatcore.domain.people.users import User


def call_bots(
    unit: Unit,
    sender: User,
    message_id: MessageId,
    *,
    addressed: list[UserId],
    mention: bool,
) -> bool:
    """Let the bots among the addressed users answer a message; return whether there are any.

    A bot for which too many messages wait is not called; its owner is notified, at most once in a while.
    """
    if not addressed or not calls_services(sender):
        return False
    called = [
        user for user in unit.tx.users.by_ids(addressed).values() if is_called(user) and user.id != sender.id
    ]
    for bot in called:
        if _has_room(unit, bot.id, sender.id):
            call = BotCall(bot_id=bot.id, message_id=message_id, is_mention=mention, due=unit.now)
            unit.tx.bot_calls.add(call)
        else:
            about = f"Your bot `{bot.email}` does not get new messages"
            notices.report_to_owner(unit, bot.id, about, ", because too many wait for its service.")
    return bool(called)


def _has_room(unit: Unit, bot_id: UserId, caller_id: UserId) -> bool:
    waiting = unit.tx.bot_calls.count(bot_id)
    if waiting >= unit.limits.max_bot_calls:
        return False
    most = unit.limits.max_bot_calls_of_account
    return waiting < most or unit.tx.bot_calls.count_of_caller(bot_id, caller_id) < most
