"""Refusals of what a login service asks for by SCIM (RFC 7644), and the descriptions of the service."""

import json
from dataclasses import replace
from typing import Annotated, Any

import pytest
from pydantic import Field
from scim2_client.engines.wsgi import WSGISCIMClient
from scim2_models import Group, Required, ScimProvider, Uniqueness
from scim2_tester import Status, check_server
from werkzeug.test import Client, TestResponse

from chatcore.application.sign_on import provisioning
from chatcore.domain.organization.domains import Domain
from chatcore.domain.roles import Role
from chatcore.domain.sign_on.provisioning import ProvisionedPerson
from chatcore.http.endpoints.sign_on.scim_resources import UserResource, patch_person
from chatcore.storage import OutcomeUnknown, StorageNotReady
from tests.http.sign_on.provisioning_service import GROUP, PATCH, TOKEN, USER, Service
from tests.worlds.organization import FROM, HOST, MakeWorld, World


@pytest.fixture
def world(make_world: MakeWorld) -> World:
    return make_world(scim_token=TOKEN)


@pytest.fixture
def okta(world: World) -> Service:
    return Service(world)


@pytest.mark.parametrize("kind", ["Users", "Groups"])
@pytest.mark.parametrize("name", ["0", "99999", "-1", "9" * 18, "9" * 19, "9" * 5000, "x", "1 ", "é", "1.0"])
def test_unknown_ids_are_refused(okta: Service, kind: str, name: str) -> None:
    change = {"op": "replace", "path": "displayName", "value": "x"}
    contents = {"PATCH": {"schemas": [PATCH], "Operations": [change]}}
    contents["PUT"] = {
        "schemas": [USER if kind == "Users" else GROUP],
        "userName": "a@b.org",
        "displayName": "x",
    }
    for method in ("GET", "PUT", "PATCH", "DELETE"):
        okta.is_refused(okta.sends(method, f"/{kind}/{name}", contents.get(method)), 404)


@pytest.mark.parametrize(
    "text",
    [
        "userName",
        'userName eq "a" and active eq true',
        "userName eq 1",
        'userName co "a"',
        'password eq "a"',
        "(" * 2000 + 'userName eq "a"' + ")" * 2000,
        'not (userName eq "a")',
        'emails[value eq "a"]',
        'userName eq "\\x"',
        'userName eq "\\ud800"',
    ],
)
def test_other_filters_are_refused(okta: Service, text: str) -> None:
    okta.is_refused(okta.sends("GET", "/Users", query={"filter": text}), 400, "invalidFilter")


@pytest.mark.parametrize("name", ["userName", "externalId", "displayName"])
def test_a_filter_for_what_cannot_be_stored_finds_nothing(okta: Service, name: str) -> None:
    kind = "Groups" if name == "displayName" else "Users"
    assert okta.gets(f"/{kind}", filter=f'{name} eq "\\u0000"')["totalResults"] == 0
    assert okta.gets(f"/{kind}", filter=f'{name} eq "{"x" * 5000}"')["totalResults"] == 0


DEEP = b"[" * 100_000
ODD = (
    b"",
    b"{",
    b"\xff",
    DEEP,
    b'{"schemas":' + b"[" * 500 + b"]" * 500 + b"}",
    b"null",
    b"[]",
    b"{}",
    b'"text"',
    b"1e999",
    b"9" * 5000,
    json.dumps({"schemas": [USER]}).encode(),
    *(
        json.dumps({"schemas": [USER], **odd}).encode()
        for odd in (
            {"userName": None},
            {"userName": 7},
            {"userName": "no address"},
            {"userName": "a\0b@example.org"},
            {"userName": "\u212aate@example.org"},
            {"userName": "a@example.org", "displayName": "a\0b"},
            {"userName": "a@example.org", "displayName": "a" * 10_000},
            {"userName": "a@example.org", "externalId": "a\0b"},
            {"userName": "a@example.org", "externalId": "a" * 256},
            {"userName": "a@example.org", "active": "perhaps"},
            {"userName": "a@example.org", "active": 10**30},
            {"userName": "a@example.org", "roles": [{"value": "king"}]},
            {"userName": "a@example.org", "emails": {"value": "x"}},
            {"userName": "a@example.org", "name": "Ada"},
        )
    ),
)


