"""The files of the web client as texts: who imports whom, lines that can be read, types that are made."""

import re
from graphlib import TopologicalSorter
from pathlib import Path
from posixpath import join, normpath

from scripts.build_web_types import TARGET, build

WEB = Path(__file__).parents[1] / "chatcore" / "web"

LONGEST = 110
FILES = [
    path
    for folder in (WEB, WEB.parent / "reference")
    for suffix in ("js", "css", "d.ts")
    for path in folder.rglob(f"*.{suffix}")
    if "vendor" not in path.parts
]

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
IMPORT = re.compile(r"""\b(?:from|import)\s*\(?\s*["'](\.[^"']+)["']""")
"""What a module imports from its start, and what it imports later; not types in comments."""


def imports(path: Path) -> set[str]:
    """Return the paths of the modules that a module imports."""
    folder = path.parent.relative_to(WEB).as_posix()
    return {normpath(join(folder, name)) for name in IMPORT.findall(COMMENT.sub("", path.read_text("utf-8")))}


IMPORTS = {path.relative_to(WEB).as_posix(): imports(path) for path in WEB.rglob("*.js")}


def test_all_imports_are_found() -> None:
    assert "view/titles.js" in IMPORTS["view/pages/pages.js"]
    assert "view/settings/page.js" in IMPORTS["view/pages/pages.js"]  # loaded when it is opened
    assert set().union(*IMPORTS.values()) <= IMPORTS.keys()


def test_no_module_imports_itself_through_others() -> None:
    TopologicalSorter(IMPORTS).prepare()  # a circle would be an error, which names its modules


def test_models_and_texts_know_no_views() -> None:
    below = [name for name in IMPORTS if not name.startswith("view/") and name != "main.js"]
    assert [name for name in below if any(one.startswith("view/") for one in IMPORTS[name])] == []


def test_views_import_the_kit_as_one() -> None:
    others = [name for name in IMPORTS if not name.startswith("view/kit")]
    assert [name for name in others if any(one.startswith("view/kit/") for one in IMPORTS[name])] == []


def test_the_kit_knows_no_other_views() -> None:
    kit = [name for name in IMPORTS if name.startswith("view/kit/")]
    beyond = {one for name in kit for one in IMPORTS[name] if one.startswith("view/")}
    assert beyond <= set(kit)


def test_lines_can_be_read() -> None:
    texts = ((path.relative_to(WEB.parent), path.read_text("utf-8")) for path in FILES)
    found = [(str(name), line) for name, text in texts for line in text.splitlines() if len(line) > LONGEST]
    assert found == []


def test_types_are_those_of_answers_and_events() -> None:
    assert TARGET.read_text("utf-8") == build(), "python -m scripts.build_web_types"
