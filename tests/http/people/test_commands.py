"""Commands of the message box, and phones for push messages."""

import pytest

from tests.worlds.organization import Someone


def setting(who: Someone, name: str) -> object:
    return who.registers(fetch_event_types=["user_settings"]).state["user_settings"][name]


@pytest.mark.parametrize(
    ("command", "name", "value"),
    [
        ("/dark", "color_scheme", 2),
        ("/night", "color_scheme", 2),
        ("/light", "color_scheme", 3),
        ("/day", "color_scheme", 3),
        ("/fluid-width", "fluid_layout_width", True),
        ("/fixed-width", "fluid_layout_width", False),
    ],
)
def test_commands_change_settings(ada: Someone, bea: Someone, command: str, name: str, value: object) -> None:
    others = setting(bea, name)
    ada.patch("/settings", color_scheme=1, fluid_layout_width=not value)
    ada.post("/zcommand", command=command)
    assert (setting(ada, name), setting(bea, name)) == (value, others)


def test_other_commands_are_refused(ada: Someone, robo: Someone) -> None:
    line = ada.opens_queue("user_settings")
    ada.post("/zcommand", command="/ping")
    for command in ("ping", "/dance", "/", ""):
        ada.refused("POST", "/zcommand", command=command)
    ada.refused("POST", "/zcommand", code="REQUEST_VARIABLE_MISSING")
    robo.refused("POST", "/zcommand", command="/dark")
    assert line.events() == []


@pytest.mark.parametrize("method", ["POST", "DELETE"])
def test_phones_are_registered_without_a_service(ada: Someone, robo: Someone, method: str) -> None:
    apple, android = "/users/me/apns_device_token", "/users/me/android_gcm_reg_id"
    assert ada.request(method, apple, token="a0B1").status_code == 200
    assert ada.request(method, android, token="any:thing").status_code == 200
    ada.refused(method, apple, token="xyz")
    for path in (apple, android):
        ada.refused(method, path, code="REQUEST_VARIABLE_MISSING")
        ada.refused(method, path, token="")
        ada.refused(method, path, token="a" * 4097)
        robo.refused(method, path, token="a0")


REGISTRATION = {
    "token_kind": "fcm",
    "push_account_id": 2408,
    "push_public_key": "key",
    "bouncer_public_key": "another",
    "encrypted_push_registration": "secret",
}


def test_without_a_push_service_no_phone_is_registered(ada: Someone, robo: Someone) -> None:
    path, code = "/mobile_push/register", "PUSH_SERVICE_NOT_CONFIGURED"
    ada.refused("POST", path, code=code, **REGISTRATION)
    newer = {**REGISTRATION, "push_key": REGISTRATION["push_public_key"]}
    ada.refused("POST", path, code="REQUEST_CONFUSING_VAR", **newer)
    del newer["push_public_key"]
    ada.refused("POST", path, code=code, **newer)
    for name in REGISTRATION:
        some = {other: value for other, value in REGISTRATION.items() if other != name}
        assert ada.refused("POST", path, code="REQUEST_VARIABLE_MISSING", **some)["var_name"] == name
    ada.refused("POST", path, **{**REGISTRATION, "token_kind": "pigeon"})
    ada.refused("POST", path, code="REQUEST_VARIABLE_INVALID", **{**REGISTRATION, "push_account_id": "x"})
    robo.refused("POST", path, **REGISTRATION)


def test_without_a_push_service_no_phone_is_tested(ada: Someone, robo: Someone) -> None:
    path, encrypted = "/mobile_push/test_notification", "/mobile_push/e2ee/test_notification"
    ada.refused("POST", path, code="PUSH_SERVICE_NOT_CONFIGURED")
    ada.refused("POST", path, code="INVALID_PUSH_DEVICE_TOKEN", token="a0b1")
    for given in ({}, {"push_account_id": 2408}):
        ada.refused("POST", encrypted, code="NO_ACTIVE_PUSH_DEVICE", **given)
    ada.refused("POST", encrypted, code="REQUEST_VARIABLE_INVALID", push_account_id="x")
    for one in (path, encrypted):
        robo.refused("POST", one)
