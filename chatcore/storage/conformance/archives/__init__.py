"""Conformance tests of `chatcore.storage.archives`."""

from chatcore.storage.conformance.archives.exports import *  # noqa: F403
