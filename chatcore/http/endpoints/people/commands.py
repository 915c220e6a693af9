"""Commands of the message box."""

from typing import Annotated

from chatcore.application.arguments import about
from chatcore.application.people import settings
from chatcore.application.services import Services
from chatcore.domain.people.commands import COMMANDS
from chatcore.http.auth import Caller
from chatcore.http.parameters.declaring import Params, Text
from chatcore.http.routing import Done


class CommandParams(Params, kw_only=True, frozen=True):
    command: Annotated[Text, about(f"A slash and one of these: {', '.join(COMMANDS)}.")]


def run(svc: Services, caller: Caller, p: CommandParams) -> Done:
    """Run a command, which sets some of the caller's own settings."""
    settings.run_command(svc, caller.actor, p.command)
    return Done()
