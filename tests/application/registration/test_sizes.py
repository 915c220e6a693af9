"""Parts of the initial state that are remembered take about as many bytes as are counted."""

import gc
from collections.abc import Mapping
from itertools import count
from sys import getsizeof
from typing import Any

import msgspec
import pytest

from chatcore.application.registration import accounts, channels
from chatcore.domain.channels.channels import default_permissions
from chatcore.domain.groups.permissions import CHANNEL_PERMISSIONS, GroupSetting
from chatcore.domain.ids import FieldId
from chatcore.domain.organization.profile_fields import FieldType, ProfileField, ProfileValue
from chatcore.storage import Storage, Transaction
from chatcore.storage.generations import Made
from tests.worlds.registering import NOW, World


class Counted(Made[Any, Any, Any]):
    def __init__(self) -> None:
        super().__init__(2**30)
        self.size = 0

    def put(self, key: Any, source: Any, value: Any, size: int) -> None:
        self.size += size
        super().put(key, source, value, size)


def held_by(thing: object, seen: set[int]) -> int:
    """Return the bytes of an object and of all that it refers to, but classes and what was *seen*."""
    if id(thing) in seen or isinstance(thing, type):
        return 0
    seen.add(id(thing))
    if isinstance(thing, msgspec.Raw):
        return getsizeof(thing) + getsizeof(bytes(thing))
    return getsizeof(thing) + sum(held_by(part, seen) for part in gc.get_referents(thing))


def settings(*, people: int = 0, groups: int = 0, apart: int = 1000) -> Mapping[str, GroupSetting]:
    """Return settings that name so many; those of two settings have ids that are *apart*."""
    return {
        name: GroupSetting.of(*range(start, start + groups), members=range(start, start + people))
        for name, start in zip(CHANNEL_PERMISSIONS, count(10**6, apart), strict=False)
    }


CHANNELS: Mapping[str, Mapping[str, Any]] = {
    "ordinary": {"description": "Soup", "rendered_description": "<p>Soup</p>"},
    "long": {"description": "x" * 1024, "rendered_description": f"<p>{'x' * 1024}</p>"},
    "emoji": {"description": "\U0001f372" * 1024, "rendered_description": "x" * 20_000 + "\U0001f372"},
    "cyrillic": {"description": "\u0448" * 1024, "rendered_description": "\u0448" * 2000},
    "one person": {"permissions": settings(people=1)},
    "some people": {"permissions": settings(people=80)},
    "people": {"permissions": settings(people=100)},
    "the same people": {"permissions": settings(people=100, apart=0)},
    "groups": {"permissions": settings(groups=500)},
    "both": {"permissions": settings(people=20, groups=20)},
}


@pytest.mark.parametrize("kind", CHANNELS)
def test_a_channel_counts_about_as_many_bytes_as_it_takes(
    storage: Storage, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(storage, enable_spectator_access=True)
    world.storage.write(lambda tx: tx.channels.update(world.channels["square"].id, **CHANNELS[kind]))
    monkeypatch.setattr(channels, "DESCRIBED", remembered := Counted())
    assert len(world.state(None, ["subscription"])["never_subscribed"]) == 1
    shared: set[int] = set()
    held_by([default_permissions(world.id("ada")), *channels.ChannelShape.__struct_fields__], shared)
    held = held_by(remembered, shared)
    assert held / 1.5 <= remembered.size <= held * 1.5, (held, remembered.size)


@pytest.fixture
def world(storage: Storage) -> World:
    world = World(storage)

    def write(tx: Transaction) -> None:
        for number in range(50):
            name = f"Person of the number {number}"
            fields = {"email": f"person{number}@example.org", "full_name": name, "date_joined": NOW + number}
            tx.users.add({**fields, "password_hash": "x" * 96})

    world.storage.write(write)
    return world


def test_an_account_counts_about_as_many_bytes_as_it_takes(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts, "SHAPES", remembered := Counted())
    world.state("ada", ["realm_user"])
    held = held_by(remembered, set())
    assert held / 1.5 <= remembered.size <= held * 1.5, (held, remembered.size)


@pytest.mark.parametrize("value", ["", "x" * 1024, "\u0448" * 1024])
def test_a_list_of_accounts_counts_about_as_many_bytes_as_it_takes(
    world: World, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if value:
        field = ProfileField(id=FieldId(0), type=FieldType.LONG_TEXT, name="About", order=1)

        def write(tx: Transaction) -> None:
            field_id = tx.profile_fields.add(field)
            for user in tx.users.all():
                tx.profile_values.put(user.id, field_id, ProfileValue(value, f"<p>{value}</p>"))

        world.storage.write(write)
    monkeypatch.setattr(accounts, "LISTS", remembered := Counted())
    world.state("ada", ["realm_user"])
    held = held_by(remembered, set())
    assert held / 1.5 <= remembered.size <= held * 1.5, (held, remembered.size)
