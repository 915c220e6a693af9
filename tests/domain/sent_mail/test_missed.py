"""Who gets a mail about a message, as tables."""

from typing import Any

import pytest

from chatcore.domain.channels.channels import Subscription
from chatcore.domain.ids import ChannelId, MessageId, RecipientId, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.people.users import User
from chatcore.domain.sent_mail.missed import (
    ACTIVE_SECONDS,
    FOLLOWED_WILDCARDS,
    MAILS,
    MAX_MESSAGES,
    PUSHES,
    WILDCARDS,
    Cause,
    Medium,
    MissedConversation,
    Reception,
    active_until,
    cause_of,
)
from chatcore.domain.topics import VisibilityPolicy

ME, OTHER = UserId(1), UserId(2)
MENTIONED, ALL, TOPIC = Flag.MENTIONED, Flag.CHANNEL_WILDCARD, Flag.TOPIC_WILDCARD
MUTED, UNMUTED, FOLLOWS = VisibilityPolicy.MUTED, VisibilityPolicy.UNMUTED, VisibilityPolicy.FOLLOWED


def reception(
    flags: Flag = Flag.NONE,
    *,
    is_direct: bool = False,
    settings: dict[str, Any] | None = None,
    of_channel: dict[str, Any] | None = None,
    policy: VisibilityPolicy = VisibilityPolicy.INHERIT,
    sender: UserId = OTHER,
    medium: Medium = MAILS,
    **account: Any,
) -> Reception:
    user = User(
        id=ME, email="me@example.org", full_name="Me", date_joined=0, settings=settings or {}, **account
    )
    subscription = Subscription(channel_id=ChannelId(RecipientId(9)), active=True, **(of_channel or {}))
    return Reception(
        medium=medium,
        user=user,
        sender_id=sender,
        flags=flags,
        is_direct=is_direct,
        subscription=None if is_direct else subscription,
        policy=policy,
    )


@pytest.mark.parametrize(
    ("given", "cause"),
    [
        (reception(), None),
        (reception(is_direct=True), Cause.DIRECT),
        (reception(is_direct=True, settings={MAILS.direct: False}), None),
        (reception(MENTIONED), Cause.MENTION),
        (reception(MENTIONED, settings={MAILS.direct: False}), None),
        (reception(MENTIONED, settings={MAILS.direct: False, MAILS.channels: True}), Cause.CHANNEL),
        # wildcards
        (reception(ALL), Cause.WILDCARD),
        (reception(TOPIC), Cause.WILDCARD),
        (reception(ALL, settings={WILDCARDS: False}), None),
        (reception(ALL, settings={MAILS.direct: False}), None),
        (reception(ALL, of_channel={"wildcard_mentions_notify": False}), None),
        (reception(ALL, settings={WILDCARDS: False}, of_channel={"wildcard_mentions_notify": True}),
         Cause.WILDCARD),
        (reception(ALL, settings={WILDCARDS: False, MAILS.followed: False}, policy=FOLLOWS), Cause.WILDCARD),
        (reception(ALL, settings={WILDCARDS: False, MAILS.followed: False, FOLLOWED_WILDCARDS: False},
                   policy=FOLLOWS), None),
        # followed topics
        (reception(policy=FOLLOWS), Cause.FOLLOWED_TOPIC),
        (reception(policy=FOLLOWS, settings={MAILS.followed: False}), None),
        (reception(policy=UNMUTED), None),
        # channels
        (reception(settings={MAILS.channels: True}), Cause.CHANNEL),
        (reception(of_channel={"email_notifications": True}), Cause.CHANNEL),
        (reception(settings={MAILS.channels: True}, of_channel={"email_notifications": False}), None),
        # muted
        (reception(MENTIONED, policy=MUTED), None),
        (reception(ALL, of_channel={"is_muted": True}), None),
        (reception(MENTIONED, of_channel={"is_muted": True}), None),
        (reception(MENTIONED, of_channel={"is_muted": True}, policy=UNMUTED), Cause.MENTION),
        (reception(of_channel={"is_muted": True}, policy=FOLLOWS), Cause.FOLLOWED_TOPIC),
        (reception(of_channel={"is_muted": True, "email_notifications": True}), None),
        # read, or never received
        (reception(MENTIONED | Flag.READ), None),
        (reception(Flag.READ, is_direct=True), None),
        # nobody else
        (reception(is_direct=True, sender=ME), None),
        (reception(MENTIONED, is_active=False), None),
        (reception(MENTIONED, is_bot=True), None),
    ],
)  # fmt: skip
def test_a_message_is_worth_a_mail(given: Reception, cause: Cause | None) -> None:
    assert cause_of(given) == cause


@pytest.mark.parametrize(
    ("active_at", "until"),
    [
        (None, None),
        (1000, 1000 + ACTIVE_SECONDS),
        (1000 - ACTIVE_SECONDS, None),
        (1001, None),  # the clock was set back
    ],
)
def test_people_are_active_for_a_while(active_at: int | None, until: int | None) -> None:
    assert active_until(active_at, 1000) == until


def test_a_conversation_has_one_message_more_than_a_mail_shows() -> None:
    first = MissedConversation(
        user_id=ME, recipient_id=RecipientId(9), topic_key="a", message_ids=(MessageId(3),), due=0
    )
    many = first.with_more(tuple(map(MessageId, range(1, 100))))
    assert many == tuple(range(1, MAX_MESSAGES + 2))


@pytest.mark.parametrize(
    ("settings", "of_channel", "causes"),
    [
        ({}, {}, (None, None)),
        ({PUSHES.channels: True}, {}, (None, Cause.CHANNEL)),
        ({MAILS.channels: True}, {}, (Cause.CHANNEL, None)),
        ({MAILS.channels: True}, {"push_notifications": True}, (Cause.CHANNEL, Cause.CHANNEL)),
        ({PUSHES.channels: True}, {"push_notifications": False}, (None, None)),
    ],
)
def test_each_medium_has_settings_of_its_own(
    settings: dict[str, Any], of_channel: dict[str, Any], causes: tuple[Cause | None, ...]
) -> None:
    received = (reception(settings=settings, of_channel=of_channel, medium=each) for each in (MAILS, PUSHES))
    assert tuple(map(cause_of, received)) == causes
