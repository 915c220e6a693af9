"""Notices name a channel, a topic or a group only where everybody who reads them may know of it."""

import pytest

from chatcore.domain.groups.permissions import GroupSetting
from tests.worlds.organization import Someone, World

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
