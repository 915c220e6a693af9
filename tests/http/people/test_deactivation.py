"""Accounts that are made over HTTP, deactivated and reactivated: who may, and what becomes of them."""

from typing import Any

import pytest

from chatcore.application.people.accounts import allow_creating_users
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.people.users import BotType
from chatcore.domain.roles import Role
from tests.security.attacking import nothing_changes
from tests.worlds.groups import fills, just, makes
from tests.worlds.organization import Line, Someone, World, at_once, basic

NEW = {"email": "new@example.org", "password": "correct horse", "full_name": "New"}


def people(line: Line) -> list[dict[str, Any]]:
    return [event["person"] for event in line.events("realm_user")]


# -- made -------------------------------------------------------------------------------------------


def test_administrators_with_the_permission_make_accounts(world: World, ada: Someone) -> None:
    adi = world["adi"]
    allow_creating_users(world.svc, adi.email)
    line = ada.opens_queue("realm_user")
    user_id = adi.post("/users", **NEW)["user_id"]
    (announced,) = people(line)
    assert (announced["user_id"], announced["full_name"], announced["role"]) == (user_id, "New", 400)
    world.nobody.post("/fetch_api_key", username=NEW["email"], password=NEW["password"])


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"email": "ADA@example.org"}, "an address that is taken"),
        ({"email": "user{ada}@chat.example.org"}, "one that stands for somebody"),
        ({"email": "nobody"}, "no address"),
        ({"full_name": "a"}, "a short name"),
        ({"full_name": "ＡＤＡ"}, "a name that somebody has in another spelling"),
        ({"password": "short"}, "a short password"),
    ],
)
def test_an_account_that_breaks_a_rule_is_not_made(
    world: World, changes: dict[str, str], reason: str
) -> None:
    world.change_organization(require_unique_names=True)
    allow_creating_users(world.svc, world["adi"].email)
    changes = {name: value.format(ada=world["ada"].id) for name, value in changes.items()}
    with nothing_changes(world):
        world["adi"].refused("POST", "/users", **{**NEW, **changes})


def test_others_cannot_create_accounts(world: World) -> None:
    for name in ("ada", "olga"):
        allow_creating_users(world.svc, world[name].email)
    allow_creating_users(world.svc, world["olga"].email, allowed=False)
    with nothing_changes(world):
        for name in ("ada", "robo", "gus", "mona"):
            world[name].refused("POST", "/users", code="UNAUTHORIZED_PRINCIPAL", **NEW)
        for name in ("olga", "adi"):  # administrators without the permission
            world[name].refused("POST", "/users", **NEW)


# -- permissions ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("who", "whom", "code"),
    [
        ("adi", "olga", "UNAUTHORIZED_PRINCIPAL"),  # an owner, by somebody who is none
        ("mona", "ada", "UNAUTHORIZED_PRINCIPAL"),
        ("ada", "ada", "UNAUTHORIZED_PRINCIPAL"),  # that is what DELETE users/me is for
        ("ada", "robo", "UNAUTHORIZED_PRINCIPAL"),
        ("robo", "ada", "UNAUTHORIZED_PRINCIPAL"),
        ("olga", "olga", "BAD_REQUEST"),  # the only owner
        ("olga", "system", "BAD_REQUEST"),
        ("olga", "gone", "BAD_REQUEST"),
    ],
)
def test_refused_deactivations(world: World, who: str, whom: str, code: str) -> None:
    world.add_user("gone", is_active=False)
    with nothing_changes(world):
        world[who].refused("DELETE", f"/users/{world.users[whom].id}", code=code)


def test_nothing_is_said_of_accounts_to_others(world: World, ada: Someone) -> None:
    unknown = ada.refused("DELETE", "/users/99999", code="UNAUTHORIZED_PRINCIPAL")
    there = ada.refused("DELETE", f"/users/{world['bea'].id}", code="UNAUTHORIZED_PRINCIPAL")
    assert unknown == there
    world["olga"].refused("DELETE", "/users/99999")


def test_a_comment_is_not_too_long(world: World, bea: Someone) -> None:
    olga = world["olga"]
    with nothing_changes(world):
        olga.refused("DELETE", f"/users/{bea.id}", deactivation_notification_comment="a" * 2001)
    olga.delete(f"/users/{bea.id}", deactivation_notification_comment="a" * 2000)


