"""GET and PATCH streams/{id} and channels/create, on both stores."""

from typing import Any

import pytest

from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from tests.worlds.channels import announced, edits, notices, path, stream
from tests.worlds.groups import ADMINISTRATORS, MEMBERS, NOBODY, just, makes
from tests.worlds.organization import Someone, World

# -- reading ----------------------------------------------------------------------------------------


def test_a_channel_is_read_by_its_id(world: World, ada: Someone) -> None:
    listed = ada.get("/streams", exclude_archived=False)["streams"]
    assert [stream(ada, one["name"]) for one in listed] == listed


@pytest.mark.parametrize(
    ("who", "seen"),
    [
        ("adi", ["lunch", "secret", "vault", "plaza", "attic"]),
        ("bea", ["lunch", "secret", "plaza", "attic"]),
        ("cem", ["lunch", "plaza", "attic"]),
        ("gus", ["lunch", "plaza"]),
    ],
)
def test_invisible_channels_are_not_found(world: World, who: str, seen: list[str]) -> None:
    for channel in world.channels:
        if channel in seen:
            assert stream(world[who], channel)["name"] == channel
        else:
            hidden = world[who].refused("GET", path(world, channel))
            assert hidden == world[who].refused("GET", "/streams/99999")


# -- making -----------------------------------------------------------------------------------------


@pytest.mark.shows("level.create-channel")
def test_a_channel_is_made_with_its_first_people(world: World, ada: Someone, bea: Someone) -> None:
    lines = [who.opens_queue("stream", "subscription") for who in (ada, bea)]
    given = {"subscribers": [bea.id], "description": "a\n*b*", "invite_only": True, "is_web_public": False}
    made = ada.post("/channels/create", name=" garden ", **given)["id"]
    world.storage.read(world.know)
    found = stream(bea, "garden")
    assert (found["stream_id"], found["creator_id"], found["subscriber_count"]) == (made, ada.id, 1)
    assert found["rendered_description"] == "<p>a <em>b</em></p>"
    assert found["history_public_to_subscribers"] is False
    assert "garden" not in [one["name"] for one in ada.get("/users/me/subscriptions")["subscriptions"]]
    assert [announced(line) for line in lines] == [
        [("stream", "create"), ("subscription", "peer_add")],
        [("stream", "create"), ("subscription", "add")],
    ]
    assert len(notices(bea, "garden")) == 1


def test_a_description_has_one_line_however_it_comes(world: World, ada: Someone, olga: Someone) -> None:
    given = "# Soup\r\n* every\nday"
    ada.post("/users/me/subscriptions", subscriptions=[{"name": "garden", "description": given}])
    world.storage.read(world.know)
    edits(olga, "plaza", description=given)
    made, changed = stream(ada, "garden"), stream(ada, "plaza")
    assert made["description"] == "# Soup * every day" == changed["description"]
    assert made["rendered_description"] == "<h1>Soup * every day</h1>" == changed["rendered_description"]


@pytest.mark.parametrize("description", ["````", "~~~", "``` python", "> ````", "* tea"])
def test_a_description_ends_no_quotation(world: World, ada: Someone, olga: Someone, description: str) -> None:
    for value in (description, "soup"):
        edits(olga, "lunch", description=value)
    last = ada.reads("channel:lunch", "topic:channel events")[-1]["content"]
    assert last.count("<blockquote>") - (description == "> ````") == 2
    assert last.count("<strong>") == 2
    assert last.endswith("<blockquote>\n<p>soup</p>\n</blockquote>")


def test_a_name_is_taken_by_the_key_that_is_stored(world: World, ada: Someone, olga: Someone) -> None:
    """An archive may have another key than the one that this version would make of the name."""
    world.sql("UPDATE channel SET name_key = ? WHERE name = ?", "mittag", "lunch")
    assert ada.get("/get_stream_id", stream="Mittag")["stream_id"] == world.channels["lunch"].id
    taken = {"status": 409, "code": "CHANNEL_ALREADY_EXISTS"}
    olga.refused("PATCH", path(world, "plaza"), **taken, new_name="mittag")


