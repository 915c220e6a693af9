"""Events for the managers of a bot: its owner, who also receives the key, and the administrators who are
people.
"""

from collections.abc import Mapping

from chatcore.application.services import Services
from chatcore.domain.choices import Value
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.people.users import User, manages_bot
from chatcore.domain.roles import Role
from chatcore.events.audience import Users
from chatcore.events.shapes.users import person
from chatcore.events.types import BotAdded, BotChanged, BotRemoved
from chatcore.storage import Transaction


def announce_bot(svc: Services, tx: Transaction, bot: User) -> None:
    """Notify the managers of a bot that it exists."""
    tx.announce(_added(svc, bot), Users(_managers(tx, bot)))


def notify_managers(tx: Transaction, user: User, changes: Mapping[str, Value]) -> None:
    """Notify the managers of a bot of changed fields; does nothing for people."""
    if user.is_bot:
        tx.announce(BotChanged(user_id=user.id, changes=changes), Users(_managers(tx, user)))


def give_bot(svc: Services, tx: Transaction, bot: User, owner_id: UserId) -> None:
    """Set another owner of a bot, who receives its key."""
    tx.users.update(bot.id, bot_owner_id=owner_id)
    given = tx.users.get(bot.id)
    tx.announce(_added(svc, given), Users((owner_id,)))
    notify_managers(tx, given, {"owner_id": owner_id})


def announce_managed(svc: Services, tx: Transaction, before: Actor, after: Actor) -> None:
    """Notify a user whose role changed of the bots that the user can or can no longer manage."""
    me, own_bot = Users((after.user_id,)), tx.organization.get().notification_bot_id
    for bot in tx.users.all():
        manages = manages_bot(after, bot)
        if bot.is_bot and bot.id != own_bot and manages != manages_bot(before, bot):
            tx.announce(_added(svc, bot) if manages else BotRemoved(user_id=bot.id), me)


def _added(svc: Services, bot: User) -> BotAdded:
    return BotAdded(bot=person(bot, svc.settings.host), key_version=bot.key_version)


def _managers(tx: Transaction, bot: User) -> tuple[UserId, ...]:
    administrators = tx.users.active_with_roles([Role.OWNER, Role.ADMINISTRATOR])
    people = {user.id for user in administrators if not user.is_bot}
    if bot.bot_owner_id is not None:
        people.add(bot.bot_owner_id)
    return tuple(sorted(people))
