"""Backups that are damaged, or that somebody has changed: each fault is named, and nothing is restored."""

import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from tests.backups.lunch import backups, contents, lunch, made, restored_elsewhere
from tests.test_cli import error_line, home, run

__all__ = ["home", "lunch"]


def rewrite(backup: Path, part: str, data: bytes) -> None:
    """Replace a part of a backup, so that the manifest names its checksum."""
    (backup / part).write_bytes(data)
    manifest = json.loads((backup / "manifest.json").read_text())
    manifest["parts"][part] = {"size": len(data), "sha256": sha256(data).hexdigest()}
    (backup / "manifest.json").write_text(json.dumps(manifest))


def test_a_key_with_a_line_end_is_damage(
    lunch: Callable[..., str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made()
    (backup,) = backups()
    rewrite(backup, "files.jsonl", b'{"key":"ab/abc\\n","size":4,"sha256":"%s"}\n' % (b"0" * 64))
    checked = run("backup", "--check", "backups")
    assert checked.exit_code == 1
    assert "files.jsonl cannot be read: " in checked.stdout
    assert "files.jsonl cannot be read: " in error_line(restored_elsewhere(home, monkeypatch), 1)
    assert list(Path().iterdir()) == []
