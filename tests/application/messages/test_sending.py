"""Sending: flags of the recipients, automatic topic policies, and the rows that it writes."""

from typing import Any

import pytest

from chatcore.application.messages import sending
from chatcore.application.people.alert_words import add_alert_words
from chatcore.domain.errors import BadRequest, ChannelWildcardNotAllowed, TopicWildcardNotAllowed
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.topics import VisibilityPolicy
from tests.worlds.groups import fills, makes
from tests.worlds.organization import Someone, World

FOLLOWED, MUTED, UNMUTED, INHERIT = (
    VisibilityPolicy.FOLLOWED,
    VisibilityPolicy.MUTED,
    VisibilityPolicy.UNMUTED,
    VisibilityPolicy.INHERIT,
)


def send(who: Someone, content: str, channel: str = "lunch", topic: str = "today") -> int:
    cmd = sending.SendToChannel(channel=channel, topic=topic, content=content, client="test")
    return sending.send(who.world.svc, who.actor, cmd).message_id


def write(who: Someone, content: str, *names: str) -> int:
    to = [who.world[name].id for name in names]
    return sending.send(who.world.svc, who.actor, sending.SendDirect(to=to, content=content)).message_id


# -- mentions ---------------------------------------------------------------------------------------


def test_a_preview_goes_by_the_groups_that_its_author_has_by_then(ada: Someone, bea: Someone) -> None:
    inner = makes(ada, "inner", bea)
    makes(ada, "cooks", can_mention_group=inner)
    before = bea.actor
    assert "cooks" in sending.preview(bea.world.svc, before, "@*cooks*")
    fills(ada, inner, delete=[bea.id])
    with pytest.raises(BadRequest, match="cooks"):
        sending.preview(bea.world.svc, before, "@*cooks*")


@pytest.mark.shows("flag.mentioned")
@pytest.mark.parametrize(
    "text",
    [
        "@**Bea**",
        "(@**bea**)",
        "@**Bea|BEA**",
        "@**|BEA**",
        "hello @**Bea**!",
        "'@**Bea**'",
        "@**Bea** @**Bea**",
    ],
)
def test_a_mention_flags_the_users_it_names(ada: Someone, bea: Someone, text: str) -> None:
    sent = send(ada, text.replace("BEA", str(bea.id)))
    assert bea.flags(sent) == {"mentioned"}
    assert ada.flags(sent) == set()


@pytest.mark.shows("flag.mentioned")
@pytest.mark.parametrize(
    "text",
    [
        "@_**Bea**",
        "x@**Bea**",
        "@**Beatrice**",
        "@**Bea|99999**",
        "@**Ada|BEA**",
        "`@**Bea**`",
        "```\n@**Bea**\n```",
        "> @**Bea**",
        "```quote\n@**Bea**\n```",
        "> > @**Bea**",
        "@ **Bea**",
        "@*Bea*",
    ],
)
def test_silent_mentions_flag_nobody(ada: Someone, bea: Someone, text: str) -> None:
    assert bea.flags(send(ada, text.replace("BEA", str(bea.id)))) == set()


def test_a_mention_outside_the_channel_reaches_bots_only(world: World, ada: Someone, robo: Someone) -> None:
    line, other = robo.opens_queue("message"), world["cem"].opens_queue("message")
    sent = send(ada, "@**Cem** and @**Robo**, come here")
    assert world["cem"].flags(sent) == {"read", "historical"}
    (event,) = line.events()
    assert (event["message"]["id"], event["flags"]) == (sent, ["mentioned"])
    assert other.events() == []
    assert robo.finds() == [sent]
    assert robo.flags(sent) == {"mentioned"}
    again = send(ada, "no robot here")
    assert robo.finds() == [sent]
    assert line.events() == []
    assert again not in robo.finds("is:mentioned")


def test_a_deactivated_bot_is_not_called(world: World, ada: Someone) -> None:
    world.change_user("robo", is_active=False)
    send(ada, "@**Robo**")
    assert world.count("message_flag") == 0


def test_a_mention_in_a_direct_message_is_for_those_in_it(ada: Someone, bea: Someone, cem: Someone) -> None:
    sent = write(ada, "@**Bea**, do you know @**Cem**?", "bea")
    assert bea.flags(sent) == {"mentioned"}
    assert cem.finds() == []


