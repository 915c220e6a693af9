"""Mentions of user groups in messages: who may, who is flagged, how it looks."""

import pytest

from tests.worlds.groups import EVERYONE, MEMBERS, NOBODY, deactivates, fills, just, makes, patches
from tests.worlds.organization import Someone, World

SYSTEM = {
    "role:nobody": "Nobody",
    "role:owners": "Owners",
    "role:administrators": "Administrators",
    "role:moderators": "Moderators",
    "role:fullmembers": "Full members",
    "role:members": "Members",
    "role:everyone": "Everyone",
    "role:internet": "Everyone on the internet",
}


def html(group_id: int, name: str, *, silent: bool = False) -> str:
    kind, at = ("user-group-mention silent", "") if silent else ("user-group-mention", "@")
    return f'<p><span class="{kind}" data-user-group-id="{group_id}">{at}{name}</span></p>'


@pytest.mark.shows("flag.mentioned")
def test_members_who_receive_the_message_are_mentioned(
    world: World, ada: Someone, bea: Someone, cem: Someone, gus: Someone
) -> None:
    inner = makes(ada, "inner", gus)
    cooks = makes(ada, "cooks", bea, cem, holding=(inner,))
    sent = ada.says("@*cooks*")
    assert ada.message(sent)["content"] == html(cooks, "cooks")
    assert bea.flags(sent) == gus.flags(sent) == {"mentioned"}
    assert ada.flags(sent) == set()
    assert "mentioned" not in cem.flags(sent)
    assert cem.finds("is:mentioned") == []
    cem.joins("lunch")
    assert cem.flags(ada.says("@*cooks*")) == {"mentioned"}


def test_a_message_to_a_few_people_mentions_those_of_the_group_among_them(
    ada: Someone, bea: Someone, cem: Someone
) -> None:
    makes(ada, "cooks", bea, cem)
    line = bea.opens_queue("message")
    sent = ada.writes("@*cooks*", "bea")
    assert bea.flags(sent) == {"mentioned"}
    assert line.events()[0]["flags"] == ["mentioned"]
    assert ada.flags(sent) == set()


def test_a_group_can_be_all_members(ada: Someone, bea: Someone, gus: Someone) -> None:
    makes(ada, "all hands", holding=(MEMBERS,))
    sent = ada.says("@*all hands*")
    assert ada.flags(sent) == bea.flags(sent) == {"mentioned"}
    assert gus.flags(sent) == set()


def test_users_mentioned_twice_are_mentioned(ada: Someone, bea: Someone) -> None:
    makes(ada, "cooks", bea)
    assert bea.flags(ada.says("@*cooks* @**Bea**")) == {"mentioned"}


def test_a_deactivated_account_is_not_mentioned(world: World, ada: Someone, bea: Someone) -> None:
    makes(ada, "cooks", bea)
    world.change_user("bea", is_active=False)
    sent = ada.says("@*cooks*")
    world.change_user("bea", is_active=True)
    assert bea.flags(sent) == set()


def test_a_bot_is_called_by_its_name_but_not_by_its_group(world: World, ada: Someone, robo: Someone) -> None:
    makes(ada, "bots", robo)
    line = robo.opens_queue("message")
    ada.says("@*bots*")
    assert line.messages() == []
    sent = ada.says("@*bots* @**Robo**")
    assert line.messages() == [sent]


def test_a_silent_mention_flags_nobody(ada: Someone, bea: Someone) -> None:
    cooks = makes(ada, "cooks", bea, can_mention_group=NOBODY)
    sent = ada.says("@_*cooks*")
    assert ada.message(sent)["content"] == html(cooks, "cooks", silent=True)
    assert bea.flags(sent) == set()
    assert bea.flags(ada.says("> @*cooks*")) == set()


@pytest.mark.parametrize("text", ["@*Cooks*", "@*cooks *", "@*cook*"])
def test_only_the_exact_name_is_a_mention(ada: Someone, bea: Someone, text: str) -> None:
    makes(ada, "cooks", bea)
    sent = ada.says(text)
    assert "user-group-mention" not in ada.message(sent)["content"]
    assert bea.flags(sent) == set()


@pytest.mark.shows("group-state.no-mention")
def test_a_deactivated_group_is_mentioned_silently(ada: Someone, bea: Someone) -> None:
    cooks = makes(ada, "cooks", bea, can_mention_group=NOBODY)
    deactivates(ada, cooks)
    sent = ada.says("@*cooks*")
    assert ada.message(sent)["content"] == html(cooks, "cooks", silent=True)
    assert bea.flags(sent) == set()


@pytest.mark.shows("group.mention", "change.mention-group")
def test_only_who_may_mention_a_group_does(
    world: World, ada: Someone, bea: Someone, cem: Someone, robo: Someone
) -> None:
    inner = makes(ada, "inner", bea)
    outer = makes(ada, "outer", holding=(inner,))
    makes(ada, "cooks", cem, can_mention_group=outer)
    bea.says("@*cooks*")
    before = world.count("message")
    for who in (ada, robo, world["olga"]):
        refused = who.refused("POST", "/messages", type="direct", to=[bea.id], content="@*cooks*")
        assert "cooks" in refused["msg"]
    ada.refused("POST", "/messages", type="channel", to='"lunch"', topic="x", content="hm @*cooks* hm")
    assert world.count("message") == before
    fills(ada, inner, add=[robo.id])
    robo.says("@*cooks*", "lunch")
    fills(ada, inner, delete=[bea.id])
    bea.refused("POST", "/messages", type="channel", to='"lunch"', topic="x", content="@*cooks*")


def test_a_bot_needs_a_right_of_its_own(ada: Someone, robo: Someone) -> None:
    makes(ada, "cooks", can_mention_group=just(ada))
    robo.refused("POST", "/messages", type="direct", to=[ada.id], content="@*cooks*")


@pytest.mark.shows("group.mention")
def test_a_guest_may_mention_a_group_that_everyone_may(ada: Someone, bea: Someone, gus: Someone) -> None:
    cooks = makes(ada, "cooks", bea)
    assert bea.flags(gus.says("@*cooks*")) == {"mentioned"}
    patches(ada, cooks, can_mention_group={"new": MEMBERS, "old": EVERYONE})
    gus.refused("POST", "/messages", type="channel", to='"lunch"', topic="x", content="@*cooks*")


@pytest.mark.parametrize("name", SYSTEM)
def test_system_groups_are_mentioned_silently_or_not_at_all(ada: Someone, bea: Someone, name: str) -> None:
    number = list(SYSTEM).index(name) + 1
    sent = ada.says(f"@_*{name}*")
    assert ada.message(sent)["content"] == html(number, SYSTEM[name], silent=True)
    assert bea.flags(sent) == set()
    ada.refused("POST", "/messages", type="channel", to='"lunch"', topic="x", content=f"@*{name}*")
    quoted = ada.says(f"> @*{name}*")
    assert SYSTEM[name] in ada.message(quoted)["content"]


def test_members_of_a_mentioned_group_follow_the_topic(world: World, ada: Someone, bea: Someone) -> None:
    makes(ada, "cooks", bea)
    world.choose("bea", automatically_follow_topics_where_mentioned=True)
    ada.says("@*cooks*", "lunch", "soup")
    assert world.policy("bea", "lunch", "soup") == 3
