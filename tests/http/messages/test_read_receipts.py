"""Read receipts, and the endpoint that says which messages match a narrow."""

import pytest

from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from tests.security.attacking import nothing_changes, refusal
from tests.worlds.organization import Someone, World, is_


@pytest.fixture
def readers(world: World, ada: Someone) -> set[int]:
    """The readers in lunch of a message by ada, who is not listed herself."""
    world.change_organization(enable_read_receipts=True)
    return {world["bea"].id, world["gus"].id}


def receipts(who: Someone, message_id: int) -> set[int]:
    return set(who.get(f"/messages/{message_id}/read_receipts")["user_ids"])


def test_users_who_have_read_a_message(
    world: World, ada: Someone, bea: Someone, gus: Someone, cem: Someone, readers: set[int]
) -> None:
    sent = ada.says("soup", read_by_sender=True)
    assert receipts(cem, sent) == set()
    for who in (bea, gus):
        who.flagged("read", sent)
    assert receipts(ada, sent) == receipts(bea, sent) == readers
    bea.flagged("read", sent, op="remove")
    assert receipts(ada, sent) == {gus.id}
    cem.flagged("starred", sent)  # who was never sent it has it as read
    assert receipts(ada, sent) == {gus.id, cem.id}
    direct = ada.writes("soup", "bea", "cem")
    bea.flagged("read", direct)
    assert receipts(cem, direct) == {bea.id}


@pytest.mark.parametrize("hidden", ["by oneself", "deactivated", "muted", "has muted"])
def test_sec_50_users_who_are_not_listed(
    world: World, ada: Someone, bea: Someone, gus: Someone, readers: set[int], hidden: str
) -> None:
    sent = ada.says("soup")
    for who in (bea, gus):
        who.flagged("read", sent)
    match hidden:
        case "by oneself":
            bea.patch("/settings", send_read_receipts=False)
        case "deactivated":
            world["olga"].delete(f"/users/{bea.id}")
        case "muted":
            ada.post(f"/users/me/muted_users/{bea.id}")
        case _:
            bea.post(f"/users/me/muted_users/{ada.id}")
    assert receipts(ada, sent) == {gus.id}


def test_sec_50_a_limited_guest_sees_visible_users_only(
    world: World, ada: Someone, gus: Someone, cem: Someone, readers: set[int]
) -> None:
    sent = ada.says("soup")
    cem.flagged("starred", sent)
    assert receipts(gus, sent) == {cem.id}
    members = GroupSetting.of(SystemGroup.MEMBERS)
    world.change_organization(permissions={"can_access_all_users_group": members})
    assert receipts(gus, sent) == set()


def test_sec_50_unreadable_messages_have_no_receipts(world: World, ada: Someone, cem: Someone) -> None:
    open_one, hidden = ada.says("soup"), [ada.says("hush", "vault"), ada.writes("hush", "bea"), 10**9]
    with nothing_changes(world):
        refusal(ada, "GET", f"/messages/{open_one}/read_receipts")  # the organization has none
        world.change_organization(enable_read_receipts=True)
        answers = [refusal(cem, "GET", f"/messages/{one}/read_receipts") for one in hidden]
    assert answers[0] == answers[1] == answers[2]


def test_a_client_asks_which_messages_match(world: World, ada: Someone, bea: Someone, cem: Someone) -> None:
    soup, salad, hush = ada.says("the *soup* & more"), ada.says("salad"), ada.says("soup", "secret")
    direct = ada.writes("soup", "bea")
    asked = {"msg_ids": [soup, salad, hush, direct, 10**9]}

    def matching(who: Someone, *narrow: object) -> dict[str, dict[str, str]]:
        found: dict[str, dict[str, str]] = who.get("/messages/matches_narrow", **asked, narrow=[*narrow])[
            "messages"
        ]
        return found

    assert set(matching(bea, is_("search", "soup"))) == {str(soup), str(hush), str(direct)}
    assert matching(bea, is_("search", "soup"), is_("channel", "lunch")) == {
        str(soup): {
            "match_content": '<p>the <em><span class="highlight">soup</span></em> &amp; more</p>',
            "match_subject": "today",
        }
    }
    assert matching(bea, is_("topic", "today"), is_("channel", "lunch"))[str(salad)] == {
        "match_content": "<p>salad</p>",
        "match_subject": "today",
    }
    assert matching(cem, is_("search", "soup")) == {}  # cem may read one of them, but has none
    assert set(matching(bea)) == {str(one) for one in (soup, salad, hush, direct)}


@pytest.mark.parametrize(
    "wrong", [{"narrow": "soup"}, {"narrow": [["nonsense", "soup"]]}, {"msg_ids": "soup"}, {"msg_ids": None}]
)
def test_malformed_questions(ada: Someone, wrong: dict[str, object]) -> None:
    asked = {name: value for name, value in {"msg_ids": [1], "narrow": [], **wrong}.items() if value}
    assert ada.request("GET", "/messages/matches_narrow", **asked).status_code == 400
