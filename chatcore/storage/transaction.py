"""A store and its two kinds of access: a consistent snapshot, or a unit of work."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol, TypeVar

from chatcore.domain.errors import ChatcoreError
from chatcore.domain.ids import ChannelId, Position, UserId
from chatcore.domain.organization.audit import AuditEntry
from chatcore.events.audience import Audience
from chatcore.events.happened import AnyEvent
from chatcore.events.queue import Queue
from chatcore.storage.archives.exports import Exports
from chatcore.storage.archives.tables import Tables
from chatcore.storage.backlog import Backlog
from chatcore.storage.bots.bot_calls import BotCalls
from chatcore.storage.bots.bots import Bots
from chatcore.storage.channels.channels import Channels
from chatcore.storage.channels.default_groups import DefaultGroups
from chatcore.storage.channels.folders import ChannelFolders
from chatcore.storage.channels.navigation_views import NavigationViews
from chatcore.storage.channels.subscriptions import Subscriptions
from chatcore.storage.channels.topic_policies import TopicPolicies
from chatcore.storage.events import EventLog, Queues
from chatcore.storage.invitations.invitations import Invitations
from chatcore.storage.mail.confirmations import Confirmations
from chatcore.storage.mail.digests import DigestRounds
from chatcore.storage.mail.mails import Mails
from chatcore.storage.mail.missed import MissedConversations
from chatcore.storage.mail.receipts import Receipts
from chatcore.storage.messages.drafts import Drafts
from chatcore.storage.messages.edits import Edits
from chatcore.storage.messages.flags import Flags
from chatcore.storage.messages.messages import Conversations, Messages, MessageSearch
from chatcore.storage.messages.reactions import Reactions
from chatcore.storage.messages.saved_snippets import SavedSnippets
from chatcore.storage.messages.submessages import Submessages
from chatcore.storage.organization.audit import AuditLog
from chatcore.storage.organization.configuration import Linkifiers, Playgrounds
from chatcore.storage.organization.emoji import CustomEmojis
from chatcore.storage.organization.imports import Imports
from chatcore.storage.organization.organization import Organizations
from chatcore.storage.people.alert_words import AlertWords
from chatcore.storage.people.bot_storage import BotStorage
from chatcore.storage.people.browser_sessions import BrowserSessions
from chatcore.storage.people.counters import Counters
from chatcore.storage.people.daily_use import DailyUse
from chatcore.storage.people.erasures import Erasures
from chatcore.storage.people.external_identities import ExternalIdentities
from chatcore.storage.people.groups import Groups
from chatcore.storage.people.logins import Logins
from chatcore.storage.people.muted_users import MutedUsers
from chatcore.storage.people.onboarding import OnboardingSteps
from chatcore.storage.people.presences import Presences
from chatcore.storage.people.profiles import ProfileFields, ProfileValues, Statuses
from chatcore.storage.people.users import Users
from chatcore.storage.push.push_subscriptions import PushSubscriptions
from chatcore.storage.push.pushes import Pushes
from chatcore.storage.retention.holds import LegalHolds
from chatcore.storage.retention.retention import Retention
from chatcore.storage.scheduled.scheduled_messages import ScheduledMessages
from chatcore.storage.thumbnails import Images
from chatcore.storage.uploads import Attachments, Uploads

T = TypeVar("T")


class Snapshot(Protocol):
    """Consistent view of all data at one moment. Writing through it is a programming error."""

    @property
    def organization(self) -> Organizations: ...
    @property
    def users(self) -> Users: ...
    @property
    def channels(self) -> Channels: ...
    @property
    def channel_folders(self) -> ChannelFolders: ...
    @property
    def navigation_views(self) -> NavigationViews: ...
    @property
    def default_groups(self) -> DefaultGroups: ...
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
    def onboarding_steps(self) -> OnboardingSteps: ...
    @property
    def drafts(self) -> Drafts: ...
    @property
    def saved_snippets(self) -> SavedSnippets: ...
    @property
    def mail_receipts(self) -> Receipts[ChannelId]: ...
    @property
    def scheduled_messages(self) -> ScheduledMessages: ...
    @property
    def invitations(self) -> Invitations: ...
    @property
    def confirmations(self) -> Confirmations: ...
    @property
    def mails(self) -> Mails: ...
    @property
    def missed(self) -> MissedConversations: ...
    @property
    def digests(self) -> DigestRounds: ...
    @property
    def push_subscriptions(self) -> PushSubscriptions: ...
    @property
    def pushes(self) -> Pushes: ...
    @property
    def reply_receipts(self) -> Receipts[UserId]: ...
    @property
    def bots(self) -> Bots: ...
    @property
    def bot_calls(self) -> BotCalls: ...
    @property
    def bot_storage(self) -> BotStorage: ...
    @property
    def daily_use(self) -> DailyUse: ...
    @property
    def erasures(self) -> Erasures: ...
    @property
    def attachments(self) -> Attachments: ...
    @property
    def uploads(self) -> Uploads: ...
    @property
    def images(self) -> Images: ...
    @property
    def backlog(self) -> Backlog: ...
    @property
    def log(self) -> EventLog: ...
    @property
    def queues(self) -> Queues: ...
    @property
    def imports(self) -> Imports: ...
    @property
    def exports(self) -> Exports: ...
    @property
    def tables(self) -> Tables: ...
    @property
    def logins(self) -> Logins: ...
    @property
    def browser_sessions(self) -> BrowserSessions: ...
    @property
    def external_identities(self) -> ExternalIdentities: ...
    @property
    def counters(self) -> Counters: ...
    @property
    def audit(self) -> AuditLog: ...
    @property
    def holds(self) -> LegalHolds: ...
    @property
    def retention(self) -> Retention: ...

    def together(self, reads: Sequence[Callable[[], T]]) -> Sequence[T]:
        """Return the results of reads from this snapshot, in their order. A store whose every answer takes a
        while can ask for all at once: it may run each read several times, in any order, and end it by a
        `BaseException` where a result is missing. So the reads only read, and do not rely on each other.
        """
        return [read() for read in reads]


class Transaction(Snapshot, Protocol):
    """A unit of work with exclusive access to the store while it runs."""

    def draw(self, count: int = 1) -> Position:
        """Reserve the next position in the log (the first of *count*), for a message or a heartbeat."""

    def announce(self, event: AnyEvent, to: Audience, at: Position | None = None) -> Position:
        """Write an event to the log, at a drawn position or at the next one.

        If the audience depends on the subscribers of a channel, the position is also noted as that channel's
        last event: subscription periods are merged only where nothing happened between them.

        An event that occupies several positions takes the next ones; its own position is the last of them.
        """

    def record(self, entry: AuditEntry) -> None:
        """Add an entry, which gets an id, to the audit log. All entries of a unit of work are written at its
        end, at once.
        """


class Storage(Protocol):
    """The store of one organization."""

    def read(self, work: Callable[[Snapshot], T]) -> T:
        """Run *work* on a snapshot."""

    def write(self, work: Callable[[Transaction], T]) -> T:
        """Run *work* exclusively; when this returns, its changes and events are durable.

        Any exception of *work* is raised here, and all its changes are rolled back. *work* must not start
        another unit of work, and must not wait for anything but the store.
        """

    def queue_and_head(self, queue_id: str) -> tuple[Queue | None, Position]:
        """Return a queue, if it exists, and the head of the log, as a snapshot has them but cheaper: most
        polls need nothing else.
        """

    def assuming(self) -> AbstractContextManager[None]:
        """Allow `recall` on this thread while the context lasts, until the thread's first transaction."""

    def recall(self, work: Callable[[Snapshot], T]) -> T | None:
        """Run *work* on values that are in memory from earlier transactions, without a transaction.

        Return None if there is no `assuming` around, if a value is not in memory, or if *work* raises an
        error; a store without such a memory always does. The values may be outdated: the thread's next
        transaction raises `Outdated`, before its work runs, if one of them has changed.
        """

    def confirm(self) -> None:
        """Check that all values that `recall` has used are those of the store.

        :raises Outdated: one of them has changed
        """

    def holding(self, name: str) -> AbstractContextManager[bool]:
        """Hold a name while the context lasts, and give whether that succeeded.

        It succeeds only if nobody else holds the name; it need not. So a held name tells others that this
        process is still at something: when it has ended, however that was, they can hold the name themselves.
        """

    def on_commit(self, listener: Callable[[], None]) -> None:
        """Call *listener* after this or another process has committed events. Calls are only hints."""

    def on_another_log(self, begin_anew: Callable[[Transaction], object]) -> None:
        """Let *begin_anew* be the first unit of work in a database whose log is a copy of the adopted one: no
        other may draw positions there before (see `EventLog.is_copied`). Each new connection is looked at.
        """

    def check_log(self) -> None:
        """Do so without another unit of work, if the log is a copy of the adopted one."""

    def on_batch(self, listener: Callable[[int, float], None]) -> None:
        """Call *listener* after each commit of this process, with the number of units of work in it, and the
        seconds that it took, from the wait for the write lock on.
        """

    def broadcast(self, text: str) -> None:
        """Send a short text to all processes that have the store open, including this one, without waiting.

        All of them receive the texts in the same order. Texts are not stored: they are lost if a connection
        breaks, or if the store supports only one process.
        """

    def on_broadcast(self, listener: Callable[[str], None]) -> None:
        """Call *listener*, in a thread of the store, with each text."""

    def check(self) -> None:
        """Check that the store can be used.

        :raises StorageNotReady: with a message for people when it cannot be used
        """

    def check_writing(self) -> None:
        """Check that the store can currently be written.

        Cheap enough to be called every second, because it uses the outcome of recent work.

        :raises StorageNotReady: nothing can be written at present, for example because the disk is full
        """

    def close(self) -> None:
        """Refuse all new work with `StorageClosed`, let running work finish, and release the store.

        Work that does not finish in time keeps its connection until the process ends.
        """


