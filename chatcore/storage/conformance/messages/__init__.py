"""Conformance tests of `chatcore.storage.messages`."""

from chatcore.storage.conformance.messages.conversations import *  # noqa: F403
from chatcore.storage.conformance.messages.drafts import *  # noqa: F403
from chatcore.storage.conformance.messages.edits import *  # noqa: F403
from chatcore.storage.conformance.messages.flags import *  # noqa: F403
from chatcore.storage.conformance.messages.histories import *  # noqa: F403
from chatcore.storage.conformance.messages.messages import *  # noqa: F403
from chatcore.storage.conformance.messages.moves import *  # noqa: F403
from chatcore.storage.conformance.messages.reach import *  # noqa: F403
from chatcore.storage.conformance.messages.saved_snippets import *  # noqa: F403
from chatcore.storage.conformance.messages.search import *  # noqa: F403
from chatcore.storage.conformance.messages.submessages import *  # noqa: F403
