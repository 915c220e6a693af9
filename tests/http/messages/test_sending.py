"""POST messages: recipients, texts and topics, permissions, and answers."""

import json

import pytest

from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.limits import Limits
from tests.worlds.organization import MakeWorld, Someone, World

NOBODY = GroupSetting.of(SystemGroup.NOBODY)
LONG = "x" * 10_000


def send(who: Someone, **parameters: object) -> int:
    given = {"type": "channel", "to": "lunch", "topic": "today", "content": "soup", **parameters}
    return who.post("/messages", **{k: v for k, v in given.items() if v is not None})["id"]  # type: ignore[no-any-return]


def refused(who: Someone, code: str = "BAD_REQUEST", **parameters: object) -> dict[str, object]:
    given = {"type": "channel", "to": "lunch", "topic": "today", "content": "soup", **parameters}
    return who.refused("POST", "/messages", code=code, **{k: v for k, v in given.items() if v is not None})


# -- the addressee ----------------------------------------------------------------------------------


@pytest.mark.shows("send.to-channel")
@pytest.mark.parametrize("to", ["lunch", " LUNCH ", '"Lunch"', '["lunch"]', "ID", "[ID]"])
def test_a_channel_is_named_or_numbered(world: World, ada: Someone, to: str) -> None:
    sent = send(ada, to=to.replace("ID", str(world.id("lunch"))))
    assert ada.message(sent)["stream_id"] == world.id("lunch")


def test_a_channel_named_by_digits_has_to_be_quoted(world: World, ada: Someone) -> None:
    world.add_channel("42")
    assert ada.message(send(ada, to='"42"'))["display_recipient"] == "42"
    assert refused(ada, "STREAM_DOES_NOT_EXIST", to="42")["stream_id"] == 42


@pytest.mark.shows("conventions.channel-and-stream", "send.type", "change.message-type-channel")
def test_both_names_of_a_channel_message_mean_the_same(ada: Someone) -> None:
    for name in ("channel", "stream"):
        assert ada.message(send(ada, type=name))["type"] == "stream"


@pytest.mark.shows("send.to-channel", "send.to-required")
@pytest.mark.parametrize("to", ['["lunch", "plaza"]', "[]", "[1, 2]", "", None])
def test_a_channel_message_goes_to_exactly_one_channel(ada: Someone, to: str | None) -> None:
    refused(ada, to=to)


@pytest.mark.shows("conventions.error-extras", "send.no-channel", "code.no-channel")
def test_sending_creates_no_channel(world: World, ada: Someone) -> None:
    before = world.count("channel")
    assert refused(ada, "STREAM_DOES_NOT_EXIST", to="dinner")["stream"] == "dinner"
    assert refused(ada, "STREAM_DOES_NOT_EXIST", to=987654)["stream_id"] == 987654
    assert world.count("channel") == before


@pytest.mark.shows(
    "conventions.direct-and-private", "send.type", "send.to-people", "change.message-type-direct",
)  # fmt: skip
@pytest.mark.parametrize("type", ["direct", "private"])
@pytest.mark.parametrize(
    "to",
    [
        "[BEA]",
        "[BEA, ADA, BEA]",
        '["bea@example.org"]',
        '[" bea@example.org ", ""]',
        "bea@example.org",
        '"bea@example.org, ada@example.org"',
        "bea@example.org,,ada@example.org",
    ],
)
def test_people_are_named_by_ids_or_addresses(ada: Someone, bea: Someone, type: str, to: str) -> None:
    to = to.replace("BEA", str(bea.id)).replace("ADA", str(ada.id))
    sent = send(ada, type=type, to=to, topic=None)
    assert [who["id"] for who in bea.message(sent)["display_recipient"]] == sorted([ada.id, bea.id])


@pytest.mark.shows("send.to-required", "send.no-people", "code.bad-request")
@pytest.mark.parametrize(
    "to", [None, "", "[]", '[""]', '" , "', "BEA", '[BEA, "ada@example.org"]', "[99999]", '["x@example.org"]']
)
def test_a_direct_message_needs_people_who_are_there(ada: Someone, bea: Someone, to: str | None) -> None:
    refused(ada, type="direct", to=None if to is None else to.replace("BEA", str(bea.id)))


