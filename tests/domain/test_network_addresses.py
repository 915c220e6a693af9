"""The network that a request counts for, derived from its address."""

import pytest

from chatcore.domain.network_addresses import UNKNOWN, is_public, neighbourhood, site


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("192.0.2.1:4711", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("[::ffff:192.0.2.1]:80", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::9]", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::9]:443", "2001:db8:1:2::/64"),
        ("", UNKNOWN),
        ("unix:/run/chat.sock", UNKNOWN),
        ("192.0.2.1:4711x", UNKNOWN),
        ("[]:1", UNKNOWN),
        ("x" * 5000, UNKNOWN),
    ],
)
def test_an_address_stands_for_its_network_without_its_port(address: str, expected: str) -> None:
    assert neighbourhood(address) == expected


def test_a_site_is_for_the_newer_addresses() -> None:
    assert site("[2001:db8:1:2::9]:443") == "2001:db8:1::/48"
    assert site("192.0.2.1:80") is None


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("192.0.0.192", False),
        ("192.0.0.9", False),
        ("::ffff:192.0.0.192", False),
        ("192.0.1.1", True),
        ("2001:4860:4860::8888", True),
    ],
)
def test_sec_67_addresses_of_protocols_are_not_public(address: str, *, expected: bool) -> None:
    assert is_public(address) is expected
