"""The limits that can be set, from the fields of `Limits` and their docstrings."""

from chatcore.domain.limits import SETTABLE, Limits

from .settings import docstrings
from .table import code, table


def text() -> str:
    explained, usual = docstrings(Limits), Limits()
    rows = [
        (code(name), f"{getattr(usual, name)}", f"{bounds.least}", f"{bounds.most}", explained[name])
        for name, bounds in SETTABLE.items()
    ]
    return table(("limit", "default", "least", "most", "of what"), rows)