def test_nobody_writes_to_a_deactivated_account(world: World, ada: Someone, bea: Someone) -> None:
    world.change_user("bea", is_active=False)
    refused(ada, type="direct", to=[bea.id])
    refused(ada, type="direct", to=[bea.email])


def test_a_note_to_oneself_has_one_person(ada: Someone, bea: Someone) -> None:
    note = ada.message(ada.writes("buy bread", "ada"))
    assert [who["id"] for who in note["display_recipient"]] == [ada.id]
    assert bea.finds("is:dm") == []


@pytest.mark.shows("message.recipient-id")
def test_three_people_are_a_group_whatever_the_order(world: World, ada: Someone) -> None:
    first = ada.writes("hello", "bea", "cem")
    second = world["cem"].writes("hello back", "ada", "bea", "ada")
    group = [ada.message(sent)["recipient_id"] for sent in (first, second)]
    assert group[0] == group[1]
    assert ada.message(ada.writes("only us", "bea"))["recipient_id"] != group[0]


@pytest.mark.shows("message.recipient-id")
def test_each_of_two_sees_the_other_as_the_recipient(ada: Someone, bea: Someone) -> None:
    sent = ada.writes("hello", "bea")
    assert ada.message(sent)["recipient_id"] == bea.id
    assert bea.message(sent)["recipient_id"] == ada.id
    assert ada.message(bea.writes("hello back", "ada"))["recipient_id"] == bea.id


@pytest.mark.shows("send.type")
@pytest.mark.parametrize("type", ["group", "", "Channel"])
def test_another_type_is_refused(ada: Someone, type: str) -> None:
    assert refused(ada, "BAD_REQUEST", type=type)["var_name"] == "type"


@pytest.mark.shows("conventions.required", "send.type-required", "send.content-required")
@pytest.mark.parametrize("missing", ["type", "content"])
def test_missing_required_parameters_are_named(ada: Someone, missing: str) -> None:
    answer = refused(ada, "REQUEST_VARIABLE_MISSING", **{missing: None})
    assert answer["var_name"] == missing


# -- the text ---------------------------------------------------------------------------------------


@pytest.mark.every_case_on_postgresql
@pytest.mark.shows("send.content-length", "limit.message-length")
@pytest.mark.parametrize(
    ("sent", "stored"),
    [
        ("  soup \n\n ", "  soup"),
        ("\n\n    code\n", "    code"),
        ("x" * 10_000, "x" * 10_000),
        ("x" * 10_001, "x" * 9_980 + "\n[message truncated]"),
        ("🥣" * 10_001, "🥣" * 9_980 + "\n[message truncated]"),
        ("null", "null"),
        ('{"a": 1}', '{"a": 1}'),
    ],
)
def test_a_text_is_trimmed_and_cut_but_otherwise_stays(ada: Someone, sent: str, stored: str) -> None:
    message_id = send(ada, content=sent)
    answer = ada.get(f"/messages/{message_id}", apply_markdown=False)
    assert answer["message"]["content"] == answer["raw_content"] == stored
    assert len(stored) <= 10_000


@pytest.mark.shows("send.content-required")
@pytest.mark.parametrize("text", ["", " \n\t ", "\n"])
def test_an_empty_text_is_refused(ada: Someone, text: str) -> None:
    refused(ada, content=text)


def test_a_null_character_is_refused(ada: Someone) -> None:
    refused(ada, "BAD_REQUEST", content="a\0b")


@pytest.mark.shows("message.is-me-message")
def test_a_me_message_says_so(ada: Someone) -> None:
    assert ada.message(ada.says("/me is hungry"))["is_me_message"] is True
    assert ada.message(ada.says("/mean soup"))["is_me_message"] is False


# -- the topic --------------------------------------------------------------------------------------


