"""A snapshot of a SQL database and a transaction on it: the repositories over one session.

A repository has its one line in `SqlSnapshot`; in most cases it is named like its module.
"""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from chatcore.domain.ids import Position
from chatcore.domain.organization.audit import AuditEntry
from chatcore.events.audience import Audience
from chatcore.events.happened import AnyEvent
from storage_backends.sql import backlog, events, thumbnails, uploads
from storage_backends.sql.archives import exports, tables
from storage_backends.sql.bots import bot_calls, bots
from storage_backends.sql.channels import (
    channels,
    default_groups,
    folders,
    navigation_views,
    subscriptions,
    topic_policies,
)
from storage_backends.sql.invitations import invitations
from storage_backends.sql.mail import confirmations, digests, mails, missed, receipts
from storage_backends.sql.messages import (
    conversations,
    drafts,
    edits,
    flags,
    messages,
    reactions,
    saved_snippets,
    submessages,
)
from storage_backends.sql.narrow import search
from storage_backends.sql.organization import audit, configuration, emoji, imports, organization
from storage_backends.sql.people import (
    alert_words,
    bot_storage,
    browser_sessions,
    counters,
    daily_use,
    erasures,
    external_identities,
    groups,
    logins,
    muted_users,
    onboarding,
    presences,
    profiles,
    users,
)
from storage_backends.sql.push import push_subscriptions, pushes
from storage_backends.sql.retention import holds, retention
from storage_backends.sql.scheduled import scheduled_messages
from storage_backends.sql.session import Session

T = TypeVar("T")


class Repository(Generic[T]):
    """A repository of a snapshot, made on first use: most units of work use few of them."""

    def __init__(self, make: Callable[[Session], T]) -> None:
        self._make = make

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, snapshot: "SqlSnapshot", owner: type) -> T:
        made = self._make(snapshot.session)
        snapshot.__dict__[self._name] = made  # later look-ups find it here first
        return made


class SqlSnapshot:
    """The repositories over one session."""

    organization = Repository(organization.Organizations)
    users = Repository(users.Users)
    channels = Repository(channels.Channels)
    channel_folders = Repository(folders.ChannelFolders)
    navigation_views = Repository(navigation_views.NavigationViews)
    default_groups = Repository(default_groups.DefaultGroups)
    subscriptions = Repository(subscriptions.Subscriptions)
    groups = Repository(groups.Groups)
    messages = Repository(messages.Messages)
    reactions = Repository(reactions.Reactions)
    submessages = Repository(submessages.Submessages)
    edits = Repository(edits.Edits)
    search = Repository(search.MessageSearch)
    conversations = Repository(conversations.Conversations)
    flags = Repository(flags.Flags)
    topic_policies = Repository(topic_policies.TopicPolicies)
    alert_words = Repository(alert_words.AlertWords)
    muted_users = Repository(muted_users.MutedUsers)
    linkifiers = Repository(configuration.Linkifiers)
    playgrounds = Repository(configuration.Playgrounds)
    emoji = Repository(emoji.CustomEmojis)
    profile_fields = Repository(profiles.ProfileFields)
    profile_values = Repository(profiles.ProfileValues)
    statuses = Repository(profiles.Statuses)
    presences = Repository(presences.Presences)
    onboarding_steps = Repository(onboarding.OnboardingSteps)
    drafts = Repository(drafts.Drafts)
    saved_snippets = Repository(saved_snippets.SavedSnippets)
    mail_receipts = Repository(receipts.MailReceipts)
    scheduled_messages = Repository(scheduled_messages.ScheduledMessages)
    invitations = Repository(invitations.Invitations)
    confirmations = Repository(confirmations.Confirmations)
    mails = Repository(mails.Mails)
    missed = Repository(missed.MissedConversations)
    digests = Repository(digests.DigestRounds)
    push_subscriptions = Repository(push_subscriptions.PushSubscriptions)
    pushes = Repository(pushes.Pushes)
    reply_receipts = Repository(receipts.ReplyReceipts)
    bots = Repository(bots.Bots)
    bot_calls = Repository(bot_calls.BotCalls)
    bot_storage = Repository(bot_storage.BotStorage)
    daily_use = Repository(daily_use.DailyUse)
    erasures = Repository(erasures.Erasures)
    attachments = Repository(uploads.Attachments)
    uploads = Repository(uploads.Uploads)
    images = Repository(thumbnails.Images)
    backlog = Repository(backlog.Backlog)
    log = Repository(events.EventLog)
    queues = Repository(events.Queues)
    imports = Repository(imports.Imports)
    exports = Repository(exports.Exports)
    tables = Repository(tables.Tables)
    logins = Repository(logins.Logins)
    browser_sessions = Repository(browser_sessions.BrowserSessions)
    external_identities = Repository(external_identities.ExternalIdentities)
    counters = Repository(counters.Counters)
    audit = Repository(audit.AuditLog)
    holds = Repository(holds.LegalHolds)
    retention = Repository(retention.Retention)

    def __init__(self, session: Session, head: int) -> None:
        self.session = session
        session.head = head

    def together(self, reads: Sequence[Callable[[], T]]) -> Sequence[T]:
        return self.session.together(reads)


class SqlTransaction(SqlSnapshot):
    """A snapshot that can also write, and knows the end of the log.

    It counts positions itself instead of asking the database: nobody else can draw any while it runs.
    """

    def __init__(self, session: Session, head: int) -> None:
        super().__init__(session, head)
        self.announced: list[tuple[Position, AnyEvent, Audience]] = []
        self.recorded: list[AuditEntry] = []

    def draw(self, count: int = 1) -> Position:
        first = self.session.head + 1
        self.session.head += count
        return Position(first)

    def announce(self, event: AnyEvent, to: Audience, at: Position | None = None) -> Position:
        position = Position(self.draw(event.position_count) + event.position_count - 1) if at is None else at
        self.announced.append((position, event, to))
        return position

    def record(self, entry: AuditEntry) -> None:
        self.recorded.append(entry)

    def flush(self) -> bool:
        """Write the announced events and the entries of the audit log; return whether there were events."""
        announced, self.announced = self.announced, []
        self.log.append(announced)
        if self.recorded:
            recorded, self.recorded = self.recorded, []
            self.audit.add(recorded)
        return bool(announced)
