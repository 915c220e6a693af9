"""Domains of the organization: maintained by owners, announced, and enforced for new addresses."""

from typing import Any

import pytest

from chatcore import BadRequest, open_chat
from chatcore.application.organization import domains as use_cases
from chatcore.application.people.accounts import NewUser, create_user
from chatcore.domain.organization.domains import Domain, checked_domain_name
from tests.worlds.organization import World

PATH = "/realm/domains"
ADDED = {"domain": "mail.example", "allow_subdomains": False}


def new_person(email: str) -> dict[str, Any]:
    return {"email": email, "full_name": "Newt", "password": "correct horse"}


def test_domains_are_added_changed_and_removed(world: World) -> None:
    olga, gus = world["olga"], world["gus"]
    line = gus.registers(event_types=["realm_domains"])
    assert line.state["realm_domains"] == []
    olga.post(PATH, domain=" Mail.Example ", allow_subdomains=False)
    for _ in range(2):
        olga.patch(f"{PATH}/mail.example", allow_subdomains=True)
    assert gus.get(PATH)["domains"] == [{**ADDED, "allow_subdomains": True}]
    fresh = gus.post("/register", fetch_event_types=["realm_domains"])
    assert fresh["realm_domains"] == gus.get(PATH)["domains"]
    olga.delete(f"{PATH}/MAIL.example")
    olga.refused("DELETE", f"{PATH}/mail.example")
    assert gus.get(PATH)["domains"] == []
    for event in (events := line.events()):
        del event["id"]
    assert events == [
        {"type": "realm_domains", "op": "add", "realm_domain": ADDED},
        {"type": "realm_domains", "op": "change", "realm_domain": {**ADDED, "allow_subdomains": True}},
        {"type": "realm_domains", "op": "remove", "domain": "mail.example"},
    ]


@pytest.mark.parametrize(
    ("domain", "said"),
    [
        ("", "Domain can't be empty."),
        ("example", "Domain must have at least one dot (.)"),
        (".example", "Domain cannot start or end with a dot (.)"),
        ("a.example.", "Domain cannot start or end with a dot (.)"),
        ("a..example", "Domain can only have letters, numbers, '.' and '-'s."),
        ("a_b.example", "Domain can only have letters, numbers, '.' and '-'s."),
        ("ä_.example", "Domain can only have letters, numbers, '.' and '-'s."),
        ("a.example\n.b", "Domain can only have letters, numbers, '.' and '-'s."),
        ("-a.example", "Subdomains cannot start or end with a '-'."),
        ("x" * 80 + ".example", "Domain is too long (limit: 80 characters)."),
    ],
)
def test_what_is_no_domain_is_refused(world: World, domain: str, said: str) -> None:
    with pytest.raises(BadRequest) as refusal:
        checked_domain_name(domain)
    assert str(refusal.value) == said
    assert world["olga"].refused("POST", PATH, domain=domain, allow_subdomains=False)["msg"] == said
    assert world["olga"].get(PATH)["domains"] == []


def test_a_domain_is_added_once_and_others_are_unknown(world: World) -> None:
    olga = world["olga"]
    olga.post(PATH, **ADDED)
    refusal = olga.refused("POST", PATH, domain="MAIL.example", allow_subdomains=True)
    assert refusal["msg"] == "Domain mail.example is already a part of your organization."
    for method in ("PATCH", "DELETE"):
        refusal = olga.refused(method, f"{PATH}/other.example", allow_subdomains=True)
        assert refusal["msg"] == "No entry found for domain other.example."
    assert olga.get(PATH)["domains"] == [ADDED]


