"""The initial state: users and groups."""

import json
from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import pytest

from chatcore.application.registration import accounts
from chatcore.application.visibility.users import user_shape_for
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.ids import FieldId, UserId
from chatcore.domain.organization.organization import Organization
from chatcore.domain.organization.profile_fields import FieldType, ProfileField, ProfileValue
from chatcore.domain.people.users import EmailVisibility
from chatcore.domain.roles import Role
from chatcore.events.queue import Registration
from chatcore.http.pipeline.encoding import encode_items
from chatcore.storage import Storage, Transaction
from chatcore.storage.generations import Made
from tests.worlds.registering import NOW, World


@pytest.fixture
def world(storage: Storage) -> World:
    return World(storage, enable_spectator_access=True)


@pytest.mark.shows("register.users")
def test_users_are_listed_by_whether_they_are_active(world: World) -> None:
    state = world.state("grace")
    active = [user["user_id"] for user in state["realm_users"]]
    assert active == sorted(world.id(who) for who in ("ada", "mary", "grace", "eve", "gil"))
    assert [user["user_id"] for user in state["realm_non_active_users"]] == [world.id("ida")]
    assert "is_active" not in state["realm_users"][0]
    assert state["realm_users"][0]["profile_data"] == {}


def lists(world: World) -> list[dict[str, Any]]:
    """The lists of people for an owner, a member and a guest, with and without addresses of pictures."""
    return [
        world.state(who, ["realm_user"], registration=Registration(client_gravatar=left_to_client))
        for who in ("ada", "grace", "gil")
        for left_to_client in (True, False)
    ]


def change_accounts(tx: Transaction, world: World, chance: Random, field_id: FieldId) -> None:
    """Change an account, a value in a profile, and who sees the address of a caller."""
    change = chance.choice(
        [
            {"full_name": f"Number {chance.random()}"},
            {"email_visibility": int(chance.choice(list(EmailVisibility)))},
            {
                "avatar_source": chance.choice("GU"),
                "avatar_key": "key",
                "avatar_version": chance.randrange(9),
            },
            {"role": chance.choice([Role.MEMBER, Role.GUEST, Role.MODERATOR])},
            {"is_active": chance.random() < 0.5},
            {"timezone": f"Etc/GMT+{chance.randrange(9)}"},
        ]
    )
    changed = world.id("ida" if "is_active" in change else chance.choice(["mary", "eve", "ida", "gil"]))
    tx.users.update(changed, **change)
    caller = world.id(chance.choice(["ada", "grace", "gil"]))
    tx.users.update(caller, email_visibility=int(chance.choice(list(EmailVisibility))))
    if chance.random() < 0.5:
        tx.profile_values.put(changed, field_id, ProfileValue(chance.choice("123")))
    else:
        tx.profile_values.remove([changed], field_id)


