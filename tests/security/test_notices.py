"""Notices name a channel, a topic or a group only where everybody who reads them may know of it, and give no
files.
"""

from collections.abc import Callable

import pytest

from chatcore.domain.groups.permissions import GroupSetting
from tests.worlds.files import can_read, files_world, uploads
from tests.worlds.organization import Someone, World
from tests.worlds.waiting import passes, reminded

__all__ = ["files_world"]

KINDS = {
    "open": {"is_web_public": True},
    "office": {},
    "lobby": {},
    "cabinet": {"invite_only": True},
    "annex": {"invite_only": True},
    "safe": {"invite_only": True, "history_public_to_subscribers": False},
}
"""Channels of every kind; ada is in all of them."""
WITH_GUEST = ("lobby", "annex")
NAMED = {
    "open": {"open"},
    "office": {"open", "office", "lobby"},
    "lobby": {"open", "lobby"},
    "cabinet": {"open", "office", "lobby", "cabinet"},
    "annex": {"open", "annex"},
    "safe": {"open", "office", "lobby"},
}
"""By the channel that contains a notice, the channels that it names."""


@pytest.fixture
def channels(world: World) -> World:
    world.open_to_the_web()
    for name, fields in KINDS.items():
        world.add_channel(name, "ada", *(["gus"] if name in WITH_GUEST else []), **fields)
    return world


def notices(who: Someone, channel: str) -> list[tuple[str, str]]:
    """Topic and text of each notice in a channel: as it was written and as HTML."""
    narrow = [["channel", channel]]
    if who.name is None:
        narrow.append(["channels", "web-public"])
    return [
        (message["subject"], message["content"])
        for markdown in (True, False)
        for message in who.page(*narrow, apply_markdown=markdown)["messages"]
        if message["sender_full_name"] == "Notification Bot"
    ]


def known_channels(who: Someone) -> set[str]:
    if who.name is None:
        return {name for name, fields in KINDS.items() if fields.get("is_web_public")}
    return {channel["name"] for channel in who.get("/streams", include_all=True)["streams"]}


def require_nothing_unknown(world: World) -> None:
    """No reader finds the name or id of a channel in notices that they do not find in lists."""
    for who in (world.nobody, world["gus"], world["cem"], world["ada"]):
        known = known_channels(who)
        for place in KINDS.keys() & known:
            for _, text in notices(who, place):
                for unknown in KINDS.keys() - known:
                    assert unknown not in text, (who.name, place)
                    assert f'data-stream-id="{world.id(unknown)}"' not in text, (who.name, place)


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize("place", KINDS)
def test_sec_7_a_notice_of_a_move_names_what_all_its_readers_may_know_of(
    channels: World, ada: Someone, place: str
) -> None:
    for number, other in enumerate(KINDS):
        leads = {} if other == place else {"stream_id": channels.id(place)}
        came = ada.says("soup", other, f"topic of {other}")
        ada.patch(f"/messages/{came}", topic=f"arrived {number}", **leads)
        leads = {} if other == place else {"stream_id": channels.id(other)}
        left = ada.says("soup", place, f"left {number}")
        ada.patch(
            f"/messages/{left}",
            topic=f"topic of {other}",
            send_notification_to_new_thread=False,
            send_notification_to_old_thread=True,
            **leads,
        )
    found = notices(ada, place)
    for number, other in enumerate(KINDS):
        for topic in (f"arrived {number}", f"left {number}"):
            texts = [text for subject, text in found if subject == topic]
            assert len(texts) == 2
            for text in texts:
                assert (other in text) == (other in NAMED[place]), (place, other, text)
                assert "A message was moved" in text or "This topic was moved" in text
    require_nothing_unknown(channels)


