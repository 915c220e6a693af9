"""`chatcore.storage.bots`."""

from chatcore.storage.conformance.bots.bot_calls import *  # noqa: F403
from chatcore.storage.conformance.bots.bots import *  # noqa: F403
