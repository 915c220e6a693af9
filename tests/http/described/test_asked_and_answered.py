"""Parameters and answers of single endpoints; some answer only that the request succeeded."""

from typing import Any

import pytest

from tests.worlds.groups import makes
from tests.worlds.organization import MakeWorld, Someone, World

DRAFT = {"type": "", "to": [], "topic": "", "content": "soup"}
LINKIFIER = {"pattern": "#(?P<id>[0-9]+)", "url_template": "https://track.example/{id}"}


@pytest.mark.shows(
    "mark-topic.done", "policies.done", "update-user.done", "update-user-by-email.done", "update-group.done",
    "fill-group.done", "fill-subgroups.done", "update-linkifier.done", "edit-draft.done",
)  # fmt: skip
def test_the_answer_is_a_success_and_no_more(world: World, olga: Someone, ada: Someone, bea: Someone) -> None:
    ada.says("soup", topic="today")
    staff, cooks = makes(ada, "staff", ada), makes(ada, "cooks")
    draft = olga.post("/drafts", drafts=[DRAFT])["ids"][0]
    linkifier = olga.post("/realm/filters", **LINKIFIER)["id"]
    topic: dict[str, Any] = {"stream_id": world.id("lunch")}
    requests: list[tuple[Someone, str, str, dict[str, Any]]] = [
        (bea, "POST", "/mark_topic_as_read", {**topic, "topic_name": "today"}),
        (bea, "POST", "/user_topics", {**topic, "topic": "today", "visibility_policy": 3}),
        (olga, "PATCH", f"/users/{bea.id}", {"full_name": "Bea Fox"}),
        (olga, "PATCH", "/users/bea@example.org", {"role": 300}),
        (ada, "PATCH", f"/user_groups/{staff}", {"description": "us"}),
        (ada, "POST", f"/user_groups/{staff}/members", {"add": [bea.id]}),
        (ada, "POST", f"/user_groups/{staff}/subgroups", {"add": [cooks]}),
        (olga, "PATCH", f"/realm/filters/{linkifier}", {**LINKIFIER, "pattern": "T(?P<id>[0-9]+)"}),
        (olga, "PATCH", f"/drafts/{draft}", {"draft": {**DRAFT, "content": "stew"}}),
    ]
    for who, method, path, parameters in requests:
        response = who.request(method, path, **parameters)
        assert (response.status_code, response.get_json()) == (200, {"result": "success", "msg": ""}), path


@pytest.mark.shows(
    "mark-topic.required", "policies.required", "update-linkifier.required", "development-key.required",
)  # fmt: skip
def test_required_parameters_are_asked_for_by_name(make_world: MakeWorld) -> None:
    world = make_world(development=True)
    olga, lunch = world["olga"], world.id("lunch")
    world["ada"].says("soup", topic="today")
    linkifier = olga.post("/realm/filters", **LINKIFIER)["id"]
    requests: list[tuple[Someone, str, str, dict[str, Any]]] = [
        (world["bea"], "POST", "/mark_topic_as_read", {"stream_id": lunch, "topic_name": "today"}),
        (olga, "POST", "/user_topics", {"stream_id": lunch, "topic": "today", "visibility_policy": 3}),
        (olga, "PATCH", f"/realm/filters/{linkifier}", LINKIFIER),
        (world.nobody, "POST", "/dev_fetch_api_key", {"username": "olga@example.org"}),
    ]
    for who, method, path, parameters in requests:
        for missing in parameters:
            given = {name: value for name, value in parameters.items() if name != missing}
            answer = who.refused(method, path, code="REQUEST_VARIABLE_MISSING", **given)
            assert answer["var_name"] == missing, path
        assert who.request(method, path, **parameters).status_code == 200, path


@pytest.mark.shows(
    "create-field.name-optional", "create-field.hint-optional", "create-field.field-data-optional",
    "create-field.summary-optional", "create-field.required-optional", "create-field.editable-optional",
)  # fmt: skip
def test_a_profile_field_needs_its_kind_and_what_that_does_not_say(olga: Someone) -> None:
    """One that is named by its kind needs nothing else; any other is refused a blank name alone."""
    site = {"field_type": 7, "field_data": {"subtype": "github"}}
    made = [olga.post("/realm/profile_fields", **site)["id"]]
    made.append(olga.post("/realm/profile_fields", field_type=1, name="Motto")["id"])
    olga.refused("POST", "/realm/profile_fields", field_type=1)
    listed = {field["id"]: field for field in olga.get("/realm/profile_fields")["custom_fields"]}
    assert [listed[number]["name"] for number in made] == ["GitHub username", "Motto"]
    motto = listed[made[1]]
    assert [motto[name] for name in ("hint", "field_data", "required", "editable_by_user")] == [
        "", "", False, True
    ]  # fmt: skip
    assert not motto.get("display_in_profile_summary")


@pytest.mark.shows("register.optional-avatar-url")
def test_addresses_of_pictures_may_be_left_out_and_are_not(ada: Someone) -> None:
    """Even clients that need no addresses of pictures get all: null means a generated picture."""
    lists = []
    for capabilities in ({}, {"user_avatar_url_field_optional": True}):
        given = {"fetch_event_types": ["realm_user"], "client_gravatar": False}
        state = ada.post("/register", client_capabilities=capabilities, **given)
        lists.append([user["avatar_url"] for user in state["realm_users"]])
        assert all(lists[-1])
    assert lists[0] == lists[1]