@pytest.mark.every_case_on_postgresql
@pytest.mark.shows("send.topic-length", "send.topic-empty", "limit.topic-length", "change.no-topic")
@pytest.mark.parametrize(
    ("sent", "stored"),
    [
        ("  today ", "today"),
        ("", ""),
        ("(no topic)", ""),
        ("general chat", ""),
        ("x" * 60, "x" * 60),
        ("x" * 61, "x" * 57 + "..."),
        ("42", "42"),
        ("✔ done", "✔ done"),
    ],
)
def test_a_topic_is_trimmed_and_cut(ada: Someone, sent: str, stored: str) -> None:
    message_id = send(ada, topic=sent)
    assert ada.message(message_id, allow_empty_topic_name=True)["subject"] == stored
    assert ada.message(message_id)["subject"] == (stored or "general chat")


@pytest.mark.shows("send.subject", "change.topic")
def test_the_older_name_of_the_topic_works_but_not_both(ada: Someone) -> None:
    assert ada.message(send(ada, topic=None, subject="older"))["subject"] == "older"
    answer = refused(ada, "REQUEST_CONFUSING_VAR", topic="a", subject="b")
    assert {answer["var_name1"], answer["var_name2"]} == {"topic", "subject"}


@pytest.mark.shows("send.topic-required")
def test_a_channel_message_needs_a_topic(ada: Someone) -> None:
    refused(ada, topic=None)


@pytest.mark.shows("send.topic-ignored")
@pytest.mark.parametrize("kind", ["direct", "private"])
@pytest.mark.parametrize("topic", ["ignored", "", "(no topic)", "a\0b", "a\nb", "\ufdd0", "t" * 5_000])
def test_a_direct_message_has_no_topic(ada: Someone, bea: Someone, kind: str, topic: str) -> None:
    for given in ({"topic": topic}, {"subject": topic}, {"topic": topic, "subject": "other"}):
        answer = ada.post("/messages", type=kind, to=[bea.id], content="soup", **given)
        assert "ignored_parameters_unsupported" not in answer
        assert ada.message(answer["id"])["subject"] == ""
    ada.refused("POST", "/messages", code="REQUEST_CONFUSING_VAR", type="channel", to="lunch",
                content="soup", topic="a", subject="b")  # fmt: skip


@pytest.mark.parametrize(("topic", "position"), [("a\nb", 2), ("\x7f", 1), ("ab\ufffe", 3), ("\ufdd0", 1)])
def test_a_control_character_in_a_topic_is_refused_by_position(
    ada: Someone, topic: str, position: int
) -> None:
    assert f"position {position}" in str(refused(ada, topic=topic)["msg"])


def test_a_topic_is_one_topic_in_any_case(ada: Someone) -> None:
    sent = [send(ada, topic=topic) for topic in ("Today", "today", "TODAY")]
    assert ada.finds("channel:lunch", "topic:toDay") == sent
    assert [ada.message(one)["subject"] for one in sent] == ["Today", "today", "TODAY"]


@pytest.mark.shows("send.topic-demanded", "level.topics-policy")
@pytest.mark.parametrize(
    ("policy", "topic", "is_allowed"),
    [
        ("allow_empty_topic", "", True),
        ("allow_empty_topic", "today", True),
        ("disable_empty_topic", "general chat", False),
        ("disable_empty_topic", "today", True),
        ("empty_topic_only", "(no topic)", True),
        ("empty_topic_only", "today", False),
    ],
)
def test_the_topics_policy_of_a_channel_or_of_all_holds(
    world: World, ada: Someone, policy: str, topic: str, is_allowed: bool
) -> None:
    world.add_channel("kitchen", "ada", topics_policy=policy)
    world.change_organization(topics_policy=policy)
    for channel in ("kitchen", "lunch"):
        if is_allowed:
            send(ada, to=channel, topic=topic)
        else:
            answer = refused(ada, to=channel, topic=topic)
            assert answer["empty_topic_display_name"] == "general chat"


@pytest.mark.shows("refused.no-topic")
def test_an_organization_that_demands_topics_refuses_the_empty_one(world: World, ada: Someone) -> None:
    world.change_organization(topics_policy="disable_empty_topic")
    refused(ada, topic="")
    world.add_channel("loose", topics_policy="allow_empty_topic")
    send(ada, to="loose", topic="")


