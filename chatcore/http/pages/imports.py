"""The modules that a page needs from its start, as found in the page and in these files."""

import posixpath
import re
from collections.abc import Callable, Iterator
from typing import Final

NAMED: Final = re.compile(r'="([^"]*\{version\}/)([^"]+\.js)"')
"""A module that the page names itself."""
IMPORTS: Final = re.compile(r'^(?:import\s*|(?:import|export)\b[^;"(]*\bfrom\s*)"(\.[^"]+)"', re.MULTILINE)
LINK: Final = '<link rel="modulepreload" href="{}">'
PLACEHOLDER: Final = re.compile(r"( *)\{imports\}")


def insert_links(page: str, read: Callable[[str], str]) -> str:
    """Return the page with links in place of each `{imports}`: to all modules that are imported, directly or
    indirectly, by those that the page names since the last `{imports}`. A module that the page names itself,
    or that has a link already, gets none.

    Without these links a browser finds a module only when it has read the one that imports it.
    """
    seen = {match[2] for match in NAMED.finditer(page)}
    parts = PLACEHOLDER.split(page)  # in turn the text before a place, and the indentation of the place
    for place in range(1, len(parts), 2):
        before, indentation = parts[place - 1 : place + 1]
        parts[place] = "\n".join(indentation + link for link in _links(before, seen, read))
    return "".join(parts)


def _links(part: str, seen: set[str], read: Callable[[str], str]) -> Iterator[str]:
    """Yield links to the imported modules that are not *seen* yet, and add the modules to *seen*."""
    for named in NAMED.finditer(part):
        waiting = [named[2]]
        for module in waiting:  # each imported module is appended, so that its own imports are found too
            for path in IMPORTS.findall(read(module)):
                imported = posixpath.normpath(posixpath.join(posixpath.dirname(module), path))
                if imported not in seen:
                    seen.add(imported)
                    waiting.append(imported)
                    yield LINK.format(named[1] + imported)
