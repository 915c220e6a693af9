"""The tests of `chatcore.storage.push`."""

from chatcore.storage.conformance.push.push_subscriptions import *  # noqa: F403
from chatcore.storage.conformance.push.pushes import *  # noqa: F403
