"""Joining by the page of a link: the account gets what the invitation offers, once."""

import logging

import pytest
from werkzeug.test import Client

from chatcore.application.invitations.joining import Newcomer, ask_to_join, join
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.invitations.invitations import NoSuchLink
from chatcore.domain.organization.domains import Domain
from tests.worlds.joining import (
    ORIGIN,
    PASSWORD,
    Tags,
    arrived,
    fills_in,
    greeting,
    invites,
    joins_by,
    makes_link,
    member,
    opens,
)
from tests.worlds.mail import link_in, sent
from tests.worlds.organization import DAY, FROM, MakeWorld, World, at_once


def invited(world: World, email: str = "ned@example.org", by: str = "ada", **offer: object) -> str:
    """Invite; return the path of the link."""
    invites(world[by], email, **offer)
    return link_in(sent(world)[-1])


def test_an_invited_person_joins_and_logs_in(world: World) -> None:
    line = world["ada"].opens_queue("invites_changed", "message")
    path = invited(world, stream_ids=[world.id("secret")])
    page = opens(world, path)
    assert "Join Analytical Society" in page.text
    assert "ned@example.org" in page.text
    assert Tags(page.text).inputs == ["full_name", "password"]
    assert joins_by(world, path, "ned").status_code == 200
    login = world.nobody.post("/fetch_api_key", username="ned@example.org", password=PASSWORD)
    new = member(world, "ned@example.org")
    assert new is not None
    assert (new["user_id"], new["full_name"], new["role"]) == (login["user_id"], "Ned", 400)
    subscribed = arrived(world, "ned").get("/users/me/subscriptions")["subscriptions"]
    assert [one["name"] for one in subscribed] == ["secret"]
    received = [event.get("message", {}).get("content") or event["type"] for event in line.events()]
    accepted = f"@_**Ned|{new['user_id']}** accepted your invitation to join this organization."
    assert received == ["invites_changed", accepted, "invites_changed"]
    assert world.count("invitation") == 0


def test_who_has_joined_is_logged_in_at_once(world: World) -> None:
    browser = Client(world.answers)
    form = {"full_name": "Ned", "password": PASSWORD}
    joined = browser.post(
        invited(world), data=form, base_url=ORIGIN, headers={"Origin": ORIGIN}, environ_base=FROM
    )
    assert (joined.status_code, joined.headers["Location"]) == (302, f"{ORIGIN}/#session")
    assert "HttpOnly" in joined.headers["Set-Cookie"]
    headers = {"X-Chat-Page": "1"}
    me = browser.get("/api/v1/users/me", base_url=ORIGIN, headers=headers, environ_base=FROM).get_json()
    assert me["delivery_email"] == "ned@example.org"


def test_who_needs_an_invitation_is_told_before_a_form(world: World) -> None:
    assert Tags(opens(world, "/join").text).inputs == []
    world.change_organization(invite_required=False)
    assert Tags(opens(world, "/join").text).inputs == ["email"]


def test_sec_36_the_address_is_that_of_the_invitation(world: World) -> None:
    path = invited(world)
    joins_by(world, path, "ned", email="spy@example.org")
    assert member(world, "spy@example.org") is None
    assert member(world, "ned@example.org") is not None


def test_sec_36_an_invitation_is_used_once(world: World) -> None:
    path = invited(world)
    assert joins_by(world, path, "ned").status_code == 200
    assert opens(world, path).status_code == 404
    assert joins_by(world, path, "ned").status_code == 404
    before = world.count("account")
    path = invited(world, "nia@example.org")
    statuses = at_once(*[lambda: joins_by(world, path, "nia").status_code] * 4)
    assert sorted(statuses) == [200, 404, 404, 404]
    assert world.count("account") == before + 1


def test_a_link_is_used_by_many(world: World) -> None:
    path = makes_link(world["olga"], invite_as=600, stream_ids=[world.id("lunch")])
    for name in ("ned", "nia"):
        assert joins_by(world, path, name, email=f"{name}@example.org").status_code == 200
    new = member(world, "nia@example.org")
    assert new is not None
    assert new["is_guest"]
    assert "* #**lunch**" in greeting(world, "nia")


