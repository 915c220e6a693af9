"""Conformance tests for every store, as plain functions that take a `storage`: empty, migrated and open.

A backend's own test module consists of one import and a fixture of that name:

    from chatcore.storage.conformance import *

There is a file for each protocol. The tests need no test framework; a function that returns has passed.
"""

from chatcore.storage.conformance.alert_words import *  # noqa: F403
from chatcore.storage.conformance.bot_storage import *  # noqa: F403
from chatcore.storage.conformance.channels import *  # noqa: F403
from chatcore.storage.conformance.closing import *  # noqa: F403
from chatcore.storage.conformance.configuration import *  # noqa: F403
from chatcore.storage.conformance.conversations import *  # noqa: F403
from chatcore.storage.conformance.counters import *  # noqa: F403
from chatcore.storage.conformance.daily_use import *  # noqa: F403
from chatcore.storage.conformance.drafts import *  # noqa: F403
from chatcore.storage.conformance.edits import *  # noqa: F403
from chatcore.storage.conformance.emoji import *  # noqa: F403
from chatcore.storage.conformance.flags import *  # noqa: F403
from chatcore.storage.conformance.groups import *  # noqa: F403
from chatcore.storage.conformance.imports import *  # noqa: F403
from chatcore.storage.conformance.log import *  # noqa: F403
from chatcore.storage.conformance.logins import *  # noqa: F403
from chatcore.storage.conformance.messages import *  # noqa: F403
from chatcore.storage.conformance.muted_users import *  # noqa: F403
from chatcore.storage.conformance.organization import *  # noqa: F403
from chatcore.storage.conformance.presences import *  # noqa: F403
from chatcore.storage.conformance.profiles import *  # noqa: F403
from chatcore.storage.conformance.queues import *  # noqa: F403
from chatcore.storage.conformance.search import *  # noqa: F403
from chatcore.storage.conformance.submessages import *  # noqa: F403
from chatcore.storage.conformance.subscriptions import *  # noqa: F403
from chatcore.storage.conformance.topic_policies import *  # noqa: F403
from chatcore.storage.conformance.transactions import *  # noqa: F403
from chatcore.storage.conformance.uploads import *  # noqa: F403
from chatcore.storage.conformance.users import *  # noqa: F403
