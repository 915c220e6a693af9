"""Conformance tests of `chatcore.storage.organization`."""

from chatcore.storage.conformance.organization.audit import *  # noqa: F403
from chatcore.storage.conformance.organization.configuration import *  # noqa: F403
from chatcore.storage.conformance.organization.emoji import *  # noqa: F403
from chatcore.storage.conformance.organization.imports import *  # noqa: F403
from chatcore.storage.conformance.organization.organization import *  # noqa: F403
