"""Conformance tests of invitations."""

from chatcore.storage.conformance.invitations.invitations import *  # noqa: F403