def test_people_leave_by_themselves_but_for_the_last(world: World, bea: Someone) -> None:
    bea.delete("/users/me")
    bea.refused("GET", "/users/me", status=401, code="USER_DEACTIVATED")
    answer = world["olga"].refused("DELETE", "/users/me", code="CANNOT_DEACTIVATE_LAST_USER")
    assert (answer["is_last_owner"], answer["entity"]) == (True, "organization owner")
    world["robo"].refused("DELETE", "/users/me")
    world.change_user("olga", role=int(Role.MEMBER))
    for name in ("adi", "mona", "ada", "cem", "gus"):
        world[name].delete("/users/me")
    answer = world["olga"].refused("DELETE", "/users/me", code="CANNOT_DEACTIVATE_LAST_USER")
    assert (answer["is_last_owner"], answer["entity"]) == (False, "user")


def test_a_bot_is_not_the_other_owner(world: World) -> None:
    olga = world["olga"]
    world.add_user("owl", role=Role.OWNER, is_bot=True, bot_type=int(BotType.GENERIC))
    with nothing_changes(world):
        assert olga.refused("DELETE", "/users/me", code="CANNOT_DEACTIVATE_LAST_USER")["is_last_owner"]
        olga.refused("DELETE", f"/users/{olga.id}")
        olga.refused("PATCH", f"/users/{olga.id}", role=int(Role.MEMBER))


def test_sec_17_one_of_two_owners_stays(world: World) -> None:
    olga, oleg = world["olga"], world.add_user("oleg", role=Role.OWNER)
    found = at_once(
        lambda: olga.request("DELETE", "/users/me").status_code,
        lambda: olga.request("DELETE", f"/users/{oleg.id}").status_code,
        lambda: oleg.request("DELETE", "/users/me").status_code,
        lambda: oleg.request("DELETE", f"/users/{olga.id}").status_code,
    )
    assert 200 in found
    owners = world.storage.read(lambda s: s.users.active_with_roles([Role.OWNER]))
    assert len(owners) == 1


def test_sec_17_an_owner_is_brought_back_by_an_owner_alone(world: World) -> None:
    oleg = world.add_user("oleg", role=Role.OWNER, is_active=False)
    with nothing_changes(world):
        world["adi"].refused("POST", f"/users/{oleg.id}/reactivate", code="UNAUTHORIZED_PRINCIPAL")
        world["ada"].refused("POST", f"/users/{oleg.id}/reactivate", code="UNAUTHORIZED_PRINCIPAL")
        world["olga"].refused("POST", f"/users/{world.users['system'].id}/reactivate")
        world["olga"].refused("POST", "/users/99999/reactivate")
        world["olga"].post(f"/users/{world['ada'].id}/reactivate")  # in use already
    world["olga"].post(f"/users/{oleg.id}/reactivate")
    assert oleg.get("/users/me")["is_owner"]


# -- keys and queues --------------------------------------------------------------------------------


def test_sec_30_polls_end_and_keys_die_with_the_account(world: World, ada: Someone, bea: Someone) -> None:
    line, poll = bea.opens_queue("message"), bea.opens_queue("message", "realm_user").waits()
    robots = world["robo"].opens_queue("message")
    world["olga"].delete(f"/users/{bea.id}")
    world["olga"].delete(f"/users/{ada.id}")
    assert (poll.response().status_code, poll.response().get_json()["code"]) == (401, "USER_DEACTIVATED")
    for who in (bea, ada, world["robo"]):
        who.refused("GET", "/users/me", status=401, code="USER_DEACTIVATED")
        who.refused("POST", "/register", status=401, code="USER_DEACTIVATED")
    for who in (bea, ada):
        world["olga"].post(f"/users/{who.id}/reactivate")
    line.refused()  # the queue is gone for good
    world["robo"].refused("GET", "/users/me", status=401, code="USER_DEACTIVATED")
    world["olga"].post(f"/users/{robots.owner.id}/reactivate")
    robots.refused()