def test_sec_36_a_link_for_many_makes_accounts_of_confirmed_addresses(world: World) -> None:
    path = makes_link(world["olga"], invite_as=600)
    form = {"full_name": "Ned", "password": PASSWORD, "email": "ned@example.org"}
    assert fills_in(world, path, **form).status_code == 200
    assert member(world, "ned@example.org") is None
    with pytest.raises(BadRequest, match="confirm"):
        join(world.svc, path.rpartition("/")[2], Newcomer(**form))
    assert fills_in(world, path, **{**form, "email": "bea@example.org"}).status_code == 200
    (mail,) = sent(world)
    assert mail["To"] == "ned@example.org", "who has an account gets none"
    confirmed = link_in(mail)
    assert Tags(opens(world, confirmed).text).inputs == ["full_name", "password"]
    assert fills_in(world, confirmed, **{**form, "email": "spy@example.org"}).status_code == 200
    new = member(world, "ned@example.org")
    assert new is not None
    assert new["is_guest"]
    assert fills_in(world, confirmed, **form).status_code == 404
    assert fills_in(world, path, **{**form, "email": "nia@example.org"}).status_code == 200
    left = link_in(sent(world)[-1])
    (link,) = world["olga"].get("/invites")["invites"]
    world["olga"].delete(f"/invites/multiuse/{link['id']}")
    assert fills_in(world, left, **form).status_code == 404
    with pytest.raises(NoSuchLink):
        ask_to_join(world.svc, "nia@example.org", token=invited(world, "nia@example.org").rpartition("/")[2])


def test_without_mail_people_state_their_addresses(make_world: MakeWorld) -> None:
    world = make_world()
    path = makes_link(world["olga"])
    assert Tags(opens(world, path).text).inputs == ["full_name", "email", "password"]
    assert joins_by(world, path, "ned", email="ned@example.org").status_code == 200
    assert joins_by(world, path, "ned", email="NED@example.org").status_code == 400


def test_groups_and_default_channels_come_with_it(world: World) -> None:
    world["olga"].post("/default_streams", stream_id=world.id("plaza"))
    world["olga"].post("/user_groups/create", name="cooks", description="", members=[])
    group = max(one["id"] for one in world["olga"].get("/user_groups")["user_groups"])
    path = makes_link(world["olga"], group_ids=[group], include_realm_default_subscriptions=True)
    joins_by(world, path, "ned", email="ned@example.org")
    ned = arrived(world, "ned")
    assert [one["name"] for one in ned.get("/users/me/subscriptions")["subscriptions"]] == ["plaza"]
    assert ned.id in ned.get(f"/user_groups/{group}/members")["members"]
    path = makes_link(world["olga"])
    joins_by(world, path, "nia", email="nia@example.org")
    assert arrived(world, "nia").get("/users/me/subscriptions")["subscriptions"] == []


def test_what_the_inviter_may_not_do_any_more_is_left_out(world: World) -> None:
    world["ada"].post("/user_groups/create", name="cooks", description="", members=[])
    group = max(one["id"] for one in world["ada"].get("/user_groups")["user_groups"])
    wanted = [world.id("secret"), world.id("lunch"), world.id("plaza")]
    path = invited(world, stream_ids=wanted, group_ids=[group])
    world["ada"].leaves("secret")
    world.archive("lunch")
    admins = GroupSetting.of(SystemGroup.ADMINISTRATORS)
    world["olga"].patch(f"/user_groups/{group}", can_manage_group={"new": 2})
    world["olga"].patch(f"/user_groups/{group}", can_add_members_group={"new": 2})
    world.permit("plaza", can_administer_channel_group=admins)
    joins_by(world, path, "ned")
    ned = arrived(world, "ned")
    assert [one["name"] for one in ned.get("/users/me/subscriptions")["subscriptions"]] == ["plaza"]
    assert ned.get(f"/user_groups/{group}/members")["members"] == []


