"""Frequent statements use an index: none of them scans a table that grows.

This is not a measurement: the databases are asked for their query plans.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from itertools import chain, count, pairwise

import pytest

from chatcore.domain.channels.channels import Channel
from chatcore.domain.ids import (
    AttachmentId,
    AuditId,
    ChannelId,
    MessageId,
    Position,
    QueueId,
    RecipientId,
    UserId,
)
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.messages import Edit, Message, Reaction, channel_message
from chatcore.domain.narrow import (
    DirectWith,
    Has,
    HasFlag,
    InChannel,
    InConversation,
    InTopic,
    IsDirect,
    IsFollowed,
    IsMuted,
    Narrow,
    Not,
    Search,
    SentBy,
    WithId,
    first_unread_in,
)
from chatcore.domain.narrow.terms import Content, Term
from chatcore.domain.organization.audit import AuditFilter, AuditKind, AuditTarget
from chatcore.domain.people.daily_use import Daily
from chatcore.domain.people.presence import Presence
from chatcore.domain.retention.due import Deadline
from chatcore.domain.topics import VisibilityPolicy
from chatcore.events.audience import Everyone
from chatcore.storage.conformance.makers import NOW, add_channel, add_user, an_event, subscribe, unsubscribe
from chatcore.storage.conformance.messages.search import viewer_of
from chatcore.storage.messages.edits import Destination
from chatcore.storage.retention.retention import DueMessage
from chatcore.storage.transaction import Snapshot, Transaction
from storage_backends import open_storage
from storage_backends.sql.store import SqlStorage
from tests.storage_backends.spying import statements

GROWING = (
    "message",
    "message_flag",
    "message_search",
    "message_edit",
    "reaction",
    "submessage",
    "bot_storage",
    "daily_use",
    "upload_space_of_user",
    "channel_event",
    "subscription",
    "subscription_period",
    "read_watermark",
    "topic_policy",
    "channel_traffic",
    "event",
    "event_queue",
    "attachment",
    "attachment_link",
    "draft",
    "saved_snippet",
    "scheduled_message",
    "user_presence",
    "account",
    "muting_period",
    "request_count",
    "known_network",
    "external_identity",
    "login_failure",
    "bot_call",
    "audit_entry",
)
"""Tables that are large where there is much."""

CHANNELS, USERS, FOLLOWED = 100, 40, 20
OF_FEW = "USING INDEX account_inactive"
"""A scan of all rows that an index has which is of few rows only."""
ACCOUNTS = 3000
"""The ids of all of them; a statement concerns only some."""
AT_ONCE = 1000
"""Messages that are stored together: PostgreSQL ends a unit of work that sends it nothing for long."""
ME, HER, MUTED = UserId(1), UserId(2), UserId(4)
BIG = ChannelId(USERS + 1)  # type: ignore[arg-type]
TALK = frozenset({ME, HER})
NEWEST = 10**16
SOME = range(300, 400)

Question = Callable[[Snapshot], object]
Change = Callable[[Transaction], object]


def page(*terms: Term, personal: bool = False, anchor: int = NEWEST) -> Question:
    def ask(snapshot: Snapshot) -> object:
        viewer = viewer_of(snapshot, ME)
        channels: Mapping[ChannelId, Channel] = snapshot.channels.by_ids(
            {*viewer.subscriptions, *(term.channel_id for term in terms if isinstance(term, InChannel))}
        )
        narrow = first_unread_in(Narrow(terms)) if anchor == 0 else Narrow(terms, personal=personal)
        return snapshot.search.around(narrow, viewer, channels, anchor=anchor, before=100, after=100)

    return ask


QUESTIONS: Mapping[str, Question] = {
    "personal history": page(),
    "personal history from the middle": page(anchor=20_000),
    "a channel": page(InChannel(BIG)),
    "a topic": page(InChannel(BIG), InTopic("topic 1")),
    "somebody's messages in a channel": page(InChannel(BIG), SentBy(UserId(3))),
    "somebody's messages": page(SentBy(UserId(3))),
    "a topic anywhere": page(InTopic("topic 1")),
    "followed topics": page(IsFollowed(), personal=True),
    "muted": page(IsMuted(), personal=True),
    "muted topics": page(IsMuted(topics_only=True), personal=True),
    "not muted": page(Not(IsMuted()), personal=True),
    "unread": page(Not(HasFlag(Flag.READ)), personal=True),
    "the first unread": page(anchor=0),
    "starred": page(HasFlag(Flag.STARRED), personal=True),
    "mentioned": page(HasFlag(Flag.ANY_MENTION), personal=True),
    "alerted": page(HasFlag(Flag.HAS_ALERT_WORD), personal=True),
    "direct messages": page(IsDirect(), personal=True),
    "a conversation": page(InConversation(TALK)),
    "direct messages with somebody": page(DirectWith(UserId(2))),
    "links": page(Has(Content.LINK)),
    "images in a channel": page(InChannel(BIG), Has(Content.IMAGE)),
    "a search in a channel": page(InChannel(BIG), Search(("rare",))),
    "a search": page(Search(("rare", "coffe"))),
    "one message": page(WithId(MessageId(20_000))),
    "messages by their ids": lambda snapshot: snapshot.messages.by_ids(
        [MessageId(n) for n in range(500, 600)]
    ),
    "the readers of a message": lambda snapshot: snapshot.flags.readers(
        snapshot.messages.by_ids([MessageId(n) for n in SOME])[0]
    ),
    "outlines of messages": lambda snapshot: snapshot.messages.outlines([MessageId(n) for n in SOME]),
    "revisions of messages": lambda snapshot: snapshot.messages.revisions([MessageId(n) for n in SOME]),
    "the newest message": lambda snapshot: snapshot.messages.newest_id(),
    "topics": lambda snapshot: snapshot.messages.topics(BIG, None),
    "topics of a protected history": lambda snapshot: snapshot.messages.topics(BIG, ME),
    "whether somebody knows a topic": lambda snapshot: snapshot.messages.newest_in_topic(BIG, "topic 1", ME),
    "how often people have come back": lambda snapshot: snapshot.subscriptions.count_returns([ME, HER]),
    "how often somebody has muted": lambda snapshot: snapshot.muted_users.count_periods(ME),
    "what somebody's files take": lambda snapshot: (
        snapshot.attachments.space_of_user(ME),
        snapshot.uploads.space_of_user(ME),
    ),
    "what somebody has used today": lambda snapshot: snapshot.daily_use.find(ME, Daily.CHANNELS, 1),
    "participants": lambda snapshot: snapshot.messages.participants(BIG, "topic 1"),
    "recent conversations": lambda snapshot: snapshot.conversations.recent(ME, 1000),
    "the list of unread messages": lambda snapshot: snapshot.flags.unread(
        ME, snapshot.subscriptions.of_user(ME), 50_000
    ),
    "the list of starred messages": lambda snapshot: snapshot.flags.with_flag(ME, Flag.STARRED, 10_000),
    "channels of historical messages": lambda snapshot: snapshot.flags.historical_channels(ME),
    "subscriptions": lambda snapshot: snapshot.subscriptions.of_user(ME),
    "colours": lambda snapshot: snapshot.subscriptions.colors([ME, HER]),
    "who is in a channel": lambda snapshot: snapshot.subscriptions.all_subscribers(BIG),
    "who in a channel has a setting": lambda snapshot: snapshot.subscriptions.having_set(BIG, "timezone"),
    "who of some is in a channel": lambda snapshot: snapshot.subscriptions.subscribed_among(BIG, [ME, HER]),
    "activity": lambda snapshot: snapshot.channels.activities(
        [*snapshot.channels.by_ids([BIG]).values()], NOW
    ),
    "somebody's queues": lambda snapshot: snapshot.queues.of_user(UserId(0)),
    "owners of queues": lambda snapshot: snapshot.queues.owners_among([ME, HER]),
    "a queue": lambda snapshot: snapshot.queues.find("q"),
    "subscribers": lambda snapshot: snapshot.subscriptions.subscribers(BIG),
    "messages of a topic": lambda snapshot: snapshot.edits.of_topic(
        BIG, "topic 1", since=MessageId(500), most=100
    ),
    "who has starred": lambda snapshot: snapshot.edits.marked_by([MessageId(n) for n in range(500, 600)]),
    "who has taken in": lambda snapshot: snapshot.flags.keepers([MessageId(n) for n in range(500, 600)]),
    "for whom messages may be unread": lambda snapshot: snapshot.flags.maybe_unread(
        [UserId(n) for n in range(1, USERS)], BIG, [MessageId(n) for n in range(500, 600)]
    ),
    "who came and went": lambda snapshot: snapshot.subscriptions.membership_changes(BIG, 100, 20_000),
    "newest of a topic": lambda snapshot: snapshot.edits.newest_of_topic(
        BIG, "topic 1", 10, before=MessageId(500)
    ),
    "flags of many readers": lambda snapshot: snapshot.flags.of_readers(
        snapshot.messages.by_ids([MessageId(600)])[0], [UserId(n) for n in range(1, USERS)]
    ),
    "policies of a topic": lambda snapshot: snapshot.topic_policies.of_topic(BIG, "topic 1"),
    "who has policies": lambda snapshot: snapshot.topic_policies.users_with([BIG]),
    "who has muted topics": lambda snapshot: snapshot.topic_policies.users_with(
        [BIG], VisibilityPolicy.MUTED
    ),
    "policies in a channel": lambda snapshot: snapshot.topic_policies.of_channels([BIG], [ME, HER]),
    "how many policies": lambda snapshot: snapshot.topic_policies.counts([ME, HER]),
    "one's policies": lambda snapshot: snapshot.topic_policies.of_user(ME),
    "events": lambda snapshot: snapshot.log.after(Position(100), 100),
    "files of messages": lambda snapshot: snapshot.attachments.of_messages([MessageId(n) for n in SOME]),
    "messages with files": lambda snapshot: snapshot.attachments.links([AttachmentId(n) for n in SOME]),
    "files of somebody": lambda snapshot: snapshot.attachments.of_user(HER),
    "files without a message": lambda snapshot: snapshot.attachments.unlinked(NOW, 100),
    "space": lambda snapshot: snapshot.attachments.space_used(),
    "what a program keeps": lambda snapshot: snapshot.bot_storage.get(ME, None),
    "some of what a program keeps": lambda snapshot: snapshot.bot_storage.get(ME, ["1", "2"]),
    "how much a program keeps": lambda snapshot: snapshot.bot_storage.size(ME),
    "drafts": lambda snapshot: snapshot.drafts.newest(ME, 100),
    "snippets": lambda snapshot: snapshot.saved_snippets.of_user(ME),
    "how much there is in snippets": lambda snapshot: snapshot.saved_snippets.size(ME),
    "what is due next": lambda snapshot: snapshot.scheduled_messages.first_due(),
    "the bot that is called next": lambda snapshot: snapshot.bot_calls.first_of_each_bot(NOW, 1),
    "the bot that others than somebody call next": lambda snapshot: snapshot.bot_calls.first_of_each_bot(
        NOW, 1, but_of=[ME]
    ),
    "how often somebody calls a bot": lambda snapshot: snapshot.bot_calls.count_of_caller(ME, HER),
    "the images of each owner": lambda snapshot: snapshot.images.due_of_each_owner(NOW, 20),
    "calls that processes have left": lambda snapshot: snapshot.bot_calls.taken_a_while_ago(NOW),
    "who has something due": lambda snapshot: snapshot.scheduled_messages.due_authors(NOW, 100),
    "what is due of somebody": lambda snapshot: snapshot.scheduled_messages.due_of(ME, NOW, 10),
    "one's scheduled messages": lambda snapshot: snapshot.scheduled_messages.of_user(ME),
    "the number of one's reminders": lambda snapshot: snapshot.scheduled_messages.count(ME, reminders=True),
    "how much waits": lambda snapshot: snapshot.scheduled_messages.size(ME),
    "who was there": lambda snapshot: snapshot.presences.since(ACCOUNTS - 10, 0),
    "the newest presence": lambda snapshot: snapshot.presences.newest_update(),
    "somebody": lambda snapshot: snapshot.users.find_by_email("user2@example.com"),
    "some people": lambda snapshot: snapshot.users.by_ids([ME, HER]),
    "people by their names": lambda snapshot: snapshot.users.by_names(["user2"]),
    "who had muted": lambda snapshot: snapshot.muted_users.had_muted(
        snapshot.messages.by_ids([MessageId(n) for n in SOME]), [UserId(n) for n in range(1, USERS)]
    ),
    "who has muted somebody": lambda snapshot: snapshot.muted_users.who_muted(HER),
    "the muted": lambda snapshot: snapshot.muted_users.of_user(ME),
    "the audit log": lambda snapshot: snapshot.audit.page(AuditFilter(), before=None, limit=10),
    "changes of a kind": lambda snapshot: snapshot.audit.page(
        AuditFilter(kind=AuditKind.ROLE_CHANGED), before=AuditId(10_000), limit=10
    ),
    "who has changed a channel": lambda snapshot: snapshot.audit.page(
        AuditFilter(target_type=AuditTarget.CHANNEL, target_id=BIG), before=None, limit=10
    ),
    "what somebody has changed": lambda snapshot: snapshot.audit.page(
        AuditFilter(actor_id=ME), before=None, limit=10
    ),
    "failed logins of a day": lambda snapshot: [
        snapshot.audit.count_about(user_id, AuditKind.LOGIN_FAILED, NOW, NOW + 60, among=10)
        for user_id in (HER, None)
    ],
    "old messages of a channel": lambda snapshot: snapshot.retention.due(
        BIG, Deadline(before=NOW, until=NEWEST), [HER], limit=10
    ),
    "old direct messages": lambda snapshot: snapshot.retention.due(
        None, Deadline(before=NOW, until=NEWEST), [HER], after=DueMessage(MessageId(7), 5), limit=10
    ),
    "the oldest change": lambda snapshot: snapshot.audit.oldest(),
    "some who act": lambda snapshot: snapshot.users.actors([ME, HER], NOW),
}


def sent(tx: Transaction) -> list[Message]:
    """Two of my channel's messages, which have reactions, submessages, edits and files."""
    found = tx.messages.by_ids([MessageId(n) for n in SOME])
    return [message for message in found if message.channel_id == BIG][:2]


