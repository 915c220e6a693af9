"""Conformance tests of `chatcore.storage.people`."""

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