def test_sec_36_invitations_end_with_the_right_to_invite(world: World) -> None:
    by_mail, by_link = invited(world, by="adi"), makes_link(world["adi"], invite_as=200)
    world.change_user("adi", role=400)
    assert opens(world, by_link).status_code == 404  # above the role of a member
    assert opens(world, by_mail).status_code == 200
    nobody = GroupSetting.of(SystemGroup.NOBODY)
    world.change_organization(permissions={"can_invite_users_group": nobody})
    assert joins_by(world, by_mail, "ned").status_code == 404
    world.change_organization(permissions={})
    world.change_user("adi", is_active=False)
    assert joins_by(world, by_mail, "ned").status_code == 404
    world.change_user("adi", is_active=True)
    assert joins_by(world, by_mail, "ned").status_code == 200


def test_domains_are_checked_when_one_joins(world: World) -> None:
    by_mail, by_link = invited(world), makes_link(world["olga"])
    world.change_organization(emails_restricted_to_domains=True, domains=(Domain("mail.example", False),))
    assert joins_by(world, by_mail, "ned").status_code == 400
    assert joins_by(world, by_link, "ned", email="ned@example.org").status_code == 400
    assert joins_by(world, by_link, "ned", email="ned@mail.example").status_code == 200


def test_refusals_are_pages_and_change_nothing(make_world: MakeWorld) -> None:
    world = make_world()
    path, before = makes_link(world["olga"]), world.count("account")
    for form in (
        {"password": "short"}, {"full_name": "x"}, {"full_name": "<b>`"}, {"email": "nobody"},
        {"email": "bea@example.org"}, {"email": "user8@chat.example.org"}, {"email": "n@mailinator.com"},
        {"password": "x" * 101}, {"full_name": "Notification Bot"},
    ):  # fmt: skip
        answer = fills_in(
            world, path, **{"full_name": "Ned", "password": PASSWORD, "email": "n@x.org", **form}
        )
        assert answer.status_code == 400, form
        assert answer.content_type == "text/html; charset=utf-8"
        assert "<b>" not in answer.text
    assert fills_in(world, path, email="n@x.org").status_code == 400
    world.change_organization(password_auth_enabled=False)
    assert joins_by(world, path, "ned", email="n@x.org").status_code == 401
    assert world.count("account") == before


def test_pages_have_no_scripts_and_a_strict_policy(world: World) -> None:
    world.change_organization(name="<script>alert(1)</script>")
    page = opens(world, makes_link(world["olga"]))
    assert page.headers["Content-Security-Policy"].startswith("default-src 'none';")
    assert page.headers["Referrer-Policy"] == "same-origin"
    assert page.headers["X-Frame-Options"] == "DENY"
    assert page.headers["Cache-Control"] == "no-store"
    found = Tags(page.text).found
    assert not found & {"script", "link", "img", "iframe", "action"}
    assert not [name for name in found if name.startswith("on")]
    assert "alert(1)" in page.text


def test_forms_of_other_sites_are_refused(world: World) -> None:
    path = makes_link(world["olga"])
    answer = fills_in(
        world, path, origin="https://evil.example", full_name="Ned", email="n@x.org", password=PASSWORD
    )
    assert answer.status_code == 403
    assert member(world, "n@x.org") is None


def test_wrong_links_are_counted(make_world: MakeWorld) -> None:
    world = make_world(rate_limit_rules={"links_by_ip": "3 per 600 seconds"})
    path = makes_link(world["olga"])
    for _ in range(3):
        assert opens(world, "/join/" + "0" * 40).status_code == 404
    refused = opens(world, path)
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) > 0
    world.clock.advance(600)
    for _ in range(4):
        assert opens(world, path).status_code == 200


def test_a_deactivated_organization_lets_nobody_in(world: World) -> None:
    path = makes_link(world["olga"])
    world.change_organization(is_deactivated=True)
    assert opens(world, path).status_code == 401
    assert joins_by(world, path, "ned", email="ned@example.org").status_code == 401