@pytest.mark.parametrize("content", ODD, ids=range(len(ODD)))
def test_odd_people_are_refused(world: World, okta: Service, content: bytes) -> None:
    for method, path in (("POST", "/Users"), ("PUT", f"/Users/{world['ada'].id}")):
        answer = okta.sends(method, path, content)
        okta.is_refused(answer, 400, answer.json and answer.json.get("scimType"))
    assert okta.gets("/Users")["totalResults"] == 7


ODD_OPERATIONS: tuple[Any, ...] = (
    [],
    None,
    "x",
    [None],
    [{"op": "multiply", "path": "displayName", "value": "x"}],
    [{"op": "remove"}],
    [{"op": "replace", "path": "a[[[", "value": 1}],
    [{"op": "replace", "path": "displayName", "value": {"a": 1}}],
    [{"op": "replace", "value": {"displayName": ["a"]}}],
    [{"op": "replace", "path": "displayName", "value": "a\0b"}],
    [{"op": "replace", "value": "text"}],
    [{"op": "replace", "path": "(" * 3000, "value": "x"}],
    [{"op": "replace", "path": "displayName", "value": "x"}] * 101,
)
ODD_MEMBERS: tuple[Any, ...] = (
    "x",
    [{"value": "x"}],
    [{"value": "9" * 18}],
    [{"value": "9" * 400}],
    [{"value": 10**30}],
    [{"value": None}],
    [{}],
    [[]],
    {"value": {"value": "1"}},
    [{"value": "1", "type": "Group"}],
)


@pytest.mark.parametrize("operations", ODD_OPERATIONS, ids=range(len(ODD_OPERATIONS)))
def test_odd_operations_are_refused(world: World, okta: Service, operations: Any) -> None:
    group = okta.makes_group("engines", "ada")
    for path in (f"/Users/{world['ada'].id}", f"/Groups/{group['id']}"):
        before = okta.gets(path)
        answer = okta.sends("PATCH", path, {"schemas": [PATCH], "Operations": operations})
        okta.is_refused(answer, 400, answer.json and answer.json.get("scimType"))
        assert "\n" not in answer.json["detail"], "no report of the library"
        assert okta.gets(path) == before


@pytest.mark.parametrize("value", ODD_MEMBERS, ids=range(len(ODD_MEMBERS)))
def test_odd_members_are_refused(world: World, okta: Service, value: Any) -> None:
    group = okta.makes_group("engines", "ada")
    for op, path in (("add", "members"), ("replace", "members"), ("add", 'members[value eq "1"]')):
        operations = [{"op": op, "path": path, "value": value}]
        answer = okta.sends("PATCH", f"/Groups/{group['id']}", {"schemas": [PATCH], "Operations": operations})
        okta.is_refused(answer, 400, answer.json and answer.json.get("scimType"))
    assert okta.gets(f"/Groups/{group['id']}") == group


def test_who_is_deactivated_joins_no_group(world: World, okta: Service) -> None:
    okta.sends("DELETE", f"/Users/{world['bea'].id}")
    content = {"schemas": [GROUP], "displayName": "engines", "members": [{"value": f"{world['bea'].id}"}]}
    okta.is_refused(okta.sends("POST", "/Groups", content), 400, "invalidValue")


def test_sec_people_have_addresses_of_the_organization(world: World, okta: Service) -> None:
    world.change_organization(emails_restricted_to_domains=True, domains=(Domain("example.org", False),))
    new = {"schemas": [USER], "userName": "eve@example.com"}
    okta.is_refused(okta.sends("POST", "/Users", new), 400, "invalidValue")
    path = f"/Users/{okta.creates('eve@example.org')['id']}"
    okta.is_refused(okta.sends("PUT", path, new), 400, "invalidValue")


def test_sec_erased_people_get_no_name_and_do_not_come_back(world: World, okta: Service) -> None:
    path = f"/Users/{world['ada'].id}"
    world["olga"].post(f"/users{path.removeprefix('/Users')}/erase", messages="keep")
    erased = okta.gets(path)
    for change in (
        {"displayName": "Ada"},
        {"externalId": "1"},
        {"userName": "ada@example.org"},
        {"active": True},
    ):
        operations = [{"op": "replace", "value": change}]
        answer = okta.sends("PATCH", path, {"schemas": [PATCH], "Operations": operations})
        okta.is_refused(answer, 400, "invalidValue")
    assert okta.gets(path) == erased


