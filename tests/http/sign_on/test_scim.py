"""A login service provisions people and groups by SCIM (RFC 7644)."""

from typing import Any

import pytest

from tests.http.sign_on.provisioning_service import GROUP, PATCH, TOKEN, USER, Service
from tests.storage_backends.spying import statements
from tests.worlds.organization import MakeWorld, World


@pytest.fixture
def world(make_world: MakeWorld) -> World:
    return make_world(scim_token=TOKEN)


@pytest.fixture
def okta(world: World) -> Service:
    return Service(world)


def members(group: Any) -> set[int]:
    return {int(one["value"]) for one in group.get("members", ())}


# -- who may ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("token", [None, "", "wrong", f"{TOKEN}x", TOKEN[:-1], "é"])
def test_sec_only_who_has_the_token_is_let_in(world: World, token: str | None) -> None:
    stranger = Service(world, token)
    for method, path in (("GET", "/Users"), ("POST", "/Users"), ("DELETE", "/Groups/1"), ("GET", "/Schemas")):
        answer = stranger.sends(method, path, b"{" if method == "POST" else None)
        stranger.is_refused(answer, 401)
        assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_sec_the_key_of_an_administrator_is_no_token(world: World) -> None:
    stranger = Service(world)
    stranger.headers["Authorization"] = world["olga"].headers["Authorization"]
    stranger.is_refused(stranger.sends("GET", "/Users"), 401)


def test_without_a_token_in_the_settings_there_is_no_such_service(make_world: MakeWorld) -> None:
    for token in (TOKEN, "", None):
        service = Service(make_world(), token)
        service.is_refused(service.sends("GET", "/Users"), 404)


# -- people -----------------------------------------------------------------------------------------


def test_a_person_is_made_and_found(world: World, okta: Service) -> None:
    queue = world["ada"].registers(fetch_event_types=[], event_types=["realm_user"])
    made = okta.creates(
        "eve@example.org",
        externalId="00u1",
        name={"givenName": "Eve", "familyName": "Ning"},
        emails=[{"value": "eve@example.org", "primary": True, "type": "work"}],
        roles=[{"value": "moderator"}],
    )
    assert (made["userName"], made["displayName"], made["active"]) == ("eve@example.org", "Eve Ning", True)
    assert made["roles"] == [{"value": "moderator", "primary": True}]
    assert made["meta"]["location"].endswith(f"/scim/v2/Users/{made['id']}")
    assert okta.gets(f"/Users/{made['id']}") == made
    for text in (
        'userName eq "EVE@example.org"',
        'externalId eq "00u1"',
        f'{USER}:userName Eq "eve@example.org"',
    ):
        found = okta.gets("/Users", filter=text)
        assert (found["totalResults"], found["Resources"]) == (1, [made]), text
    assert okta.gets("/Users", filter='externalId eq "00U1"')["totalResults"] == 0
    assert queue.events()[0]["person"]["full_name"] == "Eve Ning"
    user = world["olga"].get(f"/users/{made['id']}")["user"]
    assert (user["full_name"], user["role"], user["delivery_email"]) == ("Eve Ning", 300, "eve@example.org")


def test_people_are_listed_by_pages(world: World, okta: Service) -> None:
    everybody = okta.gets("/Users")
    assert everybody["totalResults"] == everybody["itemsPerPage"] == 7  # no bots
    page = okta.gets("/Users", startIndex=3, count=2, attributes="userName")
    assert (page["startIndex"], page["itemsPerPage"], page["totalResults"]) == (3, 2, 7)
    assert [one["userName"] for one in page["Resources"]] == ["mona@example.org", "ada@example.org"]
    assert all(one.keys() == {"schemas", "id", "userName"} for one in page["Resources"])
    for query, count in (
        ({"count": -1}, 0),
        ({"startIndex": -7, "count": 10**6}, 7),
        ({"startIndex": 10**12}, 0),
    ):
        assert okta.gets("/Users", **query)["itemsPerPage"] == count


@pytest.mark.parametrize("path", ["/Users", "/Groups"])
def test_a_page_of_many_costs_as_much_as_one_of_few(world: World, okta: Service, path: str) -> None:
    costs = []
    for numbers in (range(2), range(2, 8)):
        for number in numbers:
            okta.creates(f"p{number}@example.org", externalId=f"{number}")
            okta.makes_group(f"group {number}", "ada", "bea")
        with statements(world.storage) as sent:
            assert okta.gets(path)["totalResults"] > numbers[-1]
        costs.append(len(sent))
    assert costs[0] == costs[1]


DEACTIVATING = (
    {"op": "Replace", "path": "active", "value": "False"},
    {"op": "replace", "value": {"active": False}},
    {"op": "replace", "path": "active", "value": False},
    {"op": "add", "path": f"{USER}:active", "value": "false"},
)


@pytest.mark.parametrize("operation", DEACTIVATING)
def test_a_person_is_deactivated_and_comes_back(world: World, okta: Service, operation: Any) -> None:
    ada, path = world["ada"], f"/Users/{world['ada'].id}"
    assert okta.patches(path, operation)["active"] is False
    ada.refused("GET", "/users/me", status=401, code="USER_DEACTIVATED")
    assert okta.gets("/Users", filter='userName eq "ada@example.org"')["Resources"][0]["active"] is False
    assert okta.patches(path, {"op": "replace", "value": {"active": True}})["active"] is True
    ada.get("/users/me")


