"""Addresses with domains in letters of all languages: each spelling of the domain is the same address."""

from pathlib import Path
from typing import Any

import pytest

from chatcore.application.people import passwords
from chatcore.application.people.accounts import NewUser, create_user
from chatcore.application.people.logins import authenticate
from chatcore.domain.errors import BadRequest, Unauthorized
from tests.worlds.joining import PASSWORD, fills_in, invites, joins_by, makes_link, member
from tests.worlds.mail import link_in, sent
from tests.worlds.organization import MakeWorld, World, is_, make_world

__all__ = ["make_world"]

SPELLED, PLAIN = "erin@bücher.example", "erin@xn--bcher-kva.example"
FAILED = "INVITATION_FAILED"
SPELLINGS = (SPELLED, "Erin@BÜCHER.example", PLAIN)


@pytest.fixture
def world(make_world: MakeWorld, tmp_path: Path) -> World:
    return make_world(mail_folder=tmp_path / "mail")


def created(world: World, email: str, **more: Any) -> None:
    create_user(world.svc, NewUser(email=email, full_name="Erin Fox", password=PASSWORD, **more))
    world.storage.read(world.know)


def logs_in(world: World, email: str, password: str = PASSWORD) -> bool:
    answer = world.nobody.request("POST", "/fetch_api_key", username=email, password=password)
    return answer.status_code == 200


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize("email", [SPELLED, PLAIN])
def test_one_mailbox_has_one_account(world: World, email: str) -> None:
    created(world, email)
    world.change_user("olga", can_create_users=True)
    for other in SPELLINGS:
        refused = world["olga"].refused(
            "POST", "/users", email=other, full_name="Erin Two", password=PASSWORD
        )
        assert "already in use" in refused["msg"]
        assert logs_in(world, other)
        assert world["olga"].get(f"/users/{other}")["user"]["delivery_email"] == PLAIN
        world["ada"].post("/messages", type="direct", to=[other], content="soup?")
        world["ada"].reads(is_("sender", other))
    assert not logs_in(world, "erin@other.example")


def test_all_spellings_have_the_attempts_of_one_name(world: World) -> None:
    created(world, PLAIN)
    tries = [
        world.nobody.request("POST", "/fetch_api_key", username=email, password="wrong").status_code
        for email in SPELLINGS * 2
    ]
    assert tries == [401] * 5 + [429]


NOBODYS = (
    "-bad-.example", "bad-.example", "-bad.example", "bad..example", ".example", "example.", "-", ".",
    "ba_d.example", "ba!d.example", "[192.0.2.1", f"{'b' * 64}.example", "-bücher.example", "bü cher.example",
)  # fmt: skip
SOMEBODYS = (
    "localhost",
    "EXAMPLE.com",
    "1.example",
    "192.0.2.1",
    "a--b.example",
    "xn--strae-oqa.xn--e1afmkfd",
)


def test_no_account_has_an_address_in_a_domain_that_nobody_has(world: World) -> None:
    olga, ada = world["olga"], world["ada"]
    world.change_user("olga", can_create_users=True, can_change_user_emails=True)
    for email in (f"erin@{domain}" for domain in NOBODYS):
        for refused in (
            olga.refused("POST", "/users", email=email, full_name="Erin Fox", password=PASSWORD),
            olga.refused("PATCH", f"/users/{ada.id}", new_email=email),
            ada.refused("PATCH", "/settings", email=email),
        ):
            assert "Enter a valid email address" in refused["msg"]
        olga.refused("POST", "/invites", invitee_emails=email, stream_ids=[], code=FAILED)
        with pytest.raises(BadRequest, match="valid email"):
            create_user(world.svc, NewUser(email=email, full_name="Erin Fox"))


def test_domains_that_there_can_be_are_taken(world: World) -> None:
    for number, domain in enumerate(SOMEBODYS):
        new = NewUser(email=f"erin@{domain}", full_name=f"Erin {number}")
        assert create_user(world.svc, new).email == f"erin@{domain}"


@pytest.mark.parametrize("host", ["chat_server:9991", "[::1]:9991"])
def test_bots_have_addresses_at_any_host(make_world: MakeWorld, host: str) -> None:
    world = make_world(external_url=f"http://{host}")
    world["ada"].post("/bots", full_name="Robby", short_name="robby")


