"""Conformance tests of mails and confirmations."""

from chatcore.storage.conformance.mail.confirmations import *  # noqa: F403
from chatcore.storage.conformance.mail.digests import *  # noqa: F403
from chatcore.storage.conformance.mail.mails import *  # noqa: F403
from chatcore.storage.conformance.mail.missed import *  # noqa: F403
from chatcore.storage.conformance.mail.receipts import *  # noqa: F403
