"""The events of every change against the description of the API, where that is at hand.

Clients of several people, with all capabilities and with none, listen to the stories of
`tests.http.described.test_every_endpoint` and to some more.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias, get_args

from chatcore.application.events.restarts import note_start
from chatcore.application.organization.founding import allow_public_access
from chatcore.application.people.accounts import NewUser, allow_email_changes, create_user
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.organization.organization import ServerStart
from chatcore.domain.roles import Role
from chatcore.events.happened import AnyEvent
from chatcore.events.queue import Capabilities
from tests.http.described import missing
from tests.http.described.test_every_endpoint import STORIES, world
from tests.reference import described
from tests.worlds.described import mismatches
from tests.worlds.groups import fills, makes
from tests.worlds.organization import DAY, Line, World

__all__ = ["world"]

Name: TypeAlias = tuple[str, str | None]
"""An event's type and what it does."""

EVERYTHING: Final = dict.fromkeys(Capabilities.__struct_fields__, True)
LISTENERS: Final = ("ada", "adi", "olga", "bea", "cem", "gus")

WANTED: Final[Mapping[str, str]] = {
    "custom_profile_fields.fields[].field_type is not described": "the name of the specification",
    "message.local_message_id is not described": "what clients call `local_id`",
    "update_message_flags/remove.message_details[].unmuted_stream_msg is missing": "of a direct one",
}
"""Accepted differences from the description, with their reasons."""


# -- further stories --------------------------------------------------------------------------------


def topics_are_muted(world: World) -> None:
    bea, stream_id = world["bea"], world.id("lunch")
    for policy in (1, 0):
        bea.post("/user_topics", stream_id=stream_id, topic="soup", visibility_policy=policy)


def channels_are_made_and_left(world: World) -> None:
    ada, bea, gus = world["ada"], world["bea"], world["gus"]
    ada.joins("garden", principals=[ada.id, gus.id])
    ada.joins("cellar", principals=[ada.id, bea.id], invite_only=True)
    bea.leaves("cellar")
    gus.leaves("garden")


def messages_come_back(world: World) -> None:
    ada, bea = world["ada"], world["bea"]
    sent = ada.says("@**Bea**")
    direct = ada.writes("for you", "bea")
    bea.post("/mark_all_as_read")
    bea.flagged("read", sent, direct, op="remove")


def messages_go_where_some_cannot_read_them(world: World) -> None:
    ada = world["ada"]
    sent = [ada.says(text, topic="quiet") for text in ("hush", "hush, hush")]
    ada.patch(f"/messages/{sent[0]}", stream_id=world.id("secret"), propagate_mode="change_all")


def people_come_and_change(world: World) -> None:
    olga, bea, gus = world["olga"], world["bea"], world["gus"]
    dan = create_user(world.svc, NewUser(email="dan@example.org", full_name="Dan")).user_id
    olga.patch(f"/users/{world['robo'].id}", full_name="Robo the Second")
    allow_email_changes(world.svc, olga.email)
    olga.patch(f"/users/{dan}", new_email="d@example.org", role=int(Role.MODERATOR))
    olga.patch(f"/users/{gus.id}", role=int(Role.MEMBER))
    olga.patch(f"/users/{gus.id}", role=int(Role.GUEST))
    bea.post("/users/me/status", away=True)


def a_bot_gets_another_owner(world: World) -> None:
    olga, mona = world["olga"], world["mona"]
    olga.post(f"/users/{mona.id}/reactivate")
    bot = NewUser(email="bot@example.org", full_name="Bot", is_bot=True, bot_owner_id=world.users["mona"].id)
    bot_id = create_user(world.svc, bot).user_id
    olga.delete(f"/users/{mona.id}")
    olga.post(f"/users/{bot_id}/reactivate")


def an_administrator_is_none_any_more(world: World) -> None:
    for role in (Role.ADMINISTRATOR, Role.MEMBER):
        world["olga"].patch(f"/users/{world['cem'].id}", role=int(role))


def the_web_is_let_in(world: World) -> None:
    for allowed in (True, False):
        allow_public_access(world.svc, allowed=allowed)


def another_version_starts(world: World) -> None:
    world.change_organization(served_by=ServerStart("1.0", 1, at=1))
    note_start(world.svc)


def groups_come_back(world: World) -> None:
    ada, bea = world["ada"], world["bea"]
    eaters, vegans = makes(ada, "eaters", ada, bea), makes(ada, "vegans")
    fills(ada, eaters, delete=[bea.id], add_subgroups=[vegans])
    fills(ada, eaters, delete_subgroups=[vegans])
    ada.post(f"/user_groups/{vegans}/deactivate")
    ada.patch(f"/user_groups/{vegans}", deactivated=False)


MORE_STORIES: Final[tuple[Callable[[World], None], ...]] = (
    topics_are_muted,
    channels_are_made_and_left,
    messages_come_back,
    messages_go_where_some_cannot_read_them,
    the_web_is_let_in,
    another_version_starts,
    groups_come_back,
    people_come_and_change,
    a_bot_gets_another_owner,
    an_administrator_is_none_any_more,
)


# -- the comparison ---------------------------------------------------------------------------------


def listening(world: World) -> list[Line]:
    """Clients of several people, after a long time without activity.

    Gus may not know of all users, and mona is named in a permission of the organization.
    """
    world.clock.advance(200 * DAY)
    members = GroupSetting.of(SystemGroup.MEMBERS)
    creators = GroupSetting.of(SystemGroup.MEMBERS, members=[world.users["mona"].id])
    world.change_organization(
        permissions={"can_access_all_users_group": members, "can_create_groups": creators}
    )
    everything = [
        world[name].registers(client_capabilities=capabilities, fetch_event_types=[])
        for name in LISTENERS
        for capabilities in ({}, EVERYTHING)
    ]
    return [*everything, world[LISTENERS[0]].opens_queue("web_reload_client")]


def all_events(world: World) -> Iterator[dict[str, Any]]:
    """All events that the clients receive in a run of every story."""
    lines = listening(world)
    for story in (*STORIES, *MORE_STORIES):
        story(world)
        for line in lines:
            yield from line.events()
    own = lines[0]
    own.owner.says("hello", "plaza", queue_id=own.id, local_id="1.1")
    yield from own.events()


KEY: Final = re.compile(r"\['\d+'\]")


def announced(name: Name) -> str:
    return name[0] if name[1] is None else f"{name[0]}/{name[1]}"


def test_events_have_the_described_fields(world: World) -> None:
    description = described("events.json")
    common = description["about"]["common_fields"]
    fields = {(event["type"], event["op"]): event["fields"] for event in description["events"]}
    received: set[Name] = set()
    problems: set[str] = set()
    for event in all_events(world):
        name = (event["type"], event.get("op"))
        received.add(name)
        shape = {"type": "object", "fields": {**common, **fields[name]}}
        found = mismatches(shape, event, announced(name), description["types"])
        problems |= {KEY.sub("[]", problem) for problem in found}
    assert problems == WANTED.keys()
    ours = {kind.type for kind in get_args(AnyEvent)}
    assert {name for name in fields if name[0] in ours} - received <= missing.EVENTS.keys()
