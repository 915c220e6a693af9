"""Conformance tests of `chatcore.storage.channels`."""

from chatcore.storage.conformance.channels.channels import *  # noqa: F403
from chatcore.storage.conformance.channels.default_groups import *  # noqa: F403
from chatcore.storage.conformance.channels.folders import *  # noqa: F403
from chatcore.storage.conformance.channels.navigation_views import *  # noqa: F403
from chatcore.storage.conformance.channels.subscriptions import *  # noqa: F403
from chatcore.storage.conformance.channels.topic_policies import *  # noqa: F403
