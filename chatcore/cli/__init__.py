"""The command `chatcore`.

Commands import their modules when they run, so that `--help` is quick and `serve` can make the standard
library cooperative before anything else is loaded.
"""

import gc
from typing import Final

from chatcore.cli.audit import audit
from chatcore.cli.channels import channel
from chatcore.cli.checking.check import check
from chatcore.cli.completion import completion
from chatcore.cli.content.files import file
from chatcore.cli.content.messages import message
from chatcore.cli.content.usage import usage
from chatcore.cli.data.archives import export
from chatcore.cli.data.backup import backup, restore
from chatcore.cli.data.imports import import_
from chatcore.cli.data.migrate import migrate
from chatcore.cli.data.restored import restored
from chatcore.cli.mail import mail
from chatcore.cli.options import chatcore
from chatcore.cli.organization import organization, public_access
from chatcore.cli.people import account_states, one_person  # noqa: F401 - more of what can be done to users
from chatcore.cli.people.accounts import init, user
from chatcore.cli.people.sessions import queue, session
from chatcore.cli.retention import hold, retention
from chatcore.cli.secret import rotate_secret
from chatcore.cli.serve import serve
from chatcore.cli.settings import settings_command
from chatcore.cli.statistics import statistics

__all__ = ["chatcore", "main"]

for command in (
    audit,
    backup,
    channel,
    check,
    completion,
    export,
    file,
    hold,
    import_,
    init,
    mail,
    message,
    migrate,
    organization,
    public_access,
    queue,
    restore,
    restored,
    retention,
    rotate_secret,
    serve,
    session,
    settings_command,
    statistics,
    usage,
    user,
):
    chatcore.add_command(command)


COLLECTION_THRESHOLD: Final = 10_000
"""New objects after which the garbage collector looks at them, far more than by default: loading the modules
makes hundreds of thousands that stay, and looking at these again and again is a tenth of a command's time.
"""


def main() -> None:
    """Run the command line of this process."""
    gc.set_threshold(COLLECTION_THRESHOLD)
    chatcore(prog_name="chatcore")
