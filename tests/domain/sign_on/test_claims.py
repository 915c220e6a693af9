"""People as the claims of a provider say."""

from typing import Any

import pytest

from chatcore.domain.roles import Role
from chatcore.domain.sign_on.claims import identity_of, wanted_claims
from chatcore.domain.sign_on.external_identities import ExternalIdentity
from chatcore.domain.sign_on.providers import Provider


def provider(**more: Any) -> Provider:
    return Provider(name="work", issuer="https://login.example.com", client_id="chat", **more)


def identity(claims: dict[str, Any], **more: Any) -> ExternalIdentity:
    return identity_of(provider(**more), {"sub": "1", **claims})


def test_subject_name_and_verified_address_are_taken() -> None:
    claims = {"name": "Ada", "email": "ada@example.org", "email_verified": True}
    assert identity(claims) == ExternalIdentity(
        provider="oidc:work",
        subject="1",
        full_name="Ada",
        email="ada@example.org",
        managed_groups=frozenset(),
    )


@pytest.mark.parametrize(
    ("verified", "counts"),
    [(True, True), ("true", True), (False, False), (1, False), ("false", False), (None, False)],
)
def test_an_address_counts_if_it_is_verified(verified: object, counts: bool) -> None:
    claims = {"email": "ada@example.org", "email_verified": verified}
    assert bool(identity(claims).email) is counts
    assert identity(claims, trust_email=True).email == "ada@example.org"


def test_other_claims_can_have_the_meaning() -> None:
    claims = {"preferred_username": "Ada L", "upn": "ada@example.org"}
    given = identity(claims, name_claim="preferred_username", email_claim="upn", trust_email=True)
    assert (given.full_name, given.email) == ("Ada L", "ada@example.org")


@pytest.mark.parametrize("odd", [None, 1, True, [], {}, ["a"], {"a": 1}])
def test_claims_of_another_type_say_nothing(odd: object) -> None:
    claims = {"sub": odd, "name": odd, "email": odd, "email_verified": True, "r": odd, "g": odd}
    given = identity(claims, role_claim="r", roles={"x": Role.OWNER}, groups_claim="g", groups={"x": "X"})
    assert (given.subject, given.full_name, given.email, given.role) == ("", "", "", None)
    assert not given.groups


ROLES = {"admins": Role.ADMINISTRATOR, "mods": Role.MODERATOR}


@pytest.mark.parametrize(
    ("claims", "role"),
    [
        ({"r": ["mods", "admins", "x"]}, Role.ADMINISTRATOR),
        ({"r": "mods"}, Role.MODERATOR),
        ({"r": ["x"]}, None),
        ({"r": []}, None),
        ({}, None),
    ],
)
def test_the_highest_role_counts(claims: dict[str, Any], role: Role | None) -> None:
    assert identity(claims, role_claim="r", roles=ROLES).role == role
    otherwise = {**ROLES, "*": Role.MEMBER}
    assert identity(claims, role_claim="r", roles=otherwise).role == (role or Role.MEMBER)


def test_groups_are_those_that_are_mapped() -> None:
    more = {"groups_claim": "realm.groups", "groups": {"eng": "Engineering", "ops": "Operations"}}
    given = identity({"realm": {"groups": ["eng", "x"]}}, **more)
    assert (given.groups, given.managed_groups) == (["Engineering"], {"Engineering", "Operations"})
    assert identity({"realm.groups": ["ops"]}, **more).groups == ["Operations"]
    for absent in ({}, {"realm": None}, {"realm": {}}, {"realm": "groups"}):
        assert identity(absent, **more).groups == []
    assert identity({}).groups is None


def test_a_claim_that_is_to_be_read_elsewhere_says_nothing() -> None:
    """A provider that has too many groups for a token names their place in it."""
    more = {"groups_claim": "g", "groups": {"x": "X"}, "role_claim": "r", "roles": {"*": Role.MEMBER}}
    elsewhere = identity({"_claim_names": {"g": "src1", "r": "src1"}}, **more)
    assert (elsewhere.groups, elsewhere.role) == (None, None)
    assert identity({"_claim_names": {"g": "src1"}, "g": ["x"]}, **more).groups == ["X"]
    assert identity({"_claim_names": {"g": "src1"}}, **{**more, "groups_claim": "g.all"}).groups is None
    for odd in ({"g": "src1"}, [], "gr", None):
        assert identity({"_claim_names": odd}, **more).role == Role.MEMBER


def test_only_claims_with_a_meaning_are_wanted() -> None:
    assert [*wanted_claims(provider())] == ["email", "name", "email_verified"]
    given = provider(trust_email=True, role_claim="r", groups_claim="g")
    assert [*wanted_claims(given)] == ["email", "name", "r", "g"]