def test_the_store_and_the_log_have_no_links(world: World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    path = invited(world)
    token = path.rpartition("/")[2]
    (one,) = world.storage.read(lambda snapshot: snapshot.invitations.all())
    assert token not in repr(one)
    opens(world, path)
    joins_by(world, path, "ned")
    assert "/join/*" in caplog.text
    assert token not in caplog.text


# -- where everybody can join -----------------------------------------------------------------------


def test_everybody_joins_with_a_confirmed_address(world: World) -> None:
    refused = fills_in(world, "/join", email="ned@example.org")
    assert (refused.status_code, sent(world)) == (400, [])
    world["olga"].post("/default_streams", stream_id=world.id("plaza"))
    world.change_organization(invite_required=False)
    assert Tags(opens(world, "/join").text).inputs == ["email"]
    assert fills_in(world, "/join", email="ned@example.org").status_code == 200
    path = link_in(sent(world)[0])
    assert joins_by(world, path, "ned", email="spy@example.org").status_code == 200
    ned = arrived(world, "ned")
    assert [one["name"] for one in ned.get("/users/me/subscriptions")["subscriptions"]] == ["plaza"]
    assert joins_by(world, path, "ned").status_code == 404
    assert world.count("confirmation") == 0


def test_a_link_to_join_ends(world: World) -> None:
    world.change_organization(invite_required=False)
    fills_in(world, "/join", email="ned@example.org")
    fills_in(world, "/join", email="ned@example.org")
    first, second = (link_in(mail) for mail in sent(world))
    assert opens(world, first).status_code == 404
    world.change_organization(invite_required=True)
    assert opens(world, second).status_code == 404
    world.change_organization(invite_required=False)
    assert opens(world, second).status_code == 200
    world.clock.advance(DAY)
    assert opens(world, second).status_code == 404


def test_nobody_learns_who_has_an_account(world: World) -> None:
    world.change_organization(invite_required=False)
    known = fills_in(world, "/join", email="bea@example.org")
    unknown = fills_in(world, "/join", email="ned@example.org")
    assert (known.status_code, known.text) == (unknown.status_code, unknown.text)
    assert [mail["To"] for mail in sent(world)] == ["ned@example.org"]


def test_mails_are_counted_by_address(make_world: MakeWorld, world: World) -> None:
    rules = {"sends_email_by_ip": "3 per 600 seconds", "join_form_by_email": "2 per 600 seconds"}
    world = make_world(mail_folder=world.svc.settings.mail_folder, rate_limit_rules=rules)
    world.change_organization(invite_required=False)
    asked = ["ned@example.org", "NED@example.org", "ned@example.org", "nia@example.org"]
    assert [fills_in(world, "/join", email=email).status_code for email in asked] == [200, 200, 429, 429]


def test_people_join_at_the_address_to_which_they_have_connected(make_world: MakeWorld) -> None:
    """On a server whose address is not set, links lead to the IP address by which a client came."""
    world = make_world(external_url="http://127.0.0.1:9991", url_is_a_guess=True)
    world["olga"].headers["Host"] = "192.168.1.20:9991"
    link = world["olga"].post("/invites/multiuse")["invite_link"]
    assert link.startswith("http://192.168.1.20:9991/join/")
    assert world["olga"].get("/invites")["invites"][0]["link_url"] == link
    form = {"full_name": "Ned", "email": "ned@x.org", "password": PASSWORD}

    def sends(origin: str, host: str = "192.168.1.20:9991") -> int:
        path = link.removeprefix("http://192.168.1.20:9991")
        headers = {"Origin": origin, "Host": host}
        return Client(world.answers).post(path, data=form, headers=headers).status_code

    assert sends("http://192.168.1.21:9991") == 403
    assert sends("http://evil.example", "evil.example") == 403
    assert sends("http://192.168.1.20:9991") == 302