def test_one_can_mention_oneself(ada: Someone) -> None:
    assert ada.flags(send(ada, "@**Ada** was here")) == {"mentioned"}


def test_a_limited_guest_mentions_only_visible_users(world: World, gus: Someone, ada: Someone) -> None:
    world.change_organization(
        permissions={"can_access_all_users_group": GroupSetting.of(SystemGroup.MEMBERS)}
    )
    sent = send(gus, f"@**Ada** and @**Cem** and @**|{world['cem'].id}** and @**Robo**")
    assert ada.flags(sent) == {"mentioned"}
    html = ada.message(sent)["content"]
    assert [name for name in ("ada", "cem", "robo") if f'data-user-id="{world[name].id}"' in html] == [
        "ada",
        "robo",
    ]


@pytest.mark.shows("message.avatar-url")
def test_a_limited_guest_reads_strangers_without_their_names(
    world: World, gus: Someone, cem: Someone
) -> None:
    sent = send(cem, "hello, guest")
    assert gus.message(sent)["sender_full_name"] == "Cem"
    world.change_organization(
        permissions={"can_access_all_users_group": GroupSetting.of(SystemGroup.MEMBERS)}
    )
    for message in (gus.message(sent), *gus.reads(), *gus.reads(client_gravatar=False)):
        assert message["sender_id"] == cem.id
        assert message["sender_full_name"] == "Unknown user"
        assert message["sender_email"] == f"user{cem.id}@chat.example.org"
        assert "/nobody.png" in message["avatar_url"]
    assert world["bea"].message(sent)["sender_full_name"] == "Cem"


def test_a_system_group_is_named_silently_only(ada: Someone, bea: Someone) -> None:
    sent = send(ada, "@_*role:members*")
    assert bea.flags(sent) == set()
    assert 'data-user-group-id="6">Members' in bea.message(sent)["content"]
    with pytest.raises(BadRequest):
        send(ada, "@*role:members* to the kitchen")


# -- wildcards --------------------------------------------------------------------------------------

CHANNEL_WILDCARD = {"stream_wildcard_mentioned", "wildcard_mentioned"}
TOPIC_WILDCARD = {"topic_wildcard_mentioned", "wildcard_mentioned"}


@pytest.mark.shows("flag.stream-wildcard", "flag.wildcard", "flags.unread-at-first", "change.wildcard-flags")
@pytest.mark.parametrize("word", ["all", "everyone", "channel", "stream"])
def test_a_channel_wildcard_means_all_who_receive_it(
    world: World, ada: Someone, bea: Someone, cem: Someone, word: str
) -> None:
    line = bea.opens_queue("message")
    sent = send(ada, f"@**{word}** soup!")
    assert bea.flags(sent) == ada.flags(sent) == world["gus"].flags(sent) == CHANNEL_WILDCARD
    assert set(line.events()[0]["flags"]) == CHANNEL_WILDCARD
    assert cem.flags(sent) == {"read", "historical"}
    cem.flagged("starred", sent)
    assert cem.flags(sent) == {"read", "historical", "starred"}
    assert cem.finds("is:mentioned") == []


@pytest.mark.parametrize("text", ["@**All**", "@_**all**", "`@**all**`", "> @**all**", "```\n@**all**\n```"])
def test_a_wildcard_counts_only_aloud(ada: Someone, bea: Someone, text: str) -> None:
    assert bea.flags(send(ada, text)) == set()


def test_a_wildcard_in_a_direct_message_means_everybody_in_it(ada: Someone, bea: Someone) -> None:
    assert bea.flags(write(ada, "@**all** of you", "bea", "cem")) == CHANNEL_WILDCARD


@pytest.mark.shows("flag.topic-wildcard", "flag.wildcard", "change.wildcard-flags")
def test_a_topic_wildcard_mentions_the_participants(world: World, ada: Someone, bea: Someone) -> None:
    send(bea, "soup?")
    first = send(ada, "soup!", topic="TODAY")
    world.add_channel("garden", "bea")
    gus = world["gus"]
    send(gus, "another topic", topic="tomorrow")
    sent = send(ada, "@**topic** is it ready?")
    assert bea.flags(sent) == ada.flags(sent) == TOPIC_WILDCARD
    assert gus.flags(sent) == set()
    world.react("gus", first)
    assert gus.flags(send(ada, "@**topic** and now?")) == TOPIC_WILDCARD
    bea.leaves("lunch")
    assert bea.flags(send(ada, "@**topic** and now?")) == {"read", "historical"}


