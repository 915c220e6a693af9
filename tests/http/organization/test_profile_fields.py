"""Custom profile fields: defining them, filling them, and who sees what of it."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from chatcore.application.delivery.rendering import render_alone
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.organization.profile_fields import EXTERNAL_ACCOUNTS
from chatcore.domain.roles import Role
from tests.worlds.registering_over_http import Api, Body, MakeApi

COLORS = {"r": {"text": "Red", "order": "1"}, "g": {"text": "Green", "order": "2"}}
ADMINISTRATORS_ONLY = ("UNAUTHORIZED_PRINCIPAL", "Must be an organization administrator")


def create(api: Api, kind: int, name: str = "", **parameters: Any) -> int:
    answer = api.ok("ada", "POST", "realm/profile_fields", field_type=kind, name=name or None, **parameters)
    number: int = answer["id"]
    return number


def fields(api: Api, who: str = "grace") -> list[Body]:
    listed: list[Body] = api.ok(who, "GET", "realm/profile_fields")["custom_fields"]
    assert api.state(who, "custom_profile_fields")["custom_profile_fields"] == listed
    return listed


def profile(api: Api, name: str, viewer: str = "gil") -> Body:
    path = f"users/{api.id(name)}"
    user = api.ok(viewer, "GET", path, include_custom_profile_fields=True)["user"]
    data: Body = user["profile_data"]
    everybody = api.ok(viewer, "GET", "users", include_custom_profile_fields=True)["members"]
    (listed,) = (one for one in everybody if one["user_id"] == api.id(name))
    (registered,) = (one for one in api.state(viewer)["realm_users"] if one["user_id"] == api.id(name))
    assert listed["profile_data"] == data
    assert registered["profile_data"] == data
    assert "profile_data" not in api.ok(viewer, "GET", path)["user"]
    return data


# -- definitions ------------------------------------------------------------------------------------


@pytest.mark.shows(
    "field.id", "field.name", "field.hint", "field.options-data", "field.summary", "field.required",
    "field.editable", "create-field.name-and-hint", "create-field.field-data", "create-field.required",
    "create-field.answer", "change.field-required",
)  # fmt: skip
def test_fields_are_defined_changed_ordered_and_removed(api: Api) -> None:
    follower = api.follow("grace", "custom_profile_fields")
    assert follower.state["custom_profile_fields"] == []
    motto = create(api, 1, " Motto ", hint=" Be short ")
    color = create(
        api,
        3,
        "Colour",
        field_data=COLORS,
        display_in_profile_summary=True,
        required=True,
        editable_by_user=False,
    )
    plain = {"field_data": "", "required": False, "editable_by_user": True}
    first = {
        "id": motto,
        "name": "Motto",
        "type": 1,
        "field_type": 1,
        "hint": "Be short",
        "order": 0,
        **plain,
    }
    second = {
        "id": color,
        "name": "Colour",
        "type": 3,
        "field_type": 3,
        "hint": "",
        "order": 1,
        "field_data": json.dumps(COLORS),
        "required": True,
        "editable_by_user": False,
        "display_in_profile_summary": True,
    }
    assert fields(api) == [first, second]
    announced = [event["fields"] for event in follower.events()]
    assert announced == [[first, second]] * 2, "each with the list as it is by now"
    api.ok("ada", "PATCH", "realm/profile_fields", order=[color, 77, color, motto])
    assert [(field["id"], field["order"]) for field in fields(api)] == [(color, 0), (motto, 1)]
    changes = {"name": "Saying", "hint": "", "required": True, "display_in_profile_summary": True}
    api.ok("ada", "PATCH", f"realm/profile_fields/{motto}", **changes)
    assert fields(api)[1] == {**first, **changes, "order": 1}
    api.ok("ada", "DELETE", f"realm/profile_fields/{color}")
    assert [field["id"] for field in fields(api)] == [motto]
    events = follower.events()
    assert {event["type"] for event in events} == {"custom_profile_fields"}
    assert [event["fields"] for event in events] == [fields(api)] * 3
    assert events[-1]["fields"] == fields(api)


def test_changes_without_effect_are_not_announced(api: Api) -> None:
    motto = create(api, 1, "Motto")
    follower = api.follow("grace")
    api.ok("ada", "PATCH", f"realm/profile_fields/{motto}")
    api.ok("ada", "PATCH", f"realm/profile_fields/{motto}", name="Motto", required=False)
    api.ok("ada", "PATCH", "realm/profile_fields", order=[motto])
    assert follower.events() == []


@pytest.mark.shows("create-field.administrators", "authentication.create-fields")
@pytest.mark.parametrize("who", ["mary", "grace", "gil"])
def test_only_administrators_define_fields(api: Api, who: str) -> None:
    path = f"realm/profile_fields/{create(api, 1, 'Motto')}"
    assert api.refused(who, "POST", "realm/profile_fields", field_type=1, name="x") == ADMINISTRATORS_ONLY
    assert api.refused(who, "PATCH", "realm/profile_fields", order=[]) == ADMINISTRATORS_ONLY
    assert api.refused(who, "PATCH", path, name="x") == ADMINISTRATORS_ONLY
    assert api.refused(who, "DELETE", path) == ADMINISTRATORS_ONLY
    assert len(fields(api, who)) == 1


@pytest.mark.every_case_on_postgresql
@pytest.mark.shows(
    "field.name", "field.hint", "field.types", "field.options-data", "create-field.field-type",
    "create-field.no-long-text-in-summary", "create-field.no-people-in-summary",
)  # fmt: skip
@pytest.mark.parametrize(
    "wrong",
    [
        {"field_type": 0},
        {"field_type": 9},
        {"name": None},
        {"name": " "},
        {"name": "x" * 41},
        {"name": "Motto"},
        {"hint": "x" * 81},
        {"field_type": 2, "display_in_profile_summary": True},
        {"field_type": 6, "display_in_profile_summary": True},
        {"field_type": 3},
        {"field_type": 3, "field_data": {}},
        {"field_type": 3, "field_data": ["r"]},
        {"field_type": 7},
        {"field_type": 7, "field_data": {"subtype": "github"}},
    ],
)
def test_definitions_outside_the_rules_are_refused(api: Api, wrong: Body) -> None:
    create(api, 1, "Motto")
    create(api, 7, field_data={"subtype": "github"})
    body = {"field_type": 1, "name": "Saying", **wrong}
    assert api.refused("ada", "POST", "realm/profile_fields", **body)[0] == "BAD_REQUEST"
    assert len(fields(api)) == 2


@pytest.mark.shows("create-field.field-type")
def test_the_kind_of_a_field_is_needed(api: Api) -> None:
    assert api.refused("ada", "POST", "realm/profile_fields", name="x")[0] == "REQUEST_VARIABLE_MISSING"


def test_changes_outside_the_rules_are_refused(api: Api) -> None:
    path = f"realm/profile_fields/{create(api, 3, 'Colour', field_data=COLORS)}"
    create(api, 1, "Motto")
    before = fields(api)
    for wrong in (
        {"name": "Motto"},
        {"name": " "},
        {"hint": "x" * 81},
        {"field_data": {}},
        {"field_data": ["r"]},
    ):
        assert api.refused("ada", "PATCH", path, **wrong)[0] == "BAD_REQUEST"
    for missing in ("PATCH", "DELETE"):
        assert api.refused("ada", missing, "realm/profile_fields/77") == (
            "BAD_REQUEST",
            "Field id 77 not found.",
        )
    assert api.refused("ada", "PATCH", "realm/profile_fields", order=[before[0]["id"]])[0] == "BAD_REQUEST"
    answer = api.ok("ada", "PATCH", path, field_type=1)
    assert answer["ignored_parameters_unsupported"] == ["field_type"]
    assert fields(api) == before


@pytest.mark.shows("create-field.two-in-summary", "limit.summary", "change.field-summary")
def test_only_two_fields_are_in_the_summary(api: Api) -> None:
    for name in ("a", "b"):
        create(api, 1, name, display_in_profile_summary=True)
    third = create(api, 1, "c")
    shown = {"display_in_profile_summary": True}
    code, text = api.refused("ada", "PATCH", f"realm/profile_fields/{third}", **shown)
    assert (code, "Only 2" in text) == ("BAD_REQUEST", True)
    assert api.refused("ada", "POST", "realm/profile_fields", field_type=1, name="d", **shown)[0] == code


@pytest.mark.shows("field.account", "create-field.name-and-hint", "create-field.field-data")
def test_accounts_that_the_server_knows_are_named_by_it(api: Api) -> None:
    number = create(api, 7, "My own name", field_data={"subtype": "github"}, hint="mine")
    (field,) = fields(api)
    assert (field["name"], field["hint"]) == ("GitHub username", "")
    assert json.loads(field["field_data"]) == {"subtype": "github"}
    path = f"realm/profile_fields/{number}"
    for wrong in ({"name": "Other"}, {"hint": "x"}, {"field_data": {"subtype": "twitter"}}):
        assert api.refused("ada", "PATCH", path, **wrong) == (
            "BAD_REQUEST",
            "Default custom field cannot be updated.",
        )
    api.ok("ada", "PATCH", path, name="GitHub username", editable_by_user=False)
    custom = {"subtype": "custom", "url_pattern": "https://code.example/%(username)s"}
    own = create(api, 7, "Code", field_data=custom)
    api.ok("ada", "PATCH", f"realm/profile_fields/{own}", field_data={"subtype": "twitter"})
    assert fields(api)[1]["name"] == "Twitter username"
    known = api.state("grace", "realm")["realm_default_external_accounts"]
    assert set(known) == set(EXTERNAL_ACCOUNTS)
    assert set(known["github"]) == {"name", "text", "hint", "url_pattern"}


def test_without_an_account_there_are_no_profiles(make_api: MakeApi) -> None:
    api = make_api(enable_spectator_access=True)
    motto = create(api, 1, "Motto")
    api.ok("grace", "PATCH", "users/me/profile_data", data=[{"id": motto, "value": "x"}])
    state = api.ok(None, "POST", "register")
    assert state["custom_profile_fields"] == []
    assert state["custom_profile_field_types"]["PRONOUNS"] == {"id": 8, "name": "Pronouns"}
    assert all(not user.get("profile_data") for user in state["realm_users"])
    listed = api.ok(None, "GET", "users", include_custom_profile_fields=True)["members"]
    assert all("profile_data" not in user for user in listed)


# -- values -----------------------------------------------------------------------------------------


@pytest.mark.shows(
    "user.profile-value", "user.profile-rendered", "field.types", "field.short-text", "field.long-text",
    "field.options", "field.date", "field.link", "field.person", "field.account", "field.pronouns",
    "get-user.profile-data", "change.field-pronouns",
)  # fmt: skip
def test_each_kind_of_field_is_filled_and_emptied(api: Api) -> None:
    grace, eve = api.id("grace"), api.id("eve")
    given: list[tuple[int, object, str]] = [
        (create(api, 1, "Motto"), "**Soup**", "**Soup**"),
        (create(api, 2, "Life"), "two\nlines", "two\nlines"),
        (create(api, 3, "Colour", field_data=COLORS), "g", "g"),
        (create(api, 4, "Birthday"), "1906-12-09", "1906-12-09"),
        (create(api, 5, "Site"), "https://example.com/", "https://example.com/"),
        (create(api, 6, "Friends"), [eve, grace], f"[{eve},{grace}]"),
        (create(api, 7, field_data={"subtype": "github"}), "grace", "grace"),
        (create(api, 8, "Pronouns"), "she/her", "she/her"),
    ]
    follower = api.follow("gil", "realm_user")
    data = [{"id": number, "value": value} for number, value, _ in given]
    api.ok("grace", "PATCH", "users/me/profile_data", data=data)
    expected: Body = {str(number): {"value": stored} for number, _, stored in given}
    expected[str(given[0][0])]["rendered_value"] = "<p><strong>Soup</strong></p>"
    expected[str(given[1][0])]["rendered_value"] = "<p>two<br>\nlines</p>"
    assert profile(api, "grace") == expected
    assert api.ok("grace", "GET", "users/me")["profile_data"] == expected
    announced = [event["person"] for event in follower.events()]
    assert announced == [
        {"user_id": grace, "custom_profile_field": {"id": number, **expected[str(number)]}}
        for number, _, _ in given
    ]
    api.ok("grace", "PATCH", "users/me/profile_data", data=data)
    assert follower.events() == []
    api.ok("grace", "DELETE", "users/me/profile_data", data=[given[0][0]])
    empty = [
        {"id": given[1][0], "value": ""},
        {"id": given[5][0], "value": []},
        {"id": given[2][0], "value": None},
    ]
    api.ok("grace", "PATCH", "users/me/profile_data", data=empty)
    api.ok("grace", "PATCH", "users/me/profile_data", data=empty)
    emptied = [event["person"]["custom_profile_field"] for event in follower.events()]
    assert emptied == [{"id": given[place][0], "value": None} for place in (0, 1, 5, 2)]
    assert set(profile(api, "grace")) == {str(given[place][0]) for place in (3, 4, 6, 7)}


@pytest.mark.shows("user.profile-safe")
def test_values_are_markup_with_linkifiers_but_nothing_is_looked_up(api: Api) -> None:
    motto = create(api, 1, "Motto")
    api.ok(
        "ada", "POST", "realm/filters", pattern="#(?P<id>[0-9]+)", url_template="https://track.example/{id}"
    )
    api.ok("grace", "PATCH", "users/me/profile_data", data=[{"id": motto, "value": "#7 @**Ada** <b>"}])
    html = profile(api, "grace")[str(motto)]["rendered_value"]
    assert html == '<p><a href="https://track.example/7">#7</a> @<strong>Ada</strong> &lt;b&gt;</p>'


@pytest.mark.shows("field.person")
def test_people_in_a_field_are_active_people(api: Api) -> None:
    friends = create(api, 6, "Friends")
    bot = api.add_bot("robot", "grace").id
    for wrong in (bot, api.id("ida"), 10**9):
        data = [{"id": friends, "value": [api.id("ada"), wrong]}]
        assert api.refused("grace", "PATCH", "users/me/profile_data", data=data)[0] == "BAD_REQUEST"
    api.ok("grace", "PATCH", "users/me/profile_data", data=[{"id": friends, "value": f"[{api.id('ada')}]"}])
    assert profile(api, "grace")[str(friends)] == {"value": f"[{api.id('ada')}]"}


def test_a_limited_guest_names_only_people_that_it_knows(make_api: MakeApi) -> None:
    api = make_api(permissions={"can_access_all_users_group": GroupSetting.of(SystemGroup.MEMBERS)})
    friends = create(api, 6, "Friends")
    refusals = {
        api.refused("gil", "PATCH", "users/me/profile_data", data=[{"id": friends, "value": [number]}])[1]
        for number in (api.id("mary"), 10**9)
    }
    assert refusals == {f"Invalid user ID: {api.id('mary')}", f"Invalid user ID: {10**9}"}
    api.ok("gil", "PATCH", "users/me/profile_data", data=[{"id": friends, "value": [api.id("grace")]}])


@pytest.mark.shows("update-user.profile-data")
def test_one_bad_value_and_nothing_is_changed(api: Api) -> None:
    motto, born = create(api, 1, "Motto"), create(api, 4, "Birthday")
    good = {"id": motto, "value": "x"}
    for bad in ({"id": born, "value": "yesterday"}, {"id": 77, "value": "x"}, {"id": motto, "value": [1]}):
        data = [good, bad]
        assert api.refused("grace", "PATCH", "users/me/profile_data", data=data)[0] == "BAD_REQUEST"
        assert api.refused("ada", "PATCH", f"users/{api.id('grace')}", profile_data=data)[0] == "BAD_REQUEST"
    assert profile(api, "grace") == {}
    many = [good] * 1001
    assert api.refused("grace", "PATCH", "users/me/profile_data", data=many)[0] == "BAD_REQUEST"


def test_an_option_that_goes_takes_its_values_with_it(api: Api) -> None:
    color = create(api, 3, "Colour", field_data=COLORS)
    for who, value in (("grace", "r"), ("eve", "g")):
        api.ok(who, "PATCH", "users/me/profile_data", data=[{"id": color, "value": value}])
    follower = api.follow("gil", "realm_user")
    api.ok(
        "ada", "PATCH", f"realm/profile_fields/{color}", field_data={"g": {"text": "Green!", "order": "1"}}
    )
    assert (profile(api, "grace"), profile(api, "eve")) == ({}, {str(color): {"value": "g"}})
    gone = {"id": color, "value": None}
    assert [event["person"] for event in follower.events()] == [
        {"user_id": api.id("grace"), "custom_profile_field": gone}
    ]
    api.ok("ada", "PATCH", f"realm/profile_fields/{color}", field_data=COLORS)
    assert follower.events() == []


def test_a_removed_field_is_gone_from_profiles(api: Api) -> None:
    motto = create(api, 1, "Motto")
    api.ok("grace", "PATCH", "users/me/profile_data", data=[{"id": motto, "value": "x"}])
    api.ok("ada", "DELETE", f"realm/profile_fields/{motto}")
    assert profile(api, "grace") == {}
    code, _ = api.refused("grace", "PATCH", "users/me/profile_data", data=[{"id": motto, "value": "y"}])
    assert code == "BAD_REQUEST"


def test_a_field_that_is_made_while_values_are_rendered(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    motto = create(api, 1, "Motto")
    monkeypatch.setattr("chatcore.application.people.profiles.render_values", lambda *arguments: {})
    code, _ = api.refused("grace", "PATCH", "users/me/profile_data", data=[{"id": motto, "value": "y"}])
    assert code == "BAD_REQUEST"


def test_a_field_that_is_closed_while_values_are_rendered(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    motto = create(api, 1, "Motto")

    def meanwhile(*arguments: Any) -> Mapping[str, str]:
        api.ok("ada", "PATCH", f"realm/profile_fields/{motto}", editable_by_user=False)
        return render_alone(*arguments)

    monkeypatch.setattr("chatcore.application.people.profiles.render_alone", meanwhile)
    status, body = api.call("grace", "PATCH", "users/me/profile_data", data=[{"id": motto, "value": "y"}])
    assert status == 400
    assert "not allowed to change this field" in body["msg"]
    assert profile(api, "grace") == {}


@pytest.mark.shows("user.profile-data")
def test_bots_have_no_profile(api: Api) -> None:
    motto = create(api, 1, "Motto")
    bot = api.add_bot("robot", "grace")
    code, text = api.refused("ada", "PATCH", f"users/{bot.id}", profile_data=[{"id": motto, "value": "x"}])
    assert (code, text) == ("BAD_REQUEST", "Bots have no profile.")
    for method, data in (("PATCH", [{"id": motto, "value": "x"}]), ("DELETE", [motto])):
        assert api.refused("robot", method, "users/me/profile_data", data=data) == (code, text)
    user = api.ok("ada", "GET", f"users/{bot.id}", include_custom_profile_fields=True)["user"]
    assert "profile_data" not in user


# -- security ---------------------------------------------------------------------------------------


@pytest.mark.shows(
    "field.editable", "update-user.profile-data", "create-field.editable", "change.field-editable",
)  # fmt: skip
def test_sec_26_a_field_that_only_administrators_edit(api: Api) -> None:
    badge = create(api, 1, "Badge", editable_by_user=False)
    data = [{"id": badge, "value": "gold"}]
    for who in ("mary", "grace", "gil"):
        code, text = api.refused(who, "PATCH", "users/me/profile_data", data=data)
        assert code == "BAD_REQUEST"
        assert "not allowed to change this field" in text
        assert api.refused(who, "DELETE", "users/me/profile_data", data=[badge])[1] == text
    api.ok("ada", "PATCH", "users/me/profile_data", data=data)
    api.ok("ada", "PATCH", f"users/{api.id('grace')}", profile_data=data)
    assert profile(api, "grace")[str(badge)]["value"] == "gold"
    api.refused("grace", "DELETE", "users/me/profile_data", data=[badge])


def test_sec_26_the_profile_of_another_user_cannot_be_changed(api: Api) -> None:
    motto = create(api, 1, "Motto")
    data = [{"id": motto, "value": "x"}]
    for who in ("mary", "eve", "gil"):
        refused = api.refused(who, "PATCH", f"users/{api.id('grace')}", profile_data=data)
        assert refused == ("BAD_REQUEST", "Insufficient permission")
    assert profile(api, "grace") == {}


@pytest.mark.every_case_on_postgresql
@pytest.mark.shows("user.profile-safe")
@pytest.mark.parametrize(
    "link", ["javascript:alert(1)", "data:text/html,x", "file:///x", "//a.example/", "ftp://a/"]
)
def test_sec_26_a_link_leads_to_the_web(api: Api, link: str) -> None:
    site = create(api, 5, "Site")
    data = [{"id": site, "value": link}]
    assert api.refused("grace", "PATCH", "users/me/profile_data", data=data)[0] == "BAD_REQUEST"
    assert api.refused("ada", "PATCH", f"users/{api.id('grace')}", profile_data=data)[0] == "BAD_REQUEST"
    pattern = {"subtype": "custom", "url_pattern": link + "%(username)s"}
    wrong = {"field_type": 7, "name": "Code", "field_data": pattern}
    assert api.refused("ada", "POST", "realm/profile_fields", **wrong)[0] == "BAD_REQUEST"


@pytest.mark.shows("create-field.administrators")
def test_administrators_need_not_be_owners(api: Api) -> None:
    api.add_person("adam", Role.ADMINISTRATOR)
    api.ok("adam", "POST", "realm/profile_fields", field_type=1, name="Motto")
    assert len(fields(api)) == 1