def unread(tx: Transaction) -> dict[RecipientId, list[Message]]:
    """The oldest two of each recipient that I have not read."""
    found = defaultdict(list)
    wanted = tx.flags.unread(ME, tx.subscriptions.of_user(ME), 50_000).message_ids
    for message in tx.messages.outlines(wanted):
        found[message.recipient_id].append(message)
    return {recipient_id: messages[:2] for recipient_id, messages in found.items()}


def edit(tx: Transaction) -> None:
    message = sent(tx)[0]
    tx.edits.change_content(message, ["tea"])
    tx.edits.note(message.id, Edit(user_id=ME, timestamp=NOW, prev_content="a"))
    assert not tx.edits.has_longer_texts(message.id, 10)
    tx.flags.on_edit(message, {HER: Flag.MENTIONED})
    tx.attachments.unlink([message.id], NOW)


def move(tx: Transaction, target: ChannelId | None) -> None:
    messages = sent(tx)
    message_ids = [message.id for message in messages]
    if target is not None:
        tx.edits.move_flags(message_ids, BIG, target, keeping=[HER])
    destination = Destination(target, "elsewhere")
    tx.edits.note_move(message_ids, Edit(user_id=ME, timestamp=NOW), destination)
    tx.edits.fold_oldest(tx.edits.with_more_edits(message_ids, 0))
    tx.edits.move([message.brief for message in messages], destination, at=tx.draw(), moved_at=NOW)


