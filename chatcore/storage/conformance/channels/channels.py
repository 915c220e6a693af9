"""`chatcore.storage.channels.channels`."""

from collections.abc import Mapping
from dataclasses import replace

from chatcore.domain.channels.channels import Activity, Channel, default_permissions
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.ids import ChannelId, RecipientId, UserId
from chatcore.domain.times import SECONDS_PER_DAY
from chatcore.domain.topics import TopicsPolicy
from chatcore.storage.channels.channels import ChannelFields, NewChannel
from chatcore.storage.conformance.makers import NOW, a_town, add_channel, error_of, send
from chatcore.storage.transaction import Storage, Transaction

NOWHERE = ChannelId(RecipientId(10**9))


def test_a_channel_comes_back_as_it_was_added(storage: Storage) -> None:
    fields: NewChannel = {
        "name": "Küche",
        "description": "*eat*",
        "rendered_description": "<p><em>eat</em></p>",
        "date_created": NOW,
        "creator_id": UserId(7),
        "invite_only": True,
        "history_public_to_subscribers": False,
        "is_archived": True,
        "message_retention_days": 30,
        "topics_policy": TopicsPolicy.EMPTY_ONLY,
        "permissions": {
            **default_permissions(UserId(7)),
            "can_subscribe_group": GroupSetting.of(SystemGroup.MEMBERS, members=[UserId(9)]),
        },
    }
    kitchen = storage.write(lambda tx: tx.channels.add(fields))
    assert kitchen == Channel(id=kitchen.id, **fields)
    assert storage.read(lambda snapshot: snapshot.channels.find(kitchen.id)) == kitchen


def test_a_channel_is_changed(storage: Storage) -> None:
    kitchen, hall = storage.write(lambda tx: (add_channel(tx, "Küche"), add_channel(tx, "Hall")))
    changes: ChannelFields = {
        "name": "Keller",
        "invite_only": True,
        "is_archived": True,
        "permissions": {"can_subscribe_group": GroupSetting.of(members=[UserId(9)])},
    }
    storage.write(lambda tx: tx.channels.update(kitchen.id, **changes))
    changed = replace(kitchen, **changes)
    assert storage.read(lambda snapshot: snapshot.channels.find_by_name("KELLER")) == changed
    assert storage.read(lambda snapshot: snapshot.channels.find_by_name("küche")) is None
    assert storage.read(lambda snapshot: snapshot.channels.find(hall.id)) == hall
    error_of(Exception, lambda: storage.write(lambda tx: tx.channels.update(hall.id, name="keller")))


def test_a_channel_is_found_by_name_whatever_the_case(storage: Storage) -> None:
    plaza = storage.write(lambda tx: add_channel(tx, "Plaza ÄÖ", is_archived=True))
    assert storage.read(lambda snapshot: snapshot.channels.find_by_name("  pLAZA äö ")) == plaza
    assert storage.read(lambda snapshot: snapshot.channels.find_by_name("plaza")) is None
    names = ["PLAZA äö", "office"]
    assert storage.read(lambda snapshot: snapshot.channels.by_names(names)) == {"plaza äö": plaza}


def test_no_two_channels_have_one_name(storage: Storage) -> None:
    storage.write(lambda tx: add_channel(tx, "Plaza"))
    error_of(Exception, lambda: storage.write(lambda tx: add_channel(tx, "pLAZA")))
    assert len(storage.read(lambda snapshot: snapshot.channels.all())) == 1


def test_a_channel_that_is_not_there_is_not_found(storage: Storage) -> None:
    assert storage.read(lambda snapshot: snapshot.channels.find(1)) is None
    assert storage.read(lambda snapshot: snapshot.channels.find(2**63 - 1)) is None
    assert storage.read(lambda snapshot: snapshot.channels.by_ids([NOWHERE])) == {}
    assert storage.read(lambda snapshot: snapshot.channels.names([NOWHERE])) == {}


def test_channels_are_found_by_ids(storage: Storage) -> None:
    town = a_town(storage)
    wanted = [town.office, town.plaza, NOWHERE]
    channels = storage.read(lambda snapshot: snapshot.channels.by_ids(wanted))
    expected = {town.plaza: "Plaza", town.office: "Office"}
    assert {channel_id: channel.name for channel_id, channel in channels.items()} == expected
    assert storage.read(lambda snapshot: snapshot.channels.names(wanted)) == expected


def test_channels_are_listed_by_name(storage: Storage) -> None:
    def write(tx: Transaction) -> None:
        for name in ("beta", "Alpha", "gamma"):
            add_channel(tx, name, invite_only=name == "gamma")

    storage.write(write)
    channels = storage.read(lambda snapshot: snapshot.channels.all())
    assert [channel.name for channel in channels] == ["Alpha", "beta", "gamma"]
    public = storage.read(lambda snapshot: snapshot.channels.public())
    assert {channel.name for channel in public.values()} == {"Alpha", "beta"}


def test_a_channel_knows_its_first_message_and_when_the_last_came(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> tuple[int, Mapping[ChannelId, Activity]]:
        first = send(tx, town.ada, town.plaza, timestamp=NOW + 1)
        send(tx, town.ada, town.plaza, timestamp=NOW + 2)
        return first.id, tx.channels.activities(list(tx.channels.all()), NOW)

    first, channels = storage.write(write)
    plaza, office = channels[town.plaza], channels[town.office]
    assert (plaza.first_message_id, plaza.last_message_at) == (first, NOW + 2)
    assert (office.first_message_id, office.last_message_at) == (None, None)
    assert storage.read(lambda snapshot: snapshot.channels.activities([], NOW)) == {}


def test_traffic_counts_the_messages_of_four_weeks(storage: Storage) -> None:
    day = SECONDS_PER_DAY

    def write(tx: Transaction) -> list[Channel]:
        busy, quiet, new = (
            add_channel(tx, name, date_created=created)
            for name, created in (("busy", 0), ("quiet", 0), ("new", NOW))
        )
        tx.channels.note_message(busy.id, NOW, 20)
        tx.channels.note_message(busy.id, NOW)
        tx.channels.note_message(busy.id, NOW - 27 * day, 19)
        tx.channels.note_message(busy.id, NOW - 28 * day, 1000)
        tx.channels.note_message(new.id, NOW)
        return [busy, quiet, new]

    channels = storage.write(write)
    activities = storage.read(lambda snapshot: snapshot.channels.activities(channels, NOW))
    assert [activities[channel.id].weekly_traffic for channel in channels] == [10, 0, None]