def test_there_is_a_limit(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chatcore.domain.organization.domains.MAX_DOMAINS", 1)
    world["olga"].post(PATH, **ADDED)
    refusal = world["olga"].refused("POST", PATH, domain="other.example", allow_subdomains=False)
    assert refusal["msg"] == "There can be 1 domains at most."


def test_only_owners_change_the_domains(world: World) -> None:
    world["olga"].post(PATH, **ADDED)
    for who in ("adi", "mona", "ada", "gus", "robo"):
        for method, path in (
            ("POST", PATH),
            ("PATCH", f"{PATH}/mail.example"),
            ("DELETE", f"{PATH}/mail.example"),
        ):
            world[who].refused(
                method, path, code="UNAUTHORIZED_PRINCIPAL", domain="other.example", allow_subdomains=True
            )
    assert world["ada"].get(PATH)["domains"] == [ADDED]
    assert world.nobody.request("GET", PATH).status_code == 401


@pytest.fixture
def restricted(world: World) -> World:
    world.change_user("olga", can_create_users=True, can_change_user_emails=True)
    world["olga"].post(PATH, **ADDED)
    world["olga"].post(PATH, domain="deep.example", allow_subdomains=True)
    world["olga"].patch("/realm", emails_restricted_to_domains=True)
    return world


@pytest.mark.parametrize(
    ("email", "is_taken"),
    [
        ("newt@mail.example", True),
        ("newt@MAIL.example", True),
        ("newt@deep.example", True),
        ("newt@very.deep.example", True),
        ("newt@a.mail.example", False),
        ("newt@otherdeep.example", False),
        ("newt@other.example", False),
        ("newt+1@mail.example", False),
    ],
)
def test_new_addresses_are_restricted_to_the_domains(restricted: World, email: str, is_taken: bool) -> None:
    olga, ada = restricted["olga"], restricted["ada"]
    line = restricted["bea"].registers(event_types=["realm_user"])
    answers = [
        olga.request("POST", "/users", **new_person(email)),
        olga.request("PATCH", f"/users/{ada.id}", new_email=email.replace("newt", "ada")),
        olga.request("PATCH", "/settings", email=email.replace("newt", "olga")),
    ]
    assert [answer.status_code for answer in answers] == [200 if is_taken else 400] * 3
    assert bool(line.events()) is is_taken
    if not is_taken:
        assert {answer.get_json()["code"] for answer in answers} == {"BAD_REQUEST"}


def test_tools_and_bots_are_not_restricted(restricted: World) -> None:
    create_user(restricted.svc, NewUser(email="newt@other.example", full_name="Newt"))
    create_user(
        restricted.svc,
        NewUser(email="bot@other.example", full_name="Bot", is_bot=True),
        by=restricted.actor("olga"),
    )
    restricted["olga"].patch(f"/users/{restricted['robo'].id}", new_email="robo@other.example")


def test_addresses_are_free_again_without_the_last_domain(restricted: World) -> None:
    olga = restricted["olga"]
    line = restricted["ada"].registers(event_types=["realm"])
    olga.delete(f"{PATH}/mail.example")
    assert line.events() == []
    olga.delete(f"{PATH}/deep.example")
    (event,) = line.events()
    assert (event["property"], event["value"]) == ("emails_restricted_to_domains", False)
    olga.post("/users", **new_person("newt@other.example"))


def test_disposable_addresses_are_refused_unless_they_are_allowed(world: World) -> None:
    world.change_user("olga", can_create_users=True)
    olga = world["olga"]
    assert "valid email" in olga.refused("POST", "/users", **new_person("newt@mailinator.com."))["msg"]
    for email in ("newt@mailinator.com", "newt@a.b.Mailinator.com"):
        assert "Disposable" in olga.refused("POST", "/users", **new_person(email))["msg"]
    olga.post("/users", **new_person("newt@notmailinator.com"))
    olga.patch("/realm", disallow_disposable_email_addresses=False)
    olga.post("/users", **new_person("newt@mailinator.com"))


def test_a_program_maintains_domains() -> None:
    with open_chat(owner_email="ada@example.com") as chat:
        ada = chat.users.actor("ada@example.com")
        chat.domains.add(ada, "mail.example")
        chat.domains.update(ada, "mail.example", allow_subdomains=True)
        assert chat.domains.list() == use_cases.list_domains(chat.services)
        assert list(chat.domains.list()) == [Domain("mail.example", allow_subdomains=True)]
        chat.domains.remove(ada, "mail.example")
        assert list(chat.domains.list()) == []
