"""Invitations by address and by link: made, listed, sent again, revoked."""

from typing import Any

import pytest

from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.limits import Limits
from chatcore.domain.organization.domains import Domain
from chatcore.domain.roles import Role
from tests.worlds.joining import ORIGIN, greeting, invites, joins_by, makes_link, opens
from tests.worlds.mail import link_in, sent
from tests.worlds.organization import DAY, NOW, MakeWorld, World

LINKS_FOR_MEMBERS = {"create_multiuse_invite_group": GroupSetting.of(SystemGroup.MEMBERS)}


def failed(world: World, emails: str, by: str = "ada", **offer: Any) -> dict[str, Any]:
    given = {"invitee_emails": emails, "stream_ids": [], **offer}
    return world[by].refused("POST", "/invites", code="INVITATION_FAILED", **given)


def test_an_invitation_is_mailed_listed_and_announced(world: World) -> None:
    lines = {name: world[name].opens_queue("invites_changed") for name in ("olga", "adi", "ada", "bea")}
    invites(world["ada"], "Ned <ned@example.org>", invite_as=600, notify_referrer_on_join=False)
    (mail,) = sent(world)
    assert (mail["To"], "Ada has invited you" in mail["Subject"]) == ("ned@example.org", True)
    (one,) = world["ada"].get("/invites")["invites"]
    assert {**one, "id": 0} == {
        "id": 0, "invited_by_user_id": world["ada"].id, "invited": NOW, "expiry_date": NOW + 10 * DAY,
        "invited_as": 600, "email": "ned@example.org", "notify_referrer_on_join": False, "is_multiuse": False,
    }  # fmt: skip
    assert world["adi"].get("/invites")["invites"] == [one]
    assert world["bea"].get("/invites")["invites"] == []
    for name in ("olga", "adi", "ada"):
        assert [event["type"] for event in lines[name].events()] == ["invites_changed"]
    assert lines["bea"].events() == []


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Win at https://evil.example.com/x now", "Win at https:// evil. example. com/ x now"),
        ("www.evil.com", "www. evil. com"),
        ("ann@evil.com", "ann@ evil. com"),
        ("J.R. Fox Jr.", "J. R. Fox Jr."),
        ("A. Fox", "A. Fox"),
    ],
)
def test_sec_the_name_of_who_invites_is_no_link(world: World, name: str, shown: str) -> None:
    world.change_user("ada", full_name=name)
    invites(world["ada"], "ned@example.org")
    (mail,) = sent(world)
    assert mail["Subject"].startswith(f"{shown} has invited you")
    assert f"{shown} has invited you" in mail.get_content()


def test_a_link_is_listed_with_its_address(world: World) -> None:
    path = makes_link(world["adi"], invite_expires_in_minutes="null")
    (one,) = world["olga"].get("/invites")["invites"]
    assert (one["link_url"], one["expiry_date"], one["is_multiuse"]) == (ORIGIN + path, None, True)
    assert "email" not in one


@pytest.mark.parametrize("who", ["gus", "robo"])
def test_guests_and_bots_have_nothing_to_do_with_invitations(world: World, who: str) -> None:
    world[who].refused("GET", "/invites")
    world[who].refused("POST", "/invites", invitee_emails="ned@example.org", stream_ids=[])
    world[who].refused("POST", "/invites/multiuse")


def test_permissions_say_who_may_invite(world: World) -> None:
    assert "permission" in world["ada"].refused("POST", "/invites/multiuse")["msg"]
    nobody = GroupSetting.of(SystemGroup.NOBODY)
    world.change_organization(permissions={**LINKS_FOR_MEMBERS, "can_invite_users_group": nobody})
    makes_link(world["ada"])
    world["olga"].refused("POST", "/invites", invitee_emails="ned@example.org", stream_ids=[])
    assert sent(world) == []


@pytest.mark.parametrize(
    ("who", "role", "may"),
    [("olga", 100, True), ("adi", 100, False), ("adi", 200, True), ("mona", 200, False), ("mona", 300, True),
     ("ada", 300, False), ("ada", 400, True), ("ada", 600, True)],
)  # fmt: skip
def test_nobody_invites_above_the_own_role(world: World, who: str, role: int, *, may: bool) -> None:
    world.change_organization(permissions=LINKS_FOR_MEMBERS)
    for path, more in (("/invites/multiuse", {}), ("/invites", {"invitee_emails": "n@example.org"})):
        answer = world[who].request("POST", path, invite_as=role, stream_ids=[], **more)
        assert answer.status_code == (200 if may else 400)
        assert may or answer.get_json()["code"] == "UNAUTHORIZED_PRINCIPAL"


@pytest.mark.parametrize("minutes", ["0", "-1", "1.5", "x", str(10**18), ""])
def test_an_expiry_is_a_number_of_minutes(world: World, minutes: str) -> None:
    answer = world["olga"].request("POST", "/invites/multiuse", invite_expires_in_minutes=minutes)
    assert answer.status_code == 400
    assert world.count("invitation") == 0


