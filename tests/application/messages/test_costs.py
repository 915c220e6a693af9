"""Operations on messages cost the same for any number of readers: in statements, rows and events."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import cycle

import pytest

from chatcore.application.channels import archiving
from chatcore.application.channels import editing as channel_editing
from chatcore.application.channels.editing import ChannelChanges
from chatcore.application.messages import deleting, deleting_topics, editing, reactions, submessages
from chatcore.application.messages.editing import MessageChange
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.ids import ChannelId, UserId
from chatcore.domain.topics import VisibilityPolicy
from chatcore.events.happened import MutedTopicsChanged, TopicPolicyChanged
from chatcore.storage import Snapshot, Transaction
from chatcore.storage.conformance.makers import mute, subscribe
from chatcore.storage.conformance.queues import add_queue
from storage_backends.sql.messages.watermarks import Watermarks
from storage_backends.sql.session import Session
from tests.storage_backends.spying import statements
from tests.worlds.groups import makes
from tests.worlds.organization import World

Act = Callable[[World, list[int]], None]


def edit(world: World, sent: list[int]) -> None:
    editing.update_message(world.svc, world.actor("ada"), sent[0], MessageChange(content="stew"))


def rename(world: World, sent: list[int]) -> None:
    move(world, sent, topic=f"later than {sent[0]}")


def send_to_plaza(world: World, sent: list[int]) -> None:
    move(world, sent, channel_id=world.id("plaza"))


def send_to_secret(world: World, sent: list[int]) -> None:
    move(world, sent, channel_id=world.id("secret"))


def move(world: World, sent: list[int], **to: object) -> None:
    change = MessageChange(propagate_mode="change_all", notify_new_topic=False, **to)  # type: ignore[arg-type]
    editing.update_message(world.svc, world.actor("ada"), sent[0], change)


def react(world: World, sent: list[int]) -> None:
    reactions.add_reaction(world.svc, world.actor("ada"), sent[0], "tada")


def add_submessage(world: World, sent: list[int]) -> None:
    submessages.add_submessage(world.svc, world.actor("ada"), sent[0], "notes", "1")


def delete(world: World, sent: list[int]) -> None:
    deleting.delete_message(world.svc, world.actor("ada"), sent[0])


def merge(world: World, sent: list[int]) -> None:
    _, topic = world.storage.read(lambda snapshot: place_of(snapshot, sent[0]))
    move(world, sent, topic=f"{topic} again")


def delete_topic(world: World, sent: list[int]) -> None:
    channel, topic = world.storage.read(lambda snapshot: place_of(snapshot, sent[0]))
    deleting_topics.delete_topic(world.svc, world.actor("ada"), channel, topic)


def place_of(snapshot: Snapshot, message_id: int) -> tuple[ChannelId, str]:
    message = snapshot.messages.find(message_id)
    assert message is not None
    assert message.channel_id is not None
    return message.channel_id, message.topic


ACTS: Sequence[Act] = (
    edit,
    rename,
    merge,
    send_to_plaza,
    send_to_secret,
    react,
    add_submessage,
    delete,
    delete_topic,
)

OF_POLICIES = (TopicPolicyChanged, MutedTopicsChanged)

Cost = tuple[int, int, list[str]]
"""The statements, the new rows of flags, and the events with their audiences, all numbers left out."""


@pytest.mark.parametrize("channel", ["lunch", "vault"])
def test_a_change_costs_the_same_for_any_number_of_readers(world: World, channel: str) -> None:
    world.permit(channel, can_delete_any_message_group=GroupSetting.of(members=[world.users["ada"].id]))
    few, many = (costs(world, channel, crowd) for crowd in (10, 20))  # few: more than are remembered
    for act in ACTS:
        assert many[act] == few[act], act.__name__


def test_a_message_costs_the_same_however_many_have_muted_its_sender(world: World) -> None:
    people, ada = world.add_people(50, to="lunch"), world.actor("ada").user_id

    def mute_ada(tx: Transaction) -> None:
        for user_id in people:
            mute(tx, user_id, ada)

    def say(world: World, sent: list[int]) -> None:
        assert world["ada"].says("stew", topic="soups") > max(sent)

    liked = cost(world, "lunch", "soups", say)
    world.storage.write(mute_ada)
    assert cost(world, "lunch", "soups", say) == liked


def test_topic_policies_are_announced_alike_for_any_number_of_users(world: World) -> None:
    """Policies are announced when a channel is unarchived or renamed."""

    def come_back(crowd: int, name: str) -> tuple[int, int]:
        for topic in ("soups", "salads"):
            set_policies(world, "lunch", topic, world.add_people(crowd, to="lunch"))
        olga, lunch = world.actor("olga"), world.id("lunch")
        archiving.archive_channel(world.svc, olga, lunch)
        head = world.storage.read(lambda snapshot: snapshot.log.head())
        with statements(world.storage) as spied:
            channel_editing.update_channel(
                world.svc, olga, lunch, ChannelChanges(is_archived=False, name=name)
            )
        events = world.storage.read(lambda snapshot: snapshot.log.after(head, 100))
        return len(spied), len([one for one in events if isinstance(one.event, OF_POLICIES)])

    few = come_back(10, "dinner")
    assert few == (few[0], 6)  # two topics, muted and followed; the muted ones as a list; and again renamed
    assert come_back(20, "supper") == few


def test_a_group_is_mentioned_in_as_many_statements_as_a_person(world: World) -> None:
    """Each member of the group follows the topic from then on, which takes no further statements."""

    def mention(crowd: int) -> int:
        people = world.add_people(crowd, to="lunch")
        makes(world["olga"], f"crowd {crowd}", *people)
        with statements(world.storage) as spied:
            sent = world["ada"].says(f"@*crowd {crowd}*", topic=f"for {crowd}")
        followers = world.storage.read(
            lambda snapshot: snapshot.topic_policies.of_topic(world.channels["lunch"].id, f"for {crowd}")
        )
        assert set(people) <= followers.keys(), sent
        return len(spied)

    assert mention(2) == mention(20)


def test_messages_are_read_and_unread_in_as_many_statements_wherever_they_are(world: World) -> None:
    """A person may have thousands of conversations."""
    ada, bea = world["ada"], world["bea"]
    sent = [
        bea.writes("hello", "ada", *others) for others in ((), *([name] for name in ("cem", "gus", "olga")))
    ]

    def mark(message_ids: list[int]) -> list[int]:
        found = []
        for op in ("add", "remove", "add"):
            with statements(world.storage) as spied:
                ada.post("/messages/flags", messages=message_ids, op=op, flag="read")
            found.append(len(spied))
        return found

    assert mark(sent[:1]) == mark(sent[1:])


def test_resolving_a_topic_takes_the_same_statements_however_many_have_it_unread(world: World) -> None:
    def resolve(crowd: int) -> int:
        topic = f"for {crowd}"
        sent = world["ada"].says("it does not work", topic=topic)
        set_policies(world, "lunch", topic, world.add_people(crowd, to="lunch"))
        with statements(world.storage) as spied:
            world["ada"].patch(f"/messages/{sent}", topic=f"✔ {topic}", propagate_mode="change_all")
        return len(spied)

    assert resolve(10) == resolve(30)


def test_moving_takes_the_same_statements_however_many_have_read_the_messages(world: World) -> None:
    """People with a queue, whom the move takes out of sight of what they have read."""

    people: list[UserId] = []

    def send_away(crowd: int) -> int:
        for user_id in world.add_people(crowd, to="lunch"):
            add_queue(world.storage, str(user_id), user_id)
            people.append(user_id)
        sent = [world["ada"].says(text, topic=f"for {crowd}") for text in ("soup", "salad")]
        world.storage.write(
            lambda tx: tx.flags.mark_all_read(people, [world.channels["lunch"].id], tx.log.head())
        )
        world["ada"].says("still unread")
        with statements(world.storage) as spied:
            send_to_secret(world, sent)
        return len(spied)

    assert send_away(10) == send_away(30)


def test_registering_advances_past_muted_messages(world: World) -> None:
    """Registering advances the watermarks past muted messages, so that later registrations skip them."""
    ada, bea = world["ada"], world["bea"]
    bea.post(f"/users/me/muted_users/{ada.id}")
    direct = ada.writes("soup", "bea")
    ada.says("soup")
    unread = world["gus"].says("stew")
    ada.says("tea")

    def watermarks() -> set[int]:
        with world.storage.backend.connection():
            return set(Watermarks(Session(world.storage.backend)).of(UserId(bea.id)).values())

    assert not watermarks() & {direct, unread - 1}
    bea.registers()
    assert watermarks() >= {direct, unread - 1}


def costs(world: World, channel: str, crowd: int) -> dict[Act, Cost]:
    """The costs with some more people: in the channel of the messages, in the target channel, and in both."""
    places = (channel, "plaza", "secret")
    for place in places:
        world.add_people(crowd, to=place)
        world["ada"].says("tea", place, "first of all")
    both = world.add_people(crowd, to=channel)
    world["ada"].says("tea", channel, f"merge {crowd} again")
    set_policies(world, channel, f"merge {crowd} again", reversed(both))

    def come(tx: Transaction) -> None:
        for place in places[1:]:
            subscribe(tx, world.channels[place].id, *both)

    world.storage.write(come)
    return {act: cost(world, channel, f"{act.__name__} {crowd}", act, both) for act in ACTS}


def set_policies(world: World, channel: str, topic: str, user_ids: Iterable[UserId]) -> None:
    """Half of the people have muted a topic, half follow it."""
    chosen = (VisibilityPolicy.MUTED, VisibilityPolicy.FOLLOWED)
    policies = dict(zip(user_ids, cycle(chosen), strict=False))
    channel_id = world.channels[channel].id
    world.storage.write(lambda tx: tx.topic_policies.put(channel_id, topic, policies, world.svc.now))


def cost(world: World, channel: str, topic: str, act: Act, affected: Collection[UserId] = ()) -> Cost:
    """The cost of an operation on two messages in a topic that the users *affected* follow or mute."""
    sent = [world["ada"].says(text, channel, topic) for text in ("soup", "salad")]
    set_policies(world, channel, topic, affected)
    rows, head = world.count("message_flag"), world.storage.read(lambda snapshot: snapshot.log.head())
    with statements(world.storage) as spied:
        act(world, sent)
    events = world.storage.read(lambda snapshot: snapshot.log.after(head, 100))
    announced = [
        # Only who has set something for a topic is named one by one.
        re.sub(r"[0-9]+", "0", f"{one.event} {'' if isinstance(one.event, OF_POLICIES) else one.audience}")
        for one in events
    ]
    return len(spied), world.count("message_flag") - rows, announced
