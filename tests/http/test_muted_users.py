"""Muting people over HTTP, and what becomes of their messages."""

import pytest

from chatcore.domain.groups import GroupSetting, SystemGroup
from tests.http.world import NOW, Someone, World
from tests.security.attacking import nothing_changes


def test_what_was_written_and_what_comes_is_read(ada: Someone, bea: Someone, gus: Someone) -> None:
    before = [ada.says("@**Bea** soup"), ada.writes("soup", "bea"), ada.says("soup", "secret")]
    others = gus.says("salad")
    line = bea.registers(event_types=["muted_users", "update_message_flags", "message"])
    bea.post(f"/users/me/muted_users/{ada.id}")
    muted, *flags = line.events()
    assert muted["muted_users"] == [{"id": ada.id, "timestamp": NOW}]
    assert [(event["flag"], event["op"], event["messages"]) for event in flags] == [("read", "add", before)]
    later = [ada.says("@**Bea** soup"), ada.writes("soup", "bea", "gus")]
    assert [(e["message"]["id"], "read" in e["flags"]) for e in line.events()] == [(m, True) for m in later]
    assert bea.flags(later[0]) == {"read", "mentioned"}
    assert "read" not in gus.flags(later[1])
    state = bea.registers().state
    assert state["muted_users"] == [{"id": ada.id, "timestamp": NOW}]
    assert state["unread_msgs"]["count"] == 1
    assert "read" not in bea.flags(others)


def test_unmuting_leaves_what_is_read(world: World, ada: Someone, bea: Someone, cem: Someone) -> None:
    for other in (ada, cem):
        bea.post(f"/users/me/muted_users/{other.id}")
    sent = ada.says("soup")
    line, of_others = (who.hears_of("muted_users", "update_message_flags") for who in (bea, ada))
    bea.delete(f"/users/me/muted_users/{ada.id}")
    assert [event["muted_users"] for event in line.events()] == [[{"id": cem.id, "timestamp": NOW}]]
    assert of_others.events() == []
    assert "read" in bea.flags(sent)
    assert "read" not in bea.flags(ada.says("more soup"))


def test_what_is_marked_as_unread_stays_so(ada: Someone, bea: Someone) -> None:
    bea.post(f"/users/me/muted_users/{ada.id}")
    sent = ada.says("soup")
    assert bea.flagged("read", sent, op="remove")["messages"] == [sent]
    assert "read" not in bea.flags(sent)


def test_deactivated_people_and_bots_can_be_muted(world: World, ada: Someone, robo: Someone) -> None:
    world.change_user("cem", is_active=False)
    for other in (world["cem"], robo):
        ada.post(f"/users/me/muted_users/{other.id}")
    ada.delete(f"/users/me/muted_users/{world['cem'].id}")


@pytest.mark.parametrize(
    ("method", "whom"),
    [
        ("POST", "bea"),
        ("DELETE", "bea"),
        ("POST", "ada"),
        ("DELETE", "cem"),
        ("POST", None),
        ("DELETE", None),
    ],
)
def test_what_cannot_be(world: World, ada: Someone, bea: Someone, method: str, whom: str | None) -> None:
    """Oneself, twice, who is not muted, and nobody."""
    bea.post(f"/users/me/muted_users/{ada.id}")
    whose = 99999 if whom is None else world[whom].id
    with nothing_changes(world):
        bea.refused(method, f"/users/me/muted_users/{whose}")
        if whom == "ada":
            ada.refused("DELETE", f"/users/me/muted_users/{bea.id}")


def test_a_limited_guest_mutes_nobody_unknown(world: World, gus: Someone, cem: Someone) -> None:
    members = GroupSetting.of(SystemGroup.MEMBERS)
    world.change_organization(permissions={"can_access_all_users_group": members})
    with nothing_changes(world):
        gus.refused("POST", f"/users/me/muted_users/{cem.id}")
    gus.post(f"/users/me/muted_users/{world['bea'].id}")