@pytest.mark.shows("send.topic-demanded", "refused.no-topic")
@pytest.mark.parametrize("name", ["", "(no topic)", "general chat", " general chat "])
def test_the_names_of_the_empty_topic_are_none_where_one_is_demanded(
    world: World, ada: Someone, name: str
) -> None:
    send(ada, topic=name)
    world.change_organization(topics_policy="disable_empty_topic")
    refused(ada, topic=name)
    refused(ada, topic=None, subject=name)


# -- permission to post -----------------------------------------------------------------------------


def test_a_public_channel_takes_posts_of_members_who_are_not_in_it(cem: Someone, ada: Someone) -> None:
    sent = cem.says("may I?", "lunch")
    assert ada.finds("channel:lunch") == [sent]
    assert [one["name"] for one in cem.get("/users/me/subscriptions")["subscriptions"]] == []


def test_a_guest_posts_only_where_subscribed_or_everybody_may(world: World, gus: Someone) -> None:
    send(gus, to="lunch")
    send(gus, to="plaza")
    world.add_channel("garden")
    refused(gus, "STREAM_DOES_NOT_EXIST", to="garden")


@pytest.mark.shows("send.no-channel")
def test_a_private_channel_is_not_there_for_others(cem: Someone) -> None:
    for channel in ("secret", "vault"):
        hidden = refused(cem, "STREAM_DOES_NOT_EXIST", to=channel)
        absent = refused(cem, "STREAM_DOES_NOT_EXIST", to="nowhere")
        assert hidden["msg"] == str(absent["msg"]).replace("nowhere", channel)


def test_an_administrator_knows_of_a_private_channel_but_does_not_post_there(world: World) -> None:
    for channel in ("secret", "vault"):
        refused(world["adi"], to=channel)


@pytest.mark.shows("authentication.bots")
def test_a_bot_posts_where_its_owner_may(world: World, robo: Someone) -> None:
    send(robo, to="secret")
    send(robo, to="vault")
    world["ada"].leaves("secret", "vault")
    for channel in ("secret", "vault"):
        refused(robo, "STREAM_DOES_NOT_EXIST", to=channel)


@pytest.mark.shows("change.send-message-group")
def test_the_group_that_may_send_counts_for_a_bot_by_its_owner(world: World, robo: Someone) -> None:
    only_ada = GroupSetting.of(members=[world.users["ada"].id])
    world.add_channel("news", permissions={"can_send_message_group": only_ada})
    send(world["ada"], to="news")
    send(robo, to="news")
    refused(world["bea"], to="news")
    refused(world["olga"], to="news")


def test_group_access_lets_in_with_shared_history_only(world: World, cem: Someone) -> None:
    by_group = {"can_subscribe_group": GroupSetting.of(SystemGroup.MEMBERS)}
    world.add_channel("open", invite_only=True, permissions=by_group)
    world.add_channel("sealed", invite_only=True, history_public_to_subscribers=False, permissions=by_group)
    send(cem, to="open")
    refused(cem, to="sealed")
    refused(world["gus"], "STREAM_DOES_NOT_EXIST", to="open")


@pytest.mark.shows("channel-state.archived")
def test_an_archived_channel_takes_no_posts_and_says_why(ada: Someone) -> None:
    assert refused(ada, to="attic")["msg"] == "Not authorized to send to channel 'attic': it is archived"


def test_direct_messages_can_be_for_some_people_only(world: World, ada: Someone, olga: Someone) -> None:
    owners = GroupSetting.of(SystemGroup.OWNERS)
    world.change_organization(permissions={"direct_message_permission_group": owners})
    refused(ada, type="direct", to=[world["bea"].id])
    refused(ada, type="direct", to=[ada.id, world["bea"].id, world["cem"].id])
    ada.writes("may I?", "olga")
    olga.writes("you may", "ada", "bea")
    ada.writes("a note to me", "ada")
    ada.writes("to the bot", "robo")
    world["robo"].writes("from the bot", "bea")


def test_direct_messages_can_be_switched_off(world: World, ada: Someone) -> None:
    world.change_organization(permissions={"direct_message_permission_group": NOBODY})
    refused(ada, type="direct", to=[world["olga"].id])
    ada.writes("to the bot", "robo")


