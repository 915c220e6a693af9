"""The command `chatcore`.

Commands import their modules when they run, so that `--help` is quick and `serve` can make the standard
library cooperative before anything else is loaded.
"""

from chatcore.cli import account_states  # noqa: F401 - more of what can be done to users
from chatcore.cli.accounts import init, user
from chatcore.cli.archives import export
from chatcore.cli.backup import backup
from chatcore.cli.check import check
from chatcore.cli.imports import import_
from chatcore.cli.mail import mail
from chatcore.cli.options import chatcore
from chatcore.cli.organization import organization, public_access
from chatcore.cli.restored import restored
from chatcore.cli.serve import serve

__all__ = ["chatcore", "main"]

for command in (
    init, serve, user, organization, public_access, import_, export, mail, backup, check, restored
):  # fmt: skip
    chatcore.add_command(command)


def main() -> None:
    """Run the command line of this process."""
    chatcore(prog_name="chatcore")
