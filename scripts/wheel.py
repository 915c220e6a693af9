"""The build of wheels: the checkout's package `storage_backends` becomes `chatcore.storage_backends`.

An installation has no other top-level name than `chatcore`. The commit is in a file, which source
distributions have for the wheels that are built from them.
"""

import re
import runpy
import shutil
from pathlib import Path

from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

IMPORT = re.compile(r"^(\s*(?:from|import) )storage_backends\b", re.MULTILINE)


class BuildPy(build_py):
    """Builds the packages; an editable installation keeps those of the checkout."""

    def run(self) -> None:
        if self.editable_mode:
            super().run()
            return
        shutil.rmtree(self.build_lib, ignore_errors=True)  # from an earlier installation of this checkout
        super().run()
        move_into_package(Path(self.build_lib))
        note_commit(Path(self.build_lib))


class Sdist(sdist):
    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        note_commit(Path(base_dir))


def note_commit(built: Path) -> None:
    """Write the commit to a file of the package, if it is known."""
    program = runpy.run_path("chatcore/version.py")
    if (commit := program["commit"]()) is not None:
        (built / program["COMMIT"]).write_text(f"{commit}\n")


def move_into_package(built: Path) -> None:
    """Move the backends into the package, and change all imports of them."""
    (built / "storage_backends").rename(built / "chatcore" / "storage_backends")
    for file in (built / "chatcore").rglob("*.py"):
        text = file.read_text()
        if (changed := IMPORT.sub(r"\1chatcore.storage_backends", text)) != text:
            file.write_text(changed)
