"""The build of wheels: the checkout's package `storage_backends` becomes `chatcore.storage_backends`.

An installation has no other top-level name than `chatcore`.
"""

import re
import shutil
from pathlib import Path

from setuptools.command.build_py import build_py

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


def move_into_package(built: Path) -> None:
    """Move the backends into the package, and change all imports of them."""
    (built / "storage_backends").rename(built / "chatcore" / "storage_backends")
    for file in (built / "chatcore").rglob("*.py"):
        text = file.read_text()
        if (changed := IMPORT.sub(r"\1chatcore.storage_backends", text)) != text:
            file.write_text(changed)