@pytest.mark.shows("send.channel-wildcard", "send.few-wildcard", "authentication.many-mentions")
def test_a_wildcard_to_many_needs_a_permission(world: World, ada: Someone) -> None:
    world.add_people(12, to="lunch")  # with the three who are there: 15
    send(ada, "@**all**")
    world.add_people(1, to="lunch")
    before = world.count("message")
    with pytest.raises(ChannelWildcardNotAllowed):
        send(ada, "@**all**")
    assert world.count("message") == before
    for quiet in ("`@**all**`", "> @**everyone**", "@_**channel**"):
        send(ada, quiet)
    world.change_organization(
        permissions={"can_mention_many_users_group": GroupSetting.of(SystemGroup.MEMBERS)}
    )
    send(ada, "@**all**")
    send(world["adi"], "@**all**")


@pytest.mark.shows("send.topic-wildcard")
def test_a_topic_wildcard_counts_the_participants(world: World, ada: Someone) -> None:
    crowd = world.add_people(16, to="lunch")
    first = send(ada, "soup?")
    send(ada, "@**topic**")
    for number, user_id in enumerate(crowd):
        world.users[f"p{number}"] = world.storage.read(lambda s, user_id=user_id: s.users.get(user_id))
    for number in range(14):
        world.react(f"p{number}", first)
    send(ada, "@**topic**")  # she is the fifteenth
    world.react("p14", first)
    with pytest.raises(TopicWildcardNotAllowed):
        send(ada, "@**topic**")
    send(ada, "@**topic**", topic="tomorrow")


@pytest.mark.shows("send.few-wildcard")
def test_no_permission_is_needed_among_friends(world: World, ada: Someone) -> None:
    for number in range(16):
        world.add_user(f"friend{number}")
    write(ada, "@**all**", *(f"friend{number}" for number in range(16)))


# -- alert words ------------------------------------------------------------------------------------


@pytest.mark.shows("flag.alert-word")
@pytest.mark.parametrize(
    "text", ["FIRE!", "the *fire*", "`fire`", "(fire)", "fire", "fire, fire", "a fire\nhere"]
)
def test_an_alert_word_is_found_where_it_stands_alone(ada: Someone, bea: Someone, text: str) -> None:
    add_alert_words(bea.world.svc, bea.actor, ["Fire", "hot soup"])
    assert bea.flags(send(ada, text)) == {"has_alert_word"}
    assert bea.finds("is:alerted") != []


@pytest.mark.shows("flag.alert-word")
@pytest.mark.parametrize("text", ["firefly", "campfire", "soup", "hot red soup"])
def test_an_alert_word_is_no_part_of_another(ada: Someone, bea: Someone, text: str) -> None:
    add_alert_words(bea.world.svc, bea.actor, ["Fire", "hot soup"])
    assert bea.flags(send(ada, text)) == set()


def test_alert_words_are_for_who_receives_the_message(ada: Someone, bea: Someone, cem: Someone) -> None:
    for who in (ada, bea, cem):
        add_alert_words(who.world.svc, who.actor, ["soup"])
    line = bea.opens_queue("message")
    sent = send(ada, "soup")
    assert ada.flags(sent) == bea.flags(sent) == {"has_alert_word"}
    assert line.events()[0]["flags"] == ["has_alert_word"]
    assert cem.flags(sent) == {"read", "historical"}
    assert bea.flags(write(ada, "soup", "bea")) == {"has_alert_word"}


# -- automatic topic policies -----------------------------------------------------------------------

PARTICIPATE, SEND, START, NEVER = 1, 2, 3, 4


def choose(who: Someone, *, follow: int = NEVER, unmute: int = NEVER) -> None:
    assert who.name is not None
    who.world.choose(
        who.name,
        automatically_follow_topics_policy=follow,
        automatically_unmute_topics_in_muted_streams_policy=unmute,
    )