@pytest.mark.parametrize("channel", ["secret", "LUNCH", "attic"])
def test_a_taken_name_is_refused_in_one_way(world: World, cem: Someone, olga: Someone, channel: str) -> None:
    """The refusal is the same if the user may not know of the channel that has the name."""
    answers = [
        cem.refused(
            "POST",
            "/channels/create",
            status=409,
            code="CHANNEL_ALREADY_EXISTS",
            name=channel,
            subscribers=[],
        ),
        olga.refused(
            "PATCH", path(world, "plaza"), status=409, code="CHANNEL_ALREADY_EXISTS", new_name=channel
        ),
    ]
    for answer in answers:
        assert answer["channel_name"] == channel
        assert answer["msg"] == f"Channel name already in use: '{channel}'"


@pytest.mark.parametrize(
    "given",
    [
        {"subscribers": [99_999]},
        {"name": ""},
        {"name": "x" * 61},
        {"description": "x" * 1025},
        {"invite_only": True, "is_web_public": True},
        {"is_web_public": True},
        {"is_default_stream": True},
        {"message_retention_days": 7},
        {"folder_id": 1},
        {"can_subscribe_group": 7},
    ],
)
def test_a_channel_outside_the_rules_is_not_made(world: World, ada: Someone, given: dict[str, Any]) -> None:
    ada.refused("POST", "/channels/create", **{"name": "garden", "subscribers": [], **given})
    assert len(ada.get("/streams", include_all=True)["streams"]) == 4


def test_a_guest_makes_no_channel(gus: Someone) -> None:
    gus.refused("POST", "/channels/create", name="garden", subscribers=[gus.id])


# -- changing ---------------------------------------------------------------------------------------


@pytest.mark.shows("named.channel-editing")
def test_each_change_is_sent_once_to_those_who_see_the_channel(
    world: World, olga: Someone, cem: Someone, gus: Someone
) -> None:
    lines = [who.opens_queue("stream") for who in (olga, cem, gus)]
    line = cem.opens_queue("stream")
    answer = edits(
        olga,
        "lunch",
        new_name="Dinner",
        description="*late*\nfood",
        message_retention_days="unlimited",
        topics_policy="allow_empty_topic",
        can_send_message_group={"new": int(SystemGroup.ADMINISTRATORS)},
        wings=2,
    )
    assert answer["ignored_parameters_unsupported"] == ["wings"]
    expected = [
        ("name", "Dinner"),
        ("description", "*late* food"),
        ("message_retention_days", -1),
        ("topics_policy", "allow_empty_topic"),
        ("can_send_message_group", 3),
        ("stream_post_policy", 2),
        ("is_announcement_only", True),
    ]
    assert [announced(one) for one in lines] == [expected] * 3
    first, second, third, *_ = line.events()
    assert (first["name"], second["name"]) == ("lunch", "Dinner")
    assert second["rendered_description"] == "<p><em>late</em> food</p>"
    assert "rendered_description" not in third
    found = stream(cem, "lunch")
    assert {name: found[name] for name, _ in expected} == dict(expected)
    assert found["rendered_description"] == "<p><em>late</em> food</p>"
    assert len(notices(cem, "Dinner")) == 5
    assert notices(cem, "Dinner")[0].endswith("renamed this channel from `lunch` to `Dinner`.")
    cem.refused("GET", "/get_stream_id", stream="lunch")


def test_a_change_of_a_permission_is_said_in_words(
    world: World, olga: Someone, ada: Someone, bea: Someone
) -> None:
    cooks = makes(olga, "cooks", bea)
    for name, value in (
        ("can_send_message_group", MEMBERS),
        ("can_send_message_group", just(ada, bea, groups=(ADMINISTRATORS, cooks))),
        ("can_send_message_group", just()),
        ("can_administer_channel_group", just(*world.add_people(11, to="lunch"))),
    ):
        edits(olga, "lunch", **{name: {"new": value}})
    said = [notice.partition("** changed ")[2] for notice in notices(bea, "lunch")]
    four = "**administrators**, the group `cooks`, `Ada`, `Bea`"
    crowd = ", ".join(f"`Person {i}`" for i in (0, 1, 10, *range(2, 9)))
    sending = "who may send messages to the channel"
    assert said == [
        f"{sending} from **everyone** to **members**.",
        f"{sending} from **members** to {four}.",
        f"{sending} from {four} to **nobody**.",
        f"who administers the channel from `Olga` to {crowd} and 1 more.",
    ]


def test_unchanged_properties_are_not_announced(world: World, olga: Someone) -> None:
    line = olga.opens_queue("stream", "message")
    same = {"new": int(SystemGroup.EVERYONE)}
    edits(olga, "lunch", description="", is_private=False, can_send_message_group=same, is_archived=False)
    edits(olga, "lunch")
    assert line.events() == []
    olga.refused("PATCH", path(world, "lunch"), new_name="lunch", description="all or nothing")
    assert stream(olga, "lunch")["description"] == ""
    edits(olga, "lunch", new_name="LUNCH")
    assert announced(line)[0] == ("name", "LUNCH")