def react(tx: Transaction) -> None:
    message = sent(tx)[0]
    thanks = Reaction(user_id=ME, emoji_name="tea", emoji_code="1", reaction_type="unicode_emoji")
    tx.reactions.add(message.id, thanks)
    tx.reactions.remove(message.id, thanks)


CHANGES: Mapping[str, Change] = {
    "an edit": edit,
    "a new topic": lambda tx: move(tx, None),
    "a new channel": lambda tx: move(tx, ChannelId(RecipientId(BIG + 2))),
    "a reaction": react,
    "a submessage": lambda tx: tx.submessages.add(sent(tx)[0].id, ME, "widget", "1"),
    "something kept by a program": lambda tx: tx.bot_storage.put(ME, {"1": "a"}),
    "something kept no more": lambda tx: tx.bot_storage.remove(ME, ["1", "2"]),
    "nothing kept any more": lambda tx: tx.bot_storage.remove(ME, None),
    "a deletion": lambda tx: tx.edits.remove([message.id for message in sent(tx)]),
    "reading": lambda tx: tx.flags.set(ME, sent(tx), Flag.READ),
    "reading on": lambda tx: tx.flags.set(ME, unread(tx)[BIG], Flag.READ),
    "reading on here and there": lambda tx: tx.flags.set(ME, [*chain(*unread(tx).values())], Flag.READ),
    "reading no more": lambda tx: tx.flags.clear(ME, sent(tx), Flag.READ),
    "reading everything": lambda tx: tx.flags.mark_all_read([ME], [BIG], Position(NEWEST)),
    "passing over": lambda tx: tx.flags.pass_over_muted(ME),
    "muting": lambda tx: tx.muted_users.add(ME, HER, NOW, tx.draw()),
    "muting no more": lambda tx: tx.muted_users.remove(ME, MUTED, tx.draw()),
    "a star": lambda tx: tx.flags.set(ME, sent(tx), Flag.STARRED),
    "policies": lambda tx: tx.topic_policies.put(
        BIG, "topic 1", {ME: VisibilityPolicy.MUTED, HER: VisibilityPolicy.INHERIT}, NOW
    ),
    "somebody's comings and goings": lambda tx: tx.subscriptions.count_anew([BIG]),
    "a queue less": lambda tx: tx.queues.remove([QueueId("q")]),
    "coming": lambda tx: subscribe(tx, ChannelId(RecipientId(BIG + 1)), ME),
    "coming back": lambda tx: (unsubscribe(tx, BIG, ME), sent(tx), subscribe(tx, BIG, ME)),
    "using some of the day": lambda tx: tx.daily_use.add(Daily.CHANNELS, 1, {ME: 1, HER: 2}),
    "leaving": lambda tx: tx.subscriptions.end({BIG: [ME]}, tx.draw()),
    "a file": lambda tx: tx.attachments.link([AttachmentId(1)], sent(tx)[0].id),
    "a file less": lambda tx: tx.attachments.remove(AttachmentId(1)),
    "being there": lambda tx: tx.presences.put(ME, Presence(NOW, NOW)),
    "counted requests": lambda tx: tx.counters.add({("account 1", NOW + 60): 3}, NOW),
    "a failed login": lambda tx: (
        tx.logins.forget_failures(NOW - 60),
        tx.logins.failures("ada", NOW - 60),
        tx.logins.note_failure("ada", NOW),
        tx.logins.forget_failures_of("ada"),
    ),
    "a login": lambda tx: (tx.logins.knows(ME, "n"), tx.logins.note_network(ME, "n", NOW, keep=2)),
    "a login by a provider": lambda tx: (
        tx.external_identities.find("work", "1"),
        tx.external_identities.of_user(ME),
        tx.external_identities.subjects("work", [ME, HER]),
        tx.external_identities.remove_of_user(ME),
        tx.external_identities.add("work", "1", ME),
    ),
    "old changes": lambda tx: tx.audit.forget(2, limit=10),
    "a draft less": lambda tx: tx.drafts.remove(ME, 1),
    "a snippet less": lambda tx: tx.saved_snippets.remove(ME, 1),
    "a scheduled message less": lambda tx: tx.scheduled_messages.remove(ME, 1),
}