@pytest.mark.shows(
    "visibility.sending", "visibility.sending-told", "send.answer-policy", "cause.topic-policy",
    "change.automatic-policy",
)  # fmt: skip
@pytest.mark.parametrize("setting", [PARTICIPATE, SEND, START])
def test_a_topic_is_followed_by_who_sends_to_it(ada: Someone, setting: int) -> None:
    choose(ada, follow=setting)
    line = ada.opens_queue("user_topic", "message")
    assert ada.sends("soup")["automatic_new_visibility_policy"] == 3
    policy, message = line.events()
    assert policy == {
        "id": policy["id"],
        "type": "user_topic",
        "stream_id": ada.world.id("lunch"),
        "topic_name": "today",
        "last_updated": ada.world.svc.now,
        "visibility_policy": 3,
    }
    assert (message["type"], policy["id"] < message["id"]) == ("message", True)
    assert "automatic_new_visibility_policy" not in ada.sends("more soup")
    assert line.events("user_topic") == []


@pytest.mark.shows("send.answer-no-policy")
def test_never_means_never_and_bots_never_do(ada: Someone, robo: Someone) -> None:
    choose(ada)
    choose(robo, follow=SEND, unmute=SEND)
    for who in (ada, robo):
        assert "automatic_new_visibility_policy" not in who.sends("soup")
    assert ada.world.count("topic_policy") == 0


@pytest.mark.shows("visibility.sending", "send.answer-policy")
@pytest.mark.parametrize("setting", [PARTICIPATE, SEND, START])
@pytest.mark.parametrize("is_muted", [True, False])
def test_a_topic_of_a_muted_channel_is_unmuted(ada: Someone, setting: int, is_muted: bool) -> None:
    choose(ada, unmute=setting)
    if is_muted:
        ada.world.mute("ada", "lunch")
    assert ada.sends("soup").get("automatic_new_visibility_policy") == (2 if is_muted else None)
    assert ada.world.policy("ada", "lunch", "today") == (2 if is_muted else 0)


def test_following_beats_unmuting(ada: Someone) -> None:
    choose(ada, follow=SEND, unmute=SEND)
    ada.world.mute("ada", "lunch")
    assert ada.sends("soup")["automatic_new_visibility_policy"] == 3


@pytest.mark.parametrize(
    ("old", "follow", "unmute", "new"),
    [
        (FOLLOWED, SEND, SEND, None),
        (UNMUTED, SEND, NEVER, 3),
        (MUTED, SEND, NEVER, 3),
        (MUTED, NEVER, SEND, 2),
        (UNMUTED, NEVER, SEND, None),
        (MUTED, START, START, None),
        (UNMUTED, START, START, None),
    ],
)
def test_a_topic_never_becomes_less_visible(
    ada: Someone, old: VisibilityPolicy, follow: int, unmute: int, new: int | None
) -> None:
    choose(ada, follow=follow, unmute=unmute)
    ada.world.mute("ada", "lunch")
    ada.world.set_policy("ada", "lunch", "today", old)
    assert ada.sends("soup").get("automatic_new_visibility_policy") == new
    assert ada.world.policy("ada", "lunch", "today") == (new or old)


def test_a_topic_is_started_only_once(ada: Someone, bea: Someone) -> None:
    choose(ada, follow=START)
    choose(bea)
    bea.says("soup", topic="Today")
    assert "automatic_new_visibility_policy" not in ada.sends("me too")
    assert ada.sends("soup", topic="tomorrow")["automatic_new_visibility_policy"] == 3


def test_messages_that_the_sender_cannot_read_do_not_start_a_topic(
    world: World, ada: Someone, bea: Someone
) -> None:
    choose(ada)
    choose(bea, follow=START)
    ada.says("soup", "vault")
    ada.joins("vault", principals=[bea.id])
    assert bea.sends("first for me", "vault")["automatic_new_visibility_policy"] == 3


@pytest.mark.shows("visibility.sending-told")
def test_older_clients_get_their_list_of_muted_topics_first(ada: Someone) -> None:
    choose(ada, follow=SEND)
    ada.world.set_policy("ada", "lunch", "today", MUTED)
    line, new = ada.registers(), ada.opens_queue("user_topic", "muted_topics")
    assert line.state["muted_topics"] == [["lunch", "today", ada.world.svc.now]]
    ada.says("soup")
    assert [event["type"] for event in line.events()] == ["muted_topics", "user_topic", "message"]
    assert [event["type"] for event in new.events()] == ["user_topic"]