@pytest.mark.parametrize("emails", ["", " , \n", ",,"])
def test_an_invitation_needs_an_address(world: World, emails: str) -> None:
    world["ada"].refused("POST", "/invites", invitee_emails=emails, stream_ids=[])


def test_a_name_with_a_comma_is_no_separator(world: World) -> None:
    invites(world["ada"], '"Bar, Erin" <erin@example.org>; ned@example.org')
    assert {mail["To"] for mail in sent(world)} == {"erin@example.org", "ned@example.org"}


# -- addresses that are skipped ---------------------------------------------------------------------


def test_addresses_that_have_an_account_or_an_invitation_are_skipped(world: World) -> None:
    world.change_user("cem", is_active=False)
    invites(world["bea"], "nia@example.org")
    answer = failed(world, "BEA@example.org\ncem@example.org,nia@example.org, ned@example.org")
    assert answer["errors"] == [
        ["BEA@example.org", "Already has an account.", False],
        ["cem@example.org", "Account has been deactivated.", True],
        ["nia@example.org", "Already has an invitation.", False],
    ]
    assert (answer["sent_invitations"], answer["daily_limit_reached"]) == (True, False)
    assert answer["license_limit_reached"] is False
    assert [mail["To"] for mail in sent(world)] == ["nia@example.org", "ned@example.org"]
    assert not failed(world, "bea@example.org")["sent_invitations"]


@pytest.mark.parametrize("email", ["nobody", "a b@example.org", "n@ex ample.org", "user8@chat.example.org"])
def test_with_an_invalid_address_nobody_is_invited(world: World, email: str) -> None:
    answer = failed(world, f"ned@example.org,{email}")
    assert answer["errors"] == [[email, "Invalid address.", False]]
    assert not answer["sent_invitations"]
    assert sent(world) == []
    assert world.count("invitation") == 0


def test_line_ends_in_an_address_make_two_addresses(world: World) -> None:
    failed(world, "ned@example.org\r\nBcc: spy@example.org")
    assert sent(world) == []


def test_rules_for_domains_apply(world: World) -> None:
    assert "Disposable" in failed(world, "n@mailinator.com")["errors"][0][1]
    world.change_organization(emails_restricted_to_domains=True, domains=(Domain("mail.example", False),))
    assert "domain" in failed(world, "n@example.org")["errors"][0][1]
    assert "+" in failed(world, "n+1@mail.example")["errors"][0][1]
    invites(world["ada"], "n@mail.example")


def test_without_mail_links_still_work(make_world: MakeWorld) -> None:
    world = make_world()
    refused = world["olga"].refused(
        "POST", "/invites", code="MAIL_DISABLED", invitee_emails="ned@example.org", stream_ids=[]
    )
    assert "link" in refused["msg"]
    assert opens(world, makes_link(world["olga"])).status_code == 200
    assert world.count("mail") == 0


def test_the_daily_limit_is_said_in_the_form_of_invitations(make_world: MakeWorld, world: World) -> None:
    folder = world.svc.settings.mail_folder
    world = make_world(mail_folder=folder, limits=Limits(max_invitations_per_user_and_day=2))
    answer = failed(world, "a@example.org,b@example.org,c@example.org")
    assert (answer["daily_limit_reached"], answer["sent_invitations"]) == (True, False)
    invites(world["ada"], "a@example.org", "b@example.org")
    assert failed(world, "c@example.org")["daily_limit_reached"]
    invites(world["adi"], "c@example.org", "d@example.org", "e@example.org")
    world.clock.advance(DAY)
    invites(world["ada"], "f@example.org")


def test_new_accounts_do_not_invite_where_everybody_can_join(world: World) -> None:
    world.change_organization(invite_required=False)
    world.change_user("ada", date_joined=NOW - 2 * DAY)
    world.change_user("adi", date_joined=NOW - 2 * DAY)
    assert "too new" in failed(world, "ned@example.org")["msg"]
    invites(world["adi"], "ned@example.org")
    world.clock.advance(DAY)
    invites(world["ada"], "nia@example.org")


# -- channels, groups and the welcome ---------------------------------------------------------------


def test_sec_11_channels_are_those_to_which_the_inviter_may_add_people(world: World) -> None:
    world.change_organization(permissions=LINKS_FOR_MEMBERS)
    for channel in ("vault", "attic"):  # bea cannot read the one, nobody writes to the other
        refused = world["bea"].refused("POST", "/invites/multiuse", stream_ids=[world.id(channel)])
        assert refused["msg"] == f"Invalid channel ID {world.id(channel)}. No invites were sent."
    assert "999" in world["bea"].refused("POST", "/invites/multiuse", stream_ids=[999])["msg"]
    admins = GroupSetting.of(SystemGroup.ADMINISTRATORS)
    world.change_organization(permissions={**LINKS_FOR_MEMBERS, "can_add_subscribers_group": admins})
    refused = world["bea"].refused("POST", "/invites/multiuse", stream_ids=[world.id("lunch")])
    assert "permission" in refused["msg"]
    makes_link(world["bea"], include_realm_default_subscriptions=True)