FURTHER = (
    """INSERT INTO audit_entry (at, kind, actor_id, origin, client, address, target_type, target_id,
        before, after, personal)
        SELECT timestamp, CASE WHEN (id & 63) = 0 THEN 'login_failed' ELSE 'channel_changed' END, sender_id,
        'request', '', '', CASE WHEN (id & 63) = 0 THEN 'user' ELSE 'channel' END,
        CASE WHEN (id & 127) = 0 THEN NULL ELSE recipient_id END, '{}', '{}', '{}' FROM message""",
    """INSERT INTO reaction (message_id, user_id, emoji_name, emoji_code, reaction_type)
        SELECT id, sender_id, 'tada', '1f389', 'unicode_emoji' FROM message""",
    """INSERT INTO message_edit (message_id, user_id, timestamp, prev_topic, topic)
        SELECT id, sender_id, timestamp, 'a', 'b' FROM message""",
    """INSERT INTO submessage (message_id, sender_id, msg_type, content)
        SELECT id, sender_id, 'widget', '{}' FROM message""",
    "UPDATE message SET has_edits = TRUE, has_submessages = TRUE",
    """INSERT INTO bot_storage (user_id, name, value)
        SELECT sender_id, CAST(id AS TEXT), 'a' FROM message""",
    """INSERT INTO attachment (path_id, owner_id, name, content_type, is_shown, size, created, unlinked_since)
        SELECT CAST(id AS TEXT), sender_id, 'a', 'a/b', TRUE, 1, 1, CASE WHEN (id & 31) = 0 THEN timestamp END
        FROM message""",
    """INSERT INTO upload_space_of_user (owner_id, files, used) SELECT id, 1, 1 FROM account""",
    """INSERT INTO daily_use (user_id, what, day, amount) SELECT id, 'channels', 1, 1 FROM account""",
    """INSERT INTO attachment_link (attachment_id, message_id)
        SELECT id, CAST(path_id AS BIGINT) FROM attachment WHERE unlinked_since IS NULL""",
    """INSERT INTO draft (user_id, type, recipients, topic, content, timestamp)
        SELECT sender_id, 'stream', '[]', '', 'a', timestamp FROM message""",
    """INSERT INTO saved_snippet (user_id, title, content, date_created)
        SELECT sender_id, 'a', 'a', timestamp FROM message""",
    """INSERT INTO scheduled_message (
            user_id, due, people, topic, content, rendered_content, client, read_by_sender, failure, note
        )
        SELECT sender_id, timestamp, '[]', '', 'a', 'a', '', TRUE, CASE WHEN (id & 1) = 0 THEN 'a' END, ''
        FROM message""",
    """INSERT INTO bot_call (bot_id, message_id, is_mention, due, tries, leased_until)
        SELECT sender_id, id, TRUE, 1, 0, 0 FROM message""",
    """INSERT INTO user_presence (user_id, active_at, connected_at, update_id)
        SELECT id, 1, 1, id FROM account""",
    f"""INSERT INTO subscription (user_id, channel_id, active, color, is_muted, pin_to_top)
        SELECT a.id, c.id, TRUE, '', FALSE, FALSE
        FROM account AS a JOIN channel AS c ON c.id = {BIG} OR (a.id & 15) = (c.id & 15)
        WHERE a.id > {USERS}""",
    f"""INSERT INTO subscription_period (user_id, recipient_id, start_position)
        SELECT user_id, channel_id, 1 FROM subscription WHERE user_id > {USERS}""",
    f"""INSERT INTO read_watermark (user_id, recipient_id, position)
        SELECT user_id, channel_id, 1 FROM subscription WHERE user_id > {USERS}""",
    """INSERT INTO topic_policy (user_id, channel_id, topic_key, topic, policy, updated)
        SELECT s.user_id, s.channel_id, 'soups', 'Soups', 1 + (s.user_id & 2), 1 FROM subscription AS s""",
    """INSERT INTO channel_traffic (channel_id, day, messages)
        SELECT c.id, a.id, 1 FROM channel AS c CROSS JOIN account AS a WHERE (a.id & 7) = 0""",
    """INSERT INTO event_queue (id, user_id, registration, created_at, acknowledged, last_seen)
        SELECT CAST(id AS TEXT), id, '{}', 1, 1, 1 FROM account""",
    """INSERT INTO external_identity (provider, subject, user_id)
        SELECT 'work', CAST(id AS TEXT), id FROM account""",
    """INSERT INTO muting_period (user_id, muted_id, start_position, muted_at)
        SELECT id, (id & 7) + 3, 20000, 1 FROM account""",
    """INSERT INTO channel_event (channel_id, position)
        SELECT id, id FROM channel WHERE TRUE ON CONFLICT (channel_id) DO NOTHING""",
    f"""INSERT INTO request_count (name, until, amount)
        SELECT CAST(id AS TEXT), {NOW} - 2 + id / 24, 1 FROM account ORDER BY id""",
    f"""INSERT INTO login_failure (name_key, failed_at)
        SELECT CAST(id AS TEXT), {NOW} - 62 + id / 24 FROM account ORDER BY id""",
    """INSERT INTO known_network (user_id, network, seen_at)
        SELECT id, 'n', 1 FROM account""",
)
"""Rows for messages and users that exist; like every user, the reader has muted one other. What ends by its
time is in the order of time, as it comes: few of it are due.
"""