def test_users_who_may_not_start_topics_may_still_answer(world: World, ada: Someone, bea: Someone) -> None:
    owners = GroupSetting.of(SystemGroup.OWNERS)
    world.change_organization(permissions={"direct_message_initiator_group": owners})
    refused(ada, type="direct", to=[bea.id])
    refused(ada, type="direct", to=[world["olga"].id])
    world["olga"].writes("you can answer this", "ada")
    ada.writes("thank you", "olga")
    refused(ada, type="direct", to=[world["olga"].id, bea.id])


def test_a_limited_guest_writes_to_known_people_only(world: World, gus: Someone) -> None:
    members = GroupSetting.of(SystemGroup.MEMBERS)
    world.change_organization(permissions={"can_access_all_users_group": members})
    gus.writes("hello", "bea")  # they are in one channel
    gus.writes("hello", "robo")
    gus.writes("hello", "gus")
    refused(gus, type="direct", to=[world["cem"].id])
    refused(gus, type="direct", to=[world["cem"].email])
    refused(gus, type="direct", to=[world["bea"].id, world["cem"].id])
    world["cem"].writes("now you know me", "gus")
    gus.writes("hello", "cem")


@pytest.mark.shows(
    "send.channel-wildcard", "send.topic-wildcard", "code.channel-wildcard", "code.topic-wildcard",
    "change.wildcard-codes",
)  # fmt: skip
def test_calling_many_without_permission_has_codes_of_its_own(world: World, ada: Someone) -> None:
    crowd = [world.add_user(f"friend{number}") for number in range(16)]
    ada.joins("lunch", principals=[friend.id for friend in crowd])
    for friend in crowd:
        friend.says("soup?", topic="today")
    refused(ada, "STREAM_WILDCARD_MENTION_NOT_ALLOWED", content="@**all** soup!")
    refused(ada, "TOPIC_WILDCARD_MENTION_NOT_ALLOWED", content="@**topic** soup!")
    send(world["olga"], content="@**all** @**topic** soup!")


# -- unknown and repeated parameters ----------------------------------------------------------------


@pytest.mark.shows("conventions.ignored-parameters")
def test_ignored_parameters_are_named_in_the_answer(ada: Someone) -> None:
    answer = ada.sends("soup", sender="bea@example.org", forged="yes", realm="x", dont_block=True)
    assert answer["ignored_parameters_unsupported"] == ["forged", "realm", "sender"]
    assert ada.message(answer["id"])["sender_id"] == ada.id


@pytest.mark.shows("send.answer-id", "send.answer-no-policy")
def test_the_answer_has_the_id_and_no_policy_where_none_changed(world: World, ada: Someone) -> None:
    world.choose("ada", automatically_follow_topics_policy=4)
    assert set(ada.sends("soup")) == {"result", "msg", "id"}


# -- the message as it is seen ----------------------------------------------------------------------


@pytest.mark.shows(
    "conventions.unix-seconds", "message.display-recipient-channel", "message.no-edit-history",
    "message.no-last-edit", "message.no-last-moved", "message.recipient-id", "message.the-rest",
)  # fmt: skip
def test_a_channel_message_has_all_its_fields(world: World, ada: Someone, bea: Someone) -> None:
    sent = ada.says("*soup* at https://example.com", topic="today")
    assert bea.message(sent) == {
        "id": sent,
        "sender_id": ada.id,
        "content": bea.message(sent)["content"],
        "content_type": "text/html",
        "recipient_id": world.id("lunch"),
        "timestamp": world.svc.now,
        "client": "tests",
        "subject": "today",
        "topic_links": [],
        "is_me_message": False,
        "reactions": [],
        "submessages": [],
        "sender_full_name": "Ada",
        "sender_email": "ada@example.org",
        "sender_realm_str": "",
        "display_recipient": "lunch",
        "type": "stream",
        "avatar_url": None,
        "stream_id": world.id("lunch"),
        "flags": [],
    }
    assert "<em>soup</em>" in bea.message(sent)["content"]


