"""Reactions: valid and invalid ones, their events, and their effect on the history."""

from typing import Any

import pytest

from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.ids import MessageId
from chatcore.domain.limits import Limits
from chatcore.domain.messages.messages import Reaction
from chatcore.domain.topics import VisibilityPolicy
from chatcore.markup.emoji import NAMES_OF
from tests.worlds.organization import MakeWorld, Someone, World

TADA = {"emoji_name": "tada", "emoji_code": "1f389", "reaction_type": "unicode_emoji"}
THUMB = {"emoji_name": "+1", "emoji_code": "1f44d", "reaction_type": "unicode_emoji"}
EXTRA = {"emoji_name": "service", "emoji_code": "service", "reaction_type": "service_extra_emoji"}
GONE = {"emoji_name": "old_cat", "emoji_code": "77", "reaction_type": "realm_emoji"}
"""An emoji of the organization that cannot be chosen any more."""


def reacts(who: Someone, message_id: int, **emoji: str) -> None:
    who.post(f"/messages/{message_id}/reactions", **emoji)


def takes_back(who: Someone, message_id: int, **emoji: str) -> None:
    who.delete(f"/messages/{message_id}/reactions", **emoji)


def reactions(who: Someone, message_id: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = who.message(message_id)["reactions"]
    return found


def reacted_before(world: World, name: str, message_id: int, emoji: dict[str, str]) -> None:
    """A reaction from when the emoji could still be chosen."""
    reaction = Reaction(user_id=world.users[name].id, **emoji)
    world.storage.write(lambda tx: tx.reactions.add(MessageId(message_id), reaction))


# -- which emoji ------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [{"emoji_name": "tada"}, TADA, {**TADA, "reaction_type": "unicode_emoji"}])
@pytest.mark.shows("reaction.fields", "reaction.unicode", "message.reactions")
def test_a_name_is_enough(ada: Someone, bea: Someone, given: dict[str, str]) -> None:
    sent = ada.says("soup")
    reacts(bea, sent, **given)
    assert reactions(ada, sent) == [{**TADA, "user_id": bea.id}]
    assert ada.finds("has:reaction") == [sent]
    takes_back(bea, sent, **given)
    assert reactions(ada, sent) == []
    assert ada.finds("has:reaction") == []


def test_every_emoji_can_be_used(ada: Someone) -> None:
    sent = ada.says("soup")
    for code in (*list(NAMES_OF)[::200], "1f3f4-200d-2620"):
        name = NAMES_OF[code][-1]
        reacts(ada, sent, emoji_name=name)
        assert reactions(ada, sent)[0]["emoji_code"] == code
        takes_back(ada, sent, emoji_code=code)


@pytest.mark.shows("reaction.extra-emoji")
def test_the_servers_own_emoji(ada: Someone) -> None:
    sent = ada.says("soup")
    reacts(ada, sent, emoji_name="service")
    assert reactions(ada, sent) == [{**EXTRA, "user_id": ada.id}]
    takes_back(ada, sent, emoji_name="service")
    reacts(ada, sent, **EXTRA)
    takes_back(ada, sent, **EXTRA)
    assert reactions(ada, sent) == []


def test_the_servers_own_emoji_under_another_name(make_world: MakeWorld) -> None:
    world = make_world(compat_brand="acme")
    ada = world["ada"]
    sent, line = ada.says("soup"), ada.opens_queue("reaction")
    own = {"emoji_name": "acme", "emoji_code": "acme", "reaction_type": "acme_extra_emoji"}
    for given in ({"emoji_name": "acme"}, own, {**own, "reaction_type": "service_extra_emoji"}):
        reacts(ada, sent, **given)
        assert reactions(ada, sent) == [{**own, "user_id": ada.id}]
        takes_back(ada, sent, **given)
    assert {event["reaction_type"] for event in line.events()} == {"acme_extra_emoji"}


def test_reactions_keep_their_order_and_add_up(ada: Someone, bea: Someone) -> None:
    sent = ada.says("soup")
    reacts(ada, sent, emoji_name="tada")
    reacts(bea, sent, emoji_name="+1")
    reacts(ada, sent, emoji_name="+1")
    expected = [(TADA, ada), (THUMB, bea), (THUMB, ada)]
    assert reactions(bea, sent) == [{**emoji, "user_id": who.id} for emoji, who in expected]


def test_further_reactions_get_the_existing_name(ada: Someone, bea: Someone, gus: Someone) -> None:
    sent = ada.says("soup")
    reacts(ada, sent, emoji_name="thumbs_up")
    reacts(bea, sent, emoji_name="+1")
    reacts(gus, sent, **{**THUMB, "emoji_name": "whatever"})
    assert [one["emoji_name"] for one in reactions(ada, sent)] == ["thumbs_up"] * 3
    bea.refused("POST", f"/messages/{sent}/reactions", code="REACTION_ALREADY_EXISTS", emoji_name="thumbs_up")
    takes_back(bea, sent, emoji_name="+1")
    takes_back(gus, sent, emoji_name="thumbs_up")
    assert [one["user_id"] for one in reactions(ada, sent)] == [ada.id]


def test_an_emoji_that_is_gone_can_be_joined_and_taken_back(
    world: World, ada: Someone, bea: Someone, gus: Someone
) -> None:
    sent = ada.says("soup")
    reacted_before(world, "ada", sent, GONE)
    bea.refused("POST", f"/messages/{sent}/reactions", emoji_name="old_cat")
    reacts(bea, sent, **GONE)
    reacts(gus, sent, **{**GONE, "emoji_name": "cat"})
    assert reactions(ada, sent) == [{**GONE, "user_id": who.id} for who in (ada, bea, gus)]
    takes_back(bea, sent, emoji_code="77", reaction_type="realm_emoji")
    takes_back(ada, sent, emoji_name="old_cat")
    assert [one["user_id"] for one in reactions(ada, sent)] == [gus.id]


@pytest.mark.parametrize(
    "given",
    [
        {"emoji_name": "no such emoji"},
        {"emoji_name": ""},
        {"emoji_name": "tada", "emoji_code": "1f44d"},
        {"emoji_name": "tada", "emoji_code": "ffff"},
        {"emoji_name": "tada", "emoji_code": ""},
        {**TADA, "emoji_name": "+1"},
        {**TADA, "reaction_type": "realm_emoji"},
        {**TADA, "reaction_type": "service_extra_emoji"},
        {**TADA, "reaction_type": "sticker"},
        {**GONE, "emoji_name": "tada"},
        GONE,
        {"emoji_name": "x" * 100_000},
    ],
)
def test_sec_59_other_emoji_are_refused(ada: Someone, given: dict[str, str]) -> None:
    sent = ada.says("soup")
    line = ada.opens_queue("reaction")
    answer = ada.refused("POST", f"/messages/{sent}/reactions", **given)
    assert len(answer["msg"]) < 200
    assert reactions(ada, sent) == []
    assert line.events() == []


def test_the_name_is_required(ada: Someone) -> None:
    sent = ada.says("soup")
    path = f"/messages/{sent}/reactions"
    answer = ada.refused("POST", path, code="REQUEST_VARIABLE_MISSING", emoji_code="1f389")
    assert answer["var_name"] == "emoji_name"
    ada.refused("DELETE", path)


def test_the_same_reaction_is_made_once(ada: Someone) -> None:
    sent = ada.says("soup")
    reacts(ada, sent, emoji_name="tada")
    line = ada.opens_queue("reaction")
    for given in ({"emoji_name": "tada"}, TADA):
        ada.refused("POST", f"/messages/{sent}/reactions", code="REACTION_ALREADY_EXISTS", **given)
    assert line.events() == []


def test_only_a_reaction_of_ones_own_is_taken_back(ada: Someone, bea: Someone) -> None:
    sent = ada.says("soup")
    reacts(ada, sent, emoji_name="tada")
    path = f"/messages/{sent}/reactions"
    for given in (
        {"emoji_name": "tada"},
        TADA,
        {"emoji_name": "+1"},
        {"emoji_code": "ffff"},
        {"emoji_code": "1f389", "reaction_type": "realm_emoji"},
    ):
        bea.refused("DELETE", path, code="REACTION_DOES_NOT_EXIST", **given)
    ada.refused("DELETE", path, code="REACTION_DOES_NOT_EXIST", **{**TADA, "reaction_type": "realm_emoji"})
    for given in ({"emoji_name": "nothing"}, {"emoji_code": "1f389", "reaction_type": "sticker"}):
        ada.refused("DELETE", path, **given)
    assert reactions(ada, sent) == [{**TADA, "user_id": ada.id}]


def test_sec_59_a_message_has_only_so_many_emoji(make_world: MakeWorld) -> None:
    world = make_world(limits=Limits(max_emoji_per_message=3))
    ada, bea = world["ada"], world["bea"]
    sent = ada.says("soup")
    for name in ("tada", "+1", "heart"):
        reacts(ada, sent, emoji_name=name)
    for who in (ada, bea):
        who.refused("POST", f"/messages/{sent}/reactions", emoji_name="smile")
    reacts(bea, sent, emoji_name="heart")
    takes_back(ada, sent, emoji_name="tada")
    reacts(bea, sent, emoji_name="smile")
    assert len(reactions(ada, sent)) == 4


# -- which messages ---------------------------------------------------------------------------------


def test_only_what_may_be_read_is_reacted_to(world: World, ada: Someone, gus: Someone, cem: Someone) -> None:
    outside = [(cem, ada.says("x", "secret")), (cem, ada.says("x", "vault")), (gus, ada.says("x", "plaza"))]
    outside += [(cem, ada.writes("x", "bea")), (cem, 999_999)]
    answers = set()
    for who, message_id in outside:
        for method in ("POST", "DELETE"):
            answers.add(who.refused(method, f"/messages/{message_id}/reactions", **TADA)["msg"])
    assert len(answers) == 1
    world.nobody.refused(
        "POST", f"/messages/{ada.says('x', 'plaza')}/reactions", status=401, code="UNAUTHORIZED", **TADA
    )


def test_former_subscribers_of_a_private_channel_cannot_react_there(ada: Someone, bea: Someone) -> None:
    sent = ada.says("x", "secret")
    reacts(bea, sent, **TADA)
    bea.leaves("secret")
    bea.refused("POST", f"/messages/{sent}/reactions", **THUMB)
    bea.refused("DELETE", f"/messages/{sent}/reactions", **TADA)
    assert reactions(ada, sent) == [{**TADA, "user_id": bea.id}]


def test_an_archived_channel_stays_as_it_is(world: World, ada: Someone, bea: Someone) -> None:
    sent = ada.says("soup")
    reacts(ada, sent, **TADA)
    world.archive("lunch")
    assert "Invalid message" in bea.refused("POST", f"/messages/{sent}/reactions", **TADA)["msg"]
    ada.refused("DELETE", f"/messages/{sent}/reactions", **TADA)
    assert reactions(ada, sent) == [{**TADA, "user_id": ada.id}]


def test_a_deactivated_account_does_not_react(world: World, ada: Someone, bea: Someone) -> None:
    sent = ada.says("soup")
    world.change_user("bea", is_active=False)
    bea.refused("POST", f"/messages/{sent}/reactions", status=401, code="USER_DEACTIVATED", emoji_name="tada")


# -- consequences -----------------------------------------------------------------------------------


@pytest.mark.shows("flags.reacted", "flag.historical")
def test_a_message_that_was_never_received_becomes_ones_own(ada: Someone, cem: Someone) -> None:
    sent, other = ada.says("soup"), ada.says("bread")
    cem.joins("lunch")
    assert sent not in cem.finds()
    reacts(cem, sent, **TADA)
    assert cem.flags(sent) == {"read", "historical"}
    assert cem.finds() == [sent]
    takes_back(cem, sent, **TADA)
    assert cem.flags(sent) == {"read", "historical"}
    assert other not in cem.finds()


def test_a_received_message_stays_as_it_was(ada: Someone, bea: Someone) -> None:
    sent = ada.says("soup")
    reacts(bea, sent, **TADA)
    assert bea.flags(sent) == set()


def policies(world: World, *names: str) -> list[int]:
    return [world.policy(name, "lunch", "today") for name in names]


def test_reacting_is_taking_part_in_a_topic(world: World, ada: Someone, bea: Someone) -> None:
    sent = world["gus"].says("soup")
    world.choose("ada", automatically_follow_topics_policy=1)
    world.choose("bea", automatically_unmute_topics_in_muted_streams_policy=1)
    world.mute("bea", "lunch")
    line = bea.opens_queue("user_topic", "reaction")
    for who in (ada, bea):
        reacts(who, sent, **TADA)
    assert policies(world, "ada", "bea") == [VisibilityPolicy.FOLLOWED, VisibilityPolicy.UNMUTED]
    assert [event["type"] for event in line.events()] == ["reaction", "user_topic", "reaction"]
    reacts(bea, sent, **THUMB)
    assert [event["type"] for event in line.events()] == ["reaction"]


def test_reacting_is_no_sending(world: World, ada: Someone, cem: Someone, robo: Someone) -> None:
    sent = world["gus"].says("soup")
    world.choose("ada", automatically_follow_topics_policy=2)
    for name in ("cem", "robo"):
        world.choose(name, automatically_follow_topics_policy=1)
    for who in (ada, cem, robo):
        reacts(who, sent, **TADA)
    assert policies(world, "ada", "cem", "robo") == [VisibilityPolicy.INHERIT] * 3


# -- notified users ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("op", "act"), [("add", reacts), ("remove", takes_back)])
def test_readers_receive_the_event_of_a_reaction(ada: Someone, bea: Someone, op: str, act: Any) -> None:
    sent = ada.says("soup")
    if op == "remove":
        reacts(bea, sent, **TADA)
    lines = [who.opens_queue("reaction") for who in (ada, bea)]
    act(bea, sent, **TADA)
    for line in lines:
        (event,) = line.events()
        del event["id"]
        assert event == {
            "type": "reaction",
            "op": op,
            "message_id": sent,
            "user_id": bea.id,
            "user": {
                "user_id": bea.id,
                "email": bea.email,
                "full_name": "Bea",
                "is_mirror_dummy": False,
            },
            **TADA,
        }


def receivers(world: World, message_id: int, *names: str) -> list[str]:
    """The users who are notified of a reaction, both in polls that wait and in later polls."""
    waiting = {name: world[name].opens_queue("reaction") for name in names}
    later = {name: world[name].opens_queue("reaction") for name in names}
    polls = {name: line.waits() for name, line in waiting.items()}
    reacts(world["ada"], message_id, **TADA)
    received = [name for name, line in later.items() if line.events()]
    for name in received:
        assert [event["type"] for event in polls[name].answer()] == ["reaction"]
    assert all(polls[name].is_over is (name in received) for name in names)
    return received


ALL = ("olga", "ada", "bea", "cem", "gus")


def test_subscribers_of_a_public_channel_are_notified(world: World, ada: Someone) -> None:
    assert receivers(world, ada.says("soup"), *ALL) == ["ada", "bea", "gus"]


def test_later_subscribers_are_notified_if_history_is_shared(
    world: World, ada: Someone, cem: Someone
) -> None:
    sent, kept = ada.says("soup", "secret"), ada.says("soup", "vault")
    ada.joins("secret", "vault", principals=[cem.id])
    assert receivers(world, sent, *ALL) == ["ada", "bea", "cem"]
    assert receivers(world, kept, *ALL) == ["ada"]


def test_users_with_the_message_from_before_the_history_was_protected_are_notified(
    world: World, ada: Someone, cem: Someone
) -> None:
    sent = ada.says("soup")
    cem.flagged("starred", sent)
    ada.joins("lunch", principals=[cem.id])
    world.protect("lunch")
    assert receivers(world, sent, *ALL) == ["ada", "bea", "cem", "gus"]


def test_receivers_of_the_message_are_notified(
    world: World, ada: Someone, bea: Someone, cem: Someone
) -> None:
    sent = ada.says("soup")
    bea.leaves("lunch")
    world["gus"].leaves("lunch")
    cem.flagged("starred", sent)
    assert receivers(world, sent, *ALL) == ["ada", "bea", "cem"]


def test_a_bot_mentioned_before_joining_is_notified_of_reactions(ada: Someone, robo: Someone) -> None:
    sent = ada.says("@**Robo** soup", "vault")
    ada.joins("vault", principals=[robo.id])
    line = robo.opens_queue("reaction")
    ada.post(f"/messages/{sent}/reactions", emoji_name="tada")
    assert [event["message_id"] for event in line.events()] == [sent]


def test_former_subscribers_of_a_private_channel_are_not_notified(
    world: World, ada: Someone, bea: Someone
) -> None:
    sent = ada.says("soup", "secret")
    bea.flagged("starred", sent)
    line = bea.opens_queue("reaction")
    reacts(ada, sent, **THUMB)
    bea.leaves("secret")
    assert line.events() == []
    assert receivers(world, sent, *ALL) == ["ada"]


def test_participants_of_a_direct_message_are_notified(world: World, ada: Someone) -> None:
    assert receivers(world, ada.writes("soup", "gus", "cem"), *ALL) == ["ada", "cem", "gus"]


def test_users_who_react_without_a_subscription_are_notified(cem: Someone, ada: Someone) -> None:
    sent = ada.says("soup")
    line = cem.opens_queue("reaction")
    reacts(cem, sent, **TADA)
    takes_back(cem, sent, **TADA)
    assert [event["op"] for event in line.events()] == ["add", "remove"]


def test_readers_of_a_private_channel_through_a_group_are_notified(
    world: World, ada: Someone, cem: Someone
) -> None:
    may_join = {"can_subscribe_group": GroupSetting.of(members=[world.users["cem"].id])}
    world.add_channel("garden", "ada", invite_only=True, permissions=may_join)
    sent, other = ada.says("soup", "garden"), ada.says("bread", "garden")
    line = cem.opens_queue("reaction")
    reacts(cem, sent, **TADA)
    reacts(ada, sent, **TADA)
    reacts(ada, other, **TADA)
    assert [event["message_id"] for event in line.events()] == [sent, sent]


def test_a_limited_guest_does_not_learn_who_reacted(world: World, ada: Someone, gus: Someone) -> None:
    world.change_organization(
        permissions={"can_access_all_users_group": GroupSetting.of(SystemGroup.MEMBERS)}
    )
    sent = ada.says("soup")
    line = gus.opens_queue("reaction")
    for name in ("cem", "robo", "bea"):
        reacts(world[name], sent, **TADA)
    cem, robo, bea = (event["user"] for event in line.events())
    assert (cem["full_name"], robo["full_name"], bea["full_name"]) == ("Unknown user", "Robo", "Bea")
    assert cem["email"] == f"user{world['cem'].id}@chat.example.org"


def test_a_fetch_and_the_later_events_give_the_present_state(
    ada: Someone, bea: Someone, gus: Someone
) -> None:
    sent = ada.says("soup")
    reacts(ada, sent, **TADA)
    known, line = reactions(gus, sent), gus.opens_queue("reaction")
    for who, act, emoji in (
        (bea, reacts, TADA), (gus, reacts, THUMB), (ada, takes_back, TADA), (ada, reacts, THUMB),
        (gus, takes_back, THUMB), (ada, reacts, TADA),
    ):  # fmt: skip
        act(who, sent, **emoji)
    for event in line.events():
        reaction = {name: event[name] for name in (*TADA, "user_id")}
        known.append(reaction) if event["op"] == "add" else known.remove(reaction)
    assert known == reactions(gus, sent)