def test_deleting_deactivates(world: World, okta: Service) -> None:
    path = f"/Users/{world['ada'].id}"
    for _ in range(2):
        assert okta.sends("DELETE", path).status_code == 204
    assert okta.gets(path)["active"] is False


def test_sec_the_only_owner_stays(world: World, okta: Service) -> None:
    path = f"/Users/{world['olga'].id}"
    okta.is_refused(okta.sends("DELETE", path), 400, "invalidValue")
    for operation in DEACTIVATING:
        answer = okta.sends("PATCH", path, {"schemas": [PATCH], "Operations": [operation]})
        okta.is_refused(answer, 400, "invalidValue")
    assert okta.gets(path)["active"] is True


def test_sec_owners_are_neither_made_nor_changed(world: World, okta: Service) -> None:
    new = {"schemas": [USER], "userName": "eve@example.org", "roles": [{"value": "owner"}]}
    okta.is_refused(okta.sends("POST", "/Users", new), 403)
    for name, change in (
        ("ada", {"roles": [{"value": "owner"}]}),
        ("olga", {"roles": [{"value": "member"}]}),
        ("olga", {"userName": "eve@example.org"}),
    ):
        content = {"schemas": [PATCH], "Operations": [{"op": "replace", "value": change}]}
        okta.is_refused(okta.sends("PATCH", f"/Users/{world[name].id}", content), 403)
    okta.patches(f"/Users/{world['olga'].id}", {"op": "replace", "value": {"displayName": "Olga O."}})


MAIN_ADDRESS = {"value": "al@example.org", "primary": True}


@pytest.mark.parametrize(
    ("operations", "name", "email", "role"),
    [
        (
            [{"op": "replace", "path": "displayName", "value": "Ada L."}],
            "Ada L.",
            "ada@example.org",
            "member",
        ),
        (
            [{"op": "Replace", "path": "name.familyName", "value": "King"}],
            "King",
            "ada@example.org",
            "member",
        ),
        ([{"op": "replace", "value": {"name": {"formatted": "A K"}}}], "A K", "ada@example.org", "member"),
        (
            [
                {"op": "Replace", "path": 'emails[type eq "work"].value', "value": "al@example.org"},
                {"op": "Add", "path": 'roles[primary eq "True"].value', "value": "administrator"},
                {"op": "Add", "path": "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department"}
                | {"value": "Engines"},
            ],
            "Ada",
            "al@example.org",
            "administrator",
        ),
        ([{"op": "replace", "value": {"userName": "al@example.org"}}], "Ada", "al@example.org", "member"),
        (
            [{"op": "replace", "path": "emails", "value": [{"value": "no@example.org"}, MAIN_ADDRESS]}],
            "Ada",
            "al@example.org",
            "member",
        ),
        ([{"op": "remove", "path": "displayName"}], "Ada", "ada@example.org", "member"),
    ],
)
def test_a_person_is_patched(
    world: World, okta: Service, operations: Any, name: str, email: str, role: str
) -> None:
    person = okta.patches(f"/Users/{world['ada'].id}", *operations)
    assert (person["displayName"], person["userName"], person["roles"][0]["value"]) == (name, email, role)


def test_a_person_is_replaced_and_what_is_left_out_stays(world: World, okta: Service) -> None:
    path = f"/Users/{world['ada'].id}"
    content = {
        "schemas": [USER],
        "userName": "ada@example.org",
        "externalId": "7",
        "displayName": "Ada Byron",
    }
    person = okta.succeeds("PUT", path, content)
    assert (person["displayName"], person["externalId"], person["active"]) == ("Ada Byron", "7", True)
    person = okta.succeeds("PUT", path, {"schemas": [USER], "userName": "ada@example.org", "externalId": "8"})
    assert (person["displayName"], person["externalId"]) == ("Ada Byron", "8")
    assert okta.gets("/Users", filter='externalId eq "7"')["totalResults"] == 0


def test_a_patch_changes_all_or_nothing(world: World, okta: Service) -> None:
    path = f"/Users/{world['ada'].id}"
    operations = [
        {"op": "replace", "path": "displayName", "value": "Somebody"},
        {"op": "replace", "path": "userName", "value": "bea@example.org"},
    ]
    answer = okta.sends("PATCH", path, {"schemas": [PATCH], "Operations": operations})
    okta.is_refused(answer, 409, "uniqueness")
    assert okta.gets(path)["displayName"] == "Ada"


def test_addresses_and_ids_are_unique(world: World, okta: Service) -> None:
    okta.creates("eve@example.org", externalId="1")
    okta.is_refused(
        okta.sends("POST", "/Users", {"schemas": [USER], "userName": "EVE@example.org"}), 409, "uniqueness"
    )
    twice = {"schemas": [USER], "userName": "eva@example.org", "externalId": "1"}
    okta.is_refused(okta.sends("POST", "/Users", twice), 409, "uniqueness")
    assert okta.gets("/Users", filter='userName eq "eva@example.org"')["totalResults"] == 0