def test_what_is_remembered_of_accounts_is_what_the_store_has(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = Random(7)
    field = ProfileField(id=FieldId(0), type=FieldType.SHORT_TEXT, name="Plot")
    field_id = world.storage.write(lambda tx: tx.profile_fields.add(field))
    for _ in range(20):
        world.storage.write(lambda tx: change_accounts(tx, world, chance, field_id))
        remembered = lists(world)
        with monkeypatch.context() as patch:
            patch.setattr(accounts, "SHAPES", Made(0))
            patch.setattr(accounts, "LISTS", Made(0))
            assert remembered == lists(world)


def test_an_account_that_has_not_changed_is_remembered(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def make(user: Any, *args: Any, **options: Any) -> Any:
        made.append(user.id)
        return user_shape_for(user, *args, **options)

    monkeypatch.setattr(accounts, "user_shape_for", make)
    monkeypatch.setattr(accounts, "SHAPES", Made(2**20))
    monkeypatch.setattr(accounts, "LISTS", Made(2**20))
    first = lists(world)
    made.clear()
    assert (lists(world), made) == (first, [])
    world.storage.write(lambda tx: tx.users.update(world.id("eve"), full_name="Eva"))
    assert "Eva" in [one["full_name"] for one in world.state("grace")["realm_users"]]
    lists(world)
    assert set(made) == {world.id("eve")}


def test_callers_who_see_the_same_share_the_lists(world: World) -> None:
    def active(who: str) -> Any:
        return world.fetch(who, ["realm_user"])["realm_users"]

    assert active("grace") is active("eve") is not active("ada")
    hidden = int(EmailVisibility.ADMINISTRATORS)
    world.storage.write(lambda tx: tx.users.update(world.id("eve"), email_visibility=hidden))
    seen = {who: {one.user_id: one.delivery_email for one in active(who)} for who in ("ada", "grace", "eve")}
    assert [seen[who][world.id("eve")] for who in seen] == ["eve@example.org", None, "eve@example.org"]
    assert [one for one in active("eve") if one.user_id != world.id("eve")] == [
        one for one in active("grace") if one.user_id != world.id("eve")
    ]


def test_organizations_of_one_process_have_lists_of_their_own(world: World) -> None:
    hidden = int(EmailVisibility.NOBODY)
    world.storage.write(lambda tx: tx.users.update(world.id("eve"), email_visibility=hidden))

    def address_of_eve() -> str:
        people = world.state("grace", ["realm_user"])["realm_users"]
        return next(str(one["email"]) for one in people if one["user_id"] == world.id("eve"))

    before = address_of_eve()
    other = replace(world.svc.settings, external_url="https://other.example.org")
    world.svc = replace(world.svc, settings=other)
    assert before.endswith("@chat.example.org")
    assert address_of_eve().endswith("@other.example.org")


@pytest.mark.parametrize("who", ["ada", "grace", "eve", "gil"])
def test_the_json_of_a_list_is_that_of_its_accounts(world: World, who: str) -> None:
    hidden = int(EmailVisibility.NOBODY)
    world.storage.write(lambda tx: tx.users.update(world.id("eve"), email_visibility=hidden))
    state = world.fetch(who, ["realm_user"])
    for name in ("realm_users", "realm_non_active_users"):
        assert msgspec.json.encode(encode_items(state[name])) == msgspec.json.encode(state[name])


def test_ones_own_account_is_sent_field_by_field(world: World) -> None:
    world.storage.write(
        lambda tx: tx.users.update(world.id("grace"), email_visibility=int(EmailVisibility.NOBODY))
    )
    state = world.state("grace")
    assert state["user_id"] == world.id("grace")
    assert state["email"] == f"user{world.id('grace')}@chat.example.org"
    assert state["delivery_email"] == "grace@example.org"
    assert state["user_settings"]["email_address_visibility"] == EmailVisibility.NOBODY
    assert state["avatar_url"].startswith("/user_avatars/")


@pytest.mark.shows("level.is-moderator")
@pytest.mark.parametrize(
    ("who", "rights"),
    [
        ("ada", "is_owner is_admin is_moderator can_create_streams can_create_web_public_streams"),
        ("grace", "can_create_streams can_create_public_streams can_subscribe_other_users"),
        ("gil", "is_guest"),
        (None, "is_guest"),
    ],
)
def test_ones_rights_follow_from_role_and_groups(world: World, who: str | None, rights: str) -> None:
    state = world.state(who, ["realm_user"])
    assert [right for right in rights.split() if state[right] is not True] == []
    if who in ("gil", None):
        assert not any(value for name, value in state.items() if name.startswith("can_"))


@pytest.mark.shows("register.groups")
def test_the_system_groups_have_their_direct_members(world: World) -> None:
    groups = {group["name"]: group for group in world.state("grace")["realm_user_groups"]}
    members = {name: group["members"] for name, group in groups.items()}
    regulars = sorted([world.id("grace"), world.id("eve")])
    assert members == {
        "role:nobody": [],
        "role:owners": [world.id("ada")],
        "role:administrators": [],
        "role:moderators": [world.id("mary")],
        "role:fullmembers": regulars,
        "role:members": regulars,
        "role:everyone": [world.id("gil")],
        "role:internet": [],
    }
    assert groups["role:members"]["direct_subgroup_ids"] == [groups["role:fullmembers"]["id"]]
    assert groups["role:owners"]["can_mention_group"] == groups["role:nobody"]["id"]


def test_new_members_are_no_full_members_yet(storage: Storage) -> None:
    world = World(storage, waiting_period_threshold=100)
    groups = {group["name"]: group["members"] for group in world.state("ada")["realm_user_groups"]}
    assert groups["role:fullmembers"] == []
    assert len(groups["role:members"]) == 2


def test_bots_are_visible_to_owner_and_administrators_and_their_keys_to_the_owner(world: World) -> None:
    fields = {
        "email": "bot@example.org",
        "full_name": "Soup Bot",
        "is_bot": True,
        "bot_type": 1,
        "bot_owner_id": world.id("grace"),
        "date_joined": NOW,
    }
    world.storage.write(lambda tx: tx.users.add(fields))
    (bot,) = world.state("grace", ["realm_bot"])["realm_bots"]
    assert len(bot["api_key"]) == 32
    assert world.state("ada", ["realm_bot"])["realm_bots"] == [{**bot, "api_key": ""}]
    assert world.state("gil", ["realm_bot"])["realm_bots"] == []
    assert bot["api_key"] not in json.dumps(world.state("ada"))


def test_the_organizations_own_bot_is_a_system_bot(world: World) -> None:
    def write(tx: Transaction) -> UserId:
        bot = tx.users.add(
            {"email": "bell@example.org", "full_name": "Bell", "is_bot": True, "date_joined": NOW}
        )
        tx.organization.put(Organization(name="A", date_created=1, notification_bot_id=bot.id))
        return bot.id

    bot_id = world.storage.write(write)
    state = world.state("ada", ["realm_user", "realm_user_groups"])
    assert [(bot["user_id"], bot["is_system_bot"]) for bot in state["cross_realm_bots"]] == [(bot_id, True)]
    assert bot_id not in [user["user_id"] for user in state["realm_users"]]
    world.storage.write(lambda tx: tx.organization.put(Organization(name="A", date_created=1)))
    assert bot_id in [user["user_id"] for user in world.state("ada", ["realm_user"])["realm_users"]]


LIMITED = {"can_access_all_users_group": GroupSetting.of(SystemGroup.MEMBERS)}


@pytest.mark.shows("register.incomplete-users")
def test_a_limited_guest_knows_only_people_it_has_to_do_with(storage: Storage) -> None:
    world = World(storage, permissions=LIMITED)
    world.send("gil", "ida")
    known = {world.id("ada"), world.id("grace"), world.id("gil")}
    short = world.state("gil", user_list_incomplete=True)
    assert {user["user_id"] for user in short["realm_users"]} == known
    full = world.state("gil")
    unknown = next(user for user in full["realm_users"] if user["user_id"] == world.id("eve"))
    assert unknown["full_name"] == "Unknown user"
    assert unknown["email"] == f"user{world.id('eve')}@chat.example.org"
    assert unknown["delivery_email"] is None
    assert "eve@" not in json.dumps(full)
    assert '"Eve"' not in json.dumps(full)
    assert [user["full_name"] for user in full["realm_non_active_users"]] == ["Ida"]
