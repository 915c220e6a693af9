"""Who imports whom in the web client. Types in comments, which browsers do not load, do not count."""

import re
from graphlib import TopologicalSorter
from pathlib import Path
from posixpath import dirname, join, normpath

WEB = Path(__file__).parents[1] / "chatcore" / "web"

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
IMPORT = re.compile(r'\b(?:from|import) ?\(?"(\.[^"]+)"')
"""What a module imports from its start, and what it imports later."""

IMPORTS = {
    name: {normpath(join(dirname(name), path)) for path in IMPORT.findall(COMMENT.sub("", text))}
    for name, text in (
        (path.relative_to(WEB).as_posix(), path.read_text("utf-8")) for path in WEB.rglob("*.js")
    )
}


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
