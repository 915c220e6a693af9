"""POST register with digests: what the client has kept is not sent again."""

from typing import Any

import pytest

from tests.worlds.organization import Someone

NAMES = ("realm_users", "subscriptions", "realm_user_groups")


def register(person: Someone, **digests: str) -> dict[str, Any]:
    answer: dict[str, Any] = person.post("/register", digests={**dict.fromkeys(NAMES, ""), **digests})
    return answer


def test_an_answer_has_digests_only_for_who_asks(ada: Someone) -> None:
    assert "digests" not in ada.post("/register")
    assert ada.post("/register", digests={})["digests"] == {}
    assert ada.post("/register", digests={"nothing": "", "queue_id": ""})["digests"] == {}
    whole, answer = ada.post("/register"), register(ada)
    assert set(answer["digests"]) == set(NAMES)
    assert [answer[name] for name in NAMES] == [whole[name] for name in NAMES]


def test_a_field_that_is_the_same_is_left_out(ada: Someone, bea: Someone) -> None:
    first = register(ada)
    second = register(ada, **first["digests"])
    assert second.keys() == first.keys() - set(NAMES)
    assert second["digests"] == first["digests"]
    bea.patch("/settings", full_name="Beatrice")
    third = register(ada, **first["digests"])
    assert set(NAMES) & third.keys() == {"realm_users"}
    assert "Beatrice" in [person["full_name"] for person in third["realm_users"]]
    assert third["digests"].keys() == first["digests"].keys()
    assert third["digests"]["realm_users"] != first["digests"]["realm_users"]


def test_what_another_person_has_kept_shows_nothing(ada: Someone, bea: Someone) -> None:
    ada.post("/users/me/subscriptions", subscriptions=[{"name": "lab"}], invite_only=True)
    kept = register(ada)
    answer = register(bea, **kept["digests"])
    assert "lab" not in str(answer["subscriptions"])


@pytest.mark.parametrize("digests", [[], "text", {"realm_users": 1}, {"realm_users": None}, 1])
def test_digests_in_another_form_are_refused(ada: Someone, digests: object) -> None:
    ada.refused("POST", "/register", digests=digests)
