"""The units of contrib/systemd: systemd understands them, and services may do little but their work."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from chatcore.cli import chatcore
from tests.page_programs import ROOT
from tests.test_documented_servers import place, program

__all__ = ["place"]

UNITS = sorted((ROOT / "contrib" / "systemd").iterdir())
SERVICES = [unit for unit in UNITS if unit.suffix == ".service"]
PROGRAM = "/opt/chat/venv/bin/chatcore"


@pytest.fixture
def units(place: Path) -> Path:
    """A folder with all units, which start a program that there is."""
    for unit in UNITS:
        text = unit.read_text().replace(PROGRAM, shutil.which("true") or "/bin/true")
        copy = place / unit.name
        copy.touch(0o644)
        copy.write_text(text)
    return place


def test_systemd_understands_all_units(units: Path) -> None:
    command = [program("systemd-analyze", "systemd"), "verify", *sorted(units.iterdir())]
    verified = subprocess.run(command, capture_output=True, text=True, check=False)
    names = [unit.name for unit in UNITS]
    assert [line for line in verified.stderr.splitlines() if any(name in line for name in names)] == []


@pytest.mark.parametrize("service", SERVICES, ids=lambda unit: unit.name)
def test_a_service_is_given_little(units: Path, service: Path) -> None:
    for directive in ("User=chat", "StateDirectoryMode=0700", "WorkingDirectory=/var/lib/chat", "UMask=0077"):
        assert directive in service.read_text().splitlines()
    command = [program("systemd-analyze", "systemd"), "security", "--offline=true", units / service.name]
    security = subprocess.run(command, capture_output=True, text=True, check=False)
    if "unrecognized option" in security.stderr:
        pytest.skip("this systemd-analyze cannot look at a unit that is not loaded; it takes systemd 250")
    level = re.search(rf"Overall exposure level for {service.name}: ([0-9.]+)", security.stdout)
    assert level is not None, security.stdout + security.stderr
    assert float(level[1]) <= 1.5


@pytest.mark.parametrize("service", SERVICES, ids=lambda unit: unit.name)
def test_a_service_has_its_settings_from_files_that_all_services_read(service: Path) -> None:
    lines = service.read_text().splitlines()
    assert "EnvironmentFile=-/etc/chat.env" in lines
    assert not any(line.startswith("Environment=") for line in lines)


def test_a_socket_that_is_enabled_starts_with_its_service() -> None:
    """A stop is of both, as a connection would start the server again."""
    (line,) = re.findall(
        r"^WantedBy=(.+)$", (ROOT / "contrib" / "systemd" / "chat.socket").read_text(), re.MULTILINE
    )
    assert "chat.service" in line.split()


@pytest.mark.parametrize("service", SERVICES, ids=lambda unit: unit.name)
def test_a_service_starts_commands_that_there_are(service: Path) -> None:
    lines = re.findall(rf"^ExecStart(?:Post)?={PROGRAM} (.+)$", service.read_text(), re.MULTILINE)
    assert lines
    for line in lines:
        group, (name, *rest) = chatcore, shlex.split(line)
        while isinstance(command := group.commands[name], type(group)):
            group, (name, *rest) = command, rest
        command.make_context(name, rest, resilient_parsing=False).close()
