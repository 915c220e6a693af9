"""The modules and styles that a page needs from its start, as found in the page and in these files."""

import posixpath
import re
from collections.abc import Callable, Iterator
from typing import Final

NAMED: Final = re.compile(r'="([^"]*\{version\}/)([^"]+\.(?:js|css))"')
"""A file that the page names itself."""
IMPORTS: Final = {
    ".js": re.compile(r'^(?:import\s*|(?:import|export)\b[^;"(]*\bfrom\s*)"(\.[^"]+)"', re.MULTILINE),
    ".css": re.compile(r'^@import url\("([^"]+)"\)', re.MULTILINE),
}
LINKS: Final = {
    ".js": '<link rel="modulepreload" href="{}">',
    ".css": '<link rel="preload" as="style" href="{}">',
}
PLACEHOLDER: Final = re.compile(r"( *)\{imports\}")


def insert_links(page: str, read: Callable[[str], str]) -> str:
    """Return the page with links in place of each `{imports}`: to all files that are imported, directly or
    indirectly, by those that the page names since the last `{imports}`. A file that the page names itself, or
    that has a link already, gets none.

    Without these links a browser finds a file only when it has read the one that imports it.
    """
    seen = {match[2] for match in NAMED.finditer(page)}
    parts = PLACEHOLDER.split(page)  # in turn the text before a place, and the indentation of the place
    for place in range(1, len(parts), 2):
        before, indentation = parts[place - 1 : place + 1]
        parts[place] = "\n".join(indentation + link for link in _links(before, seen, read))
    return "".join(parts)


def _links(part: str, seen: set[str], read: Callable[[str], str]) -> Iterator[str]:
    """Yield links to the imported files that are not *seen* yet, and add the files to *seen*."""
    for named in NAMED.finditer(part):
        waiting = [named[2]]
        for file in waiting:  # each imported file is appended, so that its own imports are found too
            kind = posixpath.splitext(file)[1]
            for path in IMPORTS[kind].findall(read(file)):
                imported = posixpath.normpath(posixpath.join(posixpath.dirname(file), path))
                if imported not in seen:
                    seen.add(imported)
                    waiting.append(imported)
                    yield LINKS[kind].format(named[1] + imported)