def test_sec_30_nothing_is_answered_after_the_deactivation(world: World, ada: Someone) -> None:
    for number in range(8):
        name = f"p{number}"
        world.add_user(name)
        line = world[name].registers()
        world[name].joins("lunch")
        line.events()
        poll = line.waits()
        deactivated, _, own = at_once(
            lambda path=f"/users/{world[name].id}": world["olga"].request("DELETE", path).status_code,
            lambda: ada.says("soup"),
            lambda who=world[name]: (
                who.request(
                    "POST", "/messages", type="channel", to="lunch", topic="a", content="bye"
                ).status_code
            ),
        )
        assert deactivated == 200
        assert own in (200, 401)
        later = ada.says("more soup")
        answer = poll.response().get_json()
        if poll.response().status_code == 200:  # it was answered before
            announced = {event.get("message", {}).get("id") for event in answer["events"]}
            assert later not in announced
            assert not any(event.get("person", {}).get("is_active") is False for event in answer["events"])
        else:
            assert answer["code"] == "USER_DEACTIVATED"
        where = {"queue_id": line.id, "last_event_id": line.last}
        world[name].refused("GET", "/events", status=401, code="USER_DEACTIVATED", **where)


# -- hiding and showing again -----------------------------------------------------------------------


@pytest.mark.shows("level.peers-of-deactivated")
def test_a_deactivated_account_is_hidden_and_comes_back(world: World, ada: Someone, bea: Someone) -> None:
    cooks = makes(ada, "cooks", bea, can_join_group=just(ada, bea))
    ada.joins("den", can_remove_subscribers_group=just(ada, bea))
    world.change_organization(
        permissions={"can_create_groups": GroupSetting.of(SystemGroup.MEMBERS, members=[bea.actor.user_id])}
    )
    sent = bea.says("soup", "secret")

    def seen() -> dict[str, Any]:
        state = ada.registers(include_subscribers=True).state
        groups = {group["id"]: group for group in state["realm_user_groups"]}
        channels = {one["name"]: one for one in state["subscriptions"]}
        return {
            "subscribers": bea.id in channels["secret"]["subscribers"],
            "count": channels["secret"]["subscriber_count"],
            "group": bea.id in groups[cooks]["members"],
            "members": bea.id in groups[SystemGroup.MEMBERS]["members"],
            "setting": groups[cooks]["can_join_group"]["direct_members"],
            "channel": channels["den"]["can_remove_subscribers_group"]["direct_members"],
            "permission": state["realm_can_create_groups"]["direct_members"],
            "active": bea.id in {user["user_id"] for user in state["realm_users"]},
        }

    before = seen()
    line = ada.registers(event_types=["realm_user", "subscription"])
    world["olga"].delete(f"/users/{bea.id}")
    assert seen() == {
        "subscribers": False, "count": before["count"] - 1, "group": False, "members": False,
        "setting": [ada.id], "channel": [ada.id], "permission": [], "active": False,
    }  # fmt: skip
    announced = line.events()
    assert [event.get("op") for event in announced] == ["peer_remove", "peer_remove", "update"]
    assert announced[-1]["person"] == {"user_id": bea.id, "is_active": False}
    assert ada.message(sent)["sender_full_name"] == "Bea"
    ada.refused("POST", "/messages", type="direct", to=[bea.id], content="hello?")
    world["olga"].post(f"/users/{bea.id}/reactivate")
    assert seen() == before
    assert line.events()[0]["person"] == {"user_id": bea.id, "is_active": True}
    assert bea.message(sent)["content"] == "<p>soup</p>"


def test_only_users_to_whom_the_account_is_visible_are_notified(
    world: World, ada: Someone, gus: Someone, cem: Someone
) -> None:
    world.change_organization(
        permissions={"can_access_all_users_group": GroupSetting.of(SystemGroup.MEMBERS)}
    )
    cooks = makes(ada, "cooks", cem, world["bea"])
    line = gus.registers()
    world["olga"].delete(f"/users/{cem.id}")  # gus shares nothing with cem
    assert line.events() == []
    world["olga"].post(f"/users/{cem.id}/reactivate")
    assert line.events() == []
    world["olga"].delete(f"/users/{world['bea'].id}")  # they share a channel
    announced = line.events()
    assert {"user_id": world["bea"].id, "full_name": "Unknown user"} in [
        event["person"] for event in announced if event["type"] == "realm_user"
    ]
    assert cooks in [event["group_id"] for event in announced if event["type"] == "user_group"]
    world["olga"].post(f"/users/{world['bea'].id}/reactivate")
    added = [event["person"] for event in line.events("realm_user") if event["op"] == "add"]
    assert [(person["full_name"], person["is_active"]) for person in added] == [("Bea", True)]