def test_the_operations_of_a_message_can_be_applied_again() -> None:
    """A unit of work that meets another one runs again."""
    roles = {"op": "add", "path": "roles", "value": [{"value": "guest", "type": "work"}]}
    role = {"op": "replace", "path": 'roles[type eq "work"].value', "value": "moderator"}
    emails = {"op": "replace", "path": "emails", "value": [{"value": "al@example.org", "type": "work"}]}
    email = {"op": "replace", "path": 'emails[type eq "work"].value', "value": "ada@example.net"}
    change = patch_person(
        {"schemas": [PATCH], "Operations": [{"op": "remove", "path": "roles"}, roles, role, emails, email]}
    )
    person = ProvisionedPerson(id=1, email="ada@example.org", full_name="Ada")
    assert change(person) == change(person) == replace(person, role=Role.MODERATOR, email="ada@example.net")


def test_a_body_has_a_bound(okta: Service) -> None:
    okta.is_refused(okta.sends("POST", "/Users", b"{" + b" " * 2**20 + b"}"), 413)


def test_requests_are_counted(make_world: MakeWorld) -> None:
    world = make_world(scim_token=TOKEN, rate_limits=True, rate_limit_rules={"api_by_ip": "3 per 60 seconds"})
    okta = Service(world)
    for _ in range(3):
        okta.gets("/Schemas")
    answer = okta.sends("GET", "/Users")
    okta.is_refused(answer, 429)
    assert answer.headers["Retry-After"]


def test_an_address_that_cannot_be_stored_is_refused(okta: Service) -> None:
    okta.is_refused(okta.sends("POST", "/Users", {"userName": "a\0b@example.org"}), 400, "invalidValue")


def test_who_is_deactivated_leaves_whatever_else_is_said(world: World, okta: Service) -> None:
    path = f"/Users/{world['bea'].id}"
    content = {"userName": "bea@example.org", "active": False, "displayName": "*", "roles": [{"value": "x"}]}
    assert okta.succeeds("PUT", path, content)["active"] is False


def test_what_would_take_long_is_refused(okta: Service) -> None:
    long_filter = f"emails[{' and '.join(['value pr'] * 200)}]"
    values = [{"value": "a@b.example"}] * 151
    okta.is_refused(
        okta.sends("PUT", "/Users/1", {"userName": "a@b.example", "emails": values}), 400, "invalidValue"
    )
    for path, operations in (
        ("/Users/1", [{"op": "add", "path": "emails", "value": values}]),
        ("/Users/1", [{"op": "replace", "path": "active", "value": False}] * 101),
        ("/Users/1", [{"op": "remove", "path": long_filter}]),
        ("/Users/1", [{"op": "replace", "value": {long_filter: "x"}}]),
        ("/Groups/1", [{"op": "replace", "value": {long_filter: "x"}}]),
    ):
        answer = okta.sends("PATCH", path, {"schemas": [PATCH], "Operations": operations})
        okta.is_refused(answer, 400, "invalidValue")
    names = ",".join(f"a{number}" for number in range(51))
    assert okta.sends("GET", "/Users", query={"attributes": names}).status_code == 400


@pytest.mark.parametrize("path", ["members.value", 'members[value eq "1"].value', 'members[type eq "x"]'])
def test_a_part_of_a_member_is_no_member(world: World, okta: Service, path: str) -> None:
    group = okta.makes_group("bakers", "bea")
    operations = [{"op": "remove", "path": path}]
    answer = okta.sends("PATCH", f"/Groups/{group['id']}", {"schemas": [PATCH], "Operations": operations})
    okta.is_refused(answer, 400, "invalidPath")
    assert len(okta.gets(f"/Groups/{group['id']}")["members"]) == 1


@pytest.mark.parametrize("path", ["", "/", "/Users/1/x", "//Users", "/\x01"])
def test_other_addresses_are_refused_in_the_form_of_the_protocol(okta: Service, path: str) -> None:
    okta.headers = {}
    okta.is_refused(okta.sends("GET", path), 404)
    envelope = Client(okta.world.answers).get("/scim/v2x", environ_base=FROM)
    assert (envelope.status_code, envelope.content_type) == (404, "application/json")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("DELETE", "/Users", "GET, HEAD, OPTIONS, POST"),
        ("PUT", "/Groups", "GET, HEAD, OPTIONS, POST"),
        ("POST", "/Users/1", "DELETE, GET, HEAD, OPTIONS, PATCH, PUT"),
        ("TRACE", "/Users/1", "DELETE, GET, HEAD, OPTIONS, PATCH, PUT"),
    ],
)
def test_other_methods_are_refused_in_the_form_of_the_protocol(
    okta: Service, method: str, path: str, allowed: str
) -> None:
    for content in (None, {}):
        answer = okta.sends(method, path, content)
        okta.is_refused(answer, 405)
        assert answer.headers["Allow"] == allowed


