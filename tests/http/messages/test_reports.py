"""Reports of messages to the moderators."""

from typing import Any

import pytest

from chatcore.domain.limits import Limits
from chatcore.domain.messages.reports import topic_of_reports
from tests.worlds.organization import DAY, MakeWorld, Someone, World

REPORTS = "secret"


@pytest.fixture
def world(world: World) -> World:
    return with_reports(world)


def with_reports(world: World) -> World:
    world.change_organization(moderation_request_channel_id=world.id(REPORTS))
    return world


def reports(who: Someone, message_id: int, **more: Any) -> None:
    who.post(f"/messages/{message_id}/report", **{"report_type": "spam", **more})


def arrived(world: World) -> list[dict[str, Any]]:
    return world["ada"].reads(f"channel:{REPORTS}")


@pytest.mark.shows("level.reports")
def test_a_report_comes_to_the_channel_for_moderation(world: World, bea: Someone) -> None:
    message_id = world["cem"].says("buy @**all** this\n```\nnow", "plaza", "offers")
    reports(bea, message_id, report_type="other", description="They @**Ada** do it\nagain")
    (report,) = arrived(world)
    assert report["subject"] == "Cem's moderation requests"
    assert report["sender_full_name"] == "Notification Bot"
    content = world["ada"].reads(f"channel:{REPORTS}", apply_markdown=False)[0]["content"]
    assert content == (
        f"@_**Bea|{bea.id}** reported a message by @_**Cem|{world['cem'].id}**.\n\n"
        f"* Reason: **Other reason**\n* Message: {message_id} in `plaza > offers`\n\n"
        "Notes:\n\n> They @**Ada** do it\n> again\n\n"
        "Text of the message:\n\n> buy @**all** this\n> ```\n> now"
    )
    assert world["ada"].flags(report["id"]) == set()


def test_a_direct_message_is_reported_by_its_people(world: World, bea: Someone, cem: Someone) -> None:
    message_id = world["ada"].writes("hush " * 200, "bea")
    reports(bea, message_id)
    (report,) = arrived(world)
    assert "direct message" in report["content"]
    assert report["content"].count("hush") == 100
    assert "[message truncated]" in report["content"]


def test_sec_a_message_that_cannot_be_read_is_not_reported(world: World, ada: Someone) -> None:
    hidden = [ada.says("hush", "vault"), ada.writes("hush", "bea"), 10**9]
    answers = [
        world["cem"].refused("POST", f"/messages/{message_id}/report", report_type="spam")
        for message_id in hidden
    ]
    assert answers[0] == answers[1] == answers[2]
    assert arrived(world) == []


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({}, "REQUEST_VARIABLE_MISSING"),
        ({"report_type": "boring"}, "BAD_REQUEST"),
        ({"report_type": "other"}, "BAD_REQUEST"),
        ({"report_type": "other", "description": " \n"}, "BAD_REQUEST"),
        ({"report_type": "spam", "description": "x" * 1001}, "BAD_REQUEST"),
        ({"report_type": "spam", "description": "a\0"}, "BAD_REQUEST"),
    ],
)
def test_reports_outside_the_rules_are_refused(
    world: World, bea: Someone, given: dict[str, Any], code: str
) -> None:
    message_id = world["ada"].says("soup")
    bea.refused("POST", f"/messages/{message_id}/report", code=code, **given)
    assert arrived(world) == []


def test_there_are_no_reports_without_a_channel_for_them(world: World, bea: Someone, olga: Someone) -> None:
    message_id = world["ada"].says("soup")
    path = f"/messages/{message_id}/report"
    olga.delete(f"/streams/{world.id(REPORTS)}")
    archived = bea.refused("POST", path, report_type="spam")
    world.change_organization(moderation_request_channel_id=None)
    assert bea.refused("POST", path, report_type="spam") == archived


def test_a_channel_without_topics_takes_reports(world: World, bea: Someone) -> None:
    world.set_topics_policy(REPORTS, "empty_topic_only")
    reports(bea, world["ada"].says("soup"))
    assert [
        one["subject"] for one in world["bea"].reads(f"channel:{REPORTS}", allow_empty_topic_name=True)
    ] == [""]


def test_reports_have_a_limit_by_day(make_world: MakeWorld) -> None:
    world = with_reports(make_world(limits=Limits(max_reports_per_user_and_day=1)))
    message_id = world["ada"].says("soup")
    for who in (world["bea"], world["gus"]):
        reports(who, message_id)
        refused = who.refused(
            "POST", f"/messages/{message_id}/report", status=429, code="RATE_LIMIT_HIT", report_type="spam"
        )
        assert refused["limit"] == "reports_by_user_and_day"
    assert len(arrived(world)) == 2
    world.clock.advance(DAY)
    reports(world["bea"], message_id)


def test_topics_of_reports_fit() -> None:
    assert topic_of_reports("Ada", Limits()) == "Ada's moderation requests"
    assert len(topic_of_reports("x" * 100, Limits())) == 60