def test_permissions_of_invisible_channels_are_not_announced(
    world: World, ada: Someone, bea: Someone, cem: Someone
) -> None:
    world.permit("secret", can_remove_subscribers_group=GroupSetting.of(members=[bea.actor.user_id]))
    seeing, strange = ada.opens_queue("stream"), cem.opens_queue("stream")
    for change in (lambda: world["olga"].delete(f"/users/{bea.id}"),
                   lambda: world["olga"].post(f"/users/{bea.id}/reactivate")):  # fmt: skip
        change()
        assert [event["property"] for event in seeing.events()] == ["can_remove_subscribers_group"]
        assert strange.events() == []


def test_a_reactivated_user_has_the_old_presence(world: World, ada: Someone, bea: Someone) -> None:
    bea.post("/users/me/presence", status="active")
    world["olga"].delete(f"/users/{bea.id}")
    line = ada.opens_queue("presence")
    world["olga"].post(f"/users/{bea.id}/reactivate")
    assert [event["user_id"] for event in line.events()] == [bea.id]


def test_messages_sent_meanwhile_are_unread(world: World, ada: Someone, bea: Someone) -> None:
    world["olga"].delete(f"/users/{bea.id}")
    sent = ada.says("soup", "secret")
    assert ada.flags(ada.says("@**Bea**", "secret")) == set()
    world["olga"].post(f"/users/{bea.id}/reactivate")
    assert "read" not in bea.flags(sent)
    assert sent in bea.finds("is:unread")


# -- bots -------------------------------------------------------------------------------------------


def test_a_bot_without_an_owner_belongs_to_who_brings_it_back(world: World, ada: Someone) -> None:
    olga, robo = world["olga"], world["robo"]
    line = olga.opens_queue("realm_bot")
    olga.delete(f"/users/{ada.id}")
    assert [event["bot"] for event in line.events()] == [{"user_id": robo.id, "is_active": False}]
    olga.post(f"/users/{robo.id}/reactivate")
    announced = line.events()
    assert [event["op"] for event in announced] == ["update", "add", "update"]
    robo.refused("GET", "/users/me", status=401, code="UNAUTHORIZED")
    world.keys["robo"] = announced[1]["bot"]["api_key"]
    assert announced[2]["bot"] == {"user_id": robo.id, "owner_id": olga.id}
    assert [bot["user_id"] for bot in olga.registers().state["realm_bots"]] == [robo.id]
    assert Someone(world, "robo").get("/users/me")["bot_owner_id"] == olga.id


def test_a_bot_gets_no_bot(world: World, ada: Someone) -> None:
    """An administrator that is a bot brings back others, but owns none of them."""
    robo, owl = world["robo"], world.add_user("owl", is_bot=True, bot_type=1, role=Role.ADMINISTRATOR)
    world["olga"].delete(f"/users/{ada.id}")
    with nothing_changes(world):
        owl.refused("POST", f"/users/{robo.id}/reactivate")
    owl.post(f"/users/{ada.id}/reactivate")
    owl.post(f"/users/{robo.id}/reactivate")
    assert robo.get("/users/me")["bot_owner_id"] == ada.id


def test_a_bots_key_is_sent_to_no_other_administrator(world: World, ada: Someone) -> None:
    line = world["adi"].opens_queue("realm_bot", "realm_user")
    world["olga"].delete(f"/users/{ada.id}")
    world["olga"].post(f"/users/{world['robo'].id}/reactivate")
    assert world.keys["robo"] not in str(line.events())


def test_a_bot_does_not_come_back_beside_another_of_its_name(world: World, ada: Someone) -> None:
    robo = world["robo"]
    world["olga"].delete(f"/users/{robo.id}")
    world.add_user(
        "robot", full_name="ROBO", is_bot=True, bot_type=int(BotType.GENERIC), bot_owner_id=ada.actor.user_id
    )
    with nothing_changes(world):
        world["olga"].refused("POST", f"/users/{robo.id}/reactivate")


def test_groups_include_a_reactivated_user(world: World, ada: Someone, cem: Someone) -> None:
    cooks = makes(ada, "cooks", ada)
    world["olga"].delete(f"/users/{cem.id}")
    ada.refused("POST", f"/user_groups/{cooks}/members", add=[cem.id])
    world["olga"].post(f"/users/{cem.id}/reactivate")
    fills(ada, cooks, add=[cem.id])
    assert basic(cem.email, world.keys["cem"]) == cem.headers["Authorization"]  # the key is the old one
    cem.get("/users/me")
