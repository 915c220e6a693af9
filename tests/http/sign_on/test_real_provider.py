"""Logging in by a provider of OpenID Connect that is not ours."""

from collections.abc import Iterator

import pytest

from chatcore.domain.roles import Role
from tests.http.sign_on.login_services import (
    ORIGIN,
    RealProvider,
    account_of,
    begins,
    browser,
    parameters_of,
    real_provider,
    refused,
    sets_clock,
    visits,
)
from tests.worlds.organization import MakeWorld, World


@pytest.fixture(scope="module")
def provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealProvider]:
    with real_provider(tmp_path_factory.mktemp("provider") / "log") as provider:
        yield provider


@pytest.fixture
def work(provider: RealProvider, make_world: MakeWorld) -> World:
    settings = provider.settings(
        role_claim="realm.roles",
        roles={"chat-admins": Role.ADMINISTRATOR, "*": Role.MEMBER},
        groups_claim="groups",
        groups={"eng": "Engineering"},
        log_out=True,
    )
    world = make_world(oidc=(settings,), login_app_scheme="chatapp")
    sets_clock(world)
    return world


def test_a_person_logs_in(work: World, provider: RealProvider) -> None:
    provider.knows("a1", email="ADA@example.org", email_verified=True, name="Ada L")
    client = browser(work)
    assert account_of(work, client) is None
    address = begins(client, "work", next="/?a=1#narrow/is/dm")
    assert address.startswith(f"{provider.issuer}/oauth2/authorize?")
    back = provider.lets_in(address, "a1")
    assert back.startswith(f"{ORIGIN}/login/oidc/work/callback?")
    response = visits(client, back)
    assert (response.status_code, response.headers["Location"]) == (302, f"{ORIGIN}/?a=1#narrow/is/dm")
    assert account_of(work, client) == "ada"
    work.take_keys()
    assert work.users["ada"].full_name == "Ada L"


def test_role_and_groups_are_those_of_the_provider(work: World, provider: RealProvider) -> None:
    group = work["olga"].post("/user_groups/create", name="Engineering", description="", members=[])
    provider.knows(
        "b2",
        email="bea@example.org",
        email_verified=True,
        realm={"roles": ["x", "chat-admins"]},
        groups=["eng"],
    )
    client = browser(work)
    visits(client, provider.lets_in(begins(client, "work"), "b2"))
    members = work["olga"].get(f"/user_groups/{group['group_id']}/members")["members"]
    assert members == [work["bea"].id]
    work.take_keys()
    assert work.users["bea"].role == Role.ADMINISTRATOR


def test_a_new_person_gets_an_account_where_everybody_can_join(work: World, provider: RealProvider) -> None:
    provider.knows("n1", email="nora@example.org", email_verified=True, name="Nora")
    client = browser(work)
    refused(visits(client, provider.lets_in(begins(client, "work"), "n1")), "INVITATION_REQUIRED", 403)
    work.change_organization(invite_required=False)
    visits(client, provider.lets_in(begins(client, "work"), "n1"))
    assert account_of(work, client) == "nora"


def test_an_address_that_is_not_verified_is_nobodys(
    work: World, provider: RealProvider, make_world: MakeWorld
) -> None:
    provider.knows("u1", email="cem@example.org", email_verified=False)
    client = browser(work)
    refused(visits(client, provider.lets_in(begins(client, "work"), "u1")), "EMAIL_NOT_VERIFIED", 403)
    assert account_of(work, client) is None


def test_an_operator_can_trust_all_addresses(provider: RealProvider, make_world: MakeWorld) -> None:
    world = make_world(oidc=(provider.settings(trust_email=True),))
    sets_clock(world)
    provider.knows("u2", email="cem@example.org")
    client = browser(world)
    visits(client, provider.lets_in(begins(client, "work"), "u2"))
    assert account_of(world, client) == "cem"


def test_a_code_counts_once(work: World, provider: RealProvider) -> None:
    provider.knows("a1", email="ada@example.org", email_verified=True)
    client = browser(work)
    begins(client, "work")
    proof = client.get_cookie("__Host-chat_login", domain="chat.example.org")
    back = provider.lets_in(begins(client, "work"), "a1")
    proof = client.get_cookie("__Host-chat_login", domain="chat.example.org")
    assert proof is not None
    assert visits(client, back).status_code == 302
    assert client.get_cookie("__Host-chat_login", domain="chat.example.org") is None
    refused(visits(client, back), "EXTERNAL_LOGIN_FAILED")
    client.set_cookie("__Host-chat_login", proof.value, domain="chat.example.org", secure=True)
    refused(visits(client, back), "EXTERNAL_LOGIN_FAILED")


def test_a_mobile_app_gets_its_key(work: World, provider: RealProvider) -> None:
    provider.knows("a1", email="ada@example.org", email_verified=True)
    client, pad = browser(work), "0123456789abcdef" * 4
    back = provider.lets_in(begins(client, "work", mobile_flow_otp=pad.upper()), "a1")
    response = visits(client, back)
    address = response.headers["Location"]
    assert address.startswith("chatapp://login?")
    given = parameters_of(address)
    encrypted = bytes.fromhex(given.pop("otp_encrypted_api_key"))
    key = bytes(one ^ other for one, other in zip(encrypted, bytes.fromhex(pad), strict=True)).decode()
    assert key == work.keys["ada"]
    assert given == {"email": "ada@example.org", "user_id": str(work["ada"].id), "realm": ORIGIN}
    assert account_of(work, client) is None


def test_logging_out_leads_to_the_provider(work: World, provider: RealProvider) -> None:
    provider.knows("a1", email="ada@example.org", email_verified=True)
    client = browser(work)
    visits(client, provider.lets_in(begins(client, "work"), "a1"))
    answer = client.post("/api/v1/accounts/logout", base_url=ORIGIN, headers={"Origin": ORIGIN}).get_json()
    assert answer["logout_url"] == f"{ORIGIN}/login/oidc/work/logout"
    assert account_of(work, client) is None
    address = visits(client, answer["logout_url"]).headers["Location"]
    assert address.startswith(f"{provider.issuer}/oauth2/end_session?")
    assert parameters_of(address) == {"client_id": "chat", "post_logout_redirect_uri": f"{ORIGIN}/"}
