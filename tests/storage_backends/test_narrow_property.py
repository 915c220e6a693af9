"""The two readings of a narrow agree: what SQL finds is what the plain rules of the domain say.

The rules are asked about every message there is, with the flags that the model of the world gives to each
reader. A store gets what the use cases give it: no flags, and only the channels that can matter.
"""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace

import pytest
from hypothesis import event, given, note, settings
from hypothesis import strategies as st

from chatcore.domain.channels.channels import Channel
from chatcore.domain.ids import ChannelId, MessageId, UserId
from chatcore.domain.messages.flags import NEVER_RECEIVED
from chatcore.domain.messages.viewer import Viewer
from chatcore.domain.narrow import (
    Has,
    InChannel,
    InPublicChannels,
    InTopic,
    IsResolved,
    Narrow,
    Not,
    Search,
    SentBy,
    WithId,
    finds,
    first_unread_in,
    full_history,
    matches,
)
from chatcore.storage.conformance.makers import NOW
from chatcore.storage.transaction import Snapshot
from storage_backends import open_storage
from storage_backends.sql.store import SqlStorage
from tests.domain.narrow.strategies import USERS, narrows
from tests.storage_backends.worlds import LIVES, Life, World, lived

IMPERSONAL = (Has, InChannel, InPublicChannels, InTopic, IsResolved, Search, SentBy, WithId)
"""The terms that are allowed without an account."""


@dataclass(frozen=True)
class Question:
    """A narrow of one user, or (user None) of a spectator."""

    user: UserId | None
    narrow: Narrow
    anchor: int
    """The position of the anchor, in half messages, so that half of the anchors are between messages."""
    before: int
    after: int
    first_unread: bool


QUESTIONS = st.builds(
    Question,
    st.sampled_from([*USERS, *USERS, None]),
    narrows(),
    st.integers(0, 62),
    st.integers(0, 6),
    st.integers(0, 6),
    st.booleans(),
)


@pytest.mark.parametrize(
    ("kind", "examples", "few"),
    [("sqlite", 80, None), ("sqlite", 40, 0), ("postgresql", 25, None), ("postgresql", 10, 0)],
)
def test_sql_and_the_plain_rules_agree(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, kind: str, examples: int, few: int | None
) -> None:
    """The plans for readers of very many channels, and for readers of few of the hits of a search, are tested
    too, which this small world would not select.
    """
    if few is not None:
        monkeypatch.setattr("storage_backends.sql.narrow.query.FEW_ID_RANGES", few)
        monkeypatch.setattr("storage_backends.sql.narrow.query.MAX_HITS_TESTED", few)
        monkeypatch.setattr("storage_backends.sql.narrow.query.RECIPIENT_TOKENS", 2)
    url = request.getfixturevalue("sqlite_url" if kind == "sqlite" else "postgres_url")

    @settings(max_examples=examples)
    @given(LIVES, st.lists(QUESTIONS, min_size=10, max_size=25))
    def agree(life: Life, questions: list[Question]) -> None:
        note(repr(life))
        check(storage, lived(storage, life), questions)

    with closing(open_storage(url)) as storage:
        agree()


def check(storage: SqlStorage, world: World, questions: list[Question]) -> None:
    def read(snapshot: Snapshot) -> None:
        channels = snapshot.channels.by_ids(list(world.channels.values()))
        viewers: dict[UserId | None, Viewer] = {user: viewer_of(snapshot, world, user) for user in USERS}
        viewers[None] = Viewer()
        for question in questions:
            check_question(snapshot, world, channels, viewers[question.user], question)

    storage.read(read)


def viewer_of(snapshot: Snapshot, world: World, user: UserId) -> Viewer:
    user_id = world.users[user]
    policies = snapshot.topic_policies.of_user(user_id)
    return Viewer(
        actor=snapshot.users.actors([user_id], NOW)[user_id],
        subscriptions=snapshot.subscriptions.of_user(user_id),
        topic_policies={topic: policy for topic, (_, policy, _) in policies.items()},
        default_flags=NEVER_RECEIVED,
    )


def check_question(
    snapshot: Snapshot,
    world: World,
    channels: Mapping[ChannelId, Channel],
    viewer: Viewer,
    question: Question,
) -> None:
    narrow = world.narrow(question.narrow)
    if viewer.user_id is None:
        narrow = without_login(narrow)
    elif question.first_unread:
        narrow = first_unread_in(narrow)
    known = known_channels(snapshot, viewer, narrow, channels)
    event("full history" if full_history(narrow, viewer, known) else "personal history")

    note(f"{narrow} of {viewer.actor}")
    flags = {} if viewer.user_id is None else world.histories[viewer.user_id]
    reader = replace(viewer, flags=flags)
    all_ids = [message.id for message in world.messages]
    inside = [message.id for message in world.messages if finds(narrow, message, reader, channels)]
    event(f"finds {min(len(inside), 3)}")

    anchor = anchor_of(all_ids, question.anchor)
    found = snapshot.search.around(
        narrow, viewer, known, anchor=anchor, before=question.before, after=question.after
    )
    before = [message_id for message_id in reversed(inside) if message_id < anchor]
    after = [message_id for message_id in inside if message_id > anchor]
    assert list(found.before) == before[: question.before]
    assert found.at_anchor == (anchor in inside)
    assert list(found.after) == after[: question.after]

    if viewer.user_id is not None or not narrow.personal:
        through = [m.id for m in world.messages if matches(narrow, m, reader, channels)]
        assert list(snapshot.search.among(narrow, viewer, known, all_ids)) == through


def without_login(narrow: Narrow) -> Narrow:
    """The terms of the narrow that are allowed without an account, in web-public channels only."""
    terms = [
        term for term in narrow.terms if isinstance(term.term if isinstance(term, Not) else term, IMPERSONAL)
    ]
    return Narrow((*terms, InPublicChannels(web_public=True)))


def known_channels(
    snapshot: Snapshot, viewer: Viewer, narrow: Narrow, channels: Mapping[ChannelId, Channel]
) -> Mapping[ChannelId, Channel]:
    """The channels that the use cases look up for a narrow: of the reader, of the narrow, or all public."""
    wanted = {*viewer.subscriptions, *narrow.channel_ids}
    if viewer.user_id is not None:
        wanted |= snapshot.flags.historical_channels(viewer.user_id)
    if narrow.public_channels is not None:
        wanted |= {channel.id for channel in channels.values() if not channel.invite_only}
    return {channel_id: channels[channel_id] for channel_id in wanted}


def anchor_of(all_ids: list[MessageId], drawn: int) -> int:
    """A message's id, a place in between, or one of the ends."""
    if not all_ids or drawn >= 60:
        return 0 if drawn == 60 else 10_000_000_000_000_000
    return all_ids[drawn // 2 % len(all_ids)] + drawn % 2