def test_groups_are_those_to_which_the_inviter_may_add_people(world: World) -> None:
    world.change_organization(permissions=LINKS_FOR_MEMBERS)
    world["ada"].post("/user_groups/create", name="cooks", description="", members=[])
    group = max(one["id"] for one in world["ada"].get("/user_groups")["user_groups"])
    for group_id in (group, 999, SystemGroup.ADMINISTRATORS.group_id):
        world["bea"].refused("POST", "/invites/multiuse", group_ids=[group_id])
    makes_link(world["ada"], group_ids=[group])


@pytest.mark.shows("level.welcome")
def test_only_administrators_write_a_welcome(world: World) -> None:
    world.change_organization(permissions=LINKS_FOR_MEMBERS)
    refused = {"code": "UNAUTHORIZED_PRINCIPAL", "welcome_message_custom_text": "Hello"}
    world["ada"].refused("POST", "/invites/multiuse", **refused)
    world["adi"].refused("POST", "/invites/multiuse", welcome_message_custom_text="x" * 8001)
    path = makes_link(world["adi"], welcome_message_custom_text="*Soup* at noon")
    joins_by(world, path, "ned", email="ned@example.org")
    assert "*Soup* at noon" in greeting(world, "ned")


# -- sending again and revoking ---------------------------------------------------------------------


def only_id(world: World) -> int:
    (one,) = world["olga"].get("/invites")["invites"]
    return int(one["id"])


def test_an_invitation_is_sent_again_and_lasts_as_long_as_before(world: World) -> None:
    invites(world["ada"], "ned@example.org", invite_expires_in_minutes=60)
    world.clock.advance(3000)
    world["adi"].post(f"/invites/{only_id(world)}/resend")
    (one,) = world["ada"].get("/invites")["invites"]
    assert (one["invited"], one["expiry_date"]) == (NOW + 3000, NOW + 3000 + 3600)
    first, second = sent(world)
    assert link_in(first) == link_in(second)
    world.clock.advance(3600)
    world["ada"].refused("POST", f"/invites/{one['id']}/resend")
    assert world["ada"].get("/invites")["invites"] == []


def test_who_may_revoke_an_invitation(world: World) -> None:
    invites(world["ada"], "ned@example.org")
    mail = only_id(world)
    for who in ("bea", "mona", "gus", "robo"):
        for method, path in (("DELETE", f"/invites/{mail}"), ("POST", f"/invites/{mail}/resend")):
            assert world[who].refused(method, path)["msg"] == "No such invitation"
    world["ada"].refused("DELETE", f"/invites/multiuse/{mail}")
    world["ada"].delete(f"/invites/{mail}")
    assert world["ada"].refused("DELETE", f"/invites/{mail}")["msg"] == "No such invitation"
    assert opens(world, link_in(sent(world)[0])).status_code == 404


def test_a_link_is_revoked(world: World) -> None:
    path = makes_link(world["olga"])
    link = only_id(world)
    world["olga"].refused("DELETE", f"/invites/{link}")
    world["olga"].refused("POST", f"/invites/{link}/resend")
    world["adi"].delete(f"/invites/multiuse/{link}")
    world["adi"].refused("DELETE", f"/invites/multiuse/{link}")
    assert joins_by(world, path, "ned", email="ned@example.org").status_code == 404


def test_sec_17_invitations_of_owners_belong_to_owners(world: World) -> None:
    """An administrator who saw such a link could become an owner by it."""
    makes_link(world["olga"], invite_as=int(Role.OWNER))
    invites(world["olga"], "ned@example.org", invite_as=int(Role.OWNER))
    by_mail, by_link = sorted(world["olga"].get("/invites")["invites"], key=lambda one: one["is_multiuse"])
    assert world["adi"].get("/invites")["invites"] == [by_mail]
    for method, path in (
        ("DELETE", f"/invites/{by_mail['id']}"),
        ("POST", f"/invites/{by_mail['id']}/resend"),
        ("DELETE", f"/invites/multiuse/{by_link['id']}"),
    ):
        world["adi"].refused(method, path, code="UNAUTHORIZED_PRINCIPAL")
    assert len(world["olga"].get("/invites")["invites"]) == 2


def test_expired_invitations_are_gone(world: World) -> None:
    path = makes_link(world["olga"], invite_expires_in_minutes=1)
    world.clock.advance(60)
    assert world["olga"].get("/invites")["invites"] == []
    assert opens(world, path).status_code == 404
    makes_link(world["olga"])
    assert world.count("invitation") == 1