def fill(storage: SqlStorage, messages: int) -> None:
    """A town of some size, in which I am subscribed to half of the channels."""

    def found(tx: Transaction) -> None:
        users = [add_user(tx, f"user{number}").id for number in range(USERS)]
        channels = [add_channel(tx, f"channel {number}").id for number in range(CHANNELS)]
        assert (users[0], channels[0]) == (ME, BIG)
        for number, channel in enumerate(channels):
            subscribe(tx, channel, *(users if number % 2 == 0 else users[1:]))
        for topic in range(FOLLOWED):
            tx.topic_policies.put(BIG, f"topic {topic}", {ME: VisibilityPolicy.FOLLOWED}, NOW)
        talk = tx.conversations.get_or_add(TALK)
        sent: list[Message] = []
        written: list[tuple[Message, list[str]]] = []
        for number, position in enumerate(range(first := tx.draw(messages), first + messages)):
            if len(written) == AT_ONCE:
                tx.messages.add_many(written)
                written = []
            fields = {
                "id": MessageId(position),
                "sender_id": users[number % USERS],
                "content": "coffee",
                "rendered_content": "<p>coffee</p>",
                "timestamp": NOW,
                "has_link": number % 50 == 0,
                "has_image": number % 500 == 0,
            }
            words = ["coffe", "rare"] if number % 400 == 0 else ["coffe"]
            if number % 30 == 0:
                message = Message(conversation=talk, **fields)  # type: ignore[arg-type]
            else:
                channel = BIG if number % 4 == 0 else channels[number % CHANNELS]
                message = channel_message(channel_id=channel, topic=f"Topic {number % 97}", **fields)
            sent.append(message)
            written.append((message, words))
        tx.messages.add_many(written)
        for _ in range(messages // 20):
            tx.announce(an_event("something"), Everyone())
        for user in users:
            tx.flags.set(user, sent[user :: max(1, messages // 500)], Flag.STARRED)
        tx.flags.mark_all_read(
            [ME], [*channels[::2], talk.conversation_id], Position(sent[-messages // 20].id)
        )

    storage.write(found)

    def further(tx: Transaction) -> None:
        rows = ({"email": f"p{n}@example.com", "full_name": f"P {n}"} for n in range(ACCOUNTS - USERS))
        tx.users.add_many({**row, "date_joined": NOW} for row in rows)
        for statement in FURTHER:
            storage.backend.database.execute_sql(statement)

    storage.write(further)


class Undone(Exception):
    """Rolls a unit of work back."""


Plans = list[tuple[str, list[str]]]


def plans(storage: SqlStorage, name: str, explain: str) -> Plans:
    """The statements of a question or change, each with the lines of its plan."""

    found: list[tuple[str, object]] = []

    def ask(snapshot: Snapshot) -> None:
        with statements(storage) as sent:
            QUESTIONS[name](snapshot)
        found.extend(sent)

    def change(tx: Transaction) -> None:
        with statements(storage) as sent:
            CHANGES[name](tx)
        found.extend(sent)
        raise Undone

    def explained() -> Plans:
        plans = []
        for statement, parameters in found:
            cursor = storage.backend.database.cursor()
            if "GENERIC_PLAN" in explain:
                numbers = count(1)
                text = re.sub("%s", lambda _, numbers=numbers: f"${next(numbers)}", statement)
                cursor.execute(f"{explain} {text}", prepare=False)
            else:
                cursor.execute(f"{explain} {statement}", parameters or ())
            rows = cursor.fetchall()
            plans.append((statement, [str(row[-1]) for row in rows]))
        return plans

    if name in QUESTIONS:
        storage.read(ask)
    else:
        with pytest.raises(Undone):
            storage.write(change)
        assert found
    with storage.backend.connection():
        return explained()


@pytest.fixture(scope="module")
def sqlite_town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqlStorage]:
    path = tmp_path_factory.mktemp("plans") / "chat.db"
    with closing(open_storage(f"sqlite:///{path}")) as storage:
        storage.migrate()
        fill(storage, 500)  # without statistics, its plans are the same for any number
        yield storage


@pytest.fixture(scope="module")
def postgres_town(request: pytest.FixtureRequest) -> Iterator[SqlStorage]:
    server = request.getfixturevalue("postgres")
    with server.database() as url, closing(open_storage(url)) as storage:
        fill(storage, 50_000)
        with storage.backend.connection():
            storage.backend.database.execute_sql("ANALYZE")
        yield storage


@pytest.mark.parametrize("name", [*QUESTIONS, *CHANGES])
def test_sqlite_scans_no_table_that_grows(sqlite_town: SqlStorage, name: str) -> None:
    for statement, plan in plans(sqlite_town, name, "EXPLAIN QUERY PLAN"):
        named = re.findall(r'\b(\w+)"? AS "?(\w+)', statement)
        growing = {*GROWING, *(alias for table, alias in named if table in GROWING)}
        growing -= {line.split()[1] for line in plan if line.startswith("CO-ROUTINE")}  # rows found before
        scanned = [
            line
            for line in plan
            if (scan := re.match(r"SCAN (\w+)(?! VIRTUAL TABLE)\b", line))
            and scan[1] in growing
            and not line.endswith(OF_FEW)
        ]
        assert not scanned, "\n".join([statement, *plan])


@pytest.mark.parametrize("explain", ["EXPLAIN", "EXPLAIN (GENERIC_PLAN)"], ids=["at-first", "when-repeated"])
@pytest.mark.parametrize("name", [*QUESTIONS, *CHANGES])
def test_postgresql_scans_no_table_that_grows(postgres_town: SqlStorage, name: str, explain: str) -> None:
    """Both plans are checked: for these parameters, and for any, which a repeated statement may get."""
    scan = re.compile(rf"(Seq|Index) Scan (\w+ )*?(using \w+ )?on ({'|'.join(GROWING)})\b")
    for statement, plan in plans(postgres_town, name, explain):
        # An index that is followed from one end to the other, without a condition, is a whole table too.
        scanned = [
            line
            for line, below in pairwise([*plan, ""])
            if (found := scan.search(line)) and (found[1] == "Seq" or "Index Cond:" not in below)
        ]
        assert not scanned, "\n".join([statement, *plan])


def test_postgresql_plans_a_repeated_search_for_its_words(postgres_town: SqlStorage) -> None:
    """A plan for any words is seconds slower for a common one. Other repeated statements are prepared."""

    def read(snapshot: Snapshot) -> list[str]:
        for _ in range(7):
            QUESTIONS["a search"](snapshot)
            snapshot.messages.by_ids([MessageId(1)])
        database = postgres_town.backend.database
        return [text for (text,) in database.execute_sql("SELECT statement FROM pg_prepared_statements")]

    prepared = postgres_town.read(read)
    assert prepared
    assert not [text for text in prepared if "@@" in text]


def test_a_search_on_sqlite_begins_with_the_words(sqlite_town: SqlStorage) -> None:
    """The search does not begin with all messages of the channel."""
    seen = 0
    for name in ("a search", "a search in a channel"):
        for _, plan in plans(sqlite_town, name, "EXPLAIN QUERY PLAN"):
            steps = [line for line in plan if re.match(r"(SCAN|SEARCH) (m|message_search)\b", line)]
            if any("message_search" in line for line in steps):
                seen += 1
                assert "message_search VIRTUAL TABLE INDEX" in steps[0], "\n".join(plan)
                assert "M" in steps[0].rpartition(":")[2], "\n".join(plan)
    assert seen


def test_the_list_of_unread_messages_reads_no_rows_of_messages(sqlite_town: SqlStorage) -> None:
    """On PostgreSQL this depends on which pages were cleaned up."""
    found = [
        line
        for _, plan in plans(sqlite_town, "the list of unread messages", "EXPLAIN QUERY PLAN")
        for line in plan
        if re.search(r"\bINDEX message_place\b", line)
    ]
    assert found
    assert all("COVERING INDEX" in line for line in found)


@pytest.mark.parametrize(
    ("town", "explain", "pattern"),
    [
        (
            "sqlite_town",
            "EXPLAIN QUERY PLAN",
            r"recipient_id=\? AND message_id>\? AND message_id<\?",
        ),
        ("postgres_town", "EXPLAIN", r"Index Cond: .*user_id = .*message_id > "),
        ("postgres_town", "EXPLAIN (GENERIC_PLAN)", r"Index Cond: .*user_id = .*message_id > "),
    ],
)
@pytest.mark.parametrize("name", ["reading on", "reading on here and there"])
def test_paging_reads_only_the_rows_in_between(
    request: pytest.FixtureRequest, name: str, town: str, explain: str, pattern: str
) -> None:
    """There may be hundreds of thousands of rows outside the range: stars, and messages read out of order."""
    found = plans(request.getfixturevalue(town), name, explain)
    passing = [plan for statement, plan in found if "bits = 0" in statement or "bits & ~256" in statement]
    assert len(passing) == 2
    for plan in passing:
        assert any(re.search(pattern, line) for line in plan), "\n".join(plan)


def test_muted_messages_are_searched_in_muted_places_only(sqlite_town: SqlStorage) -> None:
    """The number of other messages does not matter."""

    def mute(tx: Transaction) -> None:
        tx.subscriptions.update(ME, BIG, is_muted=True)

    sqlite_town.write(mute)
    with statements(sqlite_town) as sent:
        sqlite_town.read(page(IsMuted(), personal=True))
    sqlite_town.write(lambda tx: tx.subscriptions.update(ME, BIG, is_muted=False))
    lists = [parameter for _, all_of in sent for parameter in all_of or () if isinstance(parameter, str)]
    ranges = [one for text in lists if text.startswith("[[") for one in json.loads(text) if len(one) == 3]
    assert {recipient_id for recipient_id, _, _ in ranges} == {BIG}


def test_a_newcomers_search_reads_only_messages_since_the_subscription(sqlite_town: SqlStorage) -> None:
    """The number of earlier messages with a common word does not matter."""

    def join(tx: Transaction) -> tuple[UserId, Position]:
        new = add_user(tx, "newcomer").id
        return new, subscribe(tx, BIG, new)

    new, came = sqlite_town.write(join)

    def ask(snapshot: Snapshot) -> None:
        viewer = viewer_of(snapshot, new)
        channels = snapshot.channels.by_ids(viewer.subscriptions.keys())
        snapshot.search.around(
            Narrow((Search(("coffe",)),)),
            viewer,
            channels,
            anchor=NEWEST,
            before=100,
            after=0,
            with_anchor=False,
        )

    with statements(sqlite_town) as sent:
        sqlite_town.read(ask)
    (searching,) = [all_of for text, all_of in sent if "MATCH" in text]
    assert isinstance(searching, list)
    assert searching.count(came) == 2, "the range is that of both tables"


@pytest.mark.parametrize("kind", ["sqlite_town", "postgres_town"])
def test_the_hits_that_others_received_are_not_tested(request: pytest.FixtureRequest, kind: str) -> None:
    """Somebody with many conversations searches for a word of every message: after a few of its hits, the
    index is asked for those in these conversations.
    """
    town: SqlStorage = request.getfixturevalue(kind)

    def talk(tx: Transaction) -> tuple[UserId, list[RecipientId]]:
        new = add_user(tx, "talker").id
        talks = [tx.conversations.get_or_add(frozenset({new, UserId(one)})) for one in range(1, 31)]
        return new, [one.conversation_id for one in talks]

    new, talks = town.write(talk)
    received_nothing = searches(town, new)
    (_, near), (_, named) = received_nothing
    assert 120 in near
    (parts,) = [one for one in named if "coffe" in str(one)]
    assert [int(one) for one in re.findall("§(\\d+)", str(parts))] == talks
    assert len(re.findall("coffe", str(parts))) == 4, "several are named at once"

    ((_, near),) = searches(town, HER)
    assert 120 in near, "a reader of most of the traffic needs no more"


@pytest.mark.parametrize("kind", ["sqlite_town", "postgres_town"])
def test_the_index_is_read_once_for_a_word_of_few_messages(request: pytest.FixtureRequest, kind: str) -> None:
    """All its hits were tested then, so the reader has no more of them."""
    town: SqlStorage = request.getfixturevalue(kind)
    ((_, near),) = searches(town, HER, "rare", before=1000)
    assert 1020 in near


def searches(
    town: SqlStorage, reader: UserId, word: str = "coffe", before: int = 100
) -> list[tuple[str, list[object]]]:
    """The statements of a search for the newest messages with a word, by default one of every message."""

    def ask(snapshot: Snapshot) -> None:
        viewer = viewer_of(snapshot, reader)
        channels = snapshot.channels.by_ids(viewer.subscriptions.keys())
        narrow = Narrow((Search((word,)),))
        snapshot.search.around(
            narrow, viewer, channels, anchor=NEWEST, before=before, after=0, with_anchor=False
        )

    with statements(town) as sent:
        town.read(ask)
    return [(text, list(values)) for text, values in sent if "FROM message_search" in text]  # type: ignore[call-overload]
