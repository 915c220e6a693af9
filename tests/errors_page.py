"""The table of all codes of refusals in docs/errors.md, made from the classes of the errors.

python -m tests.errors_page
"""

import importlib
import pkgutil
import sys
from collections import defaultdict
from collections.abc import Iterator

import chatcore
from chatcore.domain.errors import ChatError

HEAD = """\
| code | status | class | meaning |
|---|---|---|---|
"""
OF_THE_SERVER = (
    ("INTERNAL_SERVER_ERROR", 500, "", "A fault of the server; its log has the traceback."),
    ("SERVER_NOT_READY", 503, "", "The database cannot be used just now. Send the request again."),
    (
        "OUTCOME_UNKNOWN",
        503,
        "",
        "The database was lost during a commit: the change may be made.",
    ),
    ("INSUFFICIENT_STORAGE", 507, "", "There is no space for files just now."),
)
"""Answers that are no refusals, for which there are no classes."""


def errors() -> Iterator[type[ChatError]]:
    """All classes of errors, whichever module they are in."""
    for module in pkgutil.walk_packages(chatcore.__path__, "chatcore."):
        if not module.name.endswith("__main__") and ".conformance" not in module.name:
            importlib.import_module(module.name)
    found: list[type[ChatError]] = [ChatError]
    for error in found:
        found += error.__subclasses__()
    yield from (error for error in found[1:] if error.__module__.startswith("chatcore."))


def meaning(error: type[ChatError]) -> str:
    """The first sentence of a docstring."""
    paragraph = " ".join((error.__dict__.get("__doc__") or "").partition("\n\n")[0].split())
    return paragraph.partition(". ")[0].rstrip(".") + "."


def text() -> str:
    of_code: defaultdict[tuple[str, int], list[type[ChatError]]] = defaultdict(list)
    for error in errors():
        of_code[error.code, error.status].append(error)
    rows = [
        (code, status, f"`{error.__name__}`", meaning(error))
        for (code, status), found in of_code.items()
        for error in sorted(found, key=lambda error: error.__name__)
    ]
    lines = [" | ".join((f"| `{code}`", str(status), name, f"{said} |"))
             for code, status, name, said in sorted([*rows, *OF_THE_SERVER])]  # fmt: skip
    return HEAD + "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(text())