@pytest.mark.parametrize("has_hidden", [False, True])
@pytest.mark.parametrize(
    ("mode", "leads_on", "text"),
    [
        ("change_one", True, "A message was moved here"),
        ("change_all", True, "2 messages were moved here"),
        ("change_later", False, "2 messages were moved here"),
        ("change_all", False, "This topic was moved here"),
    ],
)
def test_sec_6_a_notice_does_not_reveal_messages_that_the_mover_cannot_read(
    channels: World, ada: Someone, has_hidden: bool, mode: str, leads_on: bool, text: str
) -> None:
    if has_hidden:
        ada.says("before bea came", "safe", "plans")
    bea = channels["bea"]
    ada.joins("safe", principals=[bea.id])
    bea.joins("office")
    moved = [bea.says(one, "safe", "plans") for one in ("soup", "stew")]
    target = {"stream_id": channels.id("office")} if leads_on else {}
    bea.patch(f"/messages/{moved[0]}", topic="elsewhere", propagate_mode=mode, **target)
    found = [one for topic, one in notices(bea, "office" if leads_on else "safe") if topic == "elsewhere"]
    assert len(found) == 2
    assert all(text in one for one in found), found


@pytest.mark.parametrize("place", KINDS)
def test_sec_7_a_new_channel_is_announced_by_its_name_to_who_may_know_of_it(
    channels: World, ada: Someone, place: str
) -> None:
    channels.change_organization(new_stream_announcements_stream_id=channels.id(place))
    ada.joins("garden", announce=True)
    texts = [text for topic, text in notices(ada, place) if topic == "new channels"]
    assert len(texts) == 2
    for text in texts:
        assert "created a new channel" in text
        assert ("garden" in text) == ("office" in NAMED[place])


def test_sec_7_the_web_does_not_read_the_names_of_groups_in_notices(channels: World, ada: Someone) -> None:
    group = ada.post("/user_groups/create", name="auditors of acme", description="", members=[ada.id])
    for place in ("open", "office"):
        channels.permit(place, can_administer_channel_group=GroupSetting.of(members=[ada.id]))
        value = {"new": group["group_id"]}
        ada.patch(f"/streams/{channels.id(place)}", can_remove_subscribers_group=value)
        ((_, html), (_, text)) = notices(ada, place)
        assert ("auditors of acme" in html) == ("auditors of acme" in text) == (place == "office")
        assert "the group" in text or "a group" in text


def by_a_reminder(someone: Someone, text: str) -> None:
    reminded(someone, someone.writes("soup", someone.name or ""), note=text)
    passes(someone.world, 60)


def by_a_description(someone: Someone, text: str) -> None:
    someone.joins("kitchen")
    channel_id = someone.get("/get_stream_id", stream="kitchen")["stream_id"]
    someone.patch(f"/streams/{channel_id}", description=text)


def by_a_report(someone: Someone, text: str) -> None:
    someone.world.add_channel("reports", someone.name or "", invite_only=True)
    someone.world.change_organization(moderation_request_channel_id=someone.world.id("reports"))
    message_id = someone.writes("soup", someone.name or "")
    someone.post(f"/messages/{message_id}/report", report_type="other", description=text)


def by_a_welcome(someone: Someone, text: str) -> None:
    someone.post("/realm/test_welcome_bot_custom_message", welcome_message_custom_text=text)


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize(
    ("name", "notice"),
    [("cem", by_a_reminder), ("cem", by_a_description), ("cem", by_a_report), ("olga", by_a_welcome)],
)
def test_sec_61_a_notice_gives_no_file_that_only_the_bot_may_read(
    files_world: World, name: str, notice: Callable[[Someone, str], None]
) -> None:
    """The notification bot may read what bea writes to it; others make it repeat the address."""
    bea, reader = files_world["bea"], files_world[name]
    url = uploads(bea)["url"]
    bot_id = files_world.storage.read(lambda snapshot: snapshot.organization.get()).notification_bot_id
    bea.post("/messages", type="direct", to=[bot_id], content=url)
    assert not can_read(reader, url)
    notice(reader, url)
    (said,) = [one for one in reader.reads(f"search:{url}") if one["sender_id"] == bot_id]
    assert url in said["content"]
    assert not can_read(reader, url)
    assert can_read(bea, url)


def test_sec_61_a_reminder_gives_a_guest_no_file_of_a_public_channel(files_world: World) -> None:
    ada, gus = files_world["ada"], files_world["gus"]
    url = uploads(ada)["url"]
    files_world.add_channel("office", "ada")
    ada.says(url, "office")
    by_a_reminder(gus, url)
    assert not can_read(gus, url)
    assert can_read(files_world["bea"], url)
