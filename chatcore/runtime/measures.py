"""The measurements of a server, declared once, and the way in which the code tells of them.

A label has few values, which follow from the code: never an id, an address or a name that somebody chose.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final


class MetricType(Enum):
    """The ways to put the values of a family together."""

    COUNTER = "counter"
    """A sum that only grows; what is shown has `_total` after the name."""
    HISTOGRAM = "histogram"
    """The number of values, their sum, and how many are below some bounds."""
    LIVE_SUM = "live sum"
    """A gauge of each process, as it is at present; all processes together have the sum."""
    LIVE_MAXIMUM = "live maximum"
    """The same, and all processes together have the greatest."""
    READ = "read"
    """A gauge that all processes share; it is read when somebody asks, at most once in some seconds."""


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """A family of measurements; the name of a counter has no `_total` here."""

    name: str
    kind: MetricType
    meaning: str
    labels: tuple[str, ...] = ()
    bounds: tuple[float, ...] = ()
    """The upper bounds that a histogram counts by."""

    @property
    def shown_name(self) -> str:
        """Return the name as the page of metrics shows it; that of a histogram has three endings there."""
        return f"{self.name}_total" if self.kind is MetricType.COUNTER else self.name


SECONDS: Final = (0.005, 0.02, 0.1, 0.5, 2, 10)
BATCHES: Final = (1, 2, 5, 10, 20, 50, 100)

ANSWERS: Final = Family(
    "chatcore_answers", MetricType.COUNTER, "Answers.", labels=("method", "route", "status")
)
ANSWER_SECONDS: Final = Family(
    "chatcore_answer_seconds",
    MetricType.HISTOGRAM,
    "Time until an answer was ready.",
    labels=("method", "route"),
    bounds=SECONDS,
)
COMMIT_BATCH: Final = Family(
    "chatcore_commit_batch",
    MetricType.HISTOGRAM,
    "Units of work that became durable in one commit.",
    bounds=BATCHES,
)
COMMIT_SECONDS: Final = Family(
    "chatcore_commit_seconds",
    MetricType.HISTOGRAM,
    "Time of a commit with its units of work, from the wait for the write lock on.",
    bounds=SECONDS,
)
LOG_LAG: Final = Family(
    "chatcore_log_lag_seconds",
    MetricType.LIVE_MAXIMUM,
    "Time since a process with waiting polls has last read the log of events to its end; up to 2 at rest.",
)
WAITING_POLLS: Final = Family("chatcore_waiting_polls", MetricType.LIVE_SUM, "Polls that wait for events.")
EVENT_QUEUES: Final = Family("chatcore_event_queues", MetricType.READ, "Open event queues.")
EVENTS: Final = Family(
    "chatcore_events_answered", MetricType.COUNTER, "Events that polls were answered with."
)
MAILS: Final = Family(
    "chatcore_mails",
    MetricType.COUNTER,
    "Attempts to send a mail: `sent`, `failed` (it is tried again), `given_up`, or `outdated` (nothing is"
    " missed any more).",
    labels=("outcome",),
)
PUSHES: Final = Family(
    "chatcore_pushes",
    MetricType.COUNTER,
    "Attempts to send a push to a browser: `sent`, `failed` (it is tried again), `given_up`, `gone` (the"
    " browser has ended its subscription), or `outdated` (nothing is missed any more).",
    labels=("outcome",),
)
LOGINS: Final = Family(
    "chatcore_logins",
    MetricType.COUNTER,
    "Attempts to log in: `ok`, `wrong` (name, password or token), `limited` (too many attempts),"
    " `deactivated` (the account or the organization) or `refused` (this way is not open).",
    labels=("outcome",),
)
SEARCH_SECONDS: Final = Family(
    "chatcore_search_seconds", MetricType.HISTOGRAM, "Time of a search for words.", bounds=SECONDS
)
UPLOADS: Final = Family("chatcore_uploads", MetricType.COUNTER, "Files that were uploaded.")
UPLOAD_BYTES: Final = Family("chatcore_upload_bytes", MetricType.COUNTER, "Bytes of these files.")
FREE_BYTES: Final = Family(
    "chatcore_uploads_free_bytes",
    MetricType.READ,
    "Bytes that are free for uploaded files, where they lie on a disk.",
)
DUE_WAITING: Final = Family(
    "chatcore_due_waiting",
    MetricType.READ,
    "Due work that waits, also for its time, up to 10000 of each kind.",
    labels=("kind",),
)
DUE_LATE: Final = Family(
    "chatcore_due_late_seconds",
    MetricType.READ,
    "Seconds by which the first of these is late.",
    labels=("kind",),
)
AUDIT_ENTRIES: Final = Family(
    "chatcore_audit_entries",
    MetricType.COUNTER,
    "Changes noted for the audit log, by their kind.",
    labels=("kind",),
)
RETENTION_MESSAGES: Final = Family(
    "chatcore_retention_messages", MetricType.COUNTER, "Messages that were deleted because they were too old."
)
RETENTION_FILES: Final = Family("chatcore_retention_files", MetricType.COUNTER, "Files that went with them.")
BUILD: Final = Family("chatcore_build_info", MetricType.READ, "Always 1.", labels=("version",))

FAMILIES: Final = (
    ANSWERS,
    ANSWER_SECONDS,
    COMMIT_BATCH,
    COMMIT_SECONDS,
    LOG_LAG,
    WAITING_POLLS,
    EVENT_QUEUES,
    EVENTS,
    MAILS,
    PUSHES,
    LOGINS,
    SEARCH_SECONDS,
    UPLOADS,
    UPLOAD_BYTES,
    FREE_BYTES,
    DUE_WAITING,
    DUE_LATE,
    AUDIT_ENTRIES,
    RETENTION_MESSAGES,
    RETENTION_FILES,
    BUILD,
)
"""All families; the processes' memory, processor time and open files come besides."""

Listener = Callable[[Family, float, tuple[str, ...]], object]


class Measures:
    """Tells of what happens in one organization; without a listener, nobody counts."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> None:
        """Call *listener* with a family, an amount and the values of the labels."""
        self._listeners.append(listener)

    def add(self, family: Family, amount: float, *labels: str) -> None:
        """Add to a counter, or a value to a histogram; the values of labels are in their declared order."""
        for listener in self._listeners:
            listener(family, amount, labels)