def test_the_name_in_a_notice_does_nothing(world: World, olga: Someone, bea: Someone) -> None:
    edits(olga, "lunch", new_name="`@**all**`", description="@**all** ````")
    flags = [set(one["flags"]) for one in bea.reads("channel:`@**all**`")]
    assert flags == [set(), set()]


@pytest.mark.parametrize(
    ("who", "code"),
    [
        ("adi", None),
        ("ada", "administer"),
        ("mona", "administer"),
        ("gus", "administer"),
        ("cem", "administer"),
    ],
)
def test_who_may_change_a_channel(world: World, who: str, code: str | None) -> None:
    response = world[who].request("PATCH", path(world, "lunch"), description="x")
    assert response.status_code == (400 if code else 200)
    assert (code or "") in response.get_json()["msg"]
    world.permit("secret", can_administer_channel_group=GroupSetting.of(members=[world.users["cem"].id]))
    edits(world["cem"], "secret", description="by one who only administers it")
    hidden = world["mona"].refused("PATCH", path(world, "secret"), description="x")
    assert hidden == world["mona"].refused("PATCH", "/streams/99999", description="x")


PUBLIC, WEB, SHARED, PROTECTED = (
    (False, False, True),
    (False, True, True),
    (True, False, True),
    (True, False, False),
)


@pytest.mark.parametrize(
    ("channel", "changes", "becomes"),
    [
        ("lunch", {"is_private": True}, PROTECTED),
        ("lunch", {"is_private": True, "history_public_to_subscribers": True}, SHARED),
        ("lunch", {"is_web_public": True}, WEB),
        ("lunch", {"history_public_to_subscribers": False}, None),
        ("lunch", {"is_private": True, "is_web_public": True}, None),
        ("plaza", {"is_private": True}, PROTECTED),
        ("plaza", {"is_web_public": False}, PUBLIC),
        ("plaza", {"is_private": False}, WEB),
        ("secret", {"is_private": False}, PUBLIC),
        ("secret", {"is_private": True}, SHARED),
        ("secret", {"history_public_to_subscribers": False}, PROTECTED),
        ("secret", {"is_web_public": True}, None),
        ("vault", {"is_private": False, "is_web_public": True}, WEB),
        ("vault", {"is_private": False, "history_public_to_subscribers": False}, None),
    ],
)
def test_a_channel_has_one_of_four_privacy_models(
    world: World, olga: Someone, channel: str, changes: dict[str, Any], becomes: tuple[bool, ...] | None
) -> None:
    world.open_to_the_web()
    olga.world["ada"].joins(channel, principals=[olga.id])
    line = olga.opens_queue("stream")
    fields = ("invite_only", "is_web_public", "history_public_to_subscribers")
    before = tuple(stream(olga, channel)[name] for name in fields)
    if becomes is None:
        olga.refused("PATCH", path(world, channel), **changes)
    else:
        edits(olga, channel, **changes)
    after = tuple(stream(olga, channel)[name] for name in fields)
    assert after == (becomes or before)
    events = line.events()
    assert [event["property"] for event in events] == ([] if after == before else ["invite_only"])
    for event in events:
        assert (event["value"], *(event[name] for name in fields[1:])) == after


def test_users_who_gain_or_lose_visibility_are_notified(
    world: World, olga: Someone, ada: Someone, cem: Someone, gus: Someone
) -> None:
    world.open_to_the_web()
    olga.joins("plaza")
    lines = {who: who.opens_queue("stream", "subscription") for who in (olga, ada, cem, gus)}
    changed = ("invite_only", True)
    edits(olga, "plaza", is_private=True)
    assert {who: announced(line) for who, line in lines.items()} == {
        olga: [changed],
        ada: [changed],
        cem: [("stream", "delete")],
        gus: [("stream", "delete")],
    }
    edits(olga, "plaza", can_subscribe_group={"new": just(cem, gus)})
    permitted = ("can_subscribe_group", just(cem, gus))
    appeared = [("stream", "create"), ("subscription", "peer_add")]
    assert [announced(lines[who]) for who in (ada, cem, gus)] == [[permitted], [*appeared, permitted], []]
    edits(olga, "plaza", is_private=False, is_web_public=True)
    assert [announced(lines[who]) for who in (cem, gus)] == [
        [("invite_only", False)],
        [*appeared, ("invite_only", False)],
    ]


