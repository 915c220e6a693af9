"""A limited guest (`can_access_all_users_group`) gets no data of users who are not visible to it.

The exceptions are bare ids of those who made or sent something that the guest sees, and texts that name other
users.
"""

import json
from collections.abc import Callable, Iterator

import pytest

from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from tests.security.attacking import refusal
from tests.worlds.organization import Line, Someone, World

STRANGER, ABSENT = 870_001, 870_900
"""Ids that occur nowhere else in an answer."""
SECRETS = (str(STRANGER), "Zoe", "zoe@", "Zora")
HOST = "chat.example.org"


@pytest.fixture
def limited(world: World) -> World:
    """Gus knows ada and bea. Zoe is in channels, groups, permissions and profiles that gus sees."""
    members = GroupSetting.of(SystemGroup.MEMBERS)
    world.change_organization(permissions={"can_access_all_users_group": members})
    if world.url.startswith("sqlite:"):
        world.sql("INSERT INTO recipient (id, kind) VALUES (?, ?)", STRANGER - 1, "user")
    else:
        world.sql("SELECT setval(pg_get_serial_sequence('recipient', 'id'), ?)", STRANGER - 1)
    zoe = world.add_user("zoe")
    assert zoe.id == STRANGER
    olga, ada = world["olga"], world["ada"]
    world.open_to_the_web()
    world.people_field = olga.post("/realm/profile_fields", name="Mentors", field_type=6)["id"]  # type: ignore[attr-defined]
    world.text_field = olga.post("/realm/profile_fields", name="Motto", field_type=1)["id"]  # type: ignore[attr-defined]
    lists_zoe(ada, bea=True)
    zoe.joins("plaza")
    ada.post("/user_groups/create", name="cooks", description="", members=[ada.id, zoe.id])
    just = GroupSetting.of(members=[ada.actor.user_id, zoe.actor.user_id])
    world.permit("lunch", can_administer_channel_group=just)
    zoe.post("/users/me/status", status_text="out")
    zoe.post("/users/me/presence", status="active")
    return world


def lists_zoe(ada: Someone, *, bea: bool) -> None:
    """Ada's profile lists zoe and perhaps bea; another field only looks as if it did."""
    people = [STRANGER, *([ada.world["bea"].id] if bea else [])]
    data = [
        {"id": ada.world.people_field, "value": people},  # type: ignore[attr-defined]
        {"id": ada.world.text_field, "value": "[1,2]"},  # type: ignore[attr-defined]
    ]
    ada.patch("/users/me/profile_data", data=data)


def answers(gus: Someone) -> Iterator[tuple[str, str]]:
    """Everything that gus can ask for, as it comes."""
    world = gus.world
    for include in (True, "partial", False):
        for incomplete in (True, False):
            state = gus.post(
                "/register",
                include_subscribers=include,
                client_gravatar=False,
                client_capabilities={"user_list_incomplete": incomplete, "archived_channels": True},
            )
            del state["queue_id"]  # a random text may contain the name
            if not incomplete:  # for older clients an id without a name stands for everybody
                state["realm_users"] = [one for one in state["realm_users"] if one["user_id"] != STRANGER]
            yield f"register {include}", json.dumps(state)
    plaza, lunch, ada = world.id("plaza"), world.id("lunch"), world["ada"].id
    for path, given in (
        ("/users", {"include_custom_profile_fields": True}),
        ("/users", {"user_ids": [STRANGER, ada], "include_custom_profile_fields": True}),
        (f"/users/{ada}", {"include_custom_profile_fields": True}),
        (f"/users/{world['ada'].email}", {"include_custom_profile_fields": True}),
        ("/users/me", {}),
        ("/users/me/subscriptions", {"include_subscribers": True}),
        ("/streams", {"include_all": True}),
        (f"/streams/{lunch}", {}),
        (f"/streams/{lunch}/members", {}),
        ("/realm/presence", {}),
        ("/realm/profile_fields", {}),
        ("/messages", {"anchor": "newest", "num_before": 100, "num_after": 0}),
    ):
        yield path, json.dumps(gus.get(path, **given))
    for path in ("/user_groups", f"/streams/{plaza}", f"/streams/{plaza}/members"):
        yield path, gus.request("GET", path).text  # perhaps refused


def require_no_events(gus: Someone, *lines: Line) -> None:
    for line in lines:
        for event in line.events():
            assert not any(secret in json.dumps(event) for secret in SECRETS), event
    for asked, answer in answers(gus):
        for secret in SECRETS:
            place = answer.find(secret)
            assert place < 0, (asked, answer[max(0, place - 300) : place + 50])


