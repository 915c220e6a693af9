"""Pages for browsers: the web client and the reference; what they do in a browser is in `tests.web`."""

import re
import zlib
from pathlib import Path
from urllib.parse import urljoin

import pytest
from werkzeug.test import Client

import chatcore
from tests.worlds.organization import HOST, World

BROWSER_PAGES = ("/", "/api/docs")
PREFIXES = ("", "/team/chat")
MOST_IN_THE_WHEEL = 2**20


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("path", BROWSER_PAGES)
def test_a_page_finds_its_files_and_they_are_stored_for_ever(world: World, path: str, prefix: str) -> None:
    client = Client(world.application)
    page = client.get(path, base_url=f"http://{HOST}{prefix}")
    assert (page.status_code, page.mimetype) == (200, "text/html")
    assert page.headers["Cache-Control"] == "no-cache"
    names = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert len(names) > 2
    for name in names:
        address = urljoin(f"http://{HOST}{prefix}{path}", name)
        file = client.get(address.removeprefix(f"http://{HOST}{prefix}"), base_url=f"http://{HOST}{prefix}")
        assert file.status_code == 200, address
        assert "immutable" in file.headers["Cache-Control"]


@pytest.mark.parametrize(
    ("mount", "address"),
    [("/team/chat", "/team/chat/"), ("", "/"), ("//evil.example", "/evil.example/"), ("/té", "/t%C3%A9/")],
)
def test_the_address_of_a_mount_leads_to_the_page(world: World, mount: str, address: str) -> None:
    environ = {"SCRIPT_NAME": mount.encode().decode("latin-1"), "PATH_INFO": "", "REQUEST_URI": ""}
    answer = Client(world.application).get("/", environ_overrides=environ)
    assert (answer.status_code, answer.headers["Location"]) == (308, address)
    assert Client(world.application).post("/", environ_overrides=environ).status_code == 405


@pytest.mark.parametrize("path", BROWSER_PAGES)
def test_the_policy_of_a_page_permits_nothing_inside_of_it(world: World, path: str) -> None:
    page = Client(world.application).get(path)
    policy = dict(rule.split(" ", 1) for rule in page.headers["Content-Security-Policy"].split("; "))
    assert (policy["default-src"], policy["script-src"], policy["style-src"]) == (
        "'none'", "'self'", "'self'"
    )  # fmt: skip
    assert policy["frame-ancestors"] == "'none'"
    assert "'unsafe-" not in str(policy)
    assert not re.search(r"<script(?![^>]* src=)|<style| style=| on\w+=", page.text)


def test_the_reference_is_small() -> None:
    home = Path(chatcore.__file__).parent
    files = [path for path in (home / "reference").rglob("*") if path.is_file()]
    files.append(home / "http" / "openapi" / "examples.json")
    assert sum(len(zlib.compress(path.read_bytes())) for path in files) < MOST_IN_THE_WHEEL
