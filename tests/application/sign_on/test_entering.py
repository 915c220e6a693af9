"""Accounts are found, made and changed by what a provider says of people."""

from pathlib import Path
from typing import Any

import pytest

from chatcore.application.people.sessions import Browser, find_actor
from chatcore.application.sign_on.entering import begin_session_as, forget_identities, log_in_as
from chatcore.domain.errors import BadRequest, ChatError, OrganizationDeactivated, UserDeactivated
from chatcore.domain.invitations.invitations import InvitationRequired
from chatcore.domain.limits import Limits
from chatcore.domain.roles import Role
from chatcore.domain.sign_on.external_identities import (
    AddressNotVerified,
    BadIdentity,
    ExternalIdentity,
    IdentityConflict,
)
from tests.worlds.groups import NOBODY, deactivates, makes
from tests.worlds.organization import MakeWorld, World


def enters(world: World, subject: str, *, provider: str = "work", **said: Any) -> str:
    """Log in; return the name of the account."""
    login = log_in_as(world.svc, ExternalIdentity(provider=provider, subject=subject, **said))
    world.take_keys()
    (name,) = [name for name, user in world.users.items() if user.id == login.user_id]
    assert login.api_key == world.keys[name]
    return name


def kinds(world: World) -> list[str]:
    return [entry["kind"] for entry in reversed(world["olga"].get("/audit")["entries"])]


def refusal(world: World, error: type[ChatError], subject: str, **said: Any) -> ChatError:
    """Log in, which is refused and changes nothing."""
    tables = ("account", "external_identity", "audit_entry", "browser_session")
    before = [world.count(table) for table in tables]
    with pytest.raises(error) as refused:
        enters(world, subject, **said)
    assert [world.count(table) for table in tables] == before
    return refused.value


def test_the_account_is_that_of_the_address_first_and_of_the_subject_then(world: World) -> None:
    assert enters(world, "1", email="ADA@Example.org") == "ada"
    assert enters(world, "1") == "ada"
    assert enters(world, "1", email="bea@example.org") == "ada"
    assert world.users["ada"].email == "ada@example.org"
    assert kinds(world) == ["identity_linked", "logged_in", "logged_in", "logged_in"]


def test_a_subject_is_of_its_provider_and_of_its_spelling(world: World) -> None:
    assert enters(world, "a", email="ada@example.org") == "ada"
    refusal(world, AddressNotVerified, "A")
    refusal(world, AddressNotVerified, "a", provider="school")
    assert enters(world, "A", email="bea@example.org") == "bea"
    assert enters(world, "a", email="cem@example.org", provider="school") == "cem"


def test_an_address_that_another_subject_gets_gives_no_account(world: World) -> None:
    enters(world, "1", email="ada@example.org")
    refusal(world, IdentityConflict, "2", email="ada@example.org")
    forget_identities(world.svc, "ada@example.org")
    assert enters(world, "2", email="ada@example.org") == "ada"
    with pytest.raises(BadRequest):
        forget_identities(world.svc, "nobody@example.org")


def test_an_address_that_can_be_mistaken_for_another_gives_no_account(world: World) -> None:
    refusal(world, BadRequest, "1", email="\u212aate@example.org")


def test_bots_do_not_log_in(world: World) -> None:
    refusal(world, IdentityConflict, "1", email="robo@example.org")


def test_a_provider_says_who_the_person_is(world: World) -> None:
    assert refusal(world, BadIdentity, "", email="ada@example.org").code == "BAD_EXTERNAL_IDENTITY"


def test_a_deactivated_account_stays_out(world: World) -> None:
    world.change_user("bea", is_active=False)
    refusal(world, UserDeactivated, "2", email="bea@example.org")
    enters(world, "1", email="ada@example.org")
    world.change_user("ada", is_active=False)
    refusal(world, UserDeactivated, "1")


def test_a_deactivated_organization_lets_nobody_in(world: World) -> None:
    world.change_organization(is_deactivated=True)
    with pytest.raises(OrganizationDeactivated):
        enters(world, "1", email="ada@example.org")


def test_where_everybody_can_join_an_account_is_made(world: World) -> None:
    world.change_organization(invite_required=False)
    assert enters(world, "1", email="nora@example.org", full_name="Nora N", role=Role.MODERATOR) == "nora"
    assert (world.users["nora"].full_name, world.users["nora"].role) == ("Nora N", Role.MODERATOR)
    assert enters(world, "1") == "nora"
    assert enters(world, "2", email="otto@example.org") == "otto"
    assert world.users["otto"].full_name == "otto"
    assert kinds(world)[:3] == ["account_created", "identity_linked", "logged_in"]


def test_the_rules_for_new_people_hold(make_world: MakeWorld) -> None:
    world = make_world(limits=Limits(max_users=10))
    assert refusal(world, InvitationRequired, "1", email="nora@example.org").code == "INVITATION_REQUIRED"
    world.change_organization(invite_required=False, emails_restricted_to_domains=True)
    refusal(world, BadRequest, "1", email="nora@example.org")
    world.change_organization(emails_restricted_to_domains=False)
    refusal(world, BadRequest, "1", email="nora")
    enters(world, "1", email="nora@example.org")
    assert "at most" in refusal(world, BadRequest, "2", email="otto@example.org").message


MISTAKABLE = (
    "\u212aate@example.org", "\uff4bate@example.org", "kate@example.org\u200b", "k\u00adate@example.org",
    "kate@ex\uff41mple.org",
)  # fmt: skip


