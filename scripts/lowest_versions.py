"""Prints the lowest version of each dependency that `pyproject.toml` allows, as requirements for pip.

`make lowest` installs them and runs some tests: what is declared and too low for the code fails there.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
EXTRAS = ("formulas", "postgres", "s3", "mail", "backup", "oidc", "scim")
"""Extras that a server can use; those of developers follow their newest versions."""
RANGE = re.compile(r"(?P<name>[a-z0-9-]+(?:\[[a-z]+\])?)>=(?P<lowest>[0-9.]+)(?:,<[0-9.]+)?")


def lowest_versions(project: dict[str, Any]) -> Iterator[str]:
    """Yield `name==version`; the version is that after `>=`, which has to be a release.

    :raises ValueError: a requirement does not say from which version on
    """
    for declared in (
        *project["dependencies"],
        *(each for extra in EXTRAS for each in project["optional-dependencies"][extra]),
    ):
        if not (found := RANGE.fullmatch(declared)):
            raise ValueError(f"{declared!r} has no lowest version")
        yield f"{found['name']}=={found['lowest']}"


if __name__ == "__main__":
    print(*lowest_versions(tomllib.loads(PROJECT.read_text())["project"]), sep="\n")
