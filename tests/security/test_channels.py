"""Changes of channels give access only to the users for whom they are meant."""

from typing import Any

import pytest

from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.roles import Role
from chatcore.domain.topics import VisibilityPolicy
from tests.security.attacking import nothing_changes, refusal
from tests.worlds.channels import MODERN, edits, path, stream
from tests.worlds.files import can_read, files_world, uploads
from tests.worlds.organization import World, at_once

__all__ = ["files_world"]

NOBODY = GroupSetting.of(SystemGroup.NOBODY)
PRIVATE, PUBLIC, WEB = (
    {"is_private": True},
    {"is_private": False},
    {"is_private": False, "is_web_public": True},
)


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize("viewer", ["olga", "cem", "gus", "robo"])
def test_sec_8_an_archived_channel_gives_the_rights_of_the_live_one(files_world: World, viewer: str) -> None:
    world, who = files_world, files_world[viewer]
    ada = world["ada"]
    file = uploads(ada)["url"]
    sent = [ada.says(f"hush {file}", channel) for channel in ("lunch", "secret", "vault", "plaza")]

    def rights() -> list[object]:
        return [
            who.finds("search:hush"),
            who.finds("channels:public", "search:hush"),
            [who.request("GET", f"/messages/{one}").status_code for one in sent],
            [who.request("GET", path(world, channel)).status_code for channel in world.channels],
            can_read(who, file),
        ]

    before = rights()
    for channel in ("lunch", "secret", "vault", "plaza"):
        world["olga"].delete(path(world, channel))
    assert rights() == before
    for channel in ("lunch", "secret", "vault", "plaza"):
        with nothing_changes(world):
            refusal(who, "POST", "/messages", type="channel", to=channel, topic="x", content="x")


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize(
    ("channel", "changes", "needed"),
    [
        ("lunch", PRIVATE, "can_create_private_channel_group"),
        ("lunch", WEB, "can_create_web_public_channel_group"),
        ("secret", PUBLIC, "can_create_public_channel_group"),
        ("secret", WEB, "can_create_web_public_channel_group"),
        ("plaza", PRIVATE, "can_create_private_channel_group"),
        ("plaza", {"is_web_public": False}, "can_create_public_channel_group"),
    ],
)
def test_sec_9_another_kind_takes_the_permission_to_make_that_kind(
    world: World, channel: str, changes: dict[str, Any], needed: str
) -> None:
    world.open_to_the_web()
    ada = world["ada"]
    mine = GroupSetting.of(members=[world.users["ada"].id])
    kinds = [f"can_create_{kind}_channel_group" for kind in ("public", "private", "web_public")]
    world.permit(channel, can_administer_channel_group=mine)
    world.change_organization(permissions={kind: mine for kind in kinds if kind != needed} | {needed: NOBODY})
    with nothing_changes(world):
        refusal(ada, "PATCH", path(world, channel), **changes)
    world.change_organization(permissions={kind: NOBODY for kind in kinds if kind != needed} | {needed: mine})
    edits(ada, channel, **changes)


@pytest.mark.parametrize(
    "changes",
    [
        PUBLIC,
        WEB,
        {"history_public_to_subscribers": True},
        {"can_add_subscribers_group": {"new": 2}},
        {"can_subscribe_group": {"new": 2}},
    ],
)
def test_sec_9_administrators_of_a_channel_do_not_let_themselves_in(
    world: World, changes: dict[str, Any]
) -> None:
    world.open_to_the_web()
    world["ada"].says("hush", "vault")
    with nothing_changes(world):
        refusal(world["olga"], "PATCH", path(world, "vault"), **changes)
    edits(world["olga"], "vault", description="which gives no access")


