"""Conformance tests for every store, as plain functions that take a `storage`: empty, migrated and open.

A backend's own test module consists of one import and a fixture of that name:

    from chatcore.storage.conformance import *

There is a file for each protocol, in the folder of its noun. A file or a folder can be imported alone while a
store is being written, and `not_yet` says what it lacks. The tests need no test framework; a function that
returns has passed.
"""

from chatcore.storage.conformance.archives.exports import *  # noqa: F403
from chatcore.storage.conformance.backlog import *  # noqa: F403
from chatcore.storage.conformance.bots.bot_calls import *  # noqa: F403
from chatcore.storage.conformance.bots.bots import *  # noqa: F403
from chatcore.storage.conformance.channels.channels import *  # noqa: F403
from chatcore.storage.conformance.channels.default_groups import *  # noqa: F403
from chatcore.storage.conformance.channels.folders import *  # noqa: F403
from chatcore.storage.conformance.channels.navigation_views import *  # noqa: F403
from chatcore.storage.conformance.channels.subscriptions import *  # noqa: F403
from chatcore.storage.conformance.channels.topic_policies import *  # noqa: F403
from chatcore.storage.conformance.closing import *  # noqa: F403
from chatcore.storage.conformance.invitations.invitations import *  # noqa: F403
from chatcore.storage.conformance.log import *  # noqa: F403
from chatcore.storage.conformance.mail.confirmations import *  # noqa: F403
from chatcore.storage.conformance.mail.digests import *  # noqa: F403
from chatcore.storage.conformance.mail.mails import *  # noqa: F403
from chatcore.storage.conformance.mail.missed import *  # noqa: F403
from chatcore.storage.conformance.mail.receipts import *  # noqa: F403
from chatcore.storage.conformance.messages.conversations import *  # noqa: F403
from chatcore.storage.conformance.messages.drafts import *  # noqa: F403
from chatcore.storage.conformance.messages.edits import *  # noqa: F403
from chatcore.storage.conformance.messages.flags import *  # noqa: F403
from chatcore.storage.conformance.messages.histories import *  # noqa: F403
from chatcore.storage.conformance.messages.messages import *  # noqa: F403
from chatcore.storage.conformance.messages.moves import *  # noqa: F403
from chatcore.storage.conformance.messages.reach import *  # noqa: F403
from chatcore.storage.conformance.messages.saved_snippets import *  # noqa: F403
from chatcore.storage.conformance.messages.search import *  # noqa: F403
from chatcore.storage.conformance.messages.submessages import *  # noqa: F403
from chatcore.storage.conformance.organization.audit import *  # noqa: F403
from chatcore.storage.conformance.organization.configuration import *  # noqa: F403
from chatcore.storage.conformance.organization.emoji import *  # noqa: F403
from chatcore.storage.conformance.organization.imports import *  # noqa: F403
from chatcore.storage.conformance.organization.organization import *  # noqa: F403
from chatcore.storage.conformance.people.alert_words import *  # noqa: F403
from chatcore.storage.conformance.people.bot_storage import *  # noqa: F403
from chatcore.storage.conformance.people.browser_sessions import *  # noqa: F403
from chatcore.storage.conformance.people.counters import *  # noqa: F403
from chatcore.storage.conformance.people.daily_use import *  # noqa: F403
from chatcore.storage.conformance.people.erasures import *  # noqa: F403
from chatcore.storage.conformance.people.external_identities import *  # noqa: F403
from chatcore.storage.conformance.people.groups import *  # noqa: F403
from chatcore.storage.conformance.people.logins import *  # noqa: F403
from chatcore.storage.conformance.people.muted_users import *  # noqa: F403
from chatcore.storage.conformance.people.onboarding import *  # noqa: F403
from chatcore.storage.conformance.people.presences import *  # noqa: F403
from chatcore.storage.conformance.people.profiles import *  # noqa: F403
from chatcore.storage.conformance.people.users import *  # noqa: F403
from chatcore.storage.conformance.push.push_subscriptions import *  # noqa: F403
from chatcore.storage.conformance.push.pushes import *  # noqa: F403
from chatcore.storage.conformance.queues import *  # noqa: F403
from chatcore.storage.conformance.retention.holds import *  # noqa: F403
from chatcore.storage.conformance.retention.retention import *  # noqa: F403
from chatcore.storage.conformance.scheduled.scheduled_messages import *  # noqa: F403
from chatcore.storage.conformance.thumbnails import *  # noqa: F403
from chatcore.storage.conformance.together import *  # noqa: F403
from chatcore.storage.conformance.transactions import *  # noqa: F403
from chatcore.storage.conformance.uploads import *  # noqa: F403
