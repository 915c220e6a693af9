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


def links_to_imports(page: str, read: Callable[[str], str]) -> Iterator[str]:
    """Yield a link for each imported file: imported by those that the page names, or by imported ones.

    Without these links a browser finds a file only when it has read the one that imports it.
    """
    named = [(match[1], match[2]) for match in NAMED.finditer(page)]
    seen = {name for _, name in named}
    for prefix, name in named:
        waiting = [name]
        for file in waiting:  # which grows meanwhile
            kind = posixpath.splitext(file)[1]
            for path in IMPORTS[kind].findall(read(file)):
                imported = posixpath.normpath(posixpath.join(posixpath.dirname(file), path))
                if imported not in seen:
                    seen.add(imported)
                    waiting.append(imported)
                    yield LINKS[kind].format(prefix + imported)