def test_sec_2_former_readers_of_a_channel_receive_no_older_events(world: World) -> None:
    """Events that wait in a queue since the channel was public are withheld, too."""
    ada, bea, cem, olga = (world[name] for name in ("ada", "bea", "cem", "olga"))
    left = bea.opens_queue("message", "update_message", "reaction")
    public_queue = cem.opens_queue("message", all_public_streams=True)
    sent = ada.says("hush")
    for who in (bea, cem):
        who.flagged("starred", sent)
    bea.leaves("lunch")
    ada.patch(f"/messages/{sent}", content="hush, hush")
    olga.joins("lunch")
    edits(olga, "lunch", is_private=True)
    assert left.events() == public_queue.events() == []
    for who in (bea, cem):
        who.refused("GET", f"/messages/{sent}")
        assert who.finds("channels:public", "search:hush") == who.finds("is:starred") == who.finds() == []


@pytest.mark.parametrize("what", ["comes back", "is renamed", "loses a topic"])
@pytest.mark.parametrize(("name", "channel"), [("bea", "secret"), ("cem", "lunch")])
def test_sec_2_settings_for_an_invisible_channel_are_not_sent(
    world: World, name: str, channel: str, what: str
) -> None:
    """Former subscribers of a private channel and guests outside of a public channel receive no settings."""
    olga, ada, who = world["olga"], world["ada"], world[name]
    for one in (name, "ada"):
        world.set_policy(one, channel, "today", VisibilityPolicy.FOLLOWED)
        world.set_policy(one, channel, "plans", VisibilityPolicy.MUTED)
    ada.joins(channel, principals=[olga.id])
    if channel == "secret":
        who.leaves(channel)
    else:
        olga.patch(f"/users/{who.id}", role=int(Role.GUEST))
    if what == "comes back":
        olga.delete(path(world, channel))
    kinds = ("stream", "subscription", "muted_topics"), ("user_topic",)
    clients = {}, {"client_capabilities": MODERN}
    outside = [who.opens_queue(*types, **client) for types in kinds for client in clients]
    inside = ada.opens_queue("muted_topics")
    match what:
        case "comes back":
            edits(olga, channel, is_archived=False)
        case "is renamed":
            edits(olga, channel, new_name="cellar")
        case _:
            olga.post(f"{path(world, channel)}/delete_topic", topic_name="plans")
    assert inside.events()
    assert [line.events() for line in outside] == [[]] * 4


def test_sec_13_a_private_name_is_revealed_no_more_than_necessary(world: World) -> None:
    cem, mona = world["cem"], world["mona"]
    world.permit("lunch", can_administer_channel_group=GroupSetting.of(members=[world.users["mona"].id]))
    for who, method, where, given in (
        (cem, "POST", "/channels/create", {"name": "{}", "subscribers": []}),
        (mona, "PATCH", path(world, "lunch"), {"new_name": "{}"}),
    ):
        answers = []
        for name in ("SECRET", "attic"):
            parameters = {
                key: value.format(name) if key != "subscribers" else value for key, value in given.items()
            }
            with nothing_changes(world):
                answers.append({**refusal(who, method, where, **parameters)})
        assert [str(one).replace("SECRET", "X") for one in answers[:1]] == [
            str(one).replace("attic", "X") for one in answers[1:]
        ]


def test_sec_83_one_of_many_who_want_one_name_gets_it(world: World) -> None:
    olga, ada = world["olga"], world["ada"]
    ids = [world.add_channel(f"room {number}") for number in range(6)]

    def renames(channel_id: int) -> int:
        return olga.request("PATCH", f"/streams/{channel_id}", new_name="The Room").status_code

    def makes() -> int:
        return ada.request("POST", "/channels/create", name="the room", subscribers=[]).status_code

    line = olga.opens_queue("stream")
    statuses = at_once(*(lambda one=one: renames(one) for one in ids), makes, makes)  # type: ignore[misc]
    assert sorted(statuses) == [200] + [409] * 7
    assert len(line.events()) == 1
    assert [one["name"].lower() for one in olga.get("/streams")["streams"]].count("the room") == 1


def test_sec_83_a_channel_is_archived_once(world: World) -> None:
    olga, line = world["olga"], world["olga"].opens_queue("stream")

    def archives() -> int:
        return olga.request("DELETE", path(world, "lunch")).status_code

    assert sorted(at_once(*[archives] * 6)) == [200] + [400] * 5
    assert [event["op"] for event in line.events()] == ["delete"]
    assert stream(olga, "lunch")["is_archived"] is True
