"""`constraints.txt` names one tested release, with its hashes, of everything that a server needs."""

import re
import tomllib
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = Path(__file__).parents[1]
LOCKED = (PROJECT / "constraints.txt").read_text()
ENTRY = re.compile(
    r"^([a-z0-9-]+)==(\S+)((?: ; [^\\\n]+)?) \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)",
    re.MULTILINE,
)
"""Name, release, marker and hashes."""
EXTRAS = ("backup", "formulas", "mail", "oidc", "postgres", "push", "s3", "scim")
"""What a server may need; all others are for tests and for the documentation."""
PINS = {found[1]: found for found in ENTRY.finditer(LOCKED)}


def declared() -> list[Requirement]:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    extras = [project["optional-dependencies"][extra] for extra in EXTRAS]
    return [Requirement(one) for one in chain(project["dependencies"], *extras)]


@pytest.mark.parametrize("requirement", declared(), ids=str)
def test_each_requirement_has_a_release_that_fits(requirement: Requirement) -> None:
    """`make constraints` writes the file anew after a change in pyproject.toml."""
    found = PINS[canonicalize_name(requirement.name)]
    assert requirement.specifier.contains(found[2])
    assert not found[3], "it is needed everywhere"


def test_there_is_nothing_else_in_it() -> None:
    """No address of a package index: where releases come from is the server's own choice."""
    assert "".join(found[0] for found in ENTRY.finditer(LOCKED)) == LOCKED
    assert len(PINS) >= len(declared())