@pytest.mark.shows("message.display-recipient-direct", "message.the-rest")
def test_a_direct_message_names_everybody_in_it_by_address(ada: Someone, bea: Someone) -> None:
    message = bea.message(ada.writes("hello", "bea"))
    assert "stream_id" not in message
    assert message["type"] == "private"
    assert message["display_recipient"] == [
        {"id": who.id, "email": who.email, "full_name": name, "is_mirror_dummy": False}
        for who, name in ((ada, "Ada"), (bea, "Bea"))
    ]


@pytest.mark.shows("message.reactions", "reaction.fields", "reaction.unicode")
def test_a_reaction_is_shown_on_the_message(world: World, ada: Someone) -> None:
    sent = ada.says("soup")
    world.react("bea", sent)
    assert ada.message(sent)["reactions"] == [
        {
            "emoji_name": "tada",
            "emoji_code": "1f389",
            "reaction_type": "unicode_emoji",
            "user_id": world["bea"].id,
        }
    ]


@pytest.mark.shows("message.avatar-url", "message.avatar-url-null", "fetch.client-gravatar")
def test_an_answer_leaves_the_avatar_to_the_client_only_when_asked(make_world: MakeWorld) -> None:
    ada = make_world()["ada"]
    sent = ada.says("soup")
    (message,) = ada.reads(client_gravatar=False)
    assert message["avatar_url"].startswith("/user_avatars/")
    assert ada.reads()[0]["avatar_url"] is None
    assert message["id"] == sent


@pytest.mark.shows("message.avatar-url-null")
def test_a_hidden_address_leaves_no_picture_to_the_client(make_world: MakeWorld) -> None:
    world = make_world()
    ada, bea = world["ada"], world["bea"]
    ada.says("soup")
    assert bea.reads(client_gravatar=True)[0]["avatar_url"] is None
    world.change_user("ada", email_visibility=3)
    for reader in (bea, world["adi"]):
        (message,) = reader.reads("channel:lunch", client_gravatar=True)
        assert message["avatar_url"].startswith("/user_avatars/")


def test_rendered_texts_stay_when_a_name_changes(world: World, ada: Someone, bea: Someone) -> None:
    sent = ada.says("ask @**Bea** in #**plaza**")
    before = ada.message(sent)["content"]
    world.change_user("bea", full_name="Beatrice")
    assert ada.message(sent)["content"] == before
    assert "Bea" in before


# -- local echo -------------------------------------------------------------------------------------


def test_a_repeated_send_gives_the_first_id_and_creates_nothing(world: World, ada: Someone) -> None:
    line = ada.opens_queue("message")
    sent = ada.says("soup", queue_id=line.id, local_id="17.01")
    assert ada.says("soup", queue_id=line.id, local_id="17.01") == sent
    assert line.messages() == [sent]
    assert world.count("message") == 1


def test_a_local_id_is_for_one_message_only(world: World, ada: Someone) -> None:
    line = ada.opens_queue("message")
    ada.says("soup", queue_id=line.id, local_id="1")
    for other in ({"content": "stew"}, {"topic": "tomorrow"}, {"to": "plaza"}):
        refused(ada, queue_id=line.id, local_id="1", **other)
    assert world.count("message") == 1
    ada.says("soup", queue_id=ada.opens_queue("message").id, local_id="1")


def test_a_repeated_direct_message_is_known_too(world: World, ada: Someone) -> None:
    line = ada.opens_queue("message")
    sent = ada.writes("hello", "bea", queue_id=line.id, local_id="1")
    assert ada.writes("hello", "bea", queue_id=line.id, local_id="1") == sent
    refused(ada, type="direct", to=[world["cem"].id], content="hello", queue_id=line.id, local_id="1")


@pytest.mark.shows("send.queue-needs-local-id")
@pytest.mark.parametrize("given", ["queue_id", "local_id"])
def test_a_local_id_and_its_queue_come_together(ada: Someone, given: str) -> None:
    refused(ada, **{given: "1"})


