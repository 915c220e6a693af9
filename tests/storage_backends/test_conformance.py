"""Our stores pass the suite that we ship: see the fixture `storage`."""

from chatcore.storage.conformance import *  # noqa: F403