@pytest.mark.parametrize(("old", "new"), [(INHERIT, 3), (UNMUTED, 3), (MUTED, 1), (FOLLOWED, 3)])
def test_mentioned_users_follow_the_topic(
    ada: Someone, bea: Someone, old: VisibilityPolicy, new: int
) -> None:
    choose(ada)
    bea.world.set_policy("bea", "lunch", "today", old)
    line = bea.opens_queue("user_topic", "message")
    send(ada, "@**Bea** soup?")
    types = [event["type"] for event in line.events()]
    assert types == (["user_topic", "message"] if new != old else ["message"])
    assert bea.world.policy("bea", "lunch", "today") == new


@pytest.mark.parametrize("text", ["@**all**", "@**topic**", "@_**Bea**", "@**Robo**"])
def test_other_mentions_make_nobody_follow(ada: Someone, bea: Someone, text: str) -> None:
    for who in (ada, bea):
        choose(who)
    send(bea, "I take part")
    send(ada, text)
    assert ada.world.count("topic_policy") == 0


def test_users_who_do_not_want_to_follow_when_mentioned_do_not(ada: Someone, bea: Someone) -> None:
    choose(ada)
    ada.world.choose("bea", automatically_follow_topics_where_mentioned=False)
    send(ada, "@**Bea**")
    assert ada.world.count("topic_policy") == 0


def test_a_repeated_send_changes_no_policy_again(ada: Someone) -> None:
    choose(ada, follow=SEND)
    line = ada.opens_queue("user_topic", "message")
    for _ in range(2):
        ada.sends("soup", queue_id=line.id, local_id="1")
    assert [event["type"] for event in line.events()] == ["user_topic", "message"]


# -- rows of a message ------------------------------------------------------------------------------


def test_a_refused_message_leaves_nothing(world: World, ada: Someone) -> None:
    world.add_people(16, to="lunch")
    tables = ("message", "message_flag", "topic_policy", "event", "conversation", "local_echo")
    before = [world.count(table) for table in tables]
    line = ada.opens_queue("message")
    for parameters in (
        {"content": "@**all**", "type": "channel", "to": "lunch", "topic": "new"},
        {"content": "soup", "type": "channel", "to": "attic", "topic": "new"},
        {"content": "soup", "type": "direct", "to": [world["cem"].id, 99_999]},
        {"content": "soup", "type": "channel", "to": "lunch", "topic": "a\nb"},
    ):
        response = ada.request("POST", "/messages", queue_id=line.id, local_id="1", **parameters)
        assert response.status_code == 400
    assert [world.count(table) for table in tables] == before
    assert line.events() == []


@pytest.mark.shows("channel.first-message", "channel.traffic")
def test_a_channel_remembers_its_first_message_and_its_traffic(world: World, ada: Someone) -> None:
    first = send(ada, "soup")
    for _ in range(7):
        send(ada, "more soup")
    (lunch,) = [one for one in ada.get("/streams")["streams"] if one["name"] == "lunch"]
    assert (lunch["first_message_id"], lunch["stream_weekly_traffic"]) == (first, 2)
    assert lunch["is_recently_active"] is True


def test_a_text_that_is_not_unicode_is_refused(ada: Someone) -> None:
    for text in ("\ud800", "a\0b", " \n "):
        with pytest.raises(BadRequest):
            send(ada, text)


def test_a_message_goes_by_the_rights_of_the_moment(world: World, ada: Someone) -> None:
    before: Any = ada.actor
    world.change_organization(
        permissions={"direct_message_permission_group": GroupSetting.of(SystemGroup.OWNERS)}
    )
    cmd = sending.SendDirect(to=[world["bea"].id], content="hello")
    with pytest.raises(BadRequest):
        sending.send(world.svc, before, cmd)
    world.change_user("ada", is_active=False)
    with pytest.raises(Exception, match="deactivated"):
        sending.send(world.svc, before, sending.SendToChannel(channel="lunch", topic="x", content="y"))
