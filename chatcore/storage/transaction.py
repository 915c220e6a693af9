"""A store, and the two ways into it: one consistent snapshot, or one unit of work."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from chatcore.domain.ids import Position
from chatcore.events.audience import Audience
from chatcore.events.types import AnyEvent
from chatcore.storage.bot_storage import BotStorage
from chatcore.storage.channels import Channels, Subscriptions
from chatcore.storage.configuration import Linkifiers, Playgrounds
from chatcore.storage.counters import Counters
from chatcore.storage.daily_use import DailyUse
from chatcore.storage.drafts import Drafts
from chatcore.storage.edits import Edits
from chatcore.storage.emoji import CustomEmojis
from chatcore.storage.events import EventLog, Queues
from chatcore.storage.flags import AlertWords, Flags, TopicPolicies
from chatcore.storage.groups import Groups
from chatcore.storage.imports import Imports
from chatcore.storage.logins import Logins
from chatcore.storage.messages import Conversations, Messages, MessageSearch
from chatcore.storage.muted_users import MutedUsers
from chatcore.storage.organization import Organizations
from chatcore.storage.presences import Presences
from chatcore.storage.profiles import ProfileFields, ProfileValues, Statuses
from chatcore.storage.reactions import Reactions
from chatcore.storage.submessages import Submessages
from chatcore.storage.uploads import Attachments, Uploads
from chatcore.storage.users import Users

T = TypeVar("T")


class Snapshot(Protocol):
    """Everything that can be read, as of one moment. Writing through it is an error of the program."""

    @property
    def organization(self) -> Organizations: ...
    @property
    def users(self) -> Users: ...
    @property
    def channels(self) -> Channels: ...
    @property
    def subscriptions(self) -> Subscriptions: ...
    @property
    def groups(self) -> Groups: ...
    @property
    def messages(self) -> Messages: ...
    @property
    def reactions(self) -> Reactions: ...
    @property
    def submessages(self) -> Submessages: ...
    @property
    def edits(self) -> Edits: ...
    @property
    def search(self) -> MessageSearch: ...
    @property
    def conversations(self) -> Conversations: ...
    @property
    def flags(self) -> Flags: ...
    @property
    def topic_policies(self) -> TopicPolicies: ...
    @property
    def alert_words(self) -> AlertWords: ...
    @property
    def muted_users(self) -> MutedUsers: ...
    @property
    def linkifiers(self) -> Linkifiers: ...
    @property
    def playgrounds(self) -> Playgrounds: ...
    @property
    def emoji(self) -> CustomEmojis: ...
    @property
    def profile_fields(self) -> ProfileFields: ...
    @property
    def profile_values(self) -> ProfileValues: ...
    @property
    def statuses(self) -> Statuses: ...
    @property
    def presences(self) -> Presences: ...
    @property
    def drafts(self) -> Drafts: ...
    @property
    def bot_storage(self) -> BotStorage: ...
    @property
    def daily_use(self) -> DailyUse: ...
    @property
    def attachments(self) -> Attachments: ...
    @property
    def uploads(self) -> Uploads: ...
    @property
    def log(self) -> EventLog: ...
    @property
    def queues(self) -> Queues: ...
    @property
    def imports(self) -> Imports: ...
    @property
    def logins(self) -> Logins: ...
    @property
    def counters(self) -> Counters: ...


class Transaction(Snapshot, Protocol):
    """A unit of work, alone in the store while it runs."""

    def draw(self, count: int = 1) -> Position:
        """Take the next place in the log (the first of *count*), for a message or a heartbeat."""

    def announce(self, event: AnyEvent, to: Audience, at: Position | None = None) -> Position:
        """Write an event to the log, at a place that was drawn or at the next one.

        That of an audience that asks who is subscribed to a channel is an event of that channel.

        What takes several places takes the next ones, and stands at the last of them.
        """


class Storage(Protocol):
    """One organization's store."""

    def read(self, work: Callable[[Snapshot], T]) -> T:
        """Run *work* on a snapshot."""

    def write(self, work: Callable[[Transaction], T]) -> T:
        """Run *work* alone; when this returns, its changes and events are durable.

        Whatever *work* raises is raised here, and nothing of it remains. *work* must not start another
        unit of work, and must not wait for anything but the store.
        """

    def on_commit(self, listener: Callable[[], None]) -> None:
        """Call *listener* after events were committed, by this process or another. It is only a hint."""

    def broadcast(self, text: str) -> None:
        """Send a short text to all processes that have the store open, this one included, without waiting.

        All of them get the texts in one order. They are not written down: where a connection breaks, or a
        store has one process only, they are lost.
        """

    def on_broadcast(self, listener: Callable[[str], None]) -> None:
        """Call *listener*, in a thread of the store's, with each text."""

    def check(self) -> None:
        """Raise `StorageNotReady` with a message for people when the store cannot be used."""

    def check_writing(self) -> None:
        """Raise `StorageNotReady` when nothing can be written just now, as on a full disk.

        Cheap enough to be asked every second: the outcome of recent work counts.
        """

    def close(self) -> None:
        """Refuse all work from now on with `StorageClosed`, let that which runs end, and let go of the store.

        What does not end in time keeps its connection until the process ends.
        """


class StorageNotReady(Exception):
    """The store cannot be reached just now, or is missing, not migrated, or newer than this program."""


class StorageClosed(StorageNotReady):
    """The program has closed the store; nothing can be read or written any more."""

    def __init__(self) -> None:
        super().__init__("it is closed")


class BadDatabaseUrl(ValueError):
    """A database URL that names no store that can be opened."""