class Store(Storage, Protocol):
    """The store of one organization at a URL, whose database may not exist yet."""

    def exists(self) -> bool:
        """Whether the database exists."""

    def migrate(self, note: Callable[[str, float], object] = ...) -> list[str]:
        """Create the database and its tables, or bring them to this version; return the names of the
        migrations.

        *note* is called with the name of each, and the seconds that it took.

        :raises StorageNotReady: the database cannot be made or reached, or is newer than this program
        """

    def pending(self) -> list[str]:
        """Return the names of the migrations that `migrate` would apply to the database.

        :raises StorageNotReady: as `migrate`; or there is no organization in it
        """


class StorageNotReady(ChatcoreError):
    """The store is temporarily unreachable, or is missing, not migrated, or newer than this program."""


class OutcomeUnknown(StorageNotReady):
    """The store broke off while a unit of work was committed: it may have taken effect or not."""


class Outdated(Exception):
    """A value that `Storage.recall` has used has changed since. Nothing was done; begin again without it."""


class StorageClosed(StorageNotReady):
    """The program has closed the store; nothing can be read or written any more."""

    def __init__(self) -> None:
        super().__init__("the chat is closed; open it again with open_chat")


class BadDatabaseUrl(ChatcoreError, ValueError):
    """The database URL does not name a store that can be opened."""
