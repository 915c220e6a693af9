"""Links in mails: a new address of one's own, and a new password."""

import pytest

from chatcore.application.people import passwords
from chatcore.application.people.accounts import allow_email_changes
from tests.worlds.joining import PASSWORD, Tags, fills_in, member, opens
from tests.worlds.mail import link_in, sent
from tests.worlds.organization import DAY, MakeWorld, World

NEW = "adele@example.org"


def test_an_address_changes_when_its_link_is_followed(world: World) -> None:
    line = world["bea"].opens_queue("realm_user")
    world["ada"].patch("/settings", email=NEW)
    assert member(world, NEW) is None
    (asked,) = sent(world)
    assert asked["To"] == NEW
    assert opens(world, link_in(asked)).status_code == 200
    assert member(world, NEW) is None
    assert line.events() == []
    assert fills_in(world, link_in(asked)).status_code == 200
    changed = member(world, NEW)
    assert changed is not None
    assert changed["user_id"] == world["ada"].id
    assert [event["person"].get("new_email") for event in line.events()][-1] == NEW
    notice = sent(world)[-1]
    assert (notice["To"], NEW in notice.get_content()) == ("ada@example.org", True)
    assert fills_in(world, link_in(asked)).status_code == 404


def test_the_address_is_checked_before_and_after(world: World) -> None:
    world["ada"].refused("PATCH", "/settings", email="bea@example.org")
    world["ada"].refused("PATCH", "/settings", email="nobody")
    world["ada"].refused("PATCH", "/settings", email="ä@example.org")
    world["ada"].patch("/settings", email=NEW)
    world["bea"].patch("/settings", email=NEW)
    first, second = (link_in(mail) for mail in sent(world))
    assert fills_in(world, second).status_code == 200
    assert fills_in(world, first).status_code == 400
    world["cem"].patch("/settings", email="c@example.org")
    path = link_in(sent(world)[-1])
    world.change_organization(email_changes_disabled=True)
    assert fills_in(world, path).status_code == 400
    world["cem"].refused("PATCH", "/settings", email="d@example.org")


def test_a_link_to_an_address_ends(world: World) -> None:
    def asks(name: str) -> str:
        world[name].patch("/settings", email=f"new-{name}@example.org")
        return link_in(sent(world)[-1])

    first = asks("ada")
    second = asks("ada")
    assert opens(world, first).status_code == 404
    world.clock.advance(DAY)
    assert fills_in(world, second).status_code == 404
    path = asks("bea")
    world.change_user("bea", is_active=False)
    assert fills_in(world, path).status_code == 404
    path = asks("cem")
    world["cem"].post("/users/me/api_key/regenerate")
    assert fills_in(world, path).status_code == 404


def test_owners_confirm_too_where_there_is_mail(world: World, make_world: MakeWorld) -> None:
    allow_email_changes(world.svc, "olga@example.org")
    world["olga"].patch("/settings", email=NEW)
    assert member(world, NEW) is None
    without = make_world()
    without["ada"].refused("PATCH", "/settings", email=NEW)
    without["olga"].patch("/settings", email=NEW)


# -- passwords --------------------------------------------------------------------------------------


def asks_for_password(world: World, email: str = "ada@example.org") -> str:
    assert fills_in(world, "/reset", email=email).status_code == 200
    return link_in(sent(world)[-1])


def test_a_forgotten_password_is_replaced(world: World) -> None:
    world.change_user("ada", password_hash=passwords.hash_password("forgotten"))
    assert Tags(opens(world, "/reset").text).inputs == ["email"]
    path = asks_for_password(world, "ADA@example.org")
    assert sent(world)[-1]["To"] == "ada@example.org"
    assert Tags(opens(world, path).text).inputs == ["password"]
    assert fills_in(world, path, password="short").status_code == 400
    assert fills_in(world, path, password=PASSWORD).status_code == 200
    world.nobody.post("/fetch_api_key", username="ada@example.org", password=PASSWORD)
    world["ada"].refused("GET", "/users/me", status=401, code="UNAUTHORIZED")
    assert fills_in(world, path, password=PASSWORD).status_code == 404


def test_nobody_learns_who_has_an_account(world: World) -> None:
    world.change_user("cem", is_active=False)
    answers = {
        email: fills_in(world, "/reset", email=f"{email}@example.org")
        for email in ("ada", "nobody", "cem", "robo", "a b")
    }
    assert len({(answer.status_code, answer.text) for answer in answers.values()}) == 1
    assert [mail["To"] for mail in sent(world)] == ["ada@example.org"]


def test_sec_36_a_link_to_a_password_ends(world: World) -> None:
    path = asks_for_password(world)
    world.clock.advance(3600)
    assert opens(world, path).status_code == 404
    path = asks_for_password(world)
    world.change_user("ada", email="elsewhere@example.org")
    assert fills_in(world, path, password=PASSWORD).status_code == 404
    path = asks_for_password(world, "bea@example.org")
    world["bea"].post("/users/me/api_key/regenerate")
    assert fills_in(world, path, password=PASSWORD).status_code == 404


def test_sec_36_links_of_an_account_end_with_its_deactivation(world: World) -> None:
    reset = asks_for_password(world, "bea@example.org")
    world["bea"].patch("/settings", email=NEW)
    confirm = link_in(sent(world)[-1])
    world["olga"].delete(f"/users/{world['bea'].id}")
    world["olga"].post(f"/users/{world['bea'].id}/reactivate")
    for path in (reset, confirm):
        assert opens(world, path).status_code == 404
    assert world.count("confirmation") == 0


def test_sec_36_links_are_for_one_purpose(world: World) -> None:
    reset = asks_for_password(world)
    world["bea"].patch("/settings", email=NEW)
    confirm = link_in(sent(world)[-1])
    for path, other in ((reset, "/confirm/"), (reset, "/join/"), (confirm, "/reset/"), (confirm, "/join/")):
        assert opens(world, other + path.rpartition("/")[2]).status_code == 404


def test_requests_are_counted_by_address(world: World) -> None:
    statuses = [fills_in(world, "/reset", email="nobody@example.org").status_code for _ in range(3)]
    assert statuses == [200, 200, 429]


def test_without_mail_or_passwords_there_is_none(world: World, make_world: MakeWorld) -> None:
    world.change_organization(password_auth_enabled=False)
    assert fills_in(world, "/reset", email="ada@example.org").status_code == 401
    assert fills_in(make_world(), "/reset", email="ada@example.org").status_code == 400


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize(
    "email", ["a\x00@example.org", "", " ", "x" * 300, "ada@example.org\r\nBcc: x@y.example"]
)
def test_sec_any_text_is_answered_like_an_address(world: World, email: str) -> None:
    assert fills_in(world, "/reset", email=email).status_code == 200
    assert world.count("mail") == 0
