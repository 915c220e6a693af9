"""An organization with files, its backups, and commands that are run on them."""

import json
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from msgspec.structs import replace

from chatcore import open_chat
from chatcore.backups.manifest import measure_file, read_manifest, write_manifest
from tests.test_cli import INIT, home, run

__all__ = ["home"]


def key_in(content: str) -> str:
    """The key of the file that a message links to."""
    found = re.search(r"/user_uploads/[^/]+/(\w\w)/([\w-]+)/", content)
    assert found is not None
    return f"{found[1]}/{found[2]}"


def contents(folder: Path) -> dict[str, bytes]:
    """The finished files in a folder of files."""
    return {
        f"{path.parent.name}/{path.name}": path.read_bytes()
        for path in folder.glob("[0-9a-f][0-9a-f]/*")
    }  # fmt: skip


def backups(folder: Path | str = "backups") -> list[Path]:
    return sorted(path for path in Path(folder).iterdir() if path.name.endswith("Z"))


@pytest.fixture
def lunch(home: Path) -> Callable[..., str]:
    """A new organization; a function that posts a file there, and returns its key."""
    assert run(*INIT).exit_code == 0
    return post


def post(data: bytes, url: str = "sqlite:///chat.db") -> str:
    with open_chat(url) as chat:
        ada = chat.users.actor("ada@example.com")
        file = chat.files.upload(ada, "menu.txt", data)
        chat.messages.send(ada, f"[menu]({file.url})", channel="general", topic="menu")
        return key_in(file.url)


def made(*arguments: str) -> dict[str, Any]:
    done = run("backup", "backups", "--json", *arguments)
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def restored_elsewhere(
    home: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str, backup: str = "../backups"
) -> Result:
    """Restore into a new folder and return the outcome; commands run there from now on."""
    (home / "elsewhere").mkdir()
    monkeypatch.chdir(home / "elsewhere")
    return run("restore", backup, *arguments)


def damage(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 255
    path.write_bytes(data)


def rewrite(backup: Path, part: str, data: bytes) -> None:
    """Replace a part of a backup, so that the manifest names its checksum."""
    (backup / part).write_bytes(data)
    manifest = json.loads((backup / "manifest.json").read_text())
    manifest["parts"][part] = {"size": len(data), "sha256": sha256(data).hexdigest()}
    (backup / "manifest.json").write_text(json.dumps(manifest))


def change_parts(backup: Path, **changed: Path) -> None:
    """Let the manifest of a backup name files as they are now."""
    manifest = read_manifest(backup)
    parts = {**manifest.parts, **{name: measure_file(path) for name, path in changed.items()}}
    (backup / "manifest.json").unlink()
    write_manifest(replace(manifest, parts=parts), backup)
