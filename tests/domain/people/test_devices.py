"""Kinds of devices by what browsers and programs call themselves."""

import pytest

from chatcore.domain.people.devices import device_of


@pytest.mark.parametrize(
    ("user_agent", "device"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0", "Firefox on Linux"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0", "Firefox on Linux"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0"
         " Safari/537.36 Edg/143.0.0.0", "Edge on Windows"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0"
         " Safari/537.36", "Chrome on Windows"),
        ("Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0"
         " Mobile Safari/537.36", "Chrome on Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
         " Version/19.0 Mobile/15E148 Safari/604.1", "Safari on iPhone"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)"
         " Version/19.0 Safari/605.1.15", "Safari on macOS"),
        ("curl/8.5.0", "curl"),
        ("ChatTerminal/1.2 (Linux)", "ChatTerminal on Linux"),
        ("", "an unknown program"),
        ("\x00 {link}", "an unknown program"),
        ("(X11; Linux x86_64)", "an unknown program on Linux"),
        ("x" * 5000, "x" * 40),
    ],
)  # fmt: skip
def test_a_device_is_named_by_its_kind(user_agent: str, device: str) -> None:
    assert device_of(user_agent) == device