@pytest.mark.parametrize("email", MISTAKABLE, ids=ascii)
def test_an_address_that_looks_like_another_one_gives_no_account(world: World, email: str) -> None:
    world.change_organization(invite_required=False)
    refusal(world, BadRequest, "1", email=email)
    world.add_user("kate", email="kate@example.org")
    refusal(world, BadRequest, "1", email=email)
    assert enters(world, "1", email=" KATE@example.org") == "kate"
    assert enters(world, "1", email=email) == "kate", "the address counts at the first login only"


@pytest.mark.parametrize("email", ["Erin@B\u00fccher.example", "erin@XN--BCHER-kva.example"])
def test_a_domain_has_the_letters_of_its_language(world: World, email: str) -> None:
    world.add_user("erin", email="erin@xn--bcher-kva.example")
    assert enters(world, "1", email=email) == "erin"


@pytest.mark.parametrize(
    ("email", "full_name", "named"),
    [
        ("nora@example.org", "N", "nora"),
        ("nora@example.org", "x" * 300, "nora"),
        ("nora@example.org", "a*b", "nora"),
        ("nora@example.org", "Notification Bot", "nora"),
        ("n@example.org", "", "New person 10"),
        ("a*b@example.org", "@", "New person 10"),
    ],
)
def test_a_name_that_cannot_be_used_keeps_nobody_out(
    world: World, email: str, full_name: str, named: str
) -> None:
    world.change_organization(invite_required=False)
    login = log_in_as(
        world.svc, ExternalIdentity(provider="work", subject="1", email=email, full_name=full_name)
    )
    assert world.storage.read(lambda tx: tx.users.get(login.user_id)).full_name == named


def test_where_names_are_unique_a_taken_one_keeps_nobody_out(world: World) -> None:
    world.change_organization(invite_required=False, require_unique_names=True)
    for subject in ("1", "2"):
        email = f"ada@{subject}.example.org"
        log_in_as(world.svc, ExternalIdentity(provider="work", subject=subject, email=email, full_name="Bea"))
    names = [user.full_name for user in world.storage.read(lambda tx: tx.users.all())][-2:]
    assert names == ["New person 10", "New person 11"]


def test_an_invitation_to_the_address_is_used(make_world: MakeWorld, tmp_path: Path) -> None:
    world = make_world(mail_folder=tmp_path)
    group = makes(world["olga"], "cooks")
    world["olga"].post(
        "/invites",
        invitee_emails="nora@example.org",
        stream_ids=[world.id("lunch")],
        group_ids=[group],
        invite_as=Role.GUEST,
    )
    assert enters(world, "1", email="Nora@example.org", full_name="Nora") == "Nora"
    assert world.users["Nora"].role == Role.GUEST
    assert world["Nora"].id in world["olga"].get(f"/user_groups/{group}/members")["members"]
    assert world["olga"].get("/invites")["invites"] == []


def test_name_and_role_follow_the_provider(world: World) -> None:
    enters(world, "1", email="ada@example.org", full_name="Ada Lovelace", role=Role.ADMINISTRATOR)
    assert (world.users["ada"].full_name, world.users["ada"].role) == ("Ada Lovelace", Role.ADMINISTRATOR)
    enters(world, "1", full_name=" ", role=None)
    enters(world, "1", full_name="a name with *stars*")
    assert (world.users["ada"].full_name, world.users["ada"].role) == ("Ada Lovelace", Role.ADMINISTRATOR)
    enters(world, "1", role=Role.GUEST)
    enters(world, "1", role=Role.OWNER)
    assert world.users["ada"].role == Role.OWNER


def test_the_last_owner_stays_one(world: World) -> None:
    enters(world, "1", email="olga@example.org", role=Role.MEMBER)
    assert world.users["olga"].role == Role.OWNER
    world.change_user("adi", role=Role.OWNER)
    enters(world, "1", role=Role.MEMBER)
    assert world.users["olga"].role == Role.MEMBER


def test_groups_follow_the_provider_where_it_decides(world: World) -> None:
    olga, ada = world["olga"], world["ada"]
    cooks, eaters, gone, own = (
        makes(olga, name, *members)
        for name, members in (("cooks", ()), ("eaters", (ada,)), ("gone", ()), ("own", (ada,)))
    )
    deactivates(olga, gone)
    managed = {"cooks", "eaters", "gone", "role:owners", "no such group"}
    enters(
        world, "1", email=ada.email,
        groups=["cooks", "gone", "own", "role:owners", "no such group"], managed_groups=managed,
    )  # fmt: skip
    assert world.storage.read(lambda tx: tx.groups.of_user(ada.id)) == [cooks, own]
    assert kinds(world)[-2:] == ["group_members_changed", "logged_in"]
    enters(world, "1", groups=None, managed_groups=managed)
    assert world.storage.read(lambda tx: tx.groups.of_user(ada.id)) == [cooks, own]
    enters(world, "1", groups=[], managed_groups=managed)
    assert world.storage.read(lambda tx: tx.groups.of_user(ada.id)) == [own]
    assert eaters != NOBODY


def test_a_browser_has_a_session(world: World) -> None:
    identity = ExternalIdentity(provider="work", subject="1", email="ada@example.org")
    begun = begin_session_as(world.svc, identity, Browser(address="192.0.2.1", user_agent="Tea/1"))
    assert (begun.user_id, begun.email) == (world["ada"].id, "ada@example.org")
    actor = find_actor(world.svc, Browser(token=begun.token))
    assert actor is not None
    assert actor.user_id == begun.user_id