def test_the_audit_log_has_the_service_and_no_account(world: World, okta: Service) -> None:
    person = okta.creates("eve@example.org", externalId="1")
    okta.makes_group("engines", "ada")
    okta.patches(f"/Users/{person['id']}", {"op": "replace", "value": {"active": False}})
    entries = world["olga"].get("/audit")["entries"]
    kinds = {"account_created", "identity_linked", "group_created", "account_deactivated"}
    assert {entry["kind"] for entry in entries} >= kinds
    for entry in entries:
        if entry["kind"] in kinds:
            assert (entry["actor_id"], entry["origin"], entry["client"]) == (None, "program", "Okta"), entry


# -- groups -----------------------------------------------------------------------------------------


def test_a_group_is_made_changed_and_deactivated(world: World, okta: Service) -> None:
    ada, bea, cem = (world[name].id for name in ("ada", "bea", "cem"))
    group = okta.makes_group("engines", "ada", "bea")
    path = f"/Groups/{group['id']}"
    assert members(group) == {ada, bea}
    queue = world["cem"].registers(fetch_event_types=[], event_types=["user_group"])
    for operation, expected in (
        (
            {"op": "Add", "path": "members", "value": [{"value": f"{cem}"}, {"value": f"{ada}"}]},
            {ada, bea, cem},
        ),
        ({"op": "Remove", "path": f'members[value eq "{ada}"]'}, {bea, cem}),
        ({"op": "Remove", "path": "members", "value": [{"value": f"{bea}"}]}, {cem}),
        ({"op": "replace", "path": "members", "value": [{"value": f"{ada}"}]}, {ada}),
        ({"op": "replace", "value": {"id": group["id"], "displayName": "mills"}}, {ada}),
        ({"op": "remove", "path": "members"}, set()),
        ({"op": "replace", "value": {"members": [{"value": f"{bea}"}]}}, {bea}),
    ):
        assert members(okta.patches(path, operation)) == expected, operation
    assert {"op": "add_members", "user_ids": [cem]}.items() <= queue.events()[0].items()
    assert okta.gets("/Groups", filter='displayName eq "mills"', excludedAttributes="members")[
        "Resources"
    ] == [{key: value for key, value in okta.gets(path).items() if key != "members"}]
    content = {"schemas": [GROUP], "displayName": "engines", "members": [{"value": f"{cem}"}]}
    assert members(okta.succeeds("PUT", path, content)) == {cem}
    assert okta.sends("DELETE", path).status_code == 204
    okta.is_refused(okta.sends("GET", path), 404)
    assert okta.gets("/Groups")["totalResults"] == 0
    (shown,) = (
        one
        for one in world["ada"].get("/user_groups", include_deactivated_groups=True)["user_groups"]
        if one["name"] == "engines"
    )
    assert shown["deactivated"] is True
    okta.is_refused(okta.sends("POST", "/Groups", content), 409, "uniqueness")


def test_who_is_added_to_a_group_gets_no_notice(world: World, okta: Service) -> None:
    group = okta.makes_group("engines")
    before = world.count("message")
    okta.patches(
        f"/Groups/{group['id']}", {"op": "add", "path": "members", "value": [{"value": f"{world['ada'].id}"}]}
    )
    assert world.count("message") == before


def test_bots_in_a_group_are_not_shown_and_stay(world: World, okta: Service) -> None:
    robo, path = world.users["robo"].id, f"/Groups/{okta.makes_group('engines', 'ada')['id']}"
    world["olga"].post(f"/user_groups{path.removeprefix('/Groups')}/members", add=[robo])
    assert members(okta.gets(path)) == {world["ada"].id}
    okta.succeeds("PUT", path, {"schemas": [GROUP], "displayName": "engines", "members": []})
    assert world["olga"].get(f"/user_groups{path.removeprefix('/Groups')}/members")["members"] == [robo]


def test_a_group_is_made_for_the_oldest_owner(world: World, okta: Service) -> None:
    world["olga"].patch(f"/users/{world['mona'].id}", role=100)
    group = okta.makes_group("engines")
    shown = {found["id"]: found for found in world["ada"].get("/user_groups")["user_groups"]}
    assert shown[int(group["id"])]["creator_id"] == world["olga"].id


def test_sec_system_groups_and_bots_are_not_shown(world: World, okta: Service) -> None:
    robo = world.users["robo"].id
    assert okta.gets("/Groups")["totalResults"] == 0
    filtered = okta.gets("/Users", filter=f'userName eq "{world.users["robo"].email}"')
    assert filtered["totalResults"] == 0
    for path in ("/Groups/1", "/Groups/2", f"/Users/{robo}"):
        okta.is_refused(okta.sends("GET", path), 404)
        okta.is_refused(okta.sends("DELETE", path), 404)
    content = {"schemas": [GROUP], "displayName": "engines", "members": [{"value": f"{robo}"}]}
    okta.is_refused(okta.sends("POST", "/Groups", content), 400, "invalidValue")
