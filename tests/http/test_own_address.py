"""The server's address as given to clients without a setting: the one they used, if it is an IP address."""

from typing import Any

import pytest

from chatcore.configuration import from_environment
from tests.worlds.organization import MakeWorld, Someone

GUESS = "http://127.0.0.1:9991"


def given_addresses(ada: Someone, host: str, **environ: Any) -> set[object]:
    ada.headers["Host"] = host
    settings = ada.world.nobody
    settings.headers["Host"] = host
    before, state = settings.get("/server_settings"), ada.post("/register", fetch_event_types=["realm"])
    return {
        before["realm_url"], before["realm_uri"], state["realm_url"], state["realm_uri"],
        state["server_emoji_data_url"].removesuffix("/static/emoji.json"),
    }  # fmt: skip


@pytest.mark.parametrize(
    "host", ["192.168.1.20:9991", "127.0.0.1:8000", "10.0.0.1", "[fe80::1]:9991", "[::1]", "localhost:9991"]
)
def test_clients_at_an_ip_address_get_that_address(make_world: MakeWorld, host: str) -> None:
    ada = make_world(external_url=GUESS, url_is_a_guess=True)["ada"]
    assert given_addresses(ada, host) == {f"http://{host}"}


@pytest.mark.parametrize(
    "host",
    [
        "evil.example.com", "localhost.evil.example.com", "127.0.0.1.evil.example.com",
        "127.0.0.1:80@evil.example.com", "127.0.0.1:x", "127.0.0.1:999999", "127.0.0.1:١", "127.1",
        "2130706433", "0x7f.1", "[::1]x", "[evil]", "::1", "", "127.0.0.1/evil", "127.0.0.1 evil",
    ],
)  # fmt: skip
def test_a_name_or_anything_else_in_the_host_is_not_believed(make_world: MakeWorld, host: str) -> None:
    ada = make_world(external_url=GUESS, url_is_a_guess=True)["ada"]
    assert given_addresses(ada, host) == {GUESS}


def test_an_address_that_is_set_is_that_of_every_client(make_world: MakeWorld) -> None:
    ada = make_world(external_url="https://chat.example.org")["ada"]
    assert given_addresses(ada, "192.168.1.20:9991") == {"https://chat.example.org"}
    set_by_hand = {"CHATCORE_EXTERNAL_URL": GUESS}
    assert (from_environment(set_by_hand).url_is_a_guess, from_environment({}).url_is_a_guess) == (
        False,
        True,
    )


def test_nothing_that_stays_follows_the_host(make_world: MakeWorld) -> None:
    """Placeholder addresses and rendered messages do not depend on the Host of a request."""
    ada = make_world(external_url=GUESS, url_is_a_guess=True)["ada"]
    ada.headers["Host"] = "192.168.1.20"
    content = ada.message(ada.says("http://192.168.1.20/#narrow and http://127.0.0.1:9991/#narrow"))[
        "content"
    ]
    assert 'href="http://192.168.1.20/#narrow"' in content
    assert 'href="#narrow"' in content
    assert ada.post("/register", fetch_event_types=["realm"])["realm_bot_domain"] == "127.0.0.1"
