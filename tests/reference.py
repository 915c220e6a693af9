"""The description of the API, which is not part of this repository; tests skip without it.

It is expected beside the checkout, or where CHATCORE_SHARED says.
"""

import json
from os import getenv
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(getenv("CHATCORE_SHARED", str(Path(__file__).parents[2] / "shared")))


IS_AT_HAND = (SHARED / "api").exists()


def described(name: str) -> dict[str, Any]:
    """One of the files about the API."""
    path = SHARED / "api" / name
    if not path.exists():
        pytest.skip(f"the description of the API is not at hand: {path}")
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content
