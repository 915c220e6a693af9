"""The settings, from the fields of `Settings` and their docstrings."""

import ast
import inspect
from collections.abc import Mapping
from dataclasses import MISSING, fields

from chatcore.cli import chatcore
from chatcore.cli.options import options_of
from chatcore.configuration import VARIABLE_READERS
from chatcore.settings import Settings
from chatcore.settings.shown import show_value

from .table import code, table


def text() -> str:
    explained = docstrings(Settings)
    defaults = {one.name: one.default for one in fields(Settings) if one.default is not MISSING}
    rows = [
        (code(variable), code(show_value(defaults[name])), explained[name])
        for variable, (name, _) in VARIABLE_READERS.items()
    ]
    of_serve = [
        (code(variable), code(show_value(option.default)), option.help or "")
        for variable, option in options_of(chatcore.commands["serve"], "CHATCORE_SERVE")
        if variable not in VARIABLE_READERS
    ]
    head = ("variable", "default", "meaning")
    return f"{table(head, rows)}## For `chatcore serve`\n\n{table(head, of_serve)}"


def docstrings(of: type) -> Mapping[str, str]:
    """Return the texts below the fields of a class.

    :raises KeyError: when a field without one is looked up
    """
    (tree,) = ast.parse(inspect.getsource(of)).body
    assert isinstance(tree, ast.ClassDef)
    found = {}
    for field, after in zip(tree.body, tree.body[1:], strict=False):
        match field, after:
            case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(said))):
                found[name] = said
    return found
