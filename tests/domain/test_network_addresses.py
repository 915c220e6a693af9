"""The network that a request counts for, derived from its address."""

import pytest

from chatcore.domain.network_addresses import UNKNOWN, neighbourhood, site


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
