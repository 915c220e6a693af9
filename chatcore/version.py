"""The version of the program, and the commit of the checkout that it runs from or was built from.

The build runs this file by itself.
"""

import subprocess
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Final

CHECKOUT: Final = Path(__file__).parents[1]
COMMIT: Final = "chatcore/commit.txt"
"""The file of builds with the commit; a checkout has none."""


def version() -> str:
    """Return the version in the `pyproject.toml` of the checkout, or that of the installation."""
    project = CHECKOUT / "pyproject.toml"
    if not project.exists():
        return metadata.version("chatcore")
    return str(tomllib.loads(project.read_text())["project"]["version"])


def commit() -> str | None:
    """Return the beginning of the commit's hash, with a plus sign if files have been changed since; None if
    it is not known.
    """
    if not (CHECKOUT / ".git").exists():
        built = CHECKOUT / COMMIT
        return built.read_text().strip() if built.exists() else None
    describe = ["git", "-C", str(CHECKOUT), "describe", "--always", "--exclude=*", "--abbrev=12", "--dirty=+"]
    try:
        done = subprocess.run(describe, capture_output=True, text=True, check=False)
    except OSError:  # there is no git
        return None
    return done.stdout.strip() or None