@pytest.mark.shows("send.local-id", "send.local-id-only-there", "cause.local-echo")
def test_only_the_senders_own_queue_gets_the_local_id(ada: Someone, bea: Someone) -> None:
    mine, other, hers = ada.opens_queue("message"), ada.opens_queue("message"), bea.opens_queue("message")
    ada.says("soup", queue_id=mine.id, local_id="text of my own")
    (event,) = mine.events()
    assert event["local_message_id"] == event["local_id"] == "text of my own"
    assert "local_message_id" not in event["message"]
    for line in (other, hers):
        (event,) = line.events()
        assert not {"local_message_id", "local_id"} & set(event)


@pytest.mark.shows("send.local-id-only-there")
def test_a_queue_that_is_gone_or_foreign_gives_no_echo(world: World, ada: Someone, bea: Someone) -> None:
    hers = bea.opens_queue("message")
    first = ada.says("soup", queue_id=hers.id, local_id="1")
    second = ada.says("soup", queue_id=hers.id, local_id="1")
    assert first != second
    assert all("local_message_id" not in event for event in hers.events())
    ada.says("soup", queue_id="nowhere", local_id="1")


# -- the program that sends -------------------------------------------------------------------------


@pytest.mark.shows("message.client", "flags.own-read", "send.read-by-sender-guessed")
@pytest.mark.parametrize(
    ("user_agent", "client", "is_read"),
    [
        ("website/1.0", "website", True),
        ("iOS/3 (x)", "iOS", True),
        ("android", "android", True),
        ("snipe/2", "snipe", True),
        ("AcmeMobile/27.1 (iOS 14)", "AcmeMobile", True),
        ("AcmeTerminal/0.7", "AcmeTerminal", True),
        ("Acmeelectron/1", "Acmeelectron", True),
        ("AcmePython/0.9", "AcmePython", False),
        ("curl/8", "curl", False),
        ("AcmeTerminal (Debian GNU/Linux; 12)", "AcmeTerminal", True),
        ("AcmeTerminal/0.7 (Debian GNU/Linux; 12)", "AcmeTerminal", True),
        ("AcmeMobile 27", "AcmeMobile", True),
        ("Some iOS 1.0", "Some iOS", False),
        ("Two Words(x)", "Two Words", False),
        ("bot2 v1", "bot2 v", False),
        ("/1.0", "Unspecified", False),
        (" leading", "leading", False),
        ("", "Unspecified", False),
        ("x" * 40 + "/1", "x" * 30, False),
    ],
)
def test_messages_sent_by_ones_own_clients_are_read(
    make_world: MakeWorld, user_agent: str, client: str, is_read: bool
) -> None:
    ada = make_world(compat_brand="acme")["ada"]
    ada.headers["User-Agent"] = user_agent
    message = ada.message(ada.says("soup"))
    assert message["client"] == client
    assert ("read" in message["flags"]) is is_read


@pytest.mark.parametrize(
    ("declared", "client", "is_read"),
    [
        ("website", "website", True),
        (" My bridge 2.0 ", "My bridge 2.0", False),
        ("y" * 40, "y" * 30, False),
        ("\u202e", "curl", False),
        ("", "curl", False),
    ],
)
def test_a_client_may_declare_its_name(ada: Someone, declared: str, client: str, is_read: bool) -> None:
    ada.headers["User-Agent"] = "curl/8"
    message = ada.message(ada.says("soup", client=declared))
    assert message["client"] == client
    assert ("read" in message["flags"]) is is_read


@pytest.mark.shows("flags.unread-at-first", "send.read-by-sender", "change.read-by-sender")
@pytest.mark.parametrize("read", [True, False])
def test_the_sender_may_say_whether_it_is_read(ada: Someone, bea: Someone, read: bool) -> None:
    ada.headers["User-Agent"] = "curl/8" if read else "website/1"
    line = ada.opens_queue("message")
    for sent in (ada.says("soup", read_by_sender=read), ada.writes("soup", "bea", read_by_sender=read)):
        assert ("read" in ada.flags(sent)) is read
        assert "read" not in bea.flags(sent)
    assert [("read" in event["flags"]) for event in line.events()] == [read, read]


