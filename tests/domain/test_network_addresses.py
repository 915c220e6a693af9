"""The network that a request counts for, and the addresses that the server may connect to."""

import pytest

from chatcore.domain.network_addresses import (
    UNKNOWN,
    is_open_port,
    is_public,
    neighbourhood,
    plain_address,
    site_network,
)


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


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("192.0.2.1:4711", "192.0.2.1"),
        ("[2001:db8:1:2::9]:443", "2001:db8:1:2::9"),
        ("", ""),
        ("x" * 5000, UNKNOWN),
        ("192.0.2.1\nolga", UNKNOWN),
    ],
)
def test_what_is_kept_is_an_address(address: str, expected: str) -> None:
    assert plain_address(address) == expected


def test_a_site_is_for_the_newer_addresses() -> None:
    assert site_network("[2001:db8:1:2::9]:443") == "2001:db8:1::/48"
    assert site_network("192.0.2.1:80") is None


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("192.0.0.192", False),
        ("192.0.0.9", False),
        ("::ffff:192.0.0.192", False),
        ("168.63.129.16", False),
        ("::ffff:168.63.129.16", False),
        ("168.63.129.17", True),
        ("3fff::1", False),
        ("5f00::1", False),
        ("192.0.1.1", True),
        ("2001:4860:4860::8888", True),
    ],
)
def test_sec_67_addresses_of_protocols_are_not_public(address: str, *, expected: bool) -> None:
    assert is_public(address) is expected


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
        "100.64.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1",
        "::", "::1", "fc00::1", "fd12::1", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "ff0e::1",
        "2001:db8::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::", "2002:a00:1::",
        "64:ff9b::808:808", "64:ff9b:1::808:808", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "", "localhost",
        "127.1", "2130706433",
    ],
)  # fmt: skip
def test_no_request_goes_to_an_address_that_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "172.32.0.1", "2606:4700::1111", "::ffff:8.8.8.8", "2002:808:808::1"]
)
def test_public_addresses_are_recognized(address: str) -> None:
    assert is_public(address)


def test_ports_of_the_web_and_free_ones_are_open() -> None:
    assert [port for port in (22, 80, 81, 443, 1023, 1024, 8080) if is_open_port(port)] == [
        80,
        443,
        1024,
        8080,
    ]