def test_a_person_is_invited_and_joins(world: World) -> None:
    invites(world["olga"], f"Erin Fox <{SPELLED}>")
    (mail,) = sent(world)
    assert mail["To"] == PLAIN
    world["olga"].refused("POST", "/invites", invitee_emails=PLAIN, stream_ids=[], code=FAILED)
    assert joins_by(world, link_in(mail), "erin").status_code == 200
    assert member(world, PLAIN) is not None
    world["olga"].refused("POST", "/invites", invitee_emails=SPELLED, stream_ids=[], code=FAILED)


def test_a_person_joins_by_a_link_for_many(world: World) -> None:
    assert joins_by(world, makes_link(world["olga"]), "erin", email=SPELLED).status_code == 200
    assert [mail["To"] for mail in sent(world)] == [PLAIN]
    assert member(world, PLAIN) is not None


def test_an_address_is_changed_to_one(world: World) -> None:
    world["ada"].patch("/settings", email=SPELLED)
    (mail,) = sent(world)
    assert mail["To"] == PLAIN
    assert fills_in(world, link_in(mail)).status_code == 200
    changed = member(world, PLAIN)
    assert changed is not None
    assert changed["user_id"] == world["ada"].id
    world["bea"].refused("PATCH", "/settings", email=SPELLED)


def test_a_forgotten_password_is_replaced(world: World) -> None:
    created(world, SPELLED)
    for number, email in enumerate((SPELLED, PLAIN)):
        assert fills_in(world, "/reset", email=email).status_code == 200
        assert len(sent(world)) == number + 1
    assert {mail["To"] for mail in sent(world)} == {PLAIN}
    assert fills_in(world, link_in(sent(world)[-1]), password="another horse").status_code == 200
    assert logs_in(world, SPELLED, "another horse")


def test_accounts_that_are_older_stay(world: World) -> None:
    """Two accounts with spellings of one address could be made once."""
    old = world.add_user("old", email=SPELLED, password_hash=passwords.hash_password("old horse"))
    assert logs_in(world, PLAIN, "old horse")
    assert fills_in(world, "/reset", email=PLAIN).status_code == 200
    assert [mail["To"] for mail in sent(world)] == [PLAIN]
    world.add_user("new", email=PLAIN, password_hash=passwords.hash_password("new horse"))
    assert [logs_in(world, email, "old horse") for email in (SPELLED, PLAIN)] == [True, False]
    assert [logs_in(world, email, "new horse") for email in (SPELLED, PLAIN)] == [False, True]
    assert old.get("/users/me")["delivery_email"] == SPELLED


def test_a_key_goes_with_each_spelling(world: World) -> None:
    created(world, SPELLED)
    key = world.nobody.post("/fetch_api_key", username=SPELLED, password=PASSWORD)["api_key"]
    for email in (SPELLED, PLAIN):
        assert authenticate(world.svc, email, key).user_id == world.users["erin"].id
    with pytest.raises(Unauthorized):
        authenticate(world.svc, PLAIN.upper(), key)


def test_domains_of_the_organization_have_each_spelling(world: World) -> None:
    olga = world["olga"]
    olga.post("/realm/domains", domain="BÜCHER.example", allow_subdomains=True)
    olga.refused("POST", "/realm/domains", domain="xn--bcher-kva.example", allow_subdomains=False)
    assert [one["domain"] for one in olga.get("/realm/domains")["domains"]] == ["xn--bcher-kva.example"]
    world.change_organization(emails_restricted_to_domains=True)
    invites(olga, SPELLED, "cem@xn--bcher-kva.example", "dan@laden.bücher.example")
    olga.refused("POST", "/invites", invitee_emails="dan@küche.example", stream_ids=[], code=FAILED)
    olga.patch("/realm/domains/bücher.example", allow_subdomains=False)
    olga.delete("/realm/domains/bücher.example")
    assert olga.get("/realm/domains")["domains"] == []


def test_a_domain_that_has_no_form_for_mail_is_refused(world: World) -> None:
    for email in ("erin@ü..example", f"erin@{'ü' * 70}.example", "erin@a b.ü", f"erin@{'ü' * 900}"):
        world["olga"].refused("POST", "/invites", invitee_emails=email, stream_ids=[], code=FAILED)
        world["ada"].refused("PATCH", "/settings", email=email)
        with pytest.raises(BadRequest):
            created(world, email)
