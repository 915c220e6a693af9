"""A small organization for the tests, and short functions that write their data.

Everything uses the protocols as the use cases do: subscribing or unsubscribing draws a position in the log,
and a message's id is the position of its event.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar, Unpack

from chatcore.domain.channels.channels import COLORS, Channel
from chatcore.domain.ids import ChannelId, MessageId, Position, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.messages import Message, channel_message
from chatcore.domain.narrow.words import content_words
from chatcore.domain.people.users import User
from chatcore.events.audience import Everyone
from chatcore.events.happened import SettingChanged
from chatcore.storage.channels.channels import OptionalChannelFields
from chatcore.storage.channels.subscriptions import Start
from chatcore.storage.people.users import UserFields
from chatcore.storage.transaction import Snapshot, Storage, Transaction

NOW = 1_700_000_000
E = TypeVar("E", bound=BaseException)


def add_user(tx: Transaction, name: str, **more: Unpack[UserFields]) -> User:
    email = f"{name}@example.com"
    return tx.users.add({"email": email, "full_name": name.title(), "date_joined": NOW, **more})


def add_channel(
    tx: Transaction, name: str, *, date_created: int = NOW, **more: Unpack[OptionalChannelFields]
) -> Channel:
    return tx.channels.add({"name": name, "date_created": date_created, **more})


def subscribe(tx: Transaction, channel_id: ChannelId, *user_ids: UserId) -> Position:
    """Subscribe users; earlier messages count as read. Return the position of the subscription."""
    at = tx.draw()
    tx.subscriptions.start([Start(user_id, channel_id, COLORS[0], at) for user_id in user_ids])
    return at


def unsubscribe(tx: Transaction, channel_id: ChannelId, *user_ids: UserId) -> Position:
    at = tx.draw()
    tx.subscriptions.end({channel_id: user_ids}, at)
    return at


def mute(tx: Transaction, user_id: UserId, muted_id: UserId, *, at: int = NOW) -> None:
    tx.muted_users.add(user_id, muted_id, at, tx.draw())


def unmute(tx: Transaction, user_id: UserId, muted_id: UserId) -> None:
    tx.muted_users.remove(user_id, muted_id, tx.draw())


def send(
    tx: Transaction,
    sender_id: UserId,
    channel_id: ChannelId,
    topic: str = "lunch",
    content: str = "coffee",
    **fields: Any,
) -> Message:
    fields = {"rendered_content": f"<p>{content}</p>", "timestamp": NOW, **fields}
    message = channel_message(
        id=MessageId(tx.draw()),
        sender_id=sender_id,
        channel_id=channel_id,
        topic=topic,
        content=content,
        **fields,
    )
    tx.messages.add(message, content_words(message.rendered_content))
    return message


def send_direct(
    tx: Transaction, sender_id: UserId, *others: UserId, content: str = "coffee", **fields: Any
) -> Message:
    fields = {"rendered_content": f"<p>{content}</p>", "timestamp": NOW, **fields}
    message = Message(
        id=MessageId(tx.draw()),
        sender_id=sender_id,
        conversation=tx.conversations.get_or_add(frozenset({sender_id, *others})),
        content=content,
        **fields,
    )
    tx.messages.add(message, content_words(message.rendered_content))
    return message


def an_event(text: str) -> SettingChanged:
    """Return any event, with a text to identify it."""
    return SettingChanged(name="timezone", value=text)


def text_of(event: object) -> str:
    assert isinstance(event, SettingChanged)
    return str(event.value)


def announce(storage: Storage, text: str) -> Position:
    """Announce an event in a separate commit."""
    return storage.write(lambda tx: tx.announce(an_event(text), Everyone()))


def flags(storage: Storage, user_id: UserId, *messages: Message) -> list[Flag | None]:
    """Return a reader's flags of the messages, None for those not in the reader's history."""

    def read(snapshot: Snapshot) -> list[Flag | None]:
        subscriptions = snapshot.subscriptions.of_user(user_id)
        flags_of = snapshot.flags.of(user_id, messages, subscriptions)
        return [flags_of.get(message.id) for message in messages]

    return storage.read(read)


def unread(storage: Storage, user_id: UserId, limit: int = 100) -> list[MessageId]:
    """Return the ids of a reader's unread messages."""

    def read(snapshot: Snapshot) -> list[MessageId]:
        subscriptions = snapshot.subscriptions.of_user(user_id)
        return snapshot.flags.unread(user_id, subscriptions, limit).message_ids

    return storage.read(read)


def ids(messages: Iterable[Message]) -> list[MessageId]:
    return [message.id for message in messages]


def error_of(kind: type[E], work: Callable[[], object]) -> E:
    """Return the error of this kind that *work* raises; fail if it raises none."""
    try:
        work()
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__} was raised")


@dataclass(frozen=True, slots=True)
class Town:
    """Three users and two channels: ada and ben are subscribed to the plaza, nobody to the office."""

    ada: UserId
    ben: UserId
    cem: UserId
    plaza: ChannelId
    office: ChannelId


def a_town(storage: Storage) -> Town:
    def write(tx: Transaction) -> Town:
        ada, ben, cem = (add_user(tx, name).id for name in ("ada", "ben", "cem"))
        plaza = add_channel(tx, "Plaza").id
        office = add_channel(tx, "Office", invite_only=True).id
        subscribe(tx, plaza, ada, ben)
        return Town(ada, ben, cem, plaza, office)

    return storage.write(write)
