"""Text: mentions that are many or hidden, and lengths that are the same everywhere."""

import re
from html import unescape

import pytest

from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from tests.security.attacking import nothing_changes, refusal
from tests.worlds.organization import Someone, World


def send(who: Someone, content: str, topic: str = "today", channel: str = "lunch") -> int:
    return who.says(content, channel, topic)


@pytest.mark.parametrize(
    "text",
    [
        "`@**all**`",
        "```\n@**all** @**Bea**\n```",
        "> @**all** @**Bea**",
        "> > > @**everyone**",
        "```quote\n@**all**\n```",
        "```spoiler x\n`@**all**`\n```",
        "\\@**all**".replace("\\", "x"),
        "~~~\n@**Bea**\n~~~",
        "@_**all** @_**Bea**",
    ],
)
def test_sec_57_no_mention_comes_out_of_code_or_a_quote(
    world: World, ada: Someone, bea: Someone, text: str
) -> None:
    world.add_people(20, to="lunch")
    assert bea.flags(send(ada, text)) == set()


@pytest.mark.parametrize(
    "text", ["@**all**", "soup\n\n* @**everyone**", "**@**channel****" + " @**stream**", "(@**all**)"]
)
def test_sec_57_a_wildcard_to_many_is_refused_wherever_it_stands(
    world: World, ada: Someone, text: str
) -> None:
    world.add_people(20, to="lunch")
    with nothing_changes(world):
        answer = refusal(ada, "POST", "/messages", type="channel", to="lunch", topic="today", content=text)
        assert answer["code"] == "STREAM_WILDCARD_MENTION_NOT_ALLOWED"


def test_sec_57_a_text_full_of_mentions_is_one_message(world: World, ada: Someone, bea: Someone) -> None:
    text = "@**Bea** " * 1_100  # as many as there is room for
    sent = send(ada, text[:10_000])
    assert bea.flags(sent) == {"mentioned"}
    assert len(bea.opens_queue("message").peek()) == 0
    send(ada, ("https://example.com/" + "x" * 5 + " ") * 380)


def test_sec_57_the_right_to_mention_many_can_be_given(world: World, ada: Someone) -> None:
    world.add_people(20, to="lunch")
    world.change_organization(
        permissions={"can_mention_many_users_group": GroupSetting.of(SystemGroup.NOBODY)}
    )
    for name in ("ada", "adi", "olga"):
        refusal(world[name], "POST", "/messages", type="channel", to="lunch", topic="t", content="@**all**")


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize("text", ["", " ", "\n\n", "\t \u3000", "\r\n"])
def test_sec_58_a_text_of_nothing_is_refused(world: World, ada: Someone, text: str) -> None:
    for to in ({"type": "channel", "to": "lunch", "topic": "t"}, {"type": "direct", "to": [world["bea"].id]}):
        with nothing_changes(world):
            refusal(ada, "POST", "/messages", content=text, **to)


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize("text", ["\0", "a\0", "\0\0\0"])
def test_sec_58_a_text_of_nulls_is_refused(world: World, ada: Someone, text: str) -> None:
    with nothing_changes(world):
        refusal(ada, "POST", "/messages", type="channel", to="lunch", topic="t", content=text)
        refusal(ada, "POST", "/messages", type="channel", to="lunch", topic=text, content="soup")


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize("letter", ["x", "é", "字", "🐎", "\u0301"])
@pytest.mark.parametrize("extra", [0, 1])
def test_sec_58_lengths_count_code_points_everywhere(ada: Someone, letter: str, extra: int) -> None:
    limit = 10_000
    message = ada.message(send(ada, letter * (limit + extra)), apply_markdown=False)
    assert len(message["content"]) == limit
    assert message["content"].endswith("[message truncated]") is bool(extra)
    topic = ada.message(send(ada, "soup", letter * (60 + extra)))["subject"]
    assert len(topic) == 60
    assert topic.endswith("...") is bool(extra)
    wanted = [{"name": letter * (60 + extra)}]
    if extra:
        refusal(ada, "POST", "/users/me/subscriptions", subscriptions=wanted)
    else:
        ada.post("/users/me/subscriptions", subscriptions=wanted)


def test_sec_58_a_me_message_is_a_message_like_others(world: World, ada: Someone) -> None:
    world.add_people(20, to="lunch")
    refusal(ada, "POST", "/messages", type="channel", to="lunch", topic="t", content="/me calls @**all**")
    sent = send(ada, "/me waves")
    assert ada.message(sent)["is_me_message"]
    refusal(ada, "POST", "/messages", type="channel", to="attic", topic="t", content="/me waves")


# -- names in notices ------------------------------------------------------------------------------

LOUD_NAMES = ["b** @**all", "`b` @**all**", "b @**topic** `", "b>c** @**everyone"]


@pytest.mark.parametrize("name", LOUD_NAMES)
def test_no_channel_mentions_everybody_by_its_name(
    world: World, ada: Someone, bea: Someone, name: str
) -> None:
    world.add_people(20, to="lunch")
    world["gus"].leaves("lunch")  # before a guest no public channel is named
    world.change_organization(new_stream_announcements_stream_id=world.id("lunch"))
    ada.joins(name, announce=True)
    ada.joins(name, "lunch", principals=[bea.id])
    announced = bea.reads("channel:lunch")[-1]
    announced_names = bea.reads("is:dm")[-1]
    for notice in (announced, announced_names):
        assert re.search(f"<code> ?{re.escape(name)} ?</code>", unescape(notice["content"]))
        assert not {"mentioned", "wildcard_mentioned"} & set(notice["flags"])
        assert "user-mention channel-wildcard" not in notice["content"]


@pytest.mark.parametrize("name", LOUD_NAMES)
def test_no_group_mentions_everybody_by_its_name(ada: Someone, bea: Someone, name: str) -> None:
    group = ada.post("/user_groups/create", name=name, description="", members=[ada.id])["group_id"]
    ada.post(f"/user_groups/{group}/members", add=[bea.id])
    (announced_names,) = bea.reads("is:dm")
    assert "<code>" in announced_names["content"]
    assert "wildcard" not in announced_names["content"]
    assert "wildcard_mentioned" not in announced_names["flags"]