def test_sec_47_a_limited_guest_never_receives_invisible_users(limited: World, gus: Someone) -> None:
    zoe, ada, olga = limited["zoe"], limited["ada"], limited["olga"]
    modern = {"user_list_incomplete": True, "bulk_message_deletion": True, "archived_channels": True}
    line = gus.registers(include_subscribers=True, client_capabilities=modern)
    require_no_events(gus, line)
    plaza = limited.id("plaza")
    actions: dict[str, Callable[[], object]] = {
        "leave": lambda: zoe.leaves("plaza"),
        "join": lambda: zoe.joins("plaza"),
        "profile": lambda: lists_zoe(ada, bea=False),
        "name": lambda: zoe.patch("/settings", full_name="Zora"),
        "status": lambda: zoe.post("/users/me/status", status_text="back"),
        "subscribe": lambda: zoe.joins("plaza", principals=[limited["cem"].id]),
        "deactivate": lambda: olga.delete(f"/users/{STRANGER}"),
        "reactivate": lambda: olga.post(f"/users/{STRANGER}/reactivate"),
        "archive": lambda: olga.delete(f"/streams/{plaza}"),
        "unarchive": lambda: olga.patch(f"/streams/{plaza}", is_archived=False),
        "close": lambda: olga.patch(f"/streams/{plaza}", is_web_public=False),
        "open": lambda: olga.patch(f"/streams/{plaza}", is_web_public=True),
    }
    for act in actions.values():
        act()
        require_no_events(gus, line)


def test_sec_47_a_limited_guest_receives_users_while_they_are_visible(limited: World, gus: Someone) -> None:
    zoe, ada = limited["zoe"], limited["ada"]
    modern = {"user_list_incomplete": True}
    line = gus.registers(include_subscribers=True, client_capabilities=modern)
    zoe.joins("lunch")
    announced = json.dumps(line.events())
    assert "Zoe" in announced
    field = str(limited.people_field)  # type: ignore[attr-defined]
    shown = gus.get(f"/users/{ada.id}", include_custom_profile_fields=True)["user"]["profile_data"]
    assert json.loads(shown[field]["value"]) == [STRANGER, limited["bea"].id]
    assert f"[{STRANGER},{limited['bea'].id}]" in announced, "also in the profile that gus has seen before"
    zoe.leaves("lunch")
    parting = [event for event in line.events() if str(STRANGER) in json.dumps(event)]
    assert {(event["type"], event["op"]) for event in parting} == {
        ("realm_user", "remove"),
        ("subscription", "peer_remove"),
        ("user_group", "remove_members"),
    }
    require_no_events(gus, line)


def test_sec_47_a_limited_guest_leaves_a_channel_and_its_people(limited: World, gus: Someone) -> None:
    modern = {"user_list_incomplete": True}
    limited["ada"].joins("plaza", principals=[gus.id])
    line = gus.registers(include_subscribers=True, client_capabilities=modern)
    gus.leaves("plaza")
    (gone,) = [event for event in line.events("subscription") if event["op"] == "peer_remove"]
    assert gone["stream_ids"] == [limited.id("plaza")]
    assert set(gone["user_ids"]) == {limited["ada"].id, STRANGER}
    (plaza,) = gus.post("/register", include_subscribers=True)["unsubscribed"]
    assert (plaza["subscribers"], plaza["subscriber_count"]) == ([], 0)
    require_no_events(gus, line)


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize(
    ("method", "path", "given"),
    [
        ("GET", "/users/{id}", {}),
        ("GET", f"/users/user{{id}}@{HOST}", {}),
        ("GET", "/users/{id}/status", {}),
        ("GET", "/users/{id}/presence", {}),
        ("GET", f"/users/user{{id}}@{HOST}/presence", {}),
        ("GET", "/users/{id}/subscriptions/{plaza}", {}),
        ("PATCH", "/users/{id}", {"full_name": "Other"}),
        ("DELETE", "/users/{id}", {}),
        ("POST", "/users/me/muted_users/{id}", {}),
        ("DELETE", "/users/me/muted_users/{id}", {}),
        ("POST", "/messages", {"type": "direct", "to": "[{id}]", "content": "hello"}),
        ("POST", "/messages", {"type": "direct", "to": f'["user{{id}}@{HOST}"]', "content": "hello"}),
        ("POST", "/messages", {"type": "direct", "to": '["{email}"]', "content": "hello"}),
        ("POST", "/typing", {"type": "direct", "to": "[{id}]", "op": "start"}),
        ("POST", "/drafts", {"drafts": '[{{"type": "private", "to": [{id}], "topic": "", "content": "x"}}]'}),
        ("POST", "/scheduled_messages", {
            "type": "direct", "to": "[{id}]", "content": "x", "scheduled_delivery_timestamp": "9999999999",
        }),
        ("DELETE", "/users/me/subscriptions", {"subscriptions": '["lunch"]', "principals": "[{id}]"}),
        ("POST", "/users/me/subscriptions", {"subscriptions": '[{{"name": "x"}}]', "principals": "[{id}]"}),
        ("PATCH", "/users/me/profile_data", {"data": '[{{"id": {field}, "value": [{id}]}}]'}),
    ],
)  # fmt: skip
def test_sec_15_a_limited_guest_cannot_distinguish_invisible_and_unknown_users(
    limited: World, gus: Someone, method: str, path: str, given: dict[str, str]
) -> None:
    refusals = []
    for user_id, email in ((STRANGER, "zoe@example.org"), (ABSENT, "nobody@example.org")):
        names = {
            "id": user_id,
            "email": email,
            "plaza": limited.id("plaza"),
            "field": limited.people_field,  # type: ignore[attr-defined]
        }
        filled = {name: text.format(**names) for name, text in given.items()}
        answer = json.dumps(refusal(gus, method, path.format(**names), **filled))
        refusals.append(answer.replace(str(user_id), "ID").replace(email, "EMAIL"))
    assert refusals[0] == refusals[1]
