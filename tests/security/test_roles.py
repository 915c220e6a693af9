"""Guests, roles, groups and bots; and two organizations side by side."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chatcore.application.people.accounts import NewUser, create_user
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.people.users import BotType
from chatcore.domain.roles import Role
from tests.security.attacking import nothing_changes, refusal
from tests.worlds.organization import MakeWorld, Someone, World, basic

PATH = "/users/me/subscriptions"


def test_sec_16_a_guest_gets_no_further_than_its_channels(world: World, ada: Someone, gus: Someone) -> None:
    world.add_channel("garden", "ada")
    hidden = ada.says("the quince ripens", "garden", "plans")
    refusal(gus, "POST", "/register", all_public_streams=True)
    for narrow in (["channels:public"], ["channels:public", "search:quince"], ["channel:garden"],
                   ["channels:public", f"id:{hidden}"], ["streams:public", "topic:plans"]):  # fmt: skip
        assert gus.finds(*narrow) == []
    for parameters in (
        {},
        {"include_all": True},
        {"include_all_active": True},
        {"include_subscribed": False},
    ):
        assert "garden" not in [one["name"] for one in gus.get("/streams", **parameters)["streams"]]
    state = gus.post("/register", include_subscribers=True)
    for name in ("subscriptions", "unsubscribed", "never_subscribed", "streams"):
        assert "garden" not in [one["name"] for one in state[name]]
    with nothing_changes(world):
        for name in ("garden", "plaza", "new garden"):
            refusal(gus, "POST", PATH, subscriptions=[{"name": name}])
        refusal(gus, "POST", PATH, subscriptions=[{"name": "garden"}], authorization_errors_fatal=False)


def test_sec_16_a_limited_guest_knows_only_its_own_people(world: World, ada: Someone, gus: Someone) -> None:
    world.change_organization(
        permissions={"can_access_all_users_group": GroupSetting.of(SystemGroup.MEMBERS)}
    )
    known = {world[name].id for name in ("gus", "ada", "bea", "robo")}
    cem = world["cem"]
    assert {user["user_id"] for user in gus.get("/users")["members"]} == known
    assert {user["user_id"] for user in gus.get("/users", user_ids=[cem.id, ada.id])["members"]} == {ada.id}
    for who in (cem.id, cem.email, f"user{cem.id}@chat.example.org"):
        refusal(gus, "GET", f"/users/{who}")
    for capability in (True, False):
        state = gus.post("/register", client_capabilities={"user_list_incomplete": capability})
        assert "Cem" not in str(state)
        assert "cem@example.org" not in str(state)
        users = {user["user_id"]: user for user in state["realm_users"]}
        assert set(users) >= known
        assert (cem.id in users) is not capability
        groups = [member for group in state["realm_user_groups"] for member in group["members"]]
        assert cem.id not in groups
    refusal(gus, "POST", "/messages", type="direct", to=[cem.id], content="hello")
    line = gus.opens_queue("realm_user")
    create_user(world.svc, NewUser(email="dan@example.org", full_name="Dan"))
    (stranger,) = line.events()  # for clients that want to know of everybody, as in their state
    assert stranger["person"]["full_name"] == "Unknown user"
    assert "dan@" not in str(stranger)
    create_user(world.svc, NewUser(email="bot@example.org", full_name="Bot", is_bot=True))
    assert [event["person"]["full_name"] for event in line.events()] == ["Bot"]


def test_sec_16_a_limited_guest_receives_messages_of_invisible_users_without_names(
    world: World, gus: Someone
) -> None:
    world.change_organization(
        permissions={"can_access_all_users_group": GroupSetting.of(SystemGroup.MEMBERS)}
    )
    line = gus.opens_queue("message")
    sent = world["cem"].says("hello, guest")
    (event,) = line.events()
    assert event["message"]["sender_full_name"] == gus.message(sent)["sender_full_name"] == "Unknown user"


def test_sec_18_a_guest_holds_no_right_that_excludes_guests(world: World, ada: Someone, gus: Someone) -> None:
    me = GroupSetting.of(SystemGroup.EVERYONE, members=[world.users["gus"].id])
    rights = ("can_subscribe_group", "can_add_subscribers_group", "can_administer_channel_group")
    world.add_channel("garden", "ada", invite_only=True, permissions=dict.fromkeys(rights, me))
    sent = ada.says("hush", "garden")
    assert gus.finds("channel:garden") == []
    with nothing_changes(world):
        refusal(gus, "GET", f"/messages/{sent}")
        refusal(gus, "POST", PATH, subscriptions=[{"name": "garden"}])
        refusal(gus, "POST", "/messages", type="channel", to="garden", topic="x", content="x")
        refusal(gus, "DELETE", PATH, subscriptions=["garden"], principals=[ada.id])
        refusal(gus, "GET", f"/users/me/{world.id('garden')}/topics")


def test_sec_18_no_parameter_gives_a_role(world: World, gus: Someone) -> None:
    gus.says("soup", role=200, is_admin=True, is_guest=False)
    gus.post("/register", role=100, is_owner=True)
    assert gus.get("/users/me", role=100)["role"] == 600


@pytest.mark.parametrize(
    "value",
    [
        {"direct_members": [10**9], "direct_subgroups": []},
        {"direct_members": [], "direct_subgroups": [10**9]},
        {"direct_members": list(range(1, 20_000)), "direct_subgroups": []},
        {"direct_members": [], "direct_subgroups": list(range(20_000))},
        {"direct_members": [-1], "direct_subgroups": [-1]},
        {"direct_members": [2**63 - 1], "direct_subgroups": []},
        {"direct_members": []},
        {"direct_members": [True], "direct_subgroups": []},
        {"direct_members": [[]], "direct_subgroups": []},
        -1,
        0,
        8,
        2**63,
        "role:nobody",
        [7],
    ],
)
def test_sec_20_a_permission_takes_no_foreign_or_endless_value(
    world: World, olga: Someone, value: Any
) -> None:
    with nothing_changes(world):
        refusal(olga, "POST", PATH, subscriptions=[{"name": "garden"}], can_administer_channel_group=value)


@pytest.mark.parametrize("bot_type", [BotType.INCOMING_WEBHOOK])
def test_sec_23_a_webhook_bot_may_only_send(world: World, ada: Someone, bot_type: BotType) -> None:
    hook = world.add_user("hook", is_bot=True, bot_type=int(bot_type), bot_owner_id=world.users["ada"].id)
    sent = hook.says("the build is broken", "lunch", "builds")
    assert ada.message(sent)["sender_id"] == hook.id
    with nothing_changes(world):
        for method, path, parameters in (
            ("GET", "/messages", {"anchor": "newest", "num_before": 1, "num_after": 0}),
            ("GET", f"/messages/{sent}", {}),
            ("POST", "/register", {}),
            ("POST", "/register", {"event_types": ["message"]}),
            ("GET", "/users", {}),
            ("GET", "/users/me", {}),
            ("GET", "/streams", {}),
            ("GET", "/get_stream_id", {"stream": "lunch"}),
            ("GET", PATH, {}),
            ("POST", PATH, {"subscriptions": [{"name": "lunch"}]}),
            ("DELETE", PATH, {"subscriptions": ["lunch"]}),
            ("POST", "/messages/flags", {"messages": [sent], "op": "add", "flag": "read"}),
            ("GET", "/events", {"queue_id": "x", "last_event_id": 0}),
            ("GET", f"/users/me/{world.id('lunch')}/topics", {}),
        ):
            answer = refusal(hook, method, path, **parameters)
            assert (answer["status"], answer["code"]) == (401, "UNAUTHORIZED"), path


def test_sec_23_a_bot_is_not_its_owner(world: World, ada: Someone, robo: Someone) -> None:
    secret, note = ada.says("hush", "secret"), ada.writes("hush", "bea")
    for message_id in (secret, note):
        refusal(robo, "GET", f"/messages/{message_id}")
    assert robo.finds("channel:secret") == []
    said = robo.says("I am ada", sender="ada@example.org", sender_full_name="Ada")
    assert ada.message(said)["sender_full_name"] == "Robo"


@pytest.mark.parametrize(
    "forged",
    [
        {"sender": "bea@example.org"},
        {"sender_id": 6},
        {"sender_email": "bea@example.org"},
        {"forged": "yes", "time": 1},
        {"realm": "other", "realm_id": 2, "realm_str": "other"},
        {"timestamp": 1},
        {"id": 5},
        {"user_id": 6},
    ],
)
def test_sec_24_nobody_speaks_for_another(world: World, ada: Someone, forged: dict[str, Any]) -> None:
    answer = ada.sends("soup", **forged)
    assert answer["ignored_parameters_unsupported"] == sorted(forged)
    message = ada.message(answer["id"])
    assert message["sender_id"] == ada.id
    assert message["sender_full_name"] == "Ada"
    assert message["client"] == "tests"
    assert message["timestamp"] == world.svc.now
    flags = ada.post("/messages/flags", messages=[answer["id"]], op="add", flag="starred", user_id=6)
    assert flags["messages"] == [answer["id"]]
    assert "starred" not in world["bea"].flags(answer["id"])


# -- two organizations ------------------------------------------------------------------------------


@pytest.fixture
def other(tmp_path: Path) -> Iterator[World]:
    """Another organization with people of the same names and ids, served with the same secret."""
    from storage_backends import open_storage

    url = f"sqlite:///{tmp_path / 'other.db'}"
    storage = open_storage(url)
    storage.migrate()
    storage.close()
    world = World(url)
    yield world
    world.close()


def test_sec_25_a_key_of_one_organization_opens_no_other(world: World, other: World) -> None:
    for name in ("ada", "olga", "robo"):
        assert world[name].id == other[name].id
        assert world.keys[name] != other.keys[name]
        nobody = other.nobody
        nobody.headers["Authorization"] = basic(other[name].email, world.keys[name])
        answer = refusal(nobody, "GET", "/users/me")
        assert (answer["status"], answer["code"]) == (401, "UNAUTHORIZED")


def test_sec_25_ids_of_another_organization_are_absent(world: World, other: World) -> None:
    theirs = other["ada"]
    foreign = theirs.opens_queue("message")
    for _ in range(3):
        foreign_message = theirs.says("the quince ripens")
    ada = world["ada"]
    with nothing_changes(other):
        for method in ("GET", "DELETE"):
            answer = refusal(ada, method, "/events", queue_id=foreign.id, last_event_id=0, dont_block=True)
            assert answer["code"] == "BAD_EVENT_QUEUE_ID"
        refusal(ada, "GET", f"/messages/{foreign_message}")
        assert ada.finds(message_ids=[foreign_message]) == ada.finds("search:quince") == []
        refusal(ada, "POST", "/messages/flags", messages=[foreign_message], op="add", flag="starred")
        ada.says("hello", queue_id=foreign.id, local_id="1")
    assert "local_id" not in str(foreign.events())


def test_sec_25_events_stay_in_their_organization(world: World, other: World) -> None:
    line = world["ada"].opens_queue("message")
    other["ada"].says("the quince ripens")
    assert line.events() == []


def test_sec_25_two_servers_of_one_organization_share_everything(make_world: MakeWorld) -> None:
    one, two = make_world(), make_world()
    assert one.keys == two.keys
    sent = one["ada"].says("soup")
    assert two["bea"].finds() == [sent]


def test_sec_31_the_queue_of_who_was_demoted_reaches_no_further(world: World, ada: Someone) -> None:
    adi = world["adi"]
    line = adi.registers(all_public_streams=True)
    world["olga"].patch(f"/users/{adi.id}", role=int(Role.GUEST))
    line.events()
    ada.says("hush", "lunch")
    ada.joins("den", invite_only=True)
    ada.joins("garden")
    assert line.events("message", "stream", "subscription") == []
