"""Calls of bots by messages: rows that are written with the message and answered after it, see
`chatcore.application.bots.calling`.
"""

from chatcore.application.delivery import notices
from chatcore.application.delivery.checked_messages import CheckedMessage
from chatcore.application.units import Unit, View
from chatcore.domain.bots.calls import BotCall, can_be_called, may_call_bots
from chatcore.domain.ids import MessageId, UserId


def call_bots(unit: Unit, checked: CheckedMessage, message_id: MessageId) -> bool:
    """Let the bots answer that a message mentions in a channel or goes to directly; return whether there are
    any.

    A bot for which too many messages wait is not called; its owner is notified, at most once in a while.
    """
    sender = checked.sender
    is_mention = checked.channel is not None
    addressed = [user.id for user in checked.people]
    if is_mention:
        addressed = [UserId(user_id) for user_id in checked.text.effects.user_ids]
    if not addressed or not may_call_bots(sender):
        return False
    called = [
        user
        for user in unit.tx.users.by_ids(addressed).values()
        if can_be_called(user) and user.id != sender.id
    ]
    for bot in called:
        if _has_room(unit, bot.id, sender.id):
            call = BotCall(bot_id=bot.id, message_id=message_id, is_mention=is_mention, due=unit.now)
            unit.tx.bot_calls.add(call)
        else:
            about = f"Your bot `{bot.email}` does not get new messages"
            notices.report_to_owner(unit, bot.id, about, ", because too many wait for its service.")
    return bool(called)


def _has_room(view: View, bot_id: UserId, caller_id: UserId) -> bool:
    waiting = view.snapshot.bot_calls.count(bot_id)
    if waiting >= view.limits.max_bot_calls:
        return False
    most = view.limits.max_bot_calls_of_account
    return waiting < most or view.snapshot.bot_calls.count_of_caller(bot_id, caller_id) < most
