"""The address of the notification bot: it is at the host of the organization, and changes with it."""

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

    The address stays if the host is only a guess (without `external_url`), or if somebody else has the new
    address, or if that is invalid.
    """
    if not svc.settings.url_is_a_guess and units.read(svc, _find_bot_to_move) is not None:
        with suppress(BadRequest):
            units.write(svc, _change_address)


def _wanted_address(view: View) -> str:
    return f"{BOT_ADDRESS}@{view.svc.settings.host}"


def _find_bot_to_move(view: View) -> User | None:
    """Return the bot if its address is at another host."""
    bot_id = view.snapshot.organization.get().notification_bot_id
    bot = None if bot_id is None else view.snapshot.users.find(bot_id)
    if bot is None or not bot.email.startswith(f"{BOT_ADDRESS}@") or bot.email == _wanted_address(view):
        return None
    return bot


def _change_address(unit: Unit) -> None:
    """Change the address.

    :raises BadRequest: somebody else has the new address, or it is invalid
    """
    if (bot := _find_bot_to_move(unit)) is not None:
        change_address(unit, bot, _wanted_address(unit))
