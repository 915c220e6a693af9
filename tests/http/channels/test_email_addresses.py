"""E-mail addresses of channels."""

from typing import Any

import pytest

from chatcore.application.channels.email_addresses import letterbox_of
from chatcore.domain.channels.email_addresses import (
    MAX_NAME_LENGTH,
    Letterbox,
    MailOption,
    local_part,
    read_local_part,
)
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.ids import ChannelId, RecipientId, UserId
from tests.worlds.organization import HOST, Someone, World


def address_of(who: Someone, channel: str, **more: Any) -> str:
    address: str = who.get(f"/streams/{who.world.id(channel)}/email_address", **more)["email"]
    return address


def refused(who: Someone, channel_id: int, **more: Any) -> dict[str, Any]:
    return who.refused("GET", f"/streams/{channel_id}/email_address", **more)


def test_an_address_names_channel_and_sender(world: World, ada: Someone) -> None:
    address = address_of(ada, "lunch")
    assert address.startswith("lunch.")
    assert address.endswith(f"@{HOST}")
    assert address == address_of(ada, "lunch")
    bot = world.storage.read(lambda snapshot: snapshot.organization.get().notification_bot_id)
    assert bot is not None
    by_sender = {None: bot, ada.id: ada.id, world["robo"].id: world["robo"].id, bot: bot}
    for sender, expected in by_sender.items():
        more = {} if sender is None else {"sender_id": sender}
        found = letterbox_of(world.svc, address_of(ada, "lunch", **more).upper())
        assert found is not None
        assert found[0] == Letterbox(
            ChannelId(RecipientId(world.id("lunch"))), UserId(ada.id), UserId(int(expected))
        )


def test_others_are_not_made_senders(world: World, ada: Someone, bea: Someone) -> None:
    absent = refused(ada, world.id("lunch"), sender_id=10**9)
    assert refused(ada, world.id("lunch"), sender_id=bea.id) == absent
    assert refused(bea, world.id("lunch"), sender_id=world["robo"].id) == absent


def test_sec_there_is_no_address_of_what_one_cannot_read_or_write_to(world: World, cem: Someone) -> None:
    absent = refused(cem, 10**9)
    assert refused(cem, world.id("secret")) == absent
    assert refused(world["olga"], world.id("vault")) == absent
    world.nobody.refused(
        "GET", f"/streams/{world.id('plaza')}/email_address", status=401, code="UNAUTHORIZED"
    )
    refused(world["ada"], world.id("attic"))
    world.permit("lunch", can_send_message_group=GroupSetting.of(SystemGroup.ADMINISTRATORS))
    refused(world["ada"], world.id("lunch"))


def test_sec_addresses_cannot_be_made_up(world: World, ada: Someone) -> None:
    address = address_of(ada, "lunch")
    local = address.partition("@")[0]
    found = read_local_part(local)
    assert found is not None
    letterbox, mark = found
    secret = Letterbox(ChannelId(RecipientId(world.id("secret"))), letterbox.creator_id, letterbox.sender_id)
    for made_up in (
        f"{local_part('lunch', secret, mark)}@{HOST}",
        f"{local}0@{HOST}",
        f"{local}@elsewhere.example",
        f"lunch@{HOST}",
        "",
    ):
        assert letterbox_of(world.svc, made_up) is None
    renamed = local_part("renamed", letterbox, mark)
    assert letterbox_of(world.svc, f"{renamed}@{HOST}") == (letterbox, frozenset())


def test_options_are_added_to_an_address(world: World, ada: Someone) -> None:
    local = address_of(ada, "lunch").partition("@")[0]
    for added, expected in {
        "+show-sender": {MailOption.SHOW_SENDER},
        ".prefer-html+INCLUDE-quotes": {MailOption.PREFER_HTML, MailOption.INCLUDE_QUOTES},
    }.items():
        found = letterbox_of(world.svc, f"{local}{added}@{HOST}")
        assert found is not None
        assert found[1] == expected
    for unknown in ("+all", "show-sender", "+show-sender+", "+show-sender.x"):
        assert letterbox_of(world.svc, f"{local}{unknown}@{HOST}") is None


@pytest.mark.parametrize("name", ["Küche & Bad!", "x" * 60, "茶", "a.b"])
def test_local_parts_are_short_and_plain(name: str) -> None:
    letterbox = Letterbox(ChannelId(RecipientId(2**40)), UserId(2**32), UserId(3))
    text = local_part(name, letterbox, "0" * 20)
    assert text.isascii()
    assert len(text) <= MAX_NAME_LENGTH + 46
    assert read_local_part(text) == (letterbox, "0" * 20)


def test_numbers_beyond_those_of_stores_are_none() -> None:
    assert read_local_part(f"{'f' * 20}_1_1_00") is None
