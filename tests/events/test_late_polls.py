"""Clients that poll at once and clients that poll late end with the same state, whatever happened to a
message and its channels; a late poll reveals no more than a prompt one."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from werkzeug.test import TestResponse

from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.limits import Limits
from chatcore.domain.roles import Role
from chatcore.events.audience import Users
from chatcore.events.happened import AlertWordsChanged
from chatcore.storage.transaction import Transaction
from tests.storage_backends.spying import statements
from tests.worlds.clients.kinds import MODERN, OLD, Client
from tests.worlds.groups import fills, just, makes
from tests.worlds.organization import Line, MakeWorld, World

Deed = Callable[[World, int], TestResponse]
SUBSCRIPTIONS = "/users/me/subscriptions"


def moves_to(channel: str, topic: str = "hush") -> Deed:
    """A move by ada, who is subscribed to all of these channels."""

    def deed(world: World, message_id: int) -> TestResponse:
        to = {"stream_id": world.id(channel), "topic": topic, "propagate_mode": "change_all"}
        return world["ada"].request("PATCH", f"/messages/{message_id}", **to)

    return deed


def becomes(channel: str, **changes: bool) -> Deed:
    return lambda world, _: world["olga"].request("PATCH", f"/streams/{world.id(channel)}", **changes)


def leave(channel: str) -> Deed:
    """Return bea and gus, as far as they are in the world."""

    def deed(world: World, _: int) -> TestResponse:
        world["gus"].request("DELETE", SUBSCRIPTIONS, subscriptions=[channel])
        return world["bea"].request("DELETE", SUBSCRIPTIONS, subscriptions=[channel])

    return deed


def come_to(channel: str) -> Deed:
    def deed(world: World, _: int) -> TestResponse:
        who, wanted = [world[name].id for name in ("bea", "gus")], [{"name": channel}]
        return world["ada"].request("POST", SUBSCRIPTIONS, subscriptions=wanted, principals=who)

    return deed


DEEDS: Mapping[str, Deed] = {
    "into the open": moves_to("plaza"),
    "into the secret": moves_to("secret"),
    "into the vault": moves_to("vault"),
    "plaza closes": becomes("plaza", is_private=True),
    "plaza protects": becomes("plaza", is_private=True, history_public_to_subscribers=False),
    "lunch closes": becomes("lunch", is_private=True),
    "lunch protects": becomes("lunch", is_private=True, history_public_to_subscribers=False),
    "they leave lunch": leave("lunch"),
    "they leave the secret": leave("secret"),
    "they come to plaza": come_to("plaza"),
    "they come to the vault": come_to("vault"),
    "deleted": lambda world, number: world["ada"].request("DELETE", f"/messages/{number}"),
}

LIVES = [
    ("lunch", "into the open", "plaza protects"),
    ("lunch", "into the open", "lunch closes", "plaza closes"),
    ("lunch", "into the open", "they leave lunch", "lunch closes"),
    ("lunch", "they come to plaza", "into the open", "lunch protects", "they leave lunch"),
    ("lunch", "into the secret", "they leave the secret", "deleted"),
    ("lunch", "into the secret", "deleted", "they leave the secret"),
    ("lunch", "into the secret", "they leave the secret", "into the vault"),
    ("lunch", "into the open", "into the secret", "plaza closes", "they leave the secret"),
    ("lunch", "deleted", "lunch protects", "they leave lunch"),
    ("secret", "they come to plaza", "into the open", "they leave the secret"),
    ("secret", "they come to the vault", "into the vault", "they leave the secret"),
]


@pytest.mark.parametrize("life", LIVES, ids=": ".join)
def test_prompt_and_late_clients_end_alike(make_world: MakeWorld, life: tuple[str, ...]) -> None:
    world = make_world()
    where, *deeds = life
    message_id = world["ada"].says("soup", where)
    for name in ("bea", "cem", "gus"):
        world[name].request("POST", "/messages/flags", messages=[message_id], op="add", flag="starred")
    kinds = [("bea", MODERN), ("bea", OLD), ("cem", MODERN), ("gus", MODERN), ("olga", MODERN)]
    prompt, late = ([Client(world[name], kind) for name, kind in kinds] for _ in range(2))
    for name in deeds:
        assert DEEDS[name](world, message_id).status_code == 200, name
        for client in prompt:
            client.listen()
    for client in late:
        client.listen()
    wrong = [f"{when}: {one}" for when, clients in (("prompt", prompt), ("late", late)) for client in clients
             for one in client.differences()]  # fmt: skip
    assert not wrong, "\n".join(["", *wrong])


@pytest.mark.parametrize(
    ("deed", "seen"),
    [
        ("plaza protects", {"orig_subject": "today", "new_stream_id": "plaza"}),
        ("lunch protects", {"orig_subject": "hush", "subject": "hush", "new_stream_id": "plaza"}),
    ],
)
def test_a_late_poll_reveals_nothing_of_a_topic_that_is_private_now(
    make_world: MakeWorld, deed: str, seen: dict[str, Any]
) -> None:
    """The only event is the deletion of the message."""
    world = make_world()
    line = world["cem"].opens_queue("update_message", "delete_message", "message")
    message_id = world["ada"].says("soup")
    world["ada"].says("@**Cem** stays", topic="today")
    line.events()
    world["cem"].flagged("starred", message_id)  # whom it concerns without being subscribed
    moves_to("plaza")(world, message_id)
    DEEDS[deed](world, message_id)
    (event,) = line.events("update_message")
    announced = {name: event[name] for name in ("orig_subject", "subject", "new_stream_id") if name in event}
    assert announced == {**seen, "new_stream_id": world.id("plaza")}
    hidden = "hush" if deed == "plaza protects" else "today"
    assert hidden not in json.dumps(event)


def reading(events: int, ahead: int = Limits().max_events_read_ahead) -> Limits:
    """Limits with which late polls read so many events at once, and so many ahead."""
    return Limits(max_events_per_read=events, max_events_read_ahead=ahead, max_remembered_events=1)


FEW_AND_MANY = pytest.mark.parametrize("at_once", [1, 2, 3, 1000])


@pytest.mark.parametrize("ahead", [1, 1000])
@pytest.mark.parametrize("at_once", [4, 1000])
def test_a_late_poll_reveals_nothing_of_a_channel_before_it_was_opened(
    make_world: MakeWorld, at_once: int, ahead: int
) -> None:
    """However far the opening is behind what happened while the channel was private."""
    world = make_world(limits=reading(at_once, ahead))
    ada = world["ada"]
    ada.joins("den", invite_only=True)
    line, den = world["cem"].registers(), f"/streams/{world.id('den')}"
    for change in ({"new_name": "hush"}, {"description": "hush"}, {"new_name": "den"}, {"description": ""}):
        ada.patch(den, **change)
    ada.joins("den", principals=[world["bea"].id])
    for number in range(6):
        ada.writes(f"a word {number}", "bea")
    ada.patch(den, is_private=False)
    seen = line.events()
    about_it = [one for one in seen if one["type"] in ("stream", "subscription")]
    assert (about_it[0]["op"], about_it[0]["streams"][0]["name"]) == ("create", "den")
    assert "hush" not in json.dumps(seen)


@pytest.mark.parametrize("permitted", ["always", "no more", "never"])
def test_who_has_left_a_private_channel_gets_late_what_they_may_still_read(
    make_world: MakeWorld, permitted: str
) -> None:
    """Messages that arrived before they left, and changes of these."""
    world = make_world()
    bea = world["bea"]
    den = f"/streams/{world.add_channel('den', 'ada', 'bea', 'olga', invite_only=True)}"
    nobody: dict[str, list[int]] = {"direct_members": [], "direct_subgroups": []}
    only_bea = {**nobody, "direct_members": [bea.id]}
    if permitted != "never":
        world["olga"].patch(den, can_subscribe_group={"new": only_bea})
    line = bea.opens_queue("message", "update_message", "reaction")
    soup = world["ada"].says("soup", channel="den")
    world["ada"].patch(f"/messages/{soup}", content="more soup")
    world["ada"].patch(f"/messages/{soup}", topic="kitchen", send_notification_to_new_thread=False)
    world["ada"].post(f"/messages/{soup}/reactions", emoji_name="tada")
    bea.leaves("den")
    if permitted == "no more":
        world["olga"].patch(den, can_subscribe_group={"new": nobody})
    kinds = [event["type"] for event in line.events()]
    all_kinds = ["message", "update_message", "update_message", "reaction"]
    assert kinds == (all_kinds if permitted == "always" else [])


@pytest.mark.parametrize("is_permitted", [False, True])
def test_who_has_starred_a_message_gets_late_its_changes_while_they_may_read_it(
    world: World, is_permitted: bool
) -> None:
    """Cem is subscribed to neither channel; the first has become private since."""
    cem, ada, lunch = world["cem"], world["ada"], f"/streams/{world.id('lunch')}"
    soup = ada.says("soup")
    cem.flagged("starred", soup)
    line = cem.opens_queue("update_message", "reaction")
    ada.patch(f"/messages/{soup}", content="more soup")
    ada.post(f"/messages/{soup}/reactions", emoji_name="tada")
    ada.patch(f"/messages/{soup}", stream_id=world.id("plaza"), topic="hush")
    if is_permitted:
        world["olga"].patch(lunch, can_subscribe_group={"new": just(cem)})
    world["olga"].patch(lunch, is_private=True)
    events = line.events()
    kinds = [event["type"] for event in events]
    assert kinds == (["update_message", "reaction"] if is_permitted else []) + ["update_message"]
    assert events[-1]["orig_subject"] == ("today" if is_permitted else "hush")


@pytest.mark.parametrize("is_web_public", [False, True])
def test_a_guest_who_has_left_a_channel_gets_late_nothing_of_it(world: World, is_web_public: bool) -> None:
    world.open_to_the_web()
    gus, ada = world["gus"], world["ada"]
    world.add_channel("porch", "ada", "gus")
    if is_web_public:
        world["olga"].patch(f"/streams/{world.id('porch')}", is_web_public=True)
    line = gus.opens_queue("message", "update_message", "reaction")
    soup = ada.says("soup", channel="porch")
    ada.patch(f"/messages/{soup}", content="more soup")
    ada.post(f"/messages/{soup}/reactions", emoji_name="tada")
    gus.leaves("porch")
    assert gus.refused("GET", f"/messages/{soup}")
    assert line.events() == []


@pytest.mark.parametrize("protected", [False, True])
def test_who_comes_back_to_a_private_channel_gets_late_what_they_may_read_again(
    make_world: MakeWorld, protected: bool
) -> None:
    world = make_world()
    bea = world["bea"]
    den = f"/streams/{world.add_channel('den', 'ada', 'bea', 'olga', invite_only=True)}"
    if protected:
        world["olga"].patch(den, history_public_to_subscribers=False)
    line = bea.opens_queue("message", "update_message")
    soup = world["ada"].says("soup", channel="den")
    world["ada"].patch(f"/messages/{soup}", content="more soup")
    bea.leaves("den")
    world["ada"].says("only ada and olga", channel="den")
    world["ada"].post(SUBSCRIPTIONS, subscriptions=[{"name": "den"}], principals=[bea.id])
    assert bea.get(f"/messages/{soup}")["message"]["content"] == "<p>more soup</p>"
    told = [e for e in line.events() if e.get("message", {}).get("type") != "private"]
    assert [event["type"] for event in told] == ["message", "update_message"], told


def test_a_late_guest_has_no_group_of_default_channels_that_is_gone(world: World) -> None:
    olga, bea = world["olga"], world["bea"]
    olga.post("/default_stream_groups/create", group_name="new", description="", stream_names=["plaza"])
    client = Client(bea, MODERN)
    (group,) = client.state["realm_default_stream_groups"]
    olga.delete(f"/default_stream_groups/{group['id']}")
    olga.patch(f"/users/{bea.id}", role=int(Role.GUEST))
    client.listen()
    assert client.state["realm_default_stream_groups"] == []


# -- channels that are seen by a permission ---------------------------------------------------------


@FEW_AND_MANY
def test_a_late_guest_knows_a_channel_in_which_they_have_set_a_topic_policy(
    make_world: MakeWorld, at_once: int
) -> None:
    """The channel is new, and goes out of sight with the role, however much later; the policy names it."""
    world = make_world(limits=reading(at_once))
    olga, bea = world["olga"], world["bea"]
    line = bea.opens_queue("stream", "user_topic", "realm_user")
    olga.joins("porch")
    porch = world.id("porch")
    bea.post("/user_topics", stream_id=porch, topic="soup", visibility_policy=3)
    olga.patch(f"/users/{bea.id}", role=int(Role.GUEST))
    seen = [
        (event["type"], event["op"] if event["type"] == "stream" else None)
        for event in line.events()
        if porch in (event.get("stream_id"), *event.get("stream_ids", ()))
        or porch in [channel["stream_id"] for channel in event.get("streams", ())]
    ]
    assert seen == [("stream", "create"), ("user_topic", None), ("stream", "delete")]


def test_a_late_guest_knows_the_channel_after_as_many_events_as_are_read_at_once(world: World) -> None:
    olga, bea = world["olga"], world["bea"]
    client = Client(bea, MODERN)
    olga.joins("porch")
    bea.post("/user_topics", stream_id=world.id("porch"), topic="soup", visibility_policy=3)

    def fill_the_log(tx: Transaction) -> None:
        for _ in range(world.svc.limits.max_events_per_read):
            tx.announce(AlertWordsChanged(), Users((bea.id,)))

    world.storage.write(fill_the_log)
    olga.patch(f"/users/{bea.id}", role=int(Role.GUEST))
    client.listen()
    assert client.differences() == []


@FEW_AND_MANY
@pytest.mark.parametrize("kind", [MODERN, OLD], ids=["modern", "old"])
def test_late_clients_have_the_channels_of_now(
    make_world: MakeWorld, kind: Mapping[str, Any], at_once: int
) -> None:
    world = make_world(limits=reading(at_once))
    olga, bea = world["olga"], world["bea"]
    prompt, late = (Client(bea, kind) for _ in range(2))
    for name in ("porch", "den", "attic"):
        olga.joins(name)
        prompt.listen()
    bea.post("/user_topics", stream_id=world.id("den"), topic="soup", visibility_policy=3)
    olga.patch(f"/users/{bea.id}", role=int(Role.GUEST))
    for number in range(3):
        olga.says(f"a word {number}")
    prompt.listen()
    late.listen()
    assert (prompt.differences(), late.differences()) == ([], [])


@FEW_AND_MANY
def test_a_late_guest_has_nobody_in_a_group_who_has_left_it_and_went_out_of_sight(
    make_world: MakeWorld, at_once: int
) -> None:
    world = make_world(limits=reading(at_once))
    known = {"can_access_all_users_group": GroupSetting.of(SystemGroup.MEMBERS)}
    world.change_organization(permissions=known)
    olga, bea, gus = world["olga"], world["bea"], world["gus"]
    group_id = makes(olga, "hosts", bea)
    prompt, late = (Client(gus, MODERN) for _ in range(2))
    fills(olga, group_id, delete=[bea.id])
    prompt.listen()
    olga.joins("lunch")
    olga.leaves("lunch", principals=[bea.id])
    for number in range(4):
        olga.says(f"a word {number}")
    prompt.listen()
    late.listen()
    assert (prompt.differences(), late.differences()) == ([], [])


def test_a_late_poll_reads_ahead_only_if_something_depends_on_what_is_in_sight(
    make_world: MakeWorld,
) -> None:
    """And only if there is something ahead."""
    world = make_world(limits=reading(2))
    ada = world["ada"]

    def reads_ahead(line: Line) -> int:
        with statements(world.storage) as sent:
            line.peek()
        return sum("kind" in str(text).partition("WHERE")[2] for text, _ in sent)

    line = ada.registers()
    for number in range(4):
        ada.says(f"a word {number}")
    assert reads_ahead(line) == 0
    line = ada.registers()
    world["olga"].joins("porch")
    world["olga"].patch(f"/streams/{world.id('porch')}", description="new")
    assert reads_ahead(line) == 1
    line = ada.registers()
    world["olga"].patch(f"/streams/{world.id('porch')}", description="newer")
    assert reads_ahead(line) == 0


def happens_to_the_den(world: World, group_id: int, what: str) -> None:
    olga, den, bea = world["olga"], f"/streams/{world.id('den')}", world["bea"].id
    match what:
        case "opened" | "closed":
            olga.patch(den, is_private=what == "closed")
        case "open to the web":
            olga.patch(den, is_private=False, is_web_public=True)
        case "described":
            olga.patch(den, description="hush")
        case "somebody leaves":
            olga.leaves("den", principals=[world["cem"].id])
        case "somebody comes":
            world["ada"].joins("den", principals=[world["mona"].id])
        case "a guest":
            olga.patch(f"/users/{bea}", role=int(Role.GUEST))
        case "a member":
            olga.patch(f"/users/{bea}", role=int(Role.MEMBER))
        case "an administrator":
            olga.patch(f"/users/{bea}", role=int(Role.ADMINISTRATOR))
        case "out of the group":
            fills(olga, group_id, delete=[bea])
        case "back in the group":
            fills(olga, group_id, add=[bea])
        case _:
            raise AssertionError(what)


@pytest.mark.parametrize("at_once", [1, 1000])
@pytest.mark.parametrize("limited", [False, True], ids=["everybody is known", "guests know few"])
@pytest.mark.parametrize(
    "life",
    [
        ("open to the web", "somebody leaves", "a guest"),
        ("open to the web", "a guest", "somebody leaves", "a member"),
        ("somebody leaves", "opened", "out of the group"),
        ("somebody leaves", "described", "out of the group", "back in the group"),
        ("somebody leaves", "an administrator", "out of the group"),
        ("out of the group", "somebody leaves", "described", "back in the group"),
        ("out of the group", "somebody leaves", "somebody comes", "opened", "back in the group", "closed"),
        ("somebody leaves", "opened", "a guest", "somebody comes", "a member"),
        ("opened", "a guest", "somebody leaves", "somebody comes", "a member", "closed"),
    ],
    ids=": ".join,
)
def test_late_clients_have_the_subscribers_of_now(
    make_world: MakeWorld, limited: bool, life: tuple[str, ...], at_once: int
) -> None:
    world = make_world(limits=reading(at_once))
    world.open_to_the_web()
    if limited:
        known = {"can_access_all_users_group": GroupSetting.of(SystemGroup.MEMBERS)}
        world.change_organization(permissions=known)
    ada, bea = world["ada"], world["bea"]
    group_id = makes(ada, "hosts", bea)
    ada.joins("den", invite_only=True, can_administer_channel_group=group_id)
    ada.joins("den", principals=[world["cem"].id, world["olga"].id])
    prompt, late = (Client(bea, MODERN) for _ in range(2))
    for what in life:
        happens_to_the_den(world, group_id, what)
        prompt.listen()
    late.listen()
    assert (prompt.differences(), late.differences()) == ([], [])


def test_members_of_a_group_lose_and_regain_an_archived_channel_with_it(world: World) -> None:
    """A group that only archived channels name can be deactivated; it gives no permission until it is active
    again.
    """
    ada, bea = world["ada"], world["bea"]
    inner = makes(ada, "cooks", bea)
    outer = makes(ada, "hosts", ada, holding=(inner,))
    ada.joins("den", invite_only=True, can_administer_channel_group=outer)
    ada.delete(f"/streams/{world.id('den')}")
    client = Client(bea, MODERN)
    ada.post(f"/user_groups/{outer}/deactivate")
    client.listen()
    assert world.id("den") not in client.state["streams"]
    assert client.differences() == []
    ada.patch(f"/user_groups/{outer}", deactivated=False)
    client.listen()
    assert world.id("den") in client.state["streams"]
    assert client.differences() == []