def test_opening_to_the_web_alone_is_announced_to_guests(world: World, olga: Someone, gus: Someone) -> None:
    world.open_to_the_web()
    world.add_channel("park", "olga")
    line = gus.opens_queue("stream")
    for is_web_public, seen in ((True, "create"), (False, "delete")):
        edits(olga, "park", is_web_public=is_web_public)
        assert announced(line)[0] == ("stream", seen)


def test_the_channel_for_moderation_requests_stays_private(world: World, olga: Someone) -> None:
    world.add_channel("requests", "olga", invite_only=True)
    world.change_organization(moderation_request_channel_id=world.id("requests"))
    olga.refused("PATCH", path(world, "requests"), is_private=False)
    edits(olga, "requests", history_public_to_subscribers=False)
    world.change_organization(moderation_request_channel_id=None)
    edits(olga, "requests", is_private=False)


def test_a_topics_policy_is_not_changed_without_permission(world: World, ada: Someone) -> None:
    world.change_organization(
        permissions={"can_set_topics_policy_group": GroupSetting.of(SystemGroup.MODERATORS)}
    )
    world.permit("lunch", can_administer_channel_group=GroupSetting.of(members=[ada.actor.user_id]))
    ada.refused("PATCH", path(world, "lunch"), topics_policy="disable_empty_topic")
    edits(world["adi"], "lunch", topics_policy="disable_empty_topic")


def test_a_value_that_the_client_did_not_expect_changes_nothing(world: World, olga: Someone) -> None:
    stale = {"new": NOBODY, "old": MEMBERS}
    answer = olga.refused(
        "PATCH", path(world, "lunch"), code="EXPECTATION_MISMATCH", can_send_message_group=stale, new_name="x"
    )
    assert answer["field_name"] == "old"
    assert stream(olga, "lunch")["name"] == "lunch"


@pytest.mark.parametrize(
    ("who", "changes", "may"),
    [
        ("adi", {"message_retention_days": 7}, False),
        ("olga", {"message_retention_days": 7}, True),
        ("olga", {"message_retention_days": 0}, False),
        ("olga", {"message_retention_days": 36_500}, True),
        ("olga", {"message_retention_days": 36_501}, False),
        ("ada", {"topics_policy": "disable_empty_topic"}, True),
        ("ada", {"topics_policy": "empty_topic_only"}, False),
        ("ada", {"can_delete_any_message_group": {"new": MEMBERS}}, False),
        ("ada", {"can_delete_any_message_group": {"new": NOBODY}}, True),
        ("mona", {"can_delete_own_message_group": {"new": MEMBERS}}, True),
        ("ada", {"is_default_stream": True}, False),
        ("ada", {"is_archived": True}, False),
        ("ada", {"can_subscribe_group": {"new": 7}}, False),
        ("ada", {"can_administer_channel_group": {"new": 99_999}}, False),
        ("ada", {"can_send_message_group": {"new": 8}}, False),
    ],
)
def test_some_changes_need_more_than_channel_administration(
    world: World, ada: Someone, who: str, changes: dict[str, Any], may: bool
) -> None:
    ada.says("named", topic="a topic")
    people = [world.users[name].id for name in ("ada", "mona")]
    world.permit("lunch", can_administer_channel_group=GroupSetting.of(members=people))
    response = world[who].request("PATCH", path(world, "lunch"), **changes)
    assert response.status_code == (200 if may else 400), response.get_json()


@pytest.mark.shows("level.topics-policy")
def test_the_empty_topic_is_the_only_one_where_there_are_no_others(world: World, olga: Someone) -> None:
    line = olga.opens_queue("stream")
    edits(olga, "plaza", topics_policy="empty_topic_only")
    assert announced(line) == [("topics_policy", "empty_topic_only")]
    (notice,) = olga.reads("channel:plaza", allow_empty_topic_name=True)
    assert notice["subject"] == ""


def test_a_rename_that_affects_a_muted_topic_sends_the_new_list(world: World, olga: Someone) -> None:
    gus = world["gus"]
    gus.post("/user_topics", stream_id=world.id("lunch"), topic="soup", visibility_policy=1)
    line = gus.opens_queue("muted_topics")
    edits(olga, "lunch", new_name="dinner")
    (event,) = line.events()
    assert [row[:2] for row in event["muted_topics"]] == [["dinner", "soup"]]
