"""The address of the notification bot: it is at the host of the organization's own address, wherever that
moves.
"""

from contextlib import suppress

from chatcore.application import units
from chatcore.application.organization.founding import BOT_ADDRESS
from chatcore.application.people.identity import change_address
from chatcore.application.services import Services
from chatcore.application.units import Unit, View
from chatcore.domain.errors import BadRequest
from chatcore.domain.people.users import User


def follow_address(svc: Services) -> None:
    """Give the bot the address at the host where the organization is served, and notify clients.

    Without `external_url` the host is a guess, and the address stays; so it does if somebody else has it.
    """
    if not svc.settings.url_is_a_guess and units.read(svc, _find_elsewhere) is not None:
        with suppress(BadRequest):
            units.write(svc, _change_address)


def _address(view: View) -> str:
    return f"{BOT_ADDRESS}@{view.svc.settings.host}"


def _find_elsewhere(view: View) -> User | None:
    """Return the bot if its address is at another host."""
    bot_id = view.snapshot.organization.get().notification_bot_id
    bot = None if bot_id is None else view.snapshot.users.find(bot_id)
    if bot is None or not bot.email.startswith(f"{BOT_ADDRESS}@") or bot.email == _address(view):
        return None
    return bot


def _change_address(unit: Unit) -> None:
    """Change the address.

    :raises BadRequest: somebody else has it, or no mail program would take it for one
    """
    if (bot := _find_elsewhere(unit)) is not None:
        change_address(unit, bot, _address(unit))