def test_every_text_parameter_is_taken_as_it_is(ada: Someone) -> None:
    message = ada.message(send(ada, content='"quoted"', topic="[1]"), apply_markdown=False)
    assert (message["content"], message["subject"]) == ('"quoted"', "[1]")
    assert json.dumps(message["subject"]) == '"[1]"'


# -- bots that write where nobody reads it ----------------------------------------------------------


def messages_about_trouble(ada: Someone) -> list[str]:
    found = [one["content"] for one in ada.reads("is:dm", apply_markdown=False)]
    return [content for content in found if content.startswith("Your bot")]


def test_the_owner_of_a_bot_receives_a_message_if_its_channel_is_gone(
    world: World, ada: Someone, bea: Someone, robo: Someone
) -> None:
    line = ada.opens_queue("message")
    for _ in range(2):
        robo.refused(
            "POST", "/messages", code="STREAM_DOES_NOT_EXIST",
            type="channel", to="at`tic @**all**\u202e", topic="today", content="hello",
        )  # fmt: skip
    announced = "Your bot `robo@example.org` tried to send a message to the channel `{}`, but {}"
    first = announced.format("attic @**all**", "there is no such channel.")
    assert messages_about_trouble(ada) == [first], "and not again at once"
    (event,) = line.events()
    assert (event["message"]["sender_id"], event["flags"]) == (world.users["system"].id, [])
    assert messages_about_trouble(bea) == []
    world.clock.advance(301)
    robo.refused(
        "POST", "/messages", code="STREAM_DOES_NOT_EXIST",
        type="channel", to="999", topic="today", content="hello",
    )  # fmt: skip
    assert messages_about_trouble(ada)[1:] == [announced.format("999", "there is no such channel.")]


def test_the_owner_of_a_bot_receives_a_message_if_its_channel_has_no_subscribers(
    world: World, ada: Someone, robo: Someone
) -> None:
    world.add_channel("void")
    robo.says("hello", "void")
    (announced,) = messages_about_trouble(ada)
    assert announced.endswith("the channel `void`, but nobody is subscribed to it.")
    robo.says("hello", "lunch")
    assert len(messages_about_trouble(ada)) == 1


@pytest.mark.parametrize("missing", ["an owner", "an active owner", "somebody who speaks"])
def test_a_bot_without_an_owner_writes_to_an_empty_channel(
    world: World, ada: Someone, robo: Someone, missing: str
) -> None:
    match missing:
        case "an owner":
            world.change_user("robo", bot_owner_id=None)
        case "an active owner":
            world.change_user("ada", is_active=False)
        case _:
            world.change_organization(notification_bot_id=None)
    before = world.count("message")
    robo.refused(
        "POST", "/messages", code="STREAM_DOES_NOT_EXIST",
        type="channel", to="gone", topic="today", content="hello",
    )  # fmt: skip
    assert world.count("message") == before


def test_people_receive_no_message_about_their_own_mistakes(world: World, ada: Someone) -> None:
    before = world.count("message")
    ada.refused(
        "POST", "/messages", code="STREAM_DOES_NOT_EXIST",
        type="channel", to="gone", topic="today", content="hello",
    )  # fmt: skip
    assert world.count("message") == before


def test_writers_do_not_wait_for_a_message_to_too_many_people(
    make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = make_world(limits=Limits(max_direct_message_people=2))
    monkeypatch.setattr(world.svc.storage, "write", lambda work: pytest.fail("it was a unit of work"))
    for to in (
        [f"nobody{number}@example.org" for number in range(3)],
        [world[n].id for n in ("bea", "olga")],
    ):
        world["ada"].refused("POST", "/messages", type="direct", to=[*to, to[0]], content="x")


def test_a_conversation_that_is_larger_than_a_new_one_may_be_goes_on(make_world: MakeWorld) -> None:
    world = make_world()
    world["ada"].post("/messages", type="direct", to=[world[name].id for name in ("bea", "cem")], content="x")
    ada = make_world(limits=Limits(max_direct_message_people=2))["ada"]
    ada.post("/messages", type="direct", to=[world[name].id for name in ("bea", "cem")], content="x")
    ada.refused("POST", "/messages", type="direct", to=[world[n].id for n in ("bea", "olga")], content="x")
