"""Client libraries of the API that are installed beside the project.

Their names begin with the brand for which they were made. The brand is found by the endings of the names of
installed distributions; `requirements.txt` is the only place that has the names themselves.
"""

import importlib
import warnings
from functools import cache
from importlib.metadata import distributions
from types import ModuleType
from typing import Any

import pytest

HOW = "client libraries are not installed: pip install -r tests/clients/requirements.txt"

BOTS = "_bots"
BOT_SERVER = "_botserver"


@cache
def brand() -> str | None:
    """The brand of the installed libraries, or None if one of them is missing."""
    names = {(one.metadata["Name"] or "").lower().replace("-", "_") for one in distributions()}
    families = {name.removesuffix(BOTS) for name in names if name.endswith(BOTS)}
    whole = (one for one in families if {one, one + BOTS, one + BOT_SERVER} <= names)
    return next(whole, None)


def require_brand() -> str:
    """The brand; the test is skipped where the libraries are not installed."""
    found = brand()
    if found is None:
        pytest.skip(HOW)
    return found


def library(ending: str = "") -> ModuleType:
    """The library, or one of its relatives such as the package of bots (`BOTS`)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # libraries warn of each other
        return importlib.import_module(require_brand() + ending)


def client(email: str, api_key: str, url: str, **options: Any) -> Any:
    """A client of the library, logged in as an account."""
    return library().Client(email=email, api_key=api_key, site=url, client="TestProgram", **options)
