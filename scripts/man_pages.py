"""Writes a man page for each command: `python -m scripts.man_pages build/man`.

The script `click-man` would not find them: the entry point of the package is a function.
"""

import sys
from pathlib import Path

from click_man.core import write_man_pages

from chatcore.cli import chatcore
from chatcore.version import version


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    write_man_pages("chatcore", chatcore, version=version(), target_dir=str(folder))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
