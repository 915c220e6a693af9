"""The image and the compose files.

The health check asks a server, and the compose files set what there is. Where it can be, the image is built.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from chatcore.configuration import VARIABLE_PREFIX, VARIABLE_READERS
from tests.page_programs import ROOT
from tests.ports import free_port
from tests.test_cli import INIT, home, run, serving
from tests.waiting import PATIENCE, until

__all__ = ["home"]

DOCKERFILE = (ROOT / "Dockerfile").read_text().replace("\\\n", "")
COMPOSE = sorted((ROOT / "contrib" / "compose").glob("*.yaml"))
PAGE = (ROOT / "docs" / "containers.md").read_text()


def instruction(name: str) -> str:
    """The last instruction of this name in the Dockerfile, without the name."""
    found: list[str] = re.findall(rf"^{name} (.+)$", DOCKERFILE, re.MULTILINE)
    return found[-1]


def is_healthy(port: int) -> bool:
    python, *arguments = json.loads(instruction("HEALTHCHECK").partition(" CMD ")[2])
    assert python == "python"
    variables = {**os.environ, "CHATCORE_PORT": str(port)}  # noqa: TID251
    return subprocess.run([sys.executable, *arguments], check=False, env=variables).returncode == 0


def test_the_health_check_asks_whether_the_server_is_ready(
    home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    run(*INIT)
    with serving() as server:
        assert is_healthy(server.port)
        (home / "chat.db").rename(home / "away.db")
        assert not is_healthy(server.port)
    assert not is_healthy(free_port())
    assert "ConnectionRefusedError" in capfd.readouterr().err


def test_health_checks_have_no_options_that_many_engines_refuse() -> None:
    """Docker before version 25, and Podman and Buildah of Debian 12, refuse `start-interval`."""
    options = set(re.findall(r"--([\w-]+)=", instruction("HEALTHCHECK").partition(" CMD ")[0]))
    assert options == {"interval", "timeout", "start-period"}
    assert [file.name for file in COMPOSE if "start_interval" in file.read_text()] == []


@pytest.mark.parametrize("name", ["ENTRYPOINT", "CMD"])
def test_the_image_starts_the_command_without_a_shell(name: str) -> None:
    assert json.loads(instruction(name)) == {"ENTRYPOINT": ["chatcore"], "CMD": ["serve"]}[name]


@pytest.mark.parametrize("file", COMPOSE, ids=lambda file: file.name)
def test_a_compose_file_sets_what_there_is_and_its_page_says_what_it_needs(file: Path) -> None:
    text = file.read_text()
    named = set(re.findall(rf"^ +({VARIABLE_PREFIX}\w+):", text, re.MULTILINE))
    assert named
    assert named <= VARIABLE_READERS.keys()
    needed = set(re.findall(r"\$\{(\w+):\?", text))
    assert needed
    assert {name for name in needed if f"{name}=" not in PAGE} == set()


def test_the_image_is_told_by_all_commands_what_its_labels_say() -> None:
    """An argument that is missing is `unknown` in the labels."""
    arguments = set(re.findall(r"^ARG (\w+)=", DOCKERFILE, re.MULTILINE))
    assert arguments == set(re.findall(r"\$(\w+)", instruction("LABEL")))
    assert DOCKERFILE.index("\nCOPY --from=build") < DOCKERFILE.index("\nLABEL"), (
        "Podman takes an earlier one"
    )
    (command,) = re.findall(r"^docker build (.+)$", PAGE, re.MULTILINE)
    assert set(re.findall(r"--build-arg (\w+)", command)) == arguments
    assert set(re.findall(r"^export (\w+)=", PAGE, re.MULTILINE)) == arguments
    for file in COMPOSE:
        (named,) = re.findall(r"args: \[(.+)\]$", file.read_text(), re.MULTILINE)
        assert set(named.split(", ")) == arguments


def test_the_image_has_the_programs_of_the_postgresql_that_it_is_backed_up_from() -> None:
    """Older programs refuse to read a newer server."""
    (server,) = re.findall(r"image: postgres:(\d+)$", COMPOSE[0].read_text(), re.MULTILINE)
    (client,) = re.findall(r"postgresql-client-(\d+)", DOCKERFILE)
    assert int(client) >= int(server)


@pytest.fixture
def engine() -> str:
    for name in ("docker", "podman"):
        program = shutil.which(name)
        if program and subprocess.run([program, "version"], capture_output=True, check=False).returncode == 0:
            return program
    pytest.skip("neither docker nor podman runs on this machine, to build the image")


@pytest.fixture
def image(engine: str) -> Iterator[str]:
    for base in set(re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)):
        if subprocess.run([engine, "pull", base], check=False).returncode:
            pytest.skip(f"{base} cannot be fetched, on which the image is built")
    name = f"chatcore-test-{uuid4().hex[:12]}"
    subprocess.run([engine, "build", "--build-arg", "REVISION=0123456789ab", "--tag", name, ROOT], check=True)
    yield name
    subprocess.run([engine, "rmi", "--force", name], check=True, capture_output=True)


def test_an_image_is_built_founds_an_organization_and_serves_it(engine: str, image: str) -> None:
    def call(*arguments: str) -> str:
        done = subprocess.run(
            [engine, *arguments], capture_output=True, text=True, check=False, timeout=PATIENCE
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    at_home = ["--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL", "--volume", f"{image}:/data", image]
    try:
        assert "api_key" in call("run", "--rm", *at_home, *INIT)
        assert call("run", "--rm", "--entrypoint", "id", image, "-u") == "1000"
        assert "0123456789ab" in call("run", "--rm", image, "--version")
        assert "pg_dump (PostgreSQL)" in call("run", "--rm", "--entrypoint", "pg_dump", image, "--version")
        call("run", "--detach", "--name", image, *at_home)
        health = json.loads(instruction("HEALTHCHECK").partition(" CMD ")[2])
        until(lambda: subprocess.run([engine, "exec", image, *health], check=False).returncode == 0)
        call("stop", "--time", "60", image)
        assert call("inspect", "--format", "{{.State.ExitCode}}", image) == "0"
    finally:
        subprocess.run([engine, "rm", "--force", image], check=False, capture_output=True)
        subprocess.run([engine, "volume", "rm", "--force", image], check=False, capture_output=True)
