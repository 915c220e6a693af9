"""Conformance tests of `chatcore.storage.scheduled`."""

from chatcore.storage.conformance.scheduled.scheduled_messages import *  # noqa: F403
