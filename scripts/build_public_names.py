"""Builds chatcore/public_names.py from the imports in chatcore/__init__.py, which only type checkers follow.

python -m scripts.build_public_names
"""

import ast
from collections.abc import Mapping
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "chatcore"
TARGET = PACKAGE / "public_names.py"

HEAD = '''"""The modules of what programs import from `chatcore`.

A name loads no more than its own module, and a value of the rules none of the server.

Made by scripts/build_public_names.py, not by hand.
"""

from collections.abc import Mapping
from typing import Final

MODULES: Final[Mapping[str, str]] = {
'''
END = '''}
"""Modules by names; after a colon, the name there."""
'''


def modules_of_names() -> Mapping[str, str]:
    """Return the modules by the names that are imported from them; after a colon, the name there."""
    code = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    block = next(statement for statement in code.body if isinstance(statement, ast.If))
    return {
        name.asname or name.name: f"{line.module}:{name.name}" if name.asname else str(line.module)
        for line in block.body
        if isinstance(line, ast.ImportFrom)
        for name in line.names
        if name.name != "*"  # the payloads, which their module lists
    }


def build() -> str:
    """Return the text of the module."""
    lines = (f'    "{name}": "{module}",\n' for name, module in sorted(modules_of_names().items()))
    return HEAD + "".join(lines) + END


if __name__ == "__main__":
    TARGET.write_text(build(), encoding="utf-8")
