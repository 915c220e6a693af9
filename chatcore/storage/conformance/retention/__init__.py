"""Conformance tests of `chatcore.storage.retention`."""

from chatcore.storage.conformance.retention.holds import *  # noqa: F403
from chatcore.storage.conformance.retention.retention import *  # noqa: F403