def test_who_has_no_token_is_refused_in_the_form_of_the_protocol(world: World) -> None:
    for token in (None, "x"):
        answer = Service(world, token).sends("GET", "/Users")
        Service(world).is_refused(answer, 401)
        assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(
    ("failure", "status"),
    [(StorageNotReady("away"), 503), (OutcomeUnknown("away"), 503), (ValueError(), 500)],
)
def test_failures_have_the_form_of_the_protocol(
    okta: Service, monkeypatch: pytest.MonkeyPatch, failure: Exception, status: int
) -> None:
    def fail(*arguments: object, **more: object) -> Any:
        raise failure

    monkeypatch.setattr(provisioning, "require_provisioner", fail)
    with okta.world.answers.unread():
        okta.is_refused(okta.sends("GET", "/Users"), status)


def test_each_refusal_says_what_to_send_instead(okta: Service, world: World) -> None:
    def detail(answer: TestResponse) -> str:
        assert answer.json is not None
        return str(answer.json["detail"])

    filtered = {"filter": 'emails[type eq "work"].value eq "zoe@example.com"'}
    known = 'Use one equality: userName eq "…" or externalId eq "…".'
    assert detail(okta.sends("GET", "/Users", query=filtered)) == known
    assert detail(okta.sends("GET", "/Groups", query=filtered)) == 'Use one equality: displayName eq "…".'
    assert detail(okta.sends("POST", "/Users", b"{")) == "The body is no JSON."
    nothing = "There is nothing at this address: people are at /Users, and groups at /Groups."
    assert detail(okta.sends("GET", "/users")) == nothing
    assert detail(okta.sends("POST", "/Bulk", {})) == nothing
    stranger = Service(world, token="another")
    assert (
        detail(stranger.sends("GET", "/Users"))
        == "Send the token of the server's settings, as 'Bearer TOKEN'."
    )


# -- what the service says of itself ----------------------------------------------------------------


def test_the_service_describes_itself(okta: Service) -> None:
    config = okta.gets("/ServiceProviderConfig")
    assert config["patch"] == {"supported": True}
    assert config["filter"] == {"supported": True, "maxResults": 100}
    for kind, ids in (("ResourceTypes", ["User", "Group"]), ("Schemas", [USER, GROUP])):
        described = okta.gets(f"/{kind}")["Resources"]
        assert [one["id"] for one in described] == ids
        for one in described:
            assert okta.gets(f"/{kind}/{one['id']}") == one
    for path in ("/Schemas/x", "/Bulk", "/Me", "/ServiceProviderConfig/x"):
        okta.is_refused(okta.sends("GET", path), 404)
    for path in ("/ServiceProviderConfig", "/Schemas", "/ResourceTypes"):
        answer = okta.sends("POST", path, {})
        okta.is_refused(answer, 405)
        assert answer.headers["Allow"] == "GET, OPTIONS"


class Someone(UserResource):
    user_name: Annotated[str | None, Required.true, Uniqueness.server] = Field(
        None, examples=[f"{number}@example.org" for number in range(100_000)]
    )
    """The examples are the names that the tester gives to its people."""


NOT_OURS = {
    "object_deletion": "who is deleted is deactivated, and can be seen",
    "search_with_attributes": "there is no searching by POST",
    "object_query_with_attributes": "groups have no externalId",
    "object_list_with_attributes": "the same",
    "check_add_attribute": "it writes any text into all attributes, such as the types of addresses",
    "check_replace_attribute": "the same",
    "check_remove_attribute": "an account has always a name, an address and a role",
}
"""The checks of the tester that fail, with the reason why."""


def test_a_tester_of_the_protocol_finds_what_is_known(world: World) -> None:
    client = WSGISCIMClient(
        world.answers,
        base_url=f"https://{HOST}/scim/v2",
        headers={"Authorization": f"Bearer {TOKEN}"},
        provider=ScimProvider([Someone, Group]),
    )
    results = check_server(client)
    failed = {result.title: result.reason for result in results if result.status is not Status.SUCCESS}
    assert failed.keys() == NOT_OURS.keys(), failed
    assert {"object_creation", "object_query", "object_replacement"} < {result.title for result in results}
