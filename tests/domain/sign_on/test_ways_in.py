"""The ways by which people log in to an organization."""

import pytest

from chatcore.domain.sign_on.providers import Provider
from chatcore.domain.sign_on.ways_in import PROXY, WaysIn

WORK = Provider(name="work", issuer="https://login.example.com", client_id="chat")


def ways_in(
    *, passwords: bool = False, proxy: bool = False, providers: tuple[Provider, ...] = (), demo: bool = False
) -> WaysIn:
    return WaysIn(passwords=passwords, proxy=proxy, providers=providers, without_proof=demo)


@pytest.mark.parametrize(
    "ways", [ways_in(passwords=True), ways_in(proxy=True), ways_in(providers=(WORK,)), ways_in(demo=True)]
)
def test_each_way_is_a_way(ways: WaysIn) -> None:
    assert ways


def test_without_any_nobody_comes_in() -> None:
    assert not ways_in()


def test_whoever_vouches_has_the_name_with_which_identities_are_stored() -> None:
    assert ways_in(passwords=True, proxy=True, providers=(WORK,)).vouchers == {PROXY, "oidc:work"}


@pytest.mark.parametrize(
    ("ways", "known_at", "may"),
    [
        (ways_in(passwords=True), (), False),
        (ways_in(providers=(WORK,)), (), False),
        (ways_in(providers=(WORK,)), ("oidc:former",), False),
        (ways_in(providers=(WORK,)), (PROXY,), False),
        (ways_in(providers=(WORK,)), ("oidc:former", "oidc:work"), True),
        (ways_in(proxy=True), (PROXY,), True),
        (ways_in(demo=True), (), True),
    ],
)
def test_only_who_has_come_another_way_can_do_without_a_password(
    ways: WaysIn, known_at: tuple[str, ...], may: bool
) -> None:
    assert ways.may_replace_passwords(frozenset(known_at)) == may
